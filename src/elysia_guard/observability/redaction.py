"""No secret in a log: keys that are known, and what looks like one."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

HIDDEN = "***"
_TOO_SHORT = 6
"""A 'secret' shorter than this would turn up in ordinary words."""

_SHAPES = re.compile(
    r"""(?ix)
    (?P<before>
        \b[a-z][a-z0-9+.-]*://(?=[^\s/@"\\]+@)             # user and password in an address
      | [?&;](?:api[_-]?key|key|(?:access_)?token|secret|password|sig(?:nature)?)=
      | \b(?:bearer|basic)\s+(?=[\w.~+/=-]{8})
      | \b(?:sk|pk|rk|ghp|gho|xox[abp])[-_](?=[\w-]{12})   # as the usual services begin them
    )
    [^\s@&"'\\,;)\]}]+
    """
)


def redactor(secrets: Iterable[str] = ()) -> Callable[[str], str]:
    """Return what takes secrets out of a text: these, and what has the shape of one.

    >>> redactor(["s3cret-key"])("asked https://me:pw@vocab.example/?q=CIM with s3cret-key")
    'asked https://***@vocab.example/?q=CIM with ***'
    """
    known = sorted({item for item in secrets if len(item) >= _TOO_SHORT}, key=len, reverse=True)
    named = re.compile("|".join(map(re.escape, known))) if known else None

    def redact(text: str) -> str:
        shown = _SHAPES.sub(lambda found: found["before"] + HIDDEN, text)
        return named.sub(HIDDEN, shown) if named else shown

    return redact
