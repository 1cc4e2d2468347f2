"""A text as a row of tokens that are compared in their order: words, numbers, dates and signs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from elysia_guard.domain.question import Lang
from elysia_guard.language.dates import Date, said_by
from elysia_guard.language.pack import langs, pack
from elysia_guard.language.quantity import Quantity
from elysia_guard.language.references import reference_places
from elysia_guard.language.text import without_marks, words_in_place
from elysia_guard.stages.verification.claims.said import Reference, Said

_SIGN = re.compile(
    r"(?<!\w)-(?=\d)|[^\w\s.,;:!?()\[\]\"'*`|\u2010-\u201f\u2022\u2026\u00ab\u00bb-]"
)
_MARK = re.compile(r"[.!?](?=\s|\Z)|[;,:](?=\s|\Z)|[()\[\]|\u2013\u2014]|(?<=\s)-(?=\s)")
_DIGITS = re.compile(r"\d")


class Place(NamedTuple):
    """Where something stands in a text, ``[start, end)``."""

    start: int
    end: int


class _Whole(NamedTuple):
    place: Place
    quantity: Quantity | None = None
    date: Date | None = None
    named: frozenset[Reference] = frozenset()


@dataclass(frozen=True, eq=False, slots=True)
class Token:
    """A word, a sign, a quantity, a date or a reference.

    ``mark`` are the marks before it, ``stem`` is that of a word with content: no other word may
    stand for one that only builds the sentence.
    """

    text: str
    stem: str
    start: int
    mark: str
    quantity: Quantity | None = None
    date: Date | None = None
    named: frozenset[Reference] = frozenset()
    """The documents that it refers to, by kind and number."""


def says(own: Token, other: Token) -> bool:
    """Tell whether a token says what another says: the same word, amount or date."""
    if own.text == other.text:
        return True
    if own.named or other.named:
        return own.named == other.named
    if own.quantity or other.quantity:
        return _equal(own, other)
    if own.date or other.date:
        return bool(own.date and other.date and said_by(own.date, [other.date]))
    return bool(own.stem) and own.stem == other.stem


def _equal(own: Token, other: Token) -> bool:
    """Whether two amounts are one; what has two readings ('1.234') has the same two on each side.

    What is converted is not written alike; in the same unit the digits are the same, so that
    '1.0' is never '0.1', whichever mark stands before decimals.
    """
    one, two = own.quantity, other.quantity
    if one is None or two is None or (one.dimension, one.values) != (two.dimension, two.values):
        return False
    if one.counted != two.counted:
        return False
    digits = ["".join(_DIGITS.findall(each.text)) for each in (own, other)]
    return not all(digits) or one.number != two.number or digits[0] == digits[1]


@lru_cache(maxsize=4_000)
def tokens(said: Said) -> tuple[Token, ...]:
    """Cut a text into tokens; what is an article is one, whatever else it may be."""
    return tuple(_tokens(said))


def _tokens(said: Said) -> Iterator[Token]:
    spoken = said.lang in langs()
    stems = {word.start: without_marks(word.stem) for word in said.content}
    wholes = list(_wholes(said))
    places = [*map(_place, words_in_place(said.text)), *map(_place, _SIGN.finditer(said.text))]
    marks = [(each.start(), each[0]) for each in _MARK.finditer(said.text)]
    last = 0
    for place in sorted(places):
        if place.start < last:
            continue
        whole = next((each for each in wholes if each.place.end > place.start), None)
        if whole and whole.place.start >= place.end:
            whole = None
        end = max(place.end, whole.place.end) if whole else place.end
        yield Token(
            text=said.text[place.start : end].casefold().replace("\u2019", "'"),
            stem=stems.get(place.start, "") if spoken and not whole else "",
            start=place.start,
            mark="".join(each for at, each in marks if last <= at < place.start),
            quantity=whole.quantity if whole else None,
            date=whole.date if whole else None,
            named=whole.named if whole else frozenset(),
        )
        last = end


def _place(match: re.Match[str]) -> Place:
    return Place(*match.span())


def _wholes(said: Said) -> list[_Whole]:
    """What is one token though it may be several words, in the order of its places."""
    small = articles(said.lang)
    found = [_Whole(Place(each.start, each.end), date=each) for each in said.dates]
    found += [
        _Whole(Place(start, end), named=frozenset((e.kind, e.number, e.approval) for e in group))
        for start, end, group in reference_places(said.text)
    ]
    found += [
        _Whole(Place(each.start, each.end), quantity=each)
        for each in said.quantities
        if said.text[each.start : each.end].casefold() not in small
    ]
    return sorted(found, key=lambda each: each.place)


@lru_cache
def articles(lang: Lang) -> frozenset[str]:
    """The articles of a language: the words that may be there or not, and change nothing."""
    if lang not in langs():
        return frozenset()
    found = pack(lang).core.words
    return frozenset((*found.definite, *found.indefinite))
