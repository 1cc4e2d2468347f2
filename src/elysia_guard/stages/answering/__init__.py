"""The answering stage: an extractive draft, made of the sources' own words and nothing else."""

from __future__ import annotations

from collections.abc import Sequence

from elysia_guard.domain.draft import Block, Draft
from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.reading import Comparison, Definition, Listing, Named, Relation
from elysia_guard.stages.answering.citing import CitedSources, CollectionOf
from elysia_guard.stages.answering.concepts import concept_blocks, relation_blocks, sense_blocks
from elysia_guard.stages.answering.documents import entity_blocks
from elysia_guard.stages.answering.lists import list_blocks
from elysia_guard.stages.answering.pointed import bare_blocks, pointed_blocks
from elysia_guard.stages.answering.quoting import MAX_QUOTED_CHARS
from elysia_guard.stages.answering.searches import (
    MAX_DOCUMENTS,
    explained_blocks,
    mention_blocks,
    search_blocks,
)

__all__ = ["MAX_DOCUMENTS", "MAX_QUOTED_CHARS", "bare", "draft", "mentions"]


def draft(inquiry: Inquiry, *, collection: CollectionOf) -> Draft:
    """Quote what answers: the definition, the outcome, the list, or the best sentences."""
    sources = CitedSources(collection=collection, lang=inquiry.question.lang)
    return _drafted(_quoting_blocks(inquiry, sources), sources)


def _quoting_blocks(inquiry: Inquiry, sources: CitedSources) -> list[Block]:
    question, asks, evidence = inquiry.question, inquiry.asks, inquiry.evidence
    if isinstance(asks, Definition) and asks.relation is not Relation.MEANING and evidence.matches:
        return list(relation_blocks(asks, evidence, question.lang, sources))
    if evidence.matches:
        whether = isinstance(asks, Comparison) and asks.whether
        return list(concept_blocks(evidence, question.lang, sources, whether=whether))
    if evidence.explained:
        return explained_blocks(evidence.explained, sources)
    if evidence.pointed and evidence.pointed.answers:
        return pointed_blocks(inquiry, evidence.pointed, sources)
    if isinstance(asks, Listing) and not evidence.hits:
        return list_blocks(asks, evidence, question, sources)
    if isinstance(asks, Named) and not inquiry.decided().support:
        return entity_blocks(question, asks, evidence, sources)
    return search_blocks(inquiry, sources)


def bare(inquiry: Inquiry, *, collection: CollectionOf) -> Draft:
    """Name the documents that answer, where no sentence of theirs can be shown.

    Those are what passed the gates, or are named in the question; what else was found is none.
    """
    sources = CitedSources(collection=collection, lang=inquiry.question.lang)
    hits = inquiry.decided().support
    if not hits and isinstance(inquiry.asks, Named):
        named = {item.id for item in inquiry.evidence.documents}
        hits = tuple(hit for hit in inquiry.evidence.hits if hit.passage.document.id in named)
    passages = [hit.passage for hit in hits]
    return _drafted(bare_blocks(passages, sources), sources)


def mentions(inquiry: Inquiry, *, collection: CollectionOf) -> Draft:
    """Quote where a refused matter is mentioned: what documents say nearest to it.

    Before it stands what the vocabulary says of the term that may have been meant.
    """
    lang = inquiry.question.lang
    sources = CitedSources(collection=collection, lang=lang)
    senses = sense_blocks(inquiry.meant.matches, lang, sources)
    return _drafted([*senses, *mention_blocks(inquiry, sources)], sources)


def _drafted(blocks: Sequence[Block], sources: CitedSources) -> Draft:
    return Draft(
        blocks=tuple(blocks),
        sources=tuple(sources.sources),
        origins=tuple(sources.origins),
        cited=tuple(sources.cited),
    )
