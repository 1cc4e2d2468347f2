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
        (?<=[a-z0-9+.-])://(?=[^\s/@"\\]+@)               # user and password in an address
      | [?&;](?:api[_-]?key|key|(?:access_)?token|secret|password|sig(?:nature)?)=
      | \b(?:bearer|basic)\s+(?=[\w.~+/=-]{8})
      | \b(?:sk|pk|rk|ghp|gho|xox[abp])[-_](?=[\w-]{12})   # as the usual services begin them
    )
    [^\s@&"'\\,;)\]}]+
    """
)
_HINTS = (
    "://",
    "=",
    "bearer",
    "basic",
    *(f"{start}{mark}" for start in ("sk", "pk", "rk", "ghp", "gho") for mark in "-_"),
    "xox",
)
"""Every shape holds one of these; to look for them takes a twentieth of the time."""


def redactor(secrets: Iterable[str] = ()) -> Callable[[str], str]:
    """Return what takes secrets out of a text: these, and what has the shape of one.

    >>> redactor(["s3cret-key"])("asked https://me:pw@vocab.example/?q=CIM with s3cret-key")
    'asked https://***@vocab.example/?q=CIM with ***'
    """
    known = sorted({item for item in secrets if len(item) >= _TOO_SHORT}, key=len, reverse=True)
    named = re.compile("|".join(map(re.escape, known))) if known else None

    def redact(text: str) -> str:
        suspect = any(map(text.casefold().__contains__, _HINTS))
        shown = _SHAPES.sub(_hidden, text) if suspect else text
        return named.sub(HIDDEN, shown) if named else shown

    return redact


def _hidden(found: re.Match[str]) -> str:
    return found["before"] + HIDDEN
