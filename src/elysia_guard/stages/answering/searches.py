"""What the best documents of a search say."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from elysia_guard.domain.document import Document, Hit
from elysia_guard.domain.draft import Block
from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.question import Aspect
from elysia_guard.domain.reading import aspect_of, topic_of
from elysia_guard.language.answer_types import AnswerType
from elysia_guard.language.states import in_force
from elysia_guard.stages.answering.citing import CitedSources, heading
from elysia_guard.stages.answering.documents import approval_blocks, left_notes
from elysia_guard.stages.answering.quoting import quotes_of
from elysia_guard.stages.answering.wanted import Wanted, in_reading_order, shared_out, with_outcome

MAX_DOCUMENTS = 3
MAX_MENTIONS = 3


def search_blocks(inquiry: Inquiry, sources: CitedSources) -> list[Block]:
    """The sentences that answer best, of the best documents, each under its name."""
    wanted, evidence = _wanted(inquiry), inquiry.evidence
    documents = _documents(inquiry.decided().support)[:MAX_DOCUMENTS]
    if not documents:
        return []
    hits = {hit.passage.id: hit for hit in evidence.hits}
    at_hand = [hit.passage for hit in evidence.hits]
    if AnswerType.APPROVAL in wanted.things:
        told = [approval_blocks(each, Aspect.APPROVAL, evidence, sources) for each in documents]
        if any(told):
            return list(dict.fromkeys(itertools.chain.from_iterable(told)))
    found = wanted.ranked(_of(documents, inquiry))
    chosen = shared_out(found)
    blocks: list[Block] = []
    # Those in force come first; among them, the better one as before.
    for document in sorted(documents, key=lambda item: not in_force(item.status)):
        own = [item for item in chosen if item.passage.document.id == document.id]
        if quoted := in_reading_order(with_outcome(own, found)):
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
    best = [item for item in found if wanted.sought.spread or item.covers][:MAX_MENTIONS]
    blocks = []
    for document in _documents([item.hit for item in best]):
        quoted = [(item.passage, item.text) for item in best if item.passage.document == document]
        quotes, left = quotes_of(quoted, sources, hits)
        blocks.append(Block(heading=heading(document), quotes=quotes, left=left))
    return blocks


def _wanted(inquiry: Inquiry) -> Wanted:
    question, asks = inquiry.question, inquiry.asks
    topic = topic_of(asks) or question.text
    return Wanted.of(topic, question, inquiry.evidence, aspect_of(asks))


def _documents(hits: Sequence[Hit]) -> list[Document]:
    """The documents of some hits, in order, each once."""
    return list({hit.passage.document.id: hit.passage.document for hit in hits}.values())


def _of(documents: Sequence[Document], inquiry: Inquiry) -> list[Hit]:
    """The passages found of some documents."""
    ids = {document.id for document in documents}
    return [hit for hit in inquiry.evidence.hits if hit.passage.document.id in ids]
