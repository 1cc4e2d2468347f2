"""A quantity, and quantities that belong together: ranges, and times said in two units."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

_RANGE = re.compile(r"\s*(?:[-\u2010-\u2015]|to|and|or|tot|en|of|bis|und|oder|\u00e0|et|ou)\s*\Z")
_AND = re.compile(r"\s*(?:,|and|en|und|et|)\s*\Z")
_TIMES = frozenset({"time", "months"})
_ONE = Fraction(1)
Values = frozenset[Fraction]


@dataclass(frozen=True, kw_only=True, slots=True)
class Quantity:
    """A number and what it measures; ``values`` are what it may be ('1.234'), in base units.

    ``dimension`` is empty for what is only counted. ``number`` is as it is said. ``is_article``:
    it is said by what may be an article ('a year') or by an adverb or adjective ('yearly').
    ``counted`` are the words inside of it that say what is counted: 'four restore tests a year'.
    """

    values: Values
    number: Values
    dimension: str
    start: int
    end: int
    is_article: bool = False
    counted: tuple[str, ...] = ()


def joined(found: Sequence[Quantity], text: str) -> list[Quantity]:
    """The unit of a range stands behind its end, and a time may be said in two units.

    '5 to 10 days' are two quantities, 'an hour and 45 minutes' one.
    """
    made: list[Quantity] = []
    for each in reversed(found):
        following = made[-1] if made else None
        between = text[each.end : following.start] if following else ""
        if following is None:
            made.append(each)
        elif each.dimension == following.dimension in _TIMES and _is_sum(each, following, between):
            total = {one + other for one in each.values for other in following.values}
            made[-1] = replace(following, values=frozenset(total), start=each.start)
        elif not each.dimension and following.dimension and _RANGE.match(between):
            factor = min(following.values) / (min(following.number) or _ONE)
            values = frozenset(value * factor for value in each.number)
            made.append(replace(each, values=values, dimension=following.dimension))
        else:
            made.append(each)
    return made


def _is_sum(one: Quantity, other: Quantity, between: str) -> bool:
    unit, smaller = (min(each.values) / (min(each.number) or _ONE) for each in (one, other))
    return smaller < unit and bool(_AND.match(between))
