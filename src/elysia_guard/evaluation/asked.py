"""What kind of thing a question asks for, as it was read: confidences come about by kind."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum

from elysia_guard.domain.errors import QuestionError
from elysia_guard.domain.question import RECORDED, IntentKind
from elysia_guard.domain.reading import Asks, Named
from elysia_guard.evaluation.scoring import Score
from elysia_guard.language.coverage import query_terms
from elysia_guard.pipeline import Pipeline


class Kind(StrEnum):
    """What is asked for; each kind has its own way to a confidence."""

    DEFINITION = "definition"
    """What a term means, or how it relates to others."""
    NAMED = "named_document"
    """A named document as a whole, or a field of it."""
    MATTER = "matter_of_a_named_document"
    """What a named document says of a matter."""
    LIST = "list"
    SEARCH = "search"


_OF_INTENT = {
    IntentKind.TERMINOLOGY: Kind.DEFINITION,
    IntentKind.ENTITY: Kind.NAMED,
    IntentKind.LIST: Kind.LIST,
}


def kind_of(item: Score, matters: Iterable[str] = ()) -> Kind:
    """Say what kind of thing a question asks for, as its reply was made.

    Args:
        item: the question and its reply; a search that found a term alone is a definition.
        matters: the ids of the questions that ask a named document for a matter.
    """
    if item.case.id in matters:
        return Kind.MATTER
    terms = [source.doc_type == "Vocabulary" for source in item.response.sources]
    if terms and all(terms):
        return Kind.DEFINITION
    return _OF_INTENT.get(IntentKind(item.response.intent), Kind.SEARCH)


def by_kind(scores: Iterable[Score], matters: Iterable[str] = ()) -> Mapping[Kind, list[Score]]:
    """Group questions by what they ask for; a kind that nobody asks for is left out."""
    known = frozenset(matters)
    found: dict[Kind, list[Score]] = {kind: [] for kind in Kind}
    for item in scores:
        found[kind_of(item, known)].append(item)
    return {kind: items for kind, items in found.items() if items}


async def matters(pipeline: Pipeline, scores: Iterable[Score]) -> frozenset[str]:
    """Return the ids of the questions that ask a named document for a matter.

    Only those are read again whose reply is about a named document: no other reply needs it.
    """
    found = set()
    for item in scores:
        if item.response.intent == IntentKind.ENTITY and await _asks_matter(pipeline, item):
            found.add(item.case.id)
    return frozenset(found)


async def _asks_matter(pipeline: Pipeline, item: Score) -> bool:
    try:
        inquiry = await pipeline.begin(
            item.case.query, request_id=f"kind-{item.case.id}", route="direct"
        )
    except QuestionError:
        return False
    return any(_seeks(part.asks, part.question.lang) for part in inquiry.every)


def _seeks(asks: Asks, lang: str) -> bool:
    if not isinstance(asks, Named) or asks.aspect in RECORDED:
        return False
    return bool(query_terms(asks.matter, lang).words)
