"""The answering stage: an extractive draft, made of the sources' own words and nothing else."""

from __future__ import annotations

from elysia_guard.domain.draft import Block, Draft, Quote
from elysia_guard.domain.evidence import Evidence
from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.question import Question
from elysia_guard.domain.reading import Listing, Named
from elysia_guard.language.approvals import standing
from elysia_guard.language.catalogue import say
from elysia_guard.language.lists import listed
from elysia_guard.stages.answering.citing import MAX_QUOTED_CHARS, CollectionOf, Sources
from elysia_guard.stages.answering.concepts import concept_blocks
from elysia_guard.stages.answering.documents import entity_blocks
from elysia_guard.stages.answering.searches import MAX_DOCUMENTS, explained_blocks, search_blocks

__all__ = ["MAX_DOCUMENTS", "MAX_QUOTED_CHARS", "draft"]


def draft(inquiry: Inquiry, *, collection: CollectionOf) -> Draft:
    """Quote what answers: the definition, the outcome, the list, or the best sentences."""
    question, asks, evidence = inquiry.question, inquiry.asks, inquiry.evidence
    sources = Sources(collection=collection, lang=question.lang)
    if evidence.matches:
        blocks = list(concept_blocks(evidence, question.lang, sources))
    elif evidence.explained:
        blocks = explained_blocks(evidence.explained, sources)
    elif isinstance(asks, Listing) and not evidence.hits:
        blocks = [_list_block(asks, evidence, question, sources)]
    elif isinstance(asks, Named) and not inquiry.decided().support:
        blocks = entity_blocks(question, asks, evidence, sources)
    else:
        blocks = search_blocks(inquiry, sources)
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
    heading = say(question.lang, key, count=count, listed=found)
    quotes = tuple(
        Quote(
            text=document.title,
            source=sources.cite_document(document),
            lead=f"**{document.identifier}** " if document.identifier else "",
            tail=standing(document),
        )
        for document in evidence.documents
    )
    return Block(heading=heading, quotes=quotes)
