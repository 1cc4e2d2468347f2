"""The quantities of a text: numbers in figures or words, with what they measure.

'24 months', 'two years', 'twice a year' and 'every six months' are held in base units, so that
those that are the same compare equal. Nothing is converted that does not convert exactly.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from elysia_guard.domain.question import Lang
from elysia_guard.language.number_words import LONGEST, number_of, ordinal_of, part_of
from elysia_guard.language.quantity import Quantity, Values, joined
from elysia_guard.language.quantity_words import QuantityWords, plain, quantity_words
from elysia_guard.language.units import Unit, often, period, signed, unit_of, working

_TOKEN = re.compile(
    r"\d+(?:[.,'\u2019\u00a0\u202f]\d+)*|[^\W\d_]+(?:['\u2019][^\W\d_]+)?|[%\u20ac$\u00a3]|\u00b0C?"
)
_CLOCK = re.compile(r"(?<![\d:.])(\d{1,2})[:.](\d\d)(?:\s?(am|pm|uur|uhr|h))?(?![\d:%]|\.\d)", re.I)
_JOINT = re.compile(r"[\s\u00a0\-\u2010\u2011]*\Z")
_GROUPED = re.compile(r"\d{1,3}(?:[.,'\u2019\u00a0\u202f]\d{3})+")
_MILLION = {"m": 10**6, "mln": 10**6, "mio": 10**6, "k": 10**3, "bn": 10**9, "mrd": 10**9}
_MONEY = frozenset({"euro", "dollar", "pound"})
_MOST_WORDS = 4
_COUNTED = 2
_SCALE = 100
_ONE, _HALF = Fraction(1), Fraction(1, 2)
_NOON, _HOURS, _MINUTES = 12, 24, 60
_NONE = Unit("", _ONE)


class _Token(NamedTuple):
    text: str
    start: int
    end: int


class _Number(NamedTuple):
    values: Values
    after: int
    is_article: bool = False


_Read = tuple[Quantity, int]


@lru_cache(maxsize=4_000)
def quantities(text: str, lang: Lang) -> tuple[Quantity, ...]:
    """Return the quantities of a text in some language, in its order.

    >>> quantities("24 months", "en")[0].values == quantities("zwei Jahre", "de")[0].values
    True
    """
    found = [moment for match in _CLOCK.finditer(text) if (moment := _moment(match))]
    for moment in found:
        text = text[: moment.start] + "|" * (moment.end - moment.start) + text[moment.end :]
    reader = _Reader(text, lang)
    return tuple(sorted([*found, *joined(list(reader), text)], key=lambda each: each.start))


def _moment(match: re.Match[str]) -> Quantity | None:
    """A time of the day; with a full stop only where a word says so: '17.00 uur'."""
    hour, minute, said = int(match[1]), int(match[2]), (match[3] or "").casefold()
    if hour > _HOURS or minute >= _MINUTES or ("." in match[0] and not said):
        return None
    hour += _NOON * (said == "pm" and hour < _NOON)
    values = frozenset({Fraction(hour * _MINUTES + minute)})
    return Quantity(
        values=values, number=values, dimension="clock", start=match.start(), end=match.end()
    )


class _Reader:
    """Reads quantities off a text, from its first word to its last."""

    def __init__(self, text: str, lang: Lang) -> None:
        self._text = text
        self._lang = lang
        self._words: QuantityWords = quantity_words(lang)
        self._tokens = [_Token(each[0], *each.span()) for each in _TOKEN.finditer(text)]
        self._numbers: dict[int, _Number | None] = {}

    def __iter__(self) -> Iterator[Quantity]:
        at = 0
        while at < len(self._tokens):
            if not _may_begin(self._tokens[at].text, self._lang):
                at += 1
                continue
            read = (
                self._every(at)
                or self._often(at)
                or self._half(at)
                or self._part(at)
                or self._measured(at)
            )
            if read:
                yield read[0]
            at = read[1] if read else at + 1

    def _every(self, at: int) -> _Read | None:
        """'monthly', 'every quarter', 'every second year'."""
        if (unit := often(self._at(at), self._lang)) is not None:
            return replace(self._made(at, at + 1, {_ONE}, unit), is_article=True), at + 1
        if plain(self._at(at)) not in self._words.every:
            return None
        is_other = plain(self._at(at + 1)) in self._words.other
        place = 2 if is_other else ordinal_of(self._at(at + 1))
        if place and (unit := period(self._at(at + 2), self._lang)):
            return self._made(at, at + 3, {Fraction(place)}, unit), at + 3
        if unit := period(self._at(at + 1), self._lang):
            return self._made(at, at + 2, {_ONE}, unit), at + 2
        return None

    def _often(self, at: int) -> _Read | None:
        """'twice a year', 'four times per month', 'viermal jährlich'."""
        times: Fraction | int | None = self._words.often.get(plain(self._at(at)))
        begin = after = at + 1
        if times is None:
            number = self._number(at)
            if number is None or number.is_article:
                return None
            times, begin = min(number.values), number.after
            after = begin
            if plain(self._at(after)) in self._words.times:
                begin = after = after + 1
            elif (after := self._per(after)) == 0:
                return None
        counted = tuple(plain(self._at(place)) for place in range(begin, after))
        after += plain(self._at(after)) in self._words.per
        said = self._at(after)
        unit = period(said, self._lang) or often(said, self._lang)
        if unit is None or not times:
            return None
        made = self._made(at, after + 1, {Fraction(times)}, unit)
        values = frozenset({unit.factor / times})
        return replace(made, values=values, counted=counted), after + 1

    def _per(self, at: int) -> int:
        """Where 'a year' stands behind what is counted: 'four restore tests a year'; 0 if not."""
        for after in range(at + 1, at + _COUNTED + 1):
            is_per = plain(self._at(after)) in self._words.per
            if is_per and period(self._at(after + 1), self._lang):
                unit = unit_of(self._at(at), self._lang) or signed(self._at(at))
                return 0 if unit else after
        return 0

    def _half(self, at: int) -> _Read | None:
        """'half a year', 'ein halbes Jahr', 'een half uur'."""
        said = at + (self._at(at).casefold() in self._words.articles)
        if plain(self._at(said)) not in self._words.half:
            return None
        for after in (said + 1, said + 2):
            if unit := period(self._at(after), self._lang):
                return self._made(at, after + 1, {_HALF}, unit), after + 1
        return None

    def _part(self, at: int) -> _Read | None:
        """'a fifth of', 'two thirds of', 'ein Fünftel der': a share."""
        if plain(self._at(at + 2)) not in self._words.of:
            return None
        is_article = self._at(at).casefold() in self._words.articles
        count = 1 if is_article else number_of(self._at(at), self._lang)
        whole = part_of(self._at(at + 1), self._lang)
        if not count or not whole:
            return None
        share = {Fraction(100 * count, whole)}
        return self._made(at, at + 2, share, Unit("share", Fraction(1, 100))), at + 2

    def _measured(self, at: int) -> _Read | None:
        if priced := self._priced(at):
            return priced
        if compound := self._compound(at):
            return compound, at + 1
        is_article = self._at(at).casefold() in self._words.articles
        if is_article and (unit := period(self._at(at + 1), self._lang)):
            return replace(self._made(at, at + 2, {_ONE}, unit), is_article=True), at + 2
        number = self._number(at)
        if number is None:
            return None
        after, said = number.after, self._at(number.after)
        if said and self._is_near(after):
            sign = signed(said) if self._at(at)[0].isdigit() else None
            if unit := sign or unit_of(said, self._lang):
                made = self._made(at, after + 1, number.values, unit)
                return replace(made, is_article=number.is_article), after + 1
            unit = unit_of(self._at(after + 1), self._lang)
            if unit and plain(said) in self._words.working:
                return self._made(at, after + 2, number.values, working(unit)), after + 2
        bare = self._made(at, after, number.values, _NONE)
        is_one = number.values == {_ONE} and not self._at(at)[0].isdigit()
        return replace(bare, is_article=number.is_article or is_one), after

    def _priced(self, at: int) -> _Read | None:
        """'€ 1.4m', 'EUR 200': the sign stands before."""
        sign = signed(self._at(at))
        if sign is None or sign.dimension not in _MONEY or not self._at(at + 1)[:1].isdigit():
            return None
        number = self._number(at + 1)
        if number is None:
            return None
        scale = _MILLION.get(self._at(number.after).casefold().rstrip("."))
        if scale and self._is_near(number.after):
            values = frozenset(value * scale for value in number.values)
            return self._made(at, number.after + 1, values, sign), number.after + 1
        return self._made(at, number.after, number.values, sign), number.after

    def _compound(self, at: int) -> Quantity | None:
        """'dreijährig', 'halbjährlich': a number or a half, and a unit, in one word."""
        made = _parts(plain(self._at(at)), self._lang)
        return self._made(at, at + 1, {made[0]}, made[1]) if made else None

    def _number(self, at: int) -> _Number | None:
        if at not in self._numbers:
            self._numbers[at] = self._number_at(at)
        return self._numbers[at]

    def _number_at(self, at: int) -> _Number | None:
        said = self._at(at)
        if not said:
            return None
        if said[0].isdigit():
            values, scale = _figure(said), number_of(self._at(at + 1), self._lang) or 0
            scale = _MILLION.get(self._at(at + 1).casefold(), scale) if len(said) > 1 else scale
            if scale >= _SCALE and self._at(at + 1).casefold() not in {"m", "k"}:
                return _Number(frozenset(value * scale for value in values), at + 2)
            return _Number(values, at + 1)
        value, after = number_of(said, self._lang), at + 1
        if value is None:
            return None
        for end in range(at + 2, min(at + _MOST_WORDS, len(self._tokens)) + 1):
            together = "".join(each.text for each in self._tokens[at:end])
            if (longer := number_of(together, self._lang)) is not None:
                after, value = end, longer
        is_article = value == 1 and said.casefold() in self._words.articles
        return _Number(frozenset({Fraction(value)}), after, is_article)

    def _at(self, at: int) -> str:
        return self._tokens[at].text if at < len(self._tokens) else ""

    def _is_near(self, at: int) -> bool:
        return bool(_JOINT.match(self._text[self._tokens[at - 1].end : self._tokens[at].start]))

    def _made(self, at: int, after: int, number: Values | set[Fraction], unit: Unit) -> Quantity:
        return Quantity(
            values=frozenset(value * unit.factor for value in number),
            number=frozenset(number),
            dimension=unit.dimension,
            start=self._tokens[at].start,
            end=self._tokens[after - 1].end,
        )


@lru_cache(maxsize=50_000)
def _may_begin(word: str, lang: Lang) -> bool:
    """Tell whether a quantity may begin with a word; nearly none does."""
    words, said = quantity_words(lang), plain(word)
    if word[0].isdigit() or signed(word) or often(word, lang) or number_of(word, lang) is not None:
        return True
    if said in words.every or said in words.often or said in words.half:
        return True
    return word.casefold() in words.articles or _parts(said, lang) is not None


def _parts(said: str, lang: Lang) -> tuple[Fraction, Unit] | None:
    """What 'dreijährig' or 'halbjährlich' is made of: a number or a half, and a unit."""
    for end in range(3, min(len(said), LONGEST) - 2):
        if (unit := unit_of(said[end:], lang)) is None:
            continue
        is_half = said[:end] in quantity_words(lang).half
        if value := _HALF if is_half else number_of(said[:end], lang):
            return Fraction(value), unit
    return None


@lru_cache(maxsize=20_000)
def _figure(text: str) -> Values:
    """What figures may say: 1.234 is a thousand and more in some countries."""
    bare = re.sub(r"['\u2019\u00a0\u202f]", "", text)
    marks = re.findall(r"[.,]", bare)
    if not marks:
        return frozenset({Fraction(bare)})
    whole = re.sub(r"[.,]", "", bare)
    found = set()
    if _GROUPED.fullmatch(text) and len(set(marks)) == 1:
        found.add(Fraction(whole))
    if marks[-1] not in marks[:-1]:
        before, _, rest = bare.rpartition(marks[-1])
        found.add(Fraction(f"{re.sub(r'[.,]', '', before)}.{rest}"))
    return frozenset(found) or frozenset({Fraction(whole)})
