"""What a question asks of what it mentions: a comparison, a relation of a term, or a list."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from elysia_guard.domain.document import Document
from elysia_guard.domain.question import Lang, Question, Reference, Scope
from elysia_guard.domain.reading import (
    Comparison,
    Definition,
    Listing,
    Named,
    Part,
    ReadBy,
    Unclear,
)
from elysia_guard.domain.scope import CollectionScope
from elysia_guard.language.kinds import kinds_named
from elysia_guard.language.references import may_be_number
from elysia_guard.reading.asked_about import asking_of
from elysia_guard.reading.listings import listing
from elysia_guard.reading.naming_words import naming_words
from elysia_guard.reading.relations import relation
from elysia_guard.reading.spans import Span
from elysia_guard.reading.tagged import Mention, Spotted, Wording, wording
from elysia_guard.reading.terminology import names_documents

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
    compares = said.places("comparing")
    if not compares and not said.places("choosing"):
        return ()
    sides = [(place, side) for place in range(len(said.tokens)) if (side := _side(said, place))]
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


def by_mention(
    question: Question, spans: Sequence[Span], documents: Sequence[Document] = ()
) -> Part | None:
    """Read a question by its mentions and the small words around them; None where they do not tell.

    Args:
        question: one question.
        spans: the terms and documents that stand in it.
        documents: the catalogue, for statuses that no language knows.
    """
    text, lang, scope = question.text, question.lang, question.scope
    sides = compared(text, lang=lang, spans=spans)
    terms = [side.text for side in sides if not side.is_document]
    if sides and terms and names_documents(text, lang, terms, spans):
        return None
    if sides:
        return _part(question, *_compared(sides, question))
    found = relation(text, lang=lang, spans=spans) if scope.defines else None
    if found and not names_documents(text, lang, [found[1]], spans):
        asked, term = found
        reason = f"it asks how '{term}' stands to others ({asked})"
        return _part(question, Definition(term=term, relation=asked), reason)
    listed = listing(text, lang=lang, spans=spans, given=scope.only, documents=documents)
    if isinstance(listed, Unclear):
        return _part(question, listed, "it narrows a list that it does not name")
    if listed is None or _may_be_a_search(listed, question):
        return None
    part = _part(question, reached(listed, scope), _listing_reason(listed))
    return replace(part, read_by=ReadBy.FORM)


def _may_be_a_search(listed: Listing, question: Question) -> bool:
    """Whether documents of several kinds on a topic are asked for, as a search finds them too."""
    several = len(kinds_named(question.text)) > 1
    ordered = listed.order or listed.counted
    return several and bool(listed.topic) and listed.filters == Scope() and not ordered


def _part(
    question: Question, asks: Comparison | Named | Definition | Listing | Unclear, reason: str
) -> Part:
    return Part(asks=asks, text=question.text, reason=reason, read_by=ReadBy.SPAN)


def _compared(sides: Sequence[ComparedSide], question: Question) -> tuple[Named | Comparison, str]:
    names = " and ".join(f"'{side.text}'" for side in sides)
    if not sides[0].is_document:
        terms = tuple(side.text for side in sides)
        return Comparison(terms=terms, topic=question.text), f"it compares {names}"
    references = [_reference(side) for side in sides]
    kinds = {item.kind for item in references if item.kind}
    kind = kinds.pop() if len(kinds) == 1 else question.scope.only
    named = tuple(replace(item, kind=item.kind or kind) for item in references)
    places = tuple((side.start, side.end) for side in sides)
    asking = asking_of(question.text, question.lang, places)
    # 'Does ADR-12 contradict ADR-27' asks for a judgement, and is told what each of them says.
    judged = asking.has(0, "aux")
    return Named(references=named, beside=judged), f"it compares {names}"


def _reference(side: ComparedSide) -> Reference:
    meant = side.span.span.means if side.span else None
    if isinstance(meant, Reference):
        return meant
    return Reference(number=side.number or 0, written=side.text)


def reached(listed: Listing, scope: CollectionScope) -> Listing:
    """Leave out the kinds beyond the scope, and keep that they were asked for; not all of them."""
    reached = scope.reached(listed.kinds)
    if not reached:
        return listed
    outside = tuple(kind for kind in listed.kinds if kind not in reached)
    return replace(listed, kinds=reached, outside=outside)


def _listing_reason(listed: Listing) -> str:
    names = " and ".join(kind.value for kind in listed.kinds)
    about = f" about '{listed.topic}'" if listed.topic else ""
    asked = "the number" if listed.counted else "a list"
    order = f", the {listed.order} first" if listed.order else ""
    return f"it asks for {asked} of {names} documents{about}{order}"
