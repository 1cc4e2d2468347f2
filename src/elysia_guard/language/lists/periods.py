"""The years or months that listed documents are to be of."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from elysia_guard.language.lists.reading import GAP, phrase, without
from elysia_guard.language.pack import either, packs, words_of
from elysia_guard.language.pack_reader import Words
from elysia_guard.language.pack_sections import PeriodsSection

_MONTHS_A_YEAR = 12
_YEAR = r"(19|20)\d\d(?![\w.-]*\d)"


class _Forms(NamedTuple):
    """How periods are said, in all languages at once."""

    between: re.Pattern[str]
    since: re.Pattern[str]
    after: re.Pattern[str]
    until: re.Pattern[str]
    before: re.Pattern[str]
    within: re.Pattern[str]
    dated: re.Pattern[str]
    dated_after: re.Pattern[str]


@cache
def _months() -> dict[str, int]:
    """The number of each month, by its names."""
    return {
        name: number
        for item in packs().values()
        for number, names in enumerate(item.core.time.months, start=1)
        for name in names.split("|")
    }


def _said(role: Callable[[PeriodsSection], Words]) -> str:
    return either(lambda core: role(core.periods))


def _point(name: str) -> str:
    months = "|".join(sorted(_months(), key=len, reverse=True))
    year = _said(lambda said: said.year)
    return rf"((?P<{name}m>{months}) )?({year} )?(?<![\w.-])(?P<{name}>{_YEAR})"


@cache
def _forms() -> _Forms:
    first, second, third = map(_point, ("first", "second", "third"))
    lead = _said(lambda said: (*said.between, *said.from_, *said.of))
    joins = _said(lambda said: (*said.and_, *said.to))
    now, begins = _said(lambda said: said.now), _said(lambda said: (*said.from_, *said.since))
    return _Forms(
        between=phrase(
            rf"(\b(?P<lead>{lead}) )?({_said(lambda said: said.year)} )?{first}"
            rf"\s*(?P<join>\b{joins}(?!\w)|[-\u2013])\s*{second}"
        ),
        since=phrase(
            rf"\b{begins} {third} {now}\b|\b{_said(lambda said: said.since)} {first}"
            rf"|\b{_said(lambda said: said.from_)} {second} {_said(lambda said: said.onwards)}\b"
        ),
        after=phrase(rf"\b{_said(lambda said: said.after)} {first}"),
        until=phrase(rf"\b{_said(lambda said: said.until)} {first}"),
        before=phrase(rf"\b{_said(lambda said: said.before)} {first}"),
        within=phrase(rf"(\b{_said(lambda said: said.within)} )?{first}"),
        dated=phrase(rf"\b{_said(lambda said: said.dated)}\s*(?={GAP})"),
        dated_after=phrase(rf"(?<={GAP})\s*{_said(lambda said: said.dated_after)}"),
    )


def take_period(text: str) -> tuple[str, str, str]:
    """Read since when and until when, both included; and what else the text says.

    >>> take_period("decisions after 2023")[:2]
    ('2024', '')
    """
    since, until, rest = _period(text)
    if rest == text:
        return since, until, text
    forms = _forms()
    return since, until, forms.dated_after.sub(GAP, forms.dated.sub(GAP, rest))


def _period(text: str) -> tuple[str, str, str]:
    forms = _forms()
    if (match := forms.between.search(text)) and _is_range(match):
        return _named(match, "first"), _named(match, "second"), without(text, match)
    if match := forms.since.search(text):
        point = next(name for name in ("first", "second", "third") if match[name])
        return _named(match, point), "", without(text, match)
    if match := forms.after.search(text):
        return _named(match, "first", later=1), "", without(text, match)
    if match := forms.until.search(text):
        return "", _named(match, "first"), without(text, match)
    if match := forms.before.search(text):
        return "", _named(match, "first", later=-1), without(text, match)
    if match := forms.within.search(text):
        point = _named(match, "first")
        return point, point, without(text, match)
    return "", "", text


def _is_range(match: re.Match[str]) -> bool:
    """'2023 and 2024' are all that lies from the one to the other; '2023 and 2025' are not."""
    lead, join = (match["lead"] or "").casefold(), match["join"].casefold()
    one_or_other = join in words_of(lambda core: core.periods.and_)
    if not one_or_other or lead in words_of(lambda core: core.periods.between):
        return bool(lead)
    named = match["firstm"] or match["secondm"]
    return not named and int(match["second"]) - int(match["first"]) == 1


def _named(match: re.Match[str], point: str, *, later: int = 0) -> str:
    """Write a year, or a month of it, as a date begins; or the one before or after."""
    year, name = int(match[point]), match[f"{point}m"]
    if not name:
        return str(year + later)
    months = year * _MONTHS_A_YEAR + _months()[name.casefold()] - 1 + later
    return f"{months // _MONTHS_A_YEAR}-{months % _MONTHS_A_YEAR + 1:02d}"
