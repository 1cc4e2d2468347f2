"""Dates as people write them, in the order of the calendar: '11-April-2023', 'Oct 16th, 2025'."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from datetime import date
from functools import cache

from elysia_guard.language.pack import either, packs

_ISO = re.compile(r"(?P<day>\d{4}(?:-\d{2}(?:-\d{2})?)?)(?!\d)")
_FIGURES = re.compile(
    r"(?P<first>\d{1,2})(?P<by>[./-])(?P<second>\d{1,2})(?P=by)(?P<year>\d{4})(?!\d)"
)
_SHORT = 3
"""Letters of a month that are enough: 'Sep'."""


def in_order(written: str) -> str:
    """Write a date as the calendar sorts it, as exactly as it is told; empty where that is not.

    Of figures alone ('03/04/2024') day and month are told where only one can be the day, or where
    dots part them.

    >>> in_order("Sep 5th, 2023"), in_order("11-April-2023"), in_order("22-10-2024")
    ('2023-09-05', '2023-04-11', '2024-10-22')
    >>> in_order("mars 2024"), in_order("03/04/2024"), in_order("soon")
    ('2024-03', '', '')
    """
    text = written.strip().casefold()
    if found := _ISO.match(text):
        return found["day"]
    if found := _FIGURES.match(text):
        return _of_figures(found)
    for found in _words().finditer(text):
        if month := _months().get(found["month"]) or _months().get(found["month"][:_SHORT]):
            day = found["day"] or found["after"]
            return f"{found['year']}-{month:02d}" + (f"-{int(day):02d}" if day else "")
    return ""


@cache
def _words() -> re.Pattern[str]:
    """A day, a month by its name and a year: '16th Oct. 2025', '16 de octubre de 2025'."""
    ending, of = r"[^\W\d_]{0,2}", f"(?:{either(lambda core: core.words.of)}\\s+)?"
    return re.compile(
        rf"(?:(?P<day>\d{{1,2}}){ending}[\s.-]*{of})?(?P<month>[^\W\d_]{{3,}})\.?[\s,-]*{of}"
        rf"(?:(?P<after>\d{{1,2}}){ending}[\s,-]+)?(?P<year>\d{{4}})(?!\d)"
    )


def _of_figures(found: re.Match[str]) -> str:
    """The one day that figures can be; nothing where they can be two."""
    year, first, second = (int(found[name]) for name in ("year", "first", "second"))
    orders = [(second, first), (first, second)][: 1 if found["by"] == "." else 2]
    days: set[str] = set()
    for month, day in orders:
        with suppress(ValueError):
            days.add(date(year, month, day).isoformat())
    return days.pop() if len(days) == 1 else ""


@cache
def _months() -> Mapping[str, int]:
    """The number of each month by its name in any language, and by its first letters."""
    named: dict[str, int] = {}
    short: dict[str, set[int]] = {}
    for pack in packs().values():
        for number, names in enumerate(pack.core.time.months, start=1):
            for name in names.split("|"):
                named[name] = number
                short.setdefault(name[:_SHORT], set()).add(number)
    return {**{word: min(found) for word, found in short.items() if len(found) == 1}, **named}
