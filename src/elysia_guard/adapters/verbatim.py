"""On which lines of a text some words stand, whatever an editor changes.

White space, emphasis, and the form of quotation marks and dashes do not count; words do.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_TYPOGRAPHY = str.maketrans(
    {"\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"', "\u201e": '"', "\u2010": "-",
     "\u2011": "-", "\u2012": "-", "\u2013": "-", "\u2014": "-", "\u2026": "..."}
)  # fmt: skip
_MARKS = re.compile(r"[*_`]+")
_LINE_START = re.compile(r"^(?:[-+\u2022]|\d{1,2}[.)])\s+")


def lines_of(words: str, text: str) -> tuple[int, int] | None:
    r"""Return the first and the last line, from 1, that some words stand on; None where nowhere.

    >>> lines_of("rotate yearly", "# Keys\n\nAll **keys** rotate\nyearly.")
    (3, 4)
    """
    wanted = _LINE_START.sub("", _plain(words))
    plain, at = [], []
    for number, line in enumerate(text.splitlines(), start=1):
        if found := _plain(line):
            plain.append(found)
            at += [number] * (len(found) + 1)  # with the blank that joins it to the next
    place = _place(wanted, " ".join(plain))
    return None if place is None else (at[place], at[place + len(wanted) - 1])


@lru_cache(maxsize=4_000)
def _plain(text: str) -> str:
    spaced = " ".join(unicodedata.normalize("NFC", text).translate(_TYPOGRAPHY).split())
    return _MARKS.sub("", spaced)


def _place(wanted: str, text: str) -> int | None:
    """Where a text stands in another as whole words; None where it does not."""
    if not any(char.isalnum() for char in wanted):
        return None
    at = text.find(wanted)
    while at >= 0:
        before, after = text[:at][-1:], text[at + len(wanted) :][:1]
        if not (_runs_on(before, wanted[0]) or _runs_on(wanted[-1], after)):
            return at
        at = text.find(wanted, at + 1)
    return None


def _runs_on(before: str, after: str) -> bool:
    """Tell whether a word goes on from one character to the next; '' is none."""
    return _in_word(before) and _in_word(after)


def _in_word(char: str) -> bool:
    return char.isalnum() or char == "_"
