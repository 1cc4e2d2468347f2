"""Questions that hold documents or terms against each other: 'compare 20 and 25'.

Two things that are named side by side are not yet compared, and neither are matters of which a
document speaks: there must be two terms, or two documents, and words that compare them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from elysia_guard.domain.question import Lang
from elysia_guard.reading.tagged import Mention, Spotted, Wording, wording

_MOST_BETWEEN = 8
"""Small words and words of comparing that may stand between two sides."""
_MOST_BESIDE = 3
"""The same between two bare numbers."""
_STOPS = frozenset(".?!;")
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
        found = [(place, side) for place, side in sides if side.is_document is kind]
        together = _beside(said, found, compares, chooses) or _apart(said, found, compares)
        if together:
            return tuple(_once(together))
    return tuple(_named(said, compares))


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


def _beside(
    said: Wording,
    sides: Sequence[tuple[int, Side]],
    compares: Sequence[int],
    chooses: Sequence[int],
) -> list[Side]:
    """The sides that stand side by side: 'A, B and C', 'A or B'."""
    runs: list[list[tuple[int, Side]]] = []
    for place, side in sides:
        before = runs[-1][-1][0] if runs else None
        if before is not None and _is_between(said, before, place):
            runs[-1].append((place, side))
        elif before is not None and not any(map(said.is_content, range(before + 1, place))):
            return []  # 'a gateway in the station': what is compared has a longer name
        else:
            runs.append([(place, side)])
    for run in runs:
        found = [side for _, side in run]
        cued = any(_is_said_of(said, run[-1][0], place) for place in compares)
        if _distinct(found) > 1 and (cued or (chooses and _comes_first(said, run[0][0]))):
            return found
    return []


def _is_said_of(said: Wording, side: int, place: int) -> bool:
    """Tell whether a word compares sides: in their sentence, or in one that speaks of both."""
    between = range(min(side, place) + 1, max(side, place))
    if not any(said.tokens[at].word in _STOPS for at in between):
        return True
    after = range(place, len(said.tokens))
    return any(said.plays(at, "reciprocal", "things") for at in (*between, *after))


def _apart(said: Wording, sides: Sequence[tuple[int, Side]], compares: Sequence[int]) -> list[Side]:
    """The sides of which both are spoken after each: 'In 25 I read ..., in 23 ... each other'."""
    both = [at for at in range(len(said.tokens)) if said.plays(at, "reciprocal")]
    found = [side for place, side in sides if both and place < both[-1]]
    after = bool(sides) and any(at > sides[0][0] for at in both)
    apart = len(found) == len(sides) and after
    return found if compares and apart and _distinct(found) > 1 else []


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


def _comes_first(said: Wording, place: int) -> bool:
    """'TSO or DSO, who is who': the sides come first."""
    return not any(said.is_content(at) for at in range(place))


def _named(said: Wording, compares: Sequence[int]) -> list[Side]:
    """The sides of 'the difference between A and B', of which one may be nothing known."""
    for place in range(1, len(said.tokens)):
        if said.plays(place, "between") and said.plays(place - 1, "comparing"):
            return _pair(said, place + 1)
        if said.plays(place, "additive", "alternative") and (pair := _around(said, place)):
            ends = (at for at, token in enumerate(said.tokens) if token.start >= pair[1].end)
            if next(ends, -1) in compares:
                return pair
    return []


def _around(said: Wording, place: int) -> list[Side]:
    """'How do A and B differ': the names on both sides of an 'and', of which something is asked."""
    start = place
    while start and _is_name(said, start - 1) and place - start < _LONGEST_NAME:
        start -= 1
    asked = any(said.plays(at, "auxiliaries") for at in range(start))
    return _pair(said, start) if asked and start < place else []


def _pair(said: Wording, place: int) -> list[Side]:
    first = _name(said, place)
    joint = first.stop
    if not first or joint >= len(said.tokens) or not said.plays(joint, "additive", "alternative"):
        return []
    second = _name(said, joint + 1)
    return [_side(said, first), _side(said, second)] if second else []


def _is_name(said: Wording, place: int) -> bool:
    named = said.is_content(place) or (place and said.plays(place, "commands"))
    mentioned = said.tokens[place].is_mention or bool(named)
    return mentioned and not said.plays(place, "comparing")


def _name(said: Wording, place: int) -> range:
    """The words from a place on that name something, up to a small word or a mark."""
    begin = said.after(place, len(said.tokens), "definite", "indefinite", "determiners")
    end = begin
    while end < len(said.tokens) and _is_name(said, end):
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
