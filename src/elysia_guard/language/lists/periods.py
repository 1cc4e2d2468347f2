"""The years or months that listed documents are to be of."""

from __future__ import annotations

import re
from typing import Final

from elysia_guard.language.lists.reading import phrase, without

_MONTHS: Final = {
    name: number
    for number, names in enumerate(
        """january januari januar|february februari februar|march maart m\u00e4rz|april|may mei mai
        |june juni|july juli|august augustus|september|october oktober|november|december dezember
        """.split("|"),
        start=1,
    )
    for name in names.split()
}
_MONTHS_A_YEAR = 12
_YEAR = r"(?:19|20)\d\d(?![\w.-]*\d)"
_OF_YEAR = r"(?:(?:the\s+years?|het\s+jaar|de\s+jaren|dem\s+jahre?|den\s+jahren|im\s+jahre?|year|jaar|jahr)\s+)?"


def _point(name: str) -> str:
    names = "|".join(_MONTHS)
    return rf"(?:(?P<{name}m>{names})\s+)?{_OF_YEAR}(?<![\w.-])(?P<{name}>{_YEAR})"


_FIRST, _SECOND = _point("first"), _point("second")
_BETWEEN = phrase(
    rf"\b(?:between|from|tussen|van|zwischen|von)\s+{_OF_YEAR}{_FIRST}\s*(?:\b(?:and|to|until|till|through|en|tot(?:\s+en\s+met)?|t/m|und|bis)\b|[-\u2013])\s*{_SECOND}"
)
_SINCE = phrase(
    rf"\b(?:since|as\s+of|starting\s+(?:in|from)|sinds|vanaf|seit|ab)\s+{_FIRST}|\b(?:from|van|von)\s+{_FIRST.replace('<first', '<second')}\s+(?:on(?:wards?)?|af|an)\b"
)
_AFTER = phrase(rf"\b(?:after|later\s+than|newer\s+than|na|nach)\s+{_FIRST}")
_BEFORE = phrase(
    rf"\b(?:before|prior\s+to|earlier\s+than|older\s+than|voor|v\u00f3\u00f3r|vor|tot)\s+{_FIRST}"
)
_UNTIL = phrase(
    rf"\b(?:until|till|up\s+to(?:\s+and\s+including)?|tot\s+en\s+met|t/m|bis)\s+{_FIRST}"
)
_IN = phrase(
    rf"(?:\b(?:in|from|of|during|within|dated|uit|van|gedurende|tijdens|im|aus|von|w\u00e4hrend)\s+)?{_FIRST}"
)


def take_period(text: str) -> tuple[str, str, str]:
    """Read since when and until when, both included; and what else the text says.

    >>> take_period("decisions after 2023")[:2]
    ('2024', '')
    """
    if match := _BETWEEN.search(text):
        return _named(match, "first"), _named(match, "second"), without(text, match)
    if match := _SINCE.search(text):
        point = "first" if match["first"] else "second"
        return _named(match, point), "", without(text, match)
    if match := _AFTER.search(text):
        return _named(match, "first", later=1), "", without(text, match)
    if match := _UNTIL.search(text):
        return "", _named(match, "first"), without(text, match)
    if match := _BEFORE.search(text):
        return "", _named(match, "first", later=-1), without(text, match)
    if match := _IN.search(text):
        point = _named(match, "first")
        return point, point, without(text, match)
    return "", "", text


def _named(match: re.Match[str], point: str, *, later: int = 0) -> str:
    """Write a year, or a month of it, as a date begins; or the one before or after."""
    year, name = int(match[point]), match[f"{point}m"]
    if not name:
        return str(year + later)
    months = year * _MONTHS_A_YEAR + _MONTHS[name.casefold()] - 1 + later
    return f"{months // _MONTHS_A_YEAR}-{months % _MONTHS_A_YEAR + 1:02d}"
