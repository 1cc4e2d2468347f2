"""The ways in which a term that a question names may be meant."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from elysia_guard.domain.concept import TermMatch
from elysia_guard.domain.reading import Comparison, Definition, Search
from elysia_guard.language.pack import either
from elysia_guard.language.phrases import compiled
from elysia_guard.language.text import normalise

Asked = Definition | Comparison | Search
"""What names a term to look up."""
_QUALIFIED = re.compile(r"(?P<term>.+?)\s*\((?P<vocabulary>[^()]+)\)$")


class Way(NamedTuple):
    """One way in which a term may be meant; ``sort`` where it is without 'rule' or 'attack'."""

    term: str
    vocabulary: str = ""
    sort: bool = False

    def fits(self, match: TermMatch) -> bool:
        """Tell whether a concept stands in the vocabulary that is meant."""
        titles = (match.concept.vocabulary, match.concept.vocabulary_title)
        return not self.vocabulary or self.vocabulary in map(normalise, titles)


def ways_of(term: str) -> Iterator[Way]:
    """'CIM (Grid terms)' is CIM in that vocabulary, 'the mRID of an object' is mRID."""
    yield Way(term)
    if qualified := _QUALIFIED.match(term):
        yield Way(qualified["term"], vocabulary=normalise(qualified["vocabulary"]))
    if part := _of_something().match(term):
        yield Way(part["term"])
    for plain in without_sort(term):
        yield Way(plain, sort=True)


def without_sort(term: str) -> Iterator[str]:
    """Yield a term without the noun that only says what sort of thing it is: 'the N-1 rule'."""
    if match := _sort().fullmatch(term):
        yield match["term"]


@cache
def _sort() -> re.Pattern[str]:
    return compiled(rf"(?P<term>\S.*?)[ -]{either(lambda core: core.words.sorts)}s?")


@cache
def _of_something() -> re.Pattern[str]:
    of = either(lambda core: core.words.of)
    one = either(lambda core: core.words.indefinite)
    return compiled(rf"(?P<term>.+?) {of} ?{one} \S+$")
