"""What the best documents of a search say."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from elysia_guard.domain.document import Document, Hit, Passage, SectionRole
from elysia_guard.domain.draft import Block
from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.question import Aspect
from elysia_guard.domain.reading import Search, aspect_of, topic_of
from elysia_guard.language.answer_types import AnswerType
from elysia_guard.language.states import in_force
from elysia_guard.stages.answering.citing import CitedSources, heading
from elysia_guard.stages.answering.documents import approval_blocks, left_notes
from elysia_guard.stages.answering.quoting import quotes_of
from elysia_guard.stages.answering.ranking import Ranked
from elysia_guard.stages.answering.wanted import (
    Wanted,
    giving_reasons,
    in_reading_order,
    shared_out,
)

MAX_DOCUMENTS = 3
MAX_MENTIONS = 3


def search_blocks(inquiry: Inquiry, sources: CitedSources) -> list[Block]:
    """The sentences that answer best, of the best documents, each under its name."""
    wanted, evidence = _wanted(inquiry), inquiry.evidence
    documents = _documents(inquiry.decided().support)[:MAX_DOCUMENTS]
    if not documents:
        return []
    hits = {hit.passage.id: hit for hit in evidence.hits}
    at_hand = (*evidence.beside, *(hit.passage for hit in evidence.hits))
    found = wanted.ranked(_candidates(documents, inquiry))
    chosen = shared_out(found)
    blocks: list[Block] = []
    recorded = AnswerType.APPROVAL in wanted.things
    reasons = giving_reasons(found, wanted)
    # Those in force come first; among them, the better one as before.
    for document in sorted(documents, key=lambda item: not in_force(item.status)):
        if recorded and (told_of := approval_blocks(document, Aspect.APPROVAL, evidence, sources)):
            blocks += [block for block in told_of if block not in blocks]
            continue
        own = [item for item in chosen if _is_of(document, item)]
        beside = [item for item in reasons if own and _is_of(document, item) and item not in own]
        quoted = in_reading_order(_with_outcome([*own, *beside], found))
        if quoted:
            quotes, left = quotes_of(quoted, sources, hits, at_hand)
            notes = left_notes(document, left, sources.lang)
            blocks.append(Block(heading=heading(document), quotes=quotes, notes=notes, left=left))
    return blocks


def mention_blocks(inquiry: Inquiry, sources: CitedSources) -> list[Block]:
    """The sentences of near documents that come nearest to an answer, each document under its name.

    Where nothing was compared by meaning, they share a word at least with what is asked.
    """
    wanted, mentioned = _wanted(inquiry), _documents(inquiry.decided().mentioned)
    hits = {hit.passage.id: hit for hit in inquiry.evidence.hits}
    found = wanted.ranked(_of(mentioned[:MAX_MENTIONS], inquiry))
    best = [item for item in found if wanted.sought.spread or item.sentence.covers][:MAX_MENTIONS]
    blocks = []
    for document in _documents([item.sentence.hit for item in best]):
        own = [item.sentence for item in best if item.sentence.hit.passage.document == document]
        quoted = [(item.hit.passage, item.text) for item in own]
        quotes, left = quotes_of(quoted, sources, hits)
        blocks.append(Block(heading=heading(document), quotes=quotes, left=left))
    return blocks


def explained_blocks(
    explained: Sequence[tuple[Passage, str]], sources: CitedSources
) -> list[Block]:
    """The sentences that say what a term is, each under the document that says it."""
    by_document: dict[str, list[tuple[Passage, str]]] = {}
    for passage, sentence in explained:
        by_document.setdefault(passage.document.id, []).append((passage, sentence))
    return [
        Block(heading=heading(found[0][0].document), quotes=quotes_of(found, sources).quotes)
        for found in by_document.values()
    ]


def _wanted(inquiry: Inquiry) -> Wanted:
    question, asks = inquiry.question, inquiry.asks
    topic = topic_of(asks) or question.text
    if isinstance(asks, Search) and inquiry.evidence.sections:
        topic = asks.matter
    return Wanted.of(topic, question, inquiry.evidence, aspect_of(asks))


def _documents(hits: Sequence[Hit]) -> list[Document]:
    """The documents of some hits, in order, each once."""
    return list({hit.passage.document.id: hit.passage.document for hit in hits}.values())


def _is_of(document: Document, item: Ranked) -> bool:
    return item.sentence.hit.passage.document.id == document.id


def _of(documents: Sequence[Document], inquiry: Inquiry) -> list[Hit]:
    """The passages found of some documents."""
    ids = {document.id for document in documents}
    return [hit for hit in inquiry.evidence.hits if hit.passage.document.id in ids]


def _candidates(documents: Sequence[Document], inquiry: Inquiry) -> list[Hit]:
    """What may be quoted of some documents: of a side that the question names, its sections."""
    found = _of(documents, inquiry)
    hits = {hit.passage.id: hit for hit in found}
    ids = [document.id for document in documents]
    sections = [item for item in inquiry.evidence.sections if item.document.id in ids]
    if all(item.document.id != ids[0] for item in sections):
        return found
    return [hits.get(item.id, Hit(passage=item, score=0.0)) for item in sections]


def _with_outcome(own: Sequence[Ranked], found: Sequence[Ranked]) -> list[Ranked]:
    """Put beside an option of a document what it decides, where that was found.

    An option may be one that was rejected, and then reads like what was chosen.
    """
    at = {item.sentence.hit.passage.role: item.sentence.hit.passage.document.id for item in own}
    if SectionRole.OPTIONS not in at or SectionRole.SUBSTANCE in at:
        return list(own)
    decided = (
        item
        for item in found
        if item.sentence.hit.passage.document.id == at[SectionRole.OPTIONS]
        and item.sentence.hit.passage.role == SectionRole.SUBSTANCE
    )
    return [*own, *itertools.islice(decided, 1)]
