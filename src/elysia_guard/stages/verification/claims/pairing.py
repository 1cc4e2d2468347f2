"""Whether a number or a code goes with what its source says it of: 'A costs 5, and B costs 7'."""

from __future__ import annotations

from collections.abc import Hashable
from typing import NamedTuple

from elysia_guard.language.text import fold
from elysia_guard.stages.verification.claims.said import Said
from elysia_guard.stages.verification.claims.turns import clauses


class _Item(NamedTuple):
    """A quantity by its dimension, or a code; two of one sort may be taken for each other."""

    sort: str
    value: Hashable
    start: int


class _Clause(NamedTuple):
    shared: int
    items: tuple[_Item, ...]


def crossed(said: Said, source: Said) -> bool:
    """Tell whether a number or a code stands in another clause than what is said of it.

    That is so where the clause that shares most words with the sentence has another one of its
    sort, and that which has it shares fewer.
    """
    there = _clauses(said, source)
    return any(_is_apart(item, there) for item in _items(said))


def _is_apart(item: _Item, there: list[_Clause]) -> bool:
    own = [c.shared for c in there if any(_same(item, other) for other in c.items)]
    rivals = [
        c.shared
        for c in there
        if any(other.sort == item.sort for other in c.items)
        and not any(_same(item, other) for other in c.items)
    ]
    return bool(own and rivals) and max(rivals) > max(own)


def _same(one: _Item, other: _Item) -> bool:
    return (one.sort, one.value) == (other.sort, other.value)


def _clauses(said: Said, source: Said) -> list[_Clause]:
    items = _items(source)
    codes = {str(item.value) for item in (*_items(said), *items)}
    own = {form for word in said.content for form in (word.text, word.stem)} - codes
    found = []
    for start, end in clauses(source.text, source.lang):
        words = {
            word.stem
            for word in source.content
            if start <= word.start < end and (word.text in own or word.stem in own)
        }
        inside = tuple(item for item in items if start <= item.start < end)
        found.append(_Clause(len(words), inside))
    return found


def _items(said: Said) -> list[_Item]:
    numbers = [
        _Item(each.dimension, min(each.values), each.start)
        for each in said.quantities
        if not each.is_article
    ]
    codes = [_Item("code", fold(each), max(said.text.find(each), 0)) for each in said.identifiers]
    return [*numbers, *codes]
