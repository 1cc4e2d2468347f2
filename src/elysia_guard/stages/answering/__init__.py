"""The answering stage: an extractive draft, made of the sources' own words and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from elysia_guard.domain.claim import Manuscript
from elysia_guard.domain.document import Document
from elysia_guard.domain.draft import Block, Draft, Quote
from elysia_guard.domain.evidence import Evidence
from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.question import Question
from elysia_guard.domain.reading import Definition, Listing, Named, Relation
from elysia_guard.language.approvals import standing
from elysia_guard.language.catalogue import say
from elysia_guard.language.lists import listed
from elysia_guard.stages.answering.citing import MAX_QUOTED_CHARS, CollectionOf, Sources
from elysia_guard.stages.answering.concepts import concept_blocks, relation_blocks, sense_blocks
from elysia_guard.stages.answering.documents import entity_blocks
from elysia_guard.stages.answering.searches import (
    MAX_DOCUMENTS,
    explained_blocks,
    mention_blocks,
    search_blocks,
)
from elysia_guard.stages.answering.written import bare_blocks, written_blocks

__all__ = ["MAX_DOCUMENTS", "MAX_QUOTED_CHARS", "bare", "draft", "mentions", "opened", "written"]


def draft(inquiry: Inquiry, *, collection: CollectionOf) -> Draft:
    """Quote what answers: the definition, the outcome, the list, or the best sentences."""
    sources = Sources(collection=collection, lang=inquiry.question.lang)
    return _drafted(_quoting_blocks(inquiry, sources), sources)


def _quoting_blocks(inquiry: Inquiry, sources: Sources) -> list[Block]:
    question, asks, evidence = inquiry.question, inquiry.asks, inquiry.evidence
    if isinstance(asks, Definition) and asks.relation is not Relation.MEANING and evidence.matches:
        return list(relation_blocks(asks.relation, evidence, question.lang, sources))
    if evidence.matches:
        return list(concept_blocks(evidence, question.lang, sources))
    if evidence.explained:
        return explained_blocks(evidence.explained, sources)
    if isinstance(asks, Listing) and not evidence.hits:
        return [_list_block(asks, evidence, question, sources)]
    if isinstance(asks, Named) and not inquiry.decided().support:
        return entity_blocks(question, asks, evidence, sources)
    return search_blocks(inquiry, sources)


def written(inquiry: Inquiry, manuscript: Manuscript, *, collection: CollectionOf) -> Draft:
    """Take the sentences of a model that hold, each over the words of its sources."""
    sources = Sources(collection=collection, lang=inquiry.question.lang)
    hits = {hit.passage.id: hit for hit in inquiry.evidence.hits}
    return _drafted(written_blocks(manuscript, hits, sources), sources)


def opened(inquiry: Inquiry, manuscript: Manuscript, *, collection: CollectionOf) -> Draft:
    """Take the sentences of a model that hold, and then quote what answers, as without them."""
    lang = inquiry.question.lang
    sources = Sources(collection=collection, lang=lang)
    hits = {hit.passage.id: hit for hit in inquiry.evidence.hits}
    blocks = written_blocks(replace(manuscript, left_to_words=()), hits, sources)
    heading = Block(heading=say(lang, "written.cut" if manuscript.cut else "written.rest"))
    return _drafted([*blocks, heading, *_quoting_blocks(inquiry, sources)], sources)


def bare(inquiry: Inquiry, *, collection: CollectionOf) -> Draft:
    """Name the documents that answer, where no sentence of theirs can be shown.

    Those are what passed the gates, or are named in the question; what else was found is none.
    """
    sources = Sources(collection=collection, lang=inquiry.question.lang)
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
    sources = Sources(collection=collection, lang=lang)
    senses = sense_blocks(inquiry.meant.matches, lang, sources)
    return _drafted([*senses, *mention_blocks(inquiry, sources)], sources)


def _drafted(blocks: Sequence[Block], sources: Sources) -> Draft:
    return Draft(
        blocks=tuple(blocks),
        sources=tuple(sources.sources),
        origins=tuple(sources.origins),
        cited=tuple(sources.cited),
    )


def _list_block(
    listing: Listing, evidence: Evidence, question: Question, sources: Sources
) -> Block:
    count = len(evidence.documents)
    found = listed(listing, evidence.owners, question, count=count)
    key = "answer.list_one" if count == 1 else "answer.list_many"
    if listing.order:
        key = f"answer.{listing.order}"
    heading = say(question.lang, key, count=count, listed=found)
    quotes = tuple(
        Quote(
            text=document.title,
            source=sources.cite_document(document),
            lead=f"**{document.identifier}** " if document.identifier else "",
            tail=_tail(document, listing),
        )
        for document in evidence.documents
    )
    return Block(heading=heading, quotes=quotes)


def _tail(document: Document, listing: Listing) -> str:
    """What stands behind a title in a list: status and date, where the list itself says neither.

    The date is told where the list is in its order, or restricted by it.
    """
    scope = listing.filters
    known = scope.statuses[0] if len(scope.statuses) == 1 else ""
    dated = bool(listing.order or scope.since or scope.until)
    return standing(document, known=known, dated=dated)
