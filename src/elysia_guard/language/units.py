"""Units of measure, by their names in the packs and by their signs, with exact conversions."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import cache, lru_cache
from typing import NamedTuple

from elysia_guard.domain.question import Lang
from elysia_guard.language.claim_file import claim_file
from elysia_guard.language.text import without_marks


class Unit(NamedTuple):
    """What a unit measures, and how many of the base unit it is: a week is 604,800 seconds."""

    dimension: str
    factor: Fraction


# Months and days do not convert into each other exactly, so they measure different things.
_BASES = {
    "second": Unit("time", Fraction(1)),
    "minute": Unit("time", Fraction(60)),
    "hour": Unit("time", Fraction(3600)),
    "day": Unit("time", Fraction(86400)),
    "week": Unit("time", Fraction(7 * 86400)),
    "fortnight": Unit("time", Fraction(14 * 86400)),
    "working_day": Unit("working time", Fraction(1)),
    "month": Unit("months", Fraction(1)),
    "quarter": Unit("months", Fraction(3)),
    "year": Unit("months", Fraction(12)),
    "quarter_hour": Unit("time", Fraction(900)),
    "day_night": Unit("time", Fraction(86400)),
    "cubic_metre": Unit("volume", Fraction(1000)),
    "square_metre": Unit("area", Fraction(1)),
    "decade": Unit("months", Fraction(120)),
    "percent": Unit("share", Fraction(1, 100)),
    "euro": Unit("euro", Fraction(1)),
    "dollar": Unit("dollar", Fraction(1)),
    "pound": Unit("pound", Fraction(1)),
    "metre": Unit("length", Fraction(1)),
    "gram": Unit("mass", Fraction(1)),
    "tonne": Unit("mass", Fraction(10**6)),
    "litre": Unit("volume", Fraction(1)),
    "byte": Unit("data", Fraction(8)),
    "bit": Unit("data", Fraction(1)),
    "watt": Unit("power", Fraction(1)),
    "watthour": Unit("energy", Fraction(1)),
    "volt": Unit("voltage", Fraction(1)),
    "ampere": Unit("current", Fraction(1)),
    "hertz": Unit("frequency", Fraction(1)),
    "degree": Unit("degree", Fraction(1)),
}
_SIGNS = {
    "%": "percent", "\u20ac": "euro", "EUR": "euro", "$": "dollar", "USD": "dollar",
    "\u00a3": "pound", "GBP": "pound", "\u00b0": "degree", "\u00b0C": "degree",
    "m": "metre", "m\u00b2": "square_metre", "m\u00b3": "cubic_metre",
    "g": "gram", "t": "tonne", "l": "litre", "L": "litre", "B": "byte", "bit": "bit",
    "W": "watt", "Wh": "watthour", "V": "volt", "A": "ampere", "Hz": "hertz", "s": "second",
    "h": "hour", "d": "day", "min": "minute",
}  # fmt: skip
_PREFIXED = frozenset({"metre", "gram", "litre", "byte", "bit", "watt", "watthour", "volt",
                       "ampere", "hertz", "second"})  # fmt: skip
_PREFIXES = {
    "n": Fraction(1, 10**9), "\u00b5": Fraction(1, 10**6), "m": Fraction(1, 1000),
    "c": Fraction(1, 100), "k": Fraction(1000), "K": Fraction(1000), "M": Fraction(10**6),
    "G": Fraction(10**9), "T": Fraction(10**12), "P": Fraction(10**15), "Ki": Fraction(2**10),
    "Mi": Fraction(2**20), "Gi": Fraction(2**30), "Ti": Fraction(2**40),
}  # fmt: skip
_SPOKEN = {
    "nano": "n", "micro": "\u00b5", "milli": "m", "centi": "c", "kilo": "k", "mega": "M",
    "giga": "G", "tera": "T", "peta": "P", "kibi": "Ki", "mebi": "Mi", "gibi": "Gi", "tebi": "Ti",
}  # fmt: skip


@lru_cache(maxsize=4_000)
def unit_of(word: str, lang: Lang) -> Unit | None:
    """Return the unit that a word of a language names; None where it names none.

    >>> unit_of("weeks", "en") == unit_of("Wochen", "de") == Unit("time", Fraction(604800))
    True
    """
    said = without_marks(word.casefold())
    if name := _named(said, lang):
        return _BASES[name]
    for spoken, sign in _SPOKEN.items():
        name = _named(said.removeprefix(spoken), lang) if said.startswith(spoken) else ""
        if name in _PREFIXED:
            return Unit(_BASES[name].dimension, _BASES[name].factor * _PREFIXES[sign])
    return None


@lru_cache(maxsize=1_000)
def signed(sign: str) -> Unit | None:
    """Return the unit of a sign that stands beside a number: 'kV', '%'; None where it is none."""
    if sign in _SIGNS:
        return _BASES[_SIGNS[sign]]
    for length in (2, 1):
        prefix, name = sign[:length], _SIGNS.get(sign[length:], "")
        if prefix in _PREFIXES and name in _PREFIXED:
            return Unit(_BASES[name].dimension, _BASES[name].factor * _PREFIXES[prefix])
    return None


@lru_cache(maxsize=4_000)
def often(word: str, lang: Lang) -> Unit | None:
    """Return how long it is from one time to the next: 'monthly'; None where a word says none."""
    said = without_marks(word.casefold())
    pattern = _table("often", lang)
    name = next((name for name, each in pattern.items() if each.fullmatch(said)), "")
    return _BASES[name] if name else None


def _named(said: str, lang: Lang) -> str:
    return next((name for name, each in _table("units", lang).items() if each.fullmatch(said)), "")


@cache
def _table(section: str, lang: Lang) -> dict[str, re.Pattern[str]]:
    table = claim_file(lang)
    return {
        name: re.compile(
            "|".join(
                re.escape(word).replace(r"\*", r"\w*")
                for word in without_marks(words.casefold()).split()
            )
        )
        for name, words in table.get(section, {}).items()
        if name in _BASES
    }


def period(word: str, lang: Lang) -> Unit | None:
    """Return a unit of time that a word names; None for any other."""
    unit = unit_of(word, lang)
    return unit if unit and unit.dimension in {"time", "months", "working time"} else None


def working(unit: Unit) -> Unit:
    """Return the unit of working time of a unit: 'working days'."""
    return _BASES["working_day"] if unit == _BASES["day"] else unit
