"""The numbers and identifiers of a text: what may not differ between a question and its answer."""

from __future__ import annotations

import re

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_THOUSANDS = re.compile(r"(?<=\d)[.,](?=\d{3}(?:\D|$))")
# Two capitals ('TLS', 'OAuth'), or letters and digits ('IEC61970', 'v2').
_IDENTIFIER = re.compile(r"\b(?=\w*[^\W\d_])(?:\w*[A-Z]\w*[A-Z]\w*|\w*\d\w*)\b")


def figures(text: str) -> frozenset[str]:
    """Return the numbers of a text, those with marks between thousands without them.

    >>> sorted(figures("1,000 meters since 2.1, within 48 hours"))
    ['1000', '2.1', '48']
    """
    return frozenset(_THOUSANDS.sub("", found) for found in _NUMBER.findall(text))


def identifiers(text: str) -> frozenset[str]:
    """Return the words that are written like names of systems and standards, in lower case.

    >>> sorted(identifiers("Does OAuth or mTLS apply to IEC61970 files?"))
    ['iec61970', 'mtls', 'oauth']
    """
    return frozenset(found.lower() for found in _IDENTIFIER.findall(text))
