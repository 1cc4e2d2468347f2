"""Dates in a text, however they are written: '2024-03-01', '1 March 2024', '01.03.2024'."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache, lru_cache

from elysia_guard.language.number_words import ordinal_of
from elysia_guard.language.pack import packs
from elysia_guard.language.text import without_marks

Parts = tuple[int | None, int | None, int | None]
"""Year, month and day; None for what is not said."""
_MONTHS, _DAYS = range(1, 13), range(1, 32)
_SHORT = 3
_CENTURY = 2000


@dataclass(frozen=True, kw_only=True, slots=True)
class Date:
    """A date, or the dates that it may be ('01/07'), and where it stands, ``[start, end)``."""

    readings: frozenset[Parts]
    start: int
    end: int

    @property
    def is_month_alone(self) -> bool:
        """Whether it says a month and nothing else, or what only may be one ('may')."""
        return all(year is None and day is None for year, _, day in self.readings)


@lru_cache(maxsize=2_000)
def dates(text: str) -> tuple[Date, ...]:
    """Return every date of a text, in its order; they do not overlap.

    >>> dates("since 1 March 2024")[0].readings == dates("2024-03-01")[0].readings
    True
    """
    taken: list[Date] = []
    for date in _found(text):
        if all(date.end <= other.start or other.end <= date.start for other in taken):
            taken.append(date)
    return tuple(sorted(taken, key=lambda date: date.start))


def said_by(date: Date, others: Iterable[Date]) -> bool:
    """Tell whether dates say one: all of its parts, of one of them, its year perhaps of another."""
    known = list(others)
    years = {year for other in known for year, _, _ in other.readings if year}
    return any(
        _fits(parts, reading, years)
        for parts in date.readings
        for other in known
        for reading in other.readings
    )


def _fits(parts: Parts, reading: Parts, years: set[int]) -> bool:
    year, *rest = parts
    own, *others = reading
    if any(each is not None and each != other for each, other in zip(rest, others, strict=True)):
        return False
    return year is None or year == own or (own is None and year in years)


def _found(text: str) -> Iterator[Date]:
    """The longer forms first: what stands in one is no date of its own."""
    for match in _patterns().iso.finditer(text):
        year, month, day = match.groups()
        yield from _date(match, [(int(year), int(month), int(day) if day else None)])
    for match in _patterns().figures.finditer(text):
        first, second, year = match.groups()
        whole = None if not year else int(year) + (_CENTURY if len(year) == len("24") else 0)
        one, other = int(first), int(second)
        yield from _date(match, [(whole, other, one), (whole, one, other)])
    for match in _patterns().said.finditer(text):
        yield from _in_words(match)
    for match in _patterns().year.finditer(text):
        yield Date(
            readings=frozenset({(int(match[0]), None, None)}), start=match.start(), end=match.end()
        )


def _in_words(match: re.Match[str]) -> Iterator[Date]:
    day = match["day"] or match["after"]
    number = _day(day) if day else None
    start = match.start() if number or not match["day"] else match.start("month")
    year = int(match["year"]) if match["year"] else None
    # A short form or a name in lower case may be any word: 'sep', 'may', 'mei'.
    if year is None and number is None and not _is_full(match["month"]):
        return
    for date in _date(match, [(year, _month(match["month"]), number)]):
        yield replace(date, start=start)


def _day(said: str) -> int | None:
    figures = re.match(r"\d+", said)
    return int(figures[0]) if figures else ordinal_of(said)


def _date(match: re.Match[str], readings: Iterable[Parts]) -> Iterator[Date]:
    possible = frozenset(
        (year, month, day)
        for year, month, day in readings
        if month in _MONTHS and (day is None or day in _DAYS)
    )
    if possible:
        yield Date(readings=possible, start=match.start(), end=match.end())


@dataclass(frozen=True, slots=True)
class _Patterns:
    iso: re.Pattern[str]
    figures: re.Pattern[str]
    said: re.Pattern[str]
    year: re.Pattern[str]


@cache
def _patterns() -> _Patterns:
    months = "|".join(sorted(_month_words(), key=len, reverse=True))
    year = r"(?:19|20)\d\d"
    ordinals = r"[^\W\d_]+(?:st|nd|rd|th|ste|de|te|ten|ter)"
    return _Patterns(
        iso=re.compile(rf"(?<![\d\-])({year})-(\d\d)(?:-(\d\d))?(?![\d\-])"),
        figures=re.compile(
            rf"(?<![\d./\-])(\d{{1,2}})[./\-](\d{{1,2}})(?:[./\-]({year}|\d\d)|\.|(?<=/\d\d))"
            r"(?![\d/\-]|\.\d)"
        ),
        said=re.compile(
            rf"(?<!\w)(?:(?P<day>\d{{1,2}}(?!\d)|{ordinals})(?:st|nd|rd|th|e|er|de|ste|\.)?\s+"
            rf"(?:of\s+)?)?(?P<month>{months})\b\.?"
            rf"(?:\s+(?P<after>\d{{1,2}})(?:st|nd|rd|th)?(?!\d))?(?:,?\s+(?P<year>{year}))?(?!\w)",
            re.IGNORECASE,
        ),
        year=re.compile(rf"(?<![\w.,\-/]){year}(?![\w%]|[.,]\d|\s?[\u20ac%])"),
    )


@cache
def _month_words() -> dict[str, int]:
    """The names of months with and without their marks, and their first three letters."""
    found: dict[str, int] = {}
    for item in packs().values():
        for number, names in enumerate(item.core.time.months, start=1):
            for name in names.split("|"):
                for form in (name, without_marks(name), name[:_SHORT]):
                    found.setdefault(form, number)
    return found


def _month(word: str) -> int:
    return _month_words()[word.casefold()]


def _is_full(word: str) -> bool:
    return len(word) > _SHORT and not word.islower()
