"""The years or months that listed documents are to be of."""

from __future__ import annotations

import re
from typing import Final

from elysia_guard.language.lists.reading import GAP, phrase, without

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
_YEAR = r"(19|20)\d\d(?![\w.-]*\d)"
_OF_YEAR = r"((the years?|het jaar|de jaren|dem jahre?|den jahren|im jahre?|year|jaar|jahr) )?"


def _point(name: str) -> str:
    names = "|".join(_MONTHS)
    return rf"((?P<{name}m>{names}) )?{_OF_YEAR}(?<![\w.-])(?P<{name}>{_YEAR})"


_FIRST, _SECOND = _point("first"), _point("second")
_BETWEEN = phrase(
    r"(\b(?P<lead>between|from|tussen|van|zwischen|von|in|of|dated|uit|aus) "
    rf")?{_OF_YEAR}{_FIRST}\s*(?P<join>\b(and|or|of|oder|to|until|till|through|en"
    rf"|tot( en met)?|t/m|und|bis)\b|[-\u2013])\s*{_SECOND}"
)
_ONE_OR_OTHER = frozenset("and or en of und oder".split())
_TO_NOW = (
    r"(to|until|till|up to|through|tot( en met)?|bis) "
    r"(now|today|date|the present|present|nu|heden|vandaag|heute|jetzt)"
)
_SINCE = phrase(
    rf"\b(from|van|von|since|sinds|vanaf|seit|ab) {_FIRST.replace('<first', '<third')} "
    rf"{_TO_NOW}\b|\b(since|as of|starting (in|from)|sinds|vanaf|seit|ab) {_FIRST}"
    rf"|\b(from|van|von) {_FIRST.replace('<first', '<second')} (on(wards?)?|af|an)\b"
)
_AFTER = phrase(rf"\b(after|later than|newer than|na|nach) {_FIRST}")
_BEFORE = phrase(rf"\b(before|prior to|earlier than|older than|voor|vóór|vor|tot) {_FIRST}")
_UNTIL = phrase(rf"\b(until|till|up to( and including)?|tot en met|t/m|bis) {_FIRST}")
_IN = phrase(
    r"(\b(in|from|of|during|within|dated|uit|van|gedurende|tijdens|im|aus|von|während) "
    rf")?{_FIRST}"
)
_DATED = phrase(
    r"(\b(that|which|die|dat|welche) )?(\b(are|is|were|zijn|is|sind) )?"
    r"(\b(carry(ing)?|carries|bear(ing)?|have|has|having|with|dragen|hebben|heeft|met|tragen"
    r"|haben|mit) ((the|an?|een|de|als|as|ein(em)?|das|dem|their|hun) )*(date|year|datum|jaar"
    r"|jahr|datierung)"
    r"|\b(dated|dating|dates?|gedateerd|dateren|dateert|datiert|datieren|stem(s|ming)?|stammen"
    r"|originat(e|ing)))\b"
    rf"( (in|from|of|to|back|uit|van|op|aus|von|vom|auf|im))*\s*(?={GAP})"
    rf"|\b(date|datum)\s*([:=]\s*)?(?={GAP})"
)
"""How people say that it is a date: 'carry a date in'."""
_HAVE = phrase(rf"(?<={GAP})\s*(hebben|haben|dragen|tragen|gedateerd|datiert)\b( (zijn|sind)\b)?")


def take_period(text: str) -> tuple[str, str, str]:
    """Read since when and until when, both included; and what else the text says.

    >>> take_period("decisions after 2023")[:2]
    ('2024', '')
    """
    since, until, rest = _period(text)
    return since, until, _HAVE.sub(GAP, _DATED.sub(GAP, rest)) if rest != text else rest


def _period(text: str) -> tuple[str, str, str]:
    if (match := _BETWEEN.search(text)) and _is_range(match):
        return _named(match, "first"), _named(match, "second"), without(text, match)
    if match := _SINCE.search(text):
        point = next(name for name in ("first", "second", "third") if match[name])
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


def _is_range(match: re.Match[str]) -> bool:
    """'2023 and 2024' are all that lies from the one to the other; '2023 and 2025' are not."""
    lead = (match["lead"] or "").casefold()
    if match["join"].casefold() not in _ONE_OR_OTHER or lead in {"between", "tussen", "zwischen"}:
        return bool(lead)
    named = match["firstm"] or match["secondm"]
    return not named and int(match["second"]) - int(match["first"]) == 1


def _named(match: re.Match[str], point: str, *, later: int = 0) -> str:
    """Write a year, or a month of it, as a date begins; or the one before or after."""
    year, name = int(match[point]), match[f"{point}m"]
    if not name:
        return str(year + later)
    months = year * _MONTHS_A_YEAR + _MONTHS[name.casefold()] - 1 + later
    return f"{months // _MONTHS_A_YEAR}-{months % _MONTHS_A_YEAR + 1:02d}"
