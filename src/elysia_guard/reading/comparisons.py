"""Questions that hold documents or terms against each other: 'compare 20 and 25'.

Two things that are named side by side are not yet compared, and neither are matters of which a
document speaks: there must be two terms, or two documents, and words that compare them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from elysia_guard.domain.question import Lang
from elysia_guard.reading.tagged import Mention, Spotted, Wording, wording

_MOST_BETWEEN = 8
"""Small words and words of comparing that may stand between two sides."""
_MOST_BESIDE = 3
"""The same between two bare numbers."""
_LONGEST_NAME = 4
"""Words that may name a side that is neither a term nor a document known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One of what is compared: where it stands, and what it is.

    ``span`` is None where it is no term and no document that is known; ``number`` is then that of
    a document, if it is a bare number.
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


def compared(text: str, *, lang: Lang, spans: Sequence[Spotted] = ()) -> tuple[Side, ...]:
    """Return what a question compares, in order, each once; nothing where it compares nothing.

    All are documents, or none is.

    Args:
        text: one question.
        lang: its language.
        spans: the terms and documents that stand in it.

    >>> [side.number for side in compared("compare 20 and 25", lang="en")]
    [20, 25]
    """
    return sides_of(wording(text, lang, spans, "comparisons"))


def sides_of(said: Wording) -> tuple[Side, ...]:
    """The same, of a text whose words are known: in the roles of the pack ``comparisons``."""
    places = range(len(said.tokens))
    compares = [place for place in places if said.plays(place, "comparing")]
    chooses = [place for place in places if said.plays(place, "choosing")]
    if not compares and not chooses:
        return ()
    sides = _corrected(said, _candidates(said))
    for kind in (True, False):
        found = [side for place, side in sides if side.is_document is kind]
        where = [place for place, side in sides if side.is_document is kind]
        if _distinct(found) > 1 and _together(said, where, compares, chooses):
            return tuple(_once(found))
    return tuple(_named(said)) if compares else ()


def _candidates(said: Wording) -> list[tuple[int, Side]]:
    found = []
    for place, token in enumerate(said.tokens):
        if token.span:
            side = Side(start=token.start, end=token.end, text=token.text, span=token.span)
        elif token.number is not None and _is_numbered(said, place):
            side = Side(start=token.start, end=token.end, text=token.text, number=token.number)
        else:
            continue
        found.append((place, side))
    return found


def _is_numbered(said: Wording, place: int) -> bool:
    """Tell a bare number beside another or beside a document from one that counts something."""
    for step in (1, -1):
        joint = place + step
        while 0 <= joint < len(said.tokens) and _is_small(said, joint):
            joint += step
        if 1 < abs(joint - place) <= _MOST_BESIDE + 1 and 0 <= joint < len(said.tokens):
            other = said.tokens[joint]
            if other.number is not None or (other.span is not None and other.span.is_document):
                return True
    return False


def _is_small(said: Wording, place: int) -> bool:
    return said.plays(place, "than", "definite", "comparing")


def _corrected(said: Wording, sides: list[tuple[int, Side]]) -> list[tuple[int, Side]]:
    """'A and B, no, A and C': what was taken back does not count."""
    for at in reversed(range(len(said.tokens))):
        after = [each for each in sides if each[0] > at]
        if said.plays(at, "correcting") and _distinct([side for _, side in after]) > 1:
            return after
    return sides


def _together(
    said: Wording, where: Sequence[int], compares: Sequence[int], chooses: Sequence[int]
) -> bool:
    """Tell whether the words that compare are said of these sides."""
    beside = all(_is_between(said, one, other) for one, other in pairwise(where))
    back = any(said.plays(place, "reciprocal") for place in range(where[0], len(said.tokens)))
    if beside and (compares or (chooses and _alternatives(said, where))):
        return True
    return bool(compares) and back and _are_apart(said, where)


def _is_between(said: Wording, one: int, other: int) -> bool:
    between = range(one + 1, other)
    joined = any(said.plays(place, "than", "comparing") for place in between)
    return (
        joined
        and len(between) <= _MOST_BETWEEN
        and not any(
            said.is_content(place) and not said.plays(place, "comparing", "kind_nouns", "than")
            for place in between
        )
    )


def _alternatives(said: Wording, where: Sequence[int]) -> bool:
    """'TSO or DSO, who is who': the sides come first."""
    return not any(said.is_content(place) for place in range(where[0]))


def _are_apart(said: Wording, where: Sequence[int]) -> bool:
    """Tell whether each side is spoken of before both are: 'In 25 I read ..., in 23 ...'."""
    last = max(place for place in range(len(said.tokens)) if said.plays(place, "reciprocal"))
    return where[-1] < last


def _named(said: Wording) -> list[Side]:
    """The sides of 'the difference between A and B', of which one may be no known term."""
    for place in range(len(said.tokens)):
        if said.plays(place, "between") and place and said.plays(place - 1, "comparing"):
            first = _name(said, place + 1)
            joint = first.stop
            if first and joint < len(said.tokens) and said.plays(joint, "additive", "alternative"):
                second = _name(said, joint + 1)
                return [_side(said, first), _side(said, second)] if second else []
    return []


def _name(said: Wording, place: int) -> range:
    """The words from a place on that name something, up to a small word or a mark."""
    begin = said.after(place, len(said.tokens), "definite", "indefinite", "determiners")
    end = begin
    while end < len(said.tokens) and (said.tokens[end].is_mention or said.is_content(end)):
        end += 1
    return range(begin, end if end - begin <= _LONGEST_NAME else begin)


def _side(said: Wording, name: range) -> Side:
    first, last = said.tokens[name.start], said.tokens[name.stop - 1]
    span = first.span if len(name) == 1 else None
    text = said.text[first.start : last.end]
    return Side(start=first.start, end=last.end, text=text, span=span)


def _distinct(sides: Sequence[Side]) -> int:
    return len(_once(sides))


def _once(sides: Sequence[Side]) -> list[Side]:
    found: dict[object, Side] = {}
    for side in sides:
        found.setdefault(side.span.means if side.span else side.number, side)
    return list(found.values())
