"""What a question asks of what it mentions: a comparison, a relation of a term, or a list."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from elysia_guard.domain.document import Document
from elysia_guard.domain.question import Question, Reference, Scope
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
from elysia_guard.reading.asked_about import asking_of
from elysia_guard.reading.comparisons import ComparedSide, compared
from elysia_guard.reading.listings import listing
from elysia_guard.reading.relations import relation
from elysia_guard.reading.spans import Span
from elysia_guard.reading.terminology import names_documents


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
