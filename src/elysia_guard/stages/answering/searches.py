"""What the best documents of a search say."""

from __future__ import annotations

from collections.abc import Sequence

from elysia_guard.domain.document import Document, Hit, Passage, SectionRole
from elysia_guard.domain.draft import Block
from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.question import (
    Aspect,
)
from elysia_guard.domain.reading import topic_of
from elysia_guard.language.answer_types import AnswerType
from elysia_guard.language.coverage import QueryTerms
from elysia_guard.language.states import in_force
from elysia_guard.stages.answering.citing import Sources, heading, quotes_of, units_of
from elysia_guard.stages.answering.documents import approval_blocks
from elysia_guard.stages.answering.wanted import MAX_UNITS, Wanted

MAX_DOCUMENTS = 3
MAX_MENTIONS = 3


def search_blocks(inquiry: Inquiry, sources: Sources) -> list[Block]:
    """The sentences that answer best, from the best documents, each under its name."""
    question, evidence = inquiry.question, inquiry.evidence
    wanted = Wanted.of(topic_of(inquiry.asks) or question.text, question, evidence)
    by_document: dict[str, list[Hit]] = {}
    for hit in inquiry.decided().support:
        by_document.setdefault(hit.passage.document.id, []).append(hit)
    if not by_document:
        return []
    documents = _as_good_as_the_first(list(by_document.values()), wanted.terms)
    blocks: list[Block] = []
    recorded = AnswerType.APPROVAL in wanted.things
    # Those in force come first; among them, the better one as before.
    for document in sorted(documents[:MAX_DOCUMENTS], key=lambda item: not in_force(item.status)):
        if recorded and (told_of := approval_blocks(document, Aspect.APPROVAL, evidence, sources)):
            blocks += [block for block in told_of if block not in blocks]
            continue
        found = {
            hit.passage.id: hit for hit in evidence.hits if hit.passage.document.id == document.id
        }
        passages = [hit.passage for hit in found.values()]
        chosen = wanted.best(passages) or _first_stated(passages)
        blocks.append(Block(heading=heading(document), quotes=quotes_of(chosen, sources, found)))
    return blocks


def mention_blocks(inquiry: Inquiry, sources: Sources) -> list[Block]:
    """The one sentence of each near document that says most of what is asked, under its name."""
    question, evidence = inquiry.question, inquiry.evidence
    wanted = Wanted.of(topic_of(inquiry.asks) or question.text, question, evidence)
    blocks = []
    for document in (hit.passage.document for hit in inquiry.decided().mentioned):
        found = {
            hit.passage.id: hit for hit in evidence.hits if hit.passage.document.id == document.id
        }
        if best := wanted.best([hit.passage for hit in found.values()])[:1]:
            quotes = quotes_of(best, sources, found)
            blocks.append(Block(heading=heading(document), quotes=quotes))
    return blocks[:MAX_MENTIONS]


def explained_blocks(explained: Sequence[tuple[Passage, str]], sources: Sources) -> list[Block]:
    """The sentences that say what a term is, each under the document that says it."""
    by_document: dict[str, list[tuple[Passage, str]]] = {}
    for passage, sentence in explained:
        by_document.setdefault(passage.document.id, []).append((passage, sentence))
    return [
        Block(heading=heading(found[0][0].document), quotes=quotes_of(found, sources))
        for found in by_document.values()
    ]


def _as_good_as_the_first(found: Sequence[Sequence[Hit]], terms: QueryTerms) -> list[Document]:
    """The best document, and the others that cover at least as much of the question."""

    def covered(hits: Sequence[Hit]) -> float:
        return max(
            terms.coverage(hit.passage.in_context, hit.passage.document.lang) for hit in hits
        )

    needed = covered(found[0])
    kept = [found[0], *(hits for hits in found[1:] if covered(hits) >= needed)]
    return [hits[0].passage.document for hits in kept]


def _first_stated(passages: Sequence[Passage]) -> list[tuple[Passage, str]]:
    """The first sentences of what a document states, where none can be told to answer."""
    stated = [item for item in passages if item.role == SectionRole.SUBSTANCE] or passages
    return [(item, unit) for item in stated for unit in units_of(item)][:MAX_UNITS]
