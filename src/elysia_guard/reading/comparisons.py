"""Questions that hold documents or terms against each other: 'compare 20 and 25'.

Two things that are named side by side are not yet compared, and neither are matters of which a
document speaks: there must be two terms, or two documents, and words that compare them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from elysia_guard.domain.question import Lang
from elysia_guard.language.references import may_be_number
from elysia_guard.reading.naming_words import naming_words
from elysia_guard.reading.tagged import Mention, Spotted, Wording, wording

_MOST_BETWEEN = 8
"""Small words and words of comparing that may stand between two sides."""


class ComparedSide(NamedTuple):
    """One of what is compared: where it stands, and what it is.

    ``span`` is None where it is no term and no document that is known, but a bare ``number``.
    """

    start: int
    end: int
    text: str
    span: Mention | None = None
    number: int | None = None

    @property
    def is_document(self) -> bool:
        """Whether it is a document, also one that is named by a bare number."""
        return self.number is not None or (self.span is not None and self.span.is_document)


def compared(text: str, *, lang: Lang, spans: Sequence[Spotted] = ()) -> tuple[ComparedSide, ...]:
    """Return what a question compares, in order, each once; nothing where it compares nothing.

    All are documents, or none is.

    Args:
        text: one question.
        lang: its language.
        spans: the terms and documents that stand in it.

    >>> [side.number for side in compared("compare 20 and 25", lang="en")]
    [20, 25]
    """
    said = wording(text, lang, spans, "comparisons", "relations")
    places = range(len(said.tokens))
    compares = [place for place in places if said.plays(place, "comparing")]
    chooses = any(said.plays(place, "choosing") for place in places)
    if not compares and not chooses:
        return ()
    sides = [(place, side) for place in places if (side := _side(said, place))]
    for kind in (True, False):
        found = [(place, side) for place, side in sides if side.is_document is kind]
        if together := _beside(said, found, compares):
            return tuple(together)
    return ()


def _side(said: Wording, place: int) -> ComparedSide | None:
    token = said.tokens[place]
    if token.span is None and not _may_be_document(said, place):
        return None
    start, end = token.start, token.end
    return ComparedSide(start=start, end=end, text=token.text, span=token.span, number=token.number)


def _may_be_document(said: Wording, place: int) -> bool:
    """Tell whether a number is a document's: 'compare 20 and 25', but no 'versions 1 and 2'."""
    token, before = said.tokens[place], max(place - 1, 0)
    if token.number is None or not may_be_number(token.word):
        return False
    counted = said.is_content(before) and not said.plays(before, "kind_nouns", "comparing")
    return before == place or not counted or said.tokens[before].word in naming_words().number


def _beside(
    said: Wording, sides: Sequence[tuple[int, ComparedSide]], compares: Sequence[int]
) -> list[ComparedSide]:
    """The sides that stand side by side: 'A, B and C', 'A or B'."""
    runs: list[list[tuple[int, ComparedSide]]] = []
    for place, side in sides:
        before = runs[-1][-1][0] if runs else None
        if before is not None and _joins(said, before, place):
            runs[-1].append((place, side))
        elif before is not None and not any(map(said.is_content, range(before + 1, place))):
            return []  # 'a gateway in the station': what is compared has a longer name
        else:
            runs.append([(place, side)])
    for run in runs:
        found = _once([side for _, side in run])
        # Without a word that compares, one chooses: 'TSO or DSO, who is who'.
        cued = not compares or any(_is_said_of(said, run[-1][0], place) for place in compares)
        if len(found) > 1 and cued:
            return found
    return []


def _is_said_of(said: Wording, side: int, place: int) -> bool:
    """Tell whether a word compares sides: in their sentence, or in one that speaks of both."""
    between = range(min(side, place) + 1, max(side, place))
    both = any(said.plays(at, "reciprocal", "things") for at in range(place, len(said.tokens)))
    return both or not any(said.tokens[at].word in {".", "?", "!", ";"} for at in between)


def _joins(said: Wording, one: int, other: int) -> bool:
    between = range(one + 1, other)
    small = ("comparing", "kind_nouns", "than")
    return (
        len(between) <= _MOST_BETWEEN
        and any(said.plays(place, "than", "comparing") for place in between)
        and all(said.plays(place, *small) or not said.is_content(place) for place in between)
    )


def _once(sides: Sequence[ComparedSide]) -> list[ComparedSide]:
    """Leave out what is named again; of a term another name is another side."""
    found: dict[object, ComparedSide] = {}
    for side in sides:
        means = side.span.means if side.span else side.number
        found.setdefault(means if side.is_document else (means, side.text.casefold()), side)
    return list(found.values())
