"""The answering stage: an extractive draft, made of the sources' own words and nothing else."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from operator import attrgetter

from elysia_guard.domain.document import Document, Hit, Passage
from elysia_guard.domain.draft import Block, Draft, Quote
from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.pointing import Pointed, PointedVerdict, UnitOfSource
from elysia_guard.domain.question import Aspect
from elysia_guard.domain.reading import Comparison, Definition, Listing, Named, Relation
from elysia_guard.language.answer_types import AnswerType
from elysia_guard.language.catalogue import say
from elysia_guard.language.states import in_force
from elysia_guard.stages.answering.citing import CitedSources, CollectionOf
from elysia_guard.stages.answering.concepts import concept_blocks, relation_blocks, sense_blocks
from elysia_guard.stages.answering.documents import approval_blocks, entity_blocks, quoted_block
from elysia_guard.stages.answering.lists import list_blocks
from elysia_guard.stages.answering.quoting import MAX_QUOTED_CHARS
from elysia_guard.stages.answering.wanted import Wanted, in_reading_order, shared_out, with_outcome

__all__ = ["MAX_DOCUMENTS", "MAX_QUOTED_CHARS", "bare", "draft", "mentions"]
MAX_DOCUMENTS = 3
MAX_MENTIONS = 3
_ARROW = "\u2192"
_SAID_FIRST = (PointedVerdict.PARTLY, PointedVerdict.CONTRADICTS)


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
    if evidence.pointed and evidence.pointed.answers:
        return _pointed_blocks(inquiry, evidence.pointed, sources)
    if isinstance(asks, Listing) and not evidence.hits:
        return list_blocks(asks, evidence, question, sources)
    if isinstance(asks, Named) and not inquiry.decided().support:
        return entity_blocks(question, asks, evidence, sources)
    return _search_blocks(inquiry, sources)


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
    return _drafted(_bare_blocks(passages, sources), sources)


def mentions(inquiry: Inquiry, *, collection: CollectionOf) -> Draft:
    """Quote where a refused matter is mentioned: what documents say nearest to it.

    Before it stands what the vocabulary says of the term that may have been meant.
    """
    lang = inquiry.question.lang
    sources = CitedSources(collection=collection, lang=lang)
    senses = sense_blocks(inquiry.meant.matches, lang, sources)
    return _drafted([*senses, *_mention_blocks(inquiry, sources)], sources)


def _search_blocks(inquiry: Inquiry, sources: CitedSources) -> list[Block]:
    """The sentences that answer best, of the best documents, each under its name."""
    wanted, evidence = Wanted.by(inquiry), inquiry.evidence
    documents = _documents(inquiry.decided().support)[:MAX_DOCUMENTS]
    if not documents:
        return []
    if AnswerType.APPROVAL in wanted.things:
        told = [approval_blocks(each, Aspect.APPROVAL, evidence, sources) for each in documents]
        if any(told):
            return list(dict.fromkeys(itertools.chain.from_iterable(told)))
        # What has no record does not tell it.
        documents = [each for each in documents if each.approval or each.approvals] or documents
    found = wanted.ranked(_candidates(documents, inquiry))
    chosen = shared_out(found)
    blocks: list[Block] = []
    # Those in force come first; among them, the better one as before.
    for document in sorted(documents, key=lambda item: not in_force(item.status)):
        own = [item for item in chosen if item.passage.document.id == document.id]
        if quoted := in_reading_order(with_outcome(own, found)):
            blocks.append(quoted_block(document, quoted, sources, evidence.hits, evidence.beside))
    return blocks


def _mention_blocks(inquiry: Inquiry, sources: CitedSources) -> list[Block]:
    """The sentences of near documents that come nearest to an answer, each document under its name.

    Where nothing was compared by meaning, they share a word at least with what is asked.
    """
    wanted, mentioned = Wanted.by(inquiry), _documents(inquiry.decided().mentioned)
    found = wanted.ranked(_of(mentioned[:MAX_MENTIONS], inquiry))
    best = [item for item in found if wanted.spread or item.covers][:MAX_MENTIONS]
    blocks = []
    for document in _documents([item.hit for item in best]):
        quoted = [(item.passage, item.text) for item in best if item.passage.document == document]
        blocks.append(quoted_block(document, quoted, sources, inquiry.evidence.hits))
    return blocks


def _pointed_blocks(inquiry: Inquiry, pointed: Pointed, sources: CitedSources) -> list[Block]:
    """The units under the names of their documents, those of one section in their order there.

    Documents and sections stand in the order in which the model first names them.
    """
    # The documents of an inquiry that was brought up to date are as they are now.
    now = {hit.passage.id: hit for hit in inquiry.evidence.hits}
    pointed_at = [now[each.id] for each in pointed.passages if each.id in now]
    # The sentences that tell most of what is asked: to be marked.
    told = Wanted.by(inquiry).best(pointed_at)
    blocks = []
    for units in _by_document(pointed.units):
        passages = [
            now[unit.passage.id].passage if unit.passage.id in now else unit.passage
            for unit in units
        ]
        chosen = [(item, unit.text) for item, unit in zip(passages, units, strict=True)]
        chosen += [
            (item, said)
            for item, text in chosen
            for passage, said in told
            if passage.id == item.id and said.strip() in text
        ]
        evidence = inquiry.evidence
        block = quoted_block(passages[0].document, chosen, sources, evidence.hits, evidence.beside)
        blocks += [block] if block.quotes else []
    if blocks and pointed.verdict in _SAID_FIRST:
        blocks.insert(0, Block(heading=say(sources.lang, f"pointed.{pointed.verdict}")))
    return blocks


def _by_document(units: Sequence[UnitOfSource]) -> list[list[UnitOfSource]]:
    found: dict[str, dict[str, list[UnitOfSource]]] = {}
    for unit in units:
        of = found.setdefault(unit.passage.document.id, {})
        of.setdefault(unit.passage.section, []).append(unit)
    placed = attrgetter("passage.position", "at")
    return [
        [unit for section in of.values() for unit in sorted(section, key=placed)]
        for of in found.values()
    ]


def _bare_blocks(passages: Sequence[Passage], sources: CitedSources) -> list[Block]:
    """The documents that passages are from, by name: what is left where nothing can be said."""
    documents = {item.document.id: item.document for item in passages}
    quotes = tuple(
        Quote(
            text=item.title,
            source=sources.cite_document(item),
            lead=f"**{(item.label if item.identifier else item.apart) or _ARROW}** ",
        )
        for item in documents.values()
    )
    return [Block(heading=say(sources.lang, "verified.raw"), quotes=quotes)] if quotes else []


def _documents(hits: Sequence[Hit]) -> list[Document]:
    """The documents of some hits, in order, each once."""
    return list({hit.passage.document.id: hit.passage.document for hit in hits}.values())


def _of(documents: Sequence[Document], inquiry: Inquiry) -> list[Hit]:
    """The passages found of some documents."""
    ids = {document.id for document in documents}
    return [hit for hit in inquiry.evidence.hits if hit.passage.document.id in ids]


def _candidates(documents: Sequence[Document], inquiry: Inquiry) -> list[Hit]:
    """What may be quoted of some documents: of a side that the question names, its sections."""
    found = _of(documents, inquiry)
    hits = {hit.passage.id: hit for hit in found}
    sections = [item for item in inquiry.evidence.sections if item.document in documents]
    if all(item.document.id != documents[0].id for item in sections):
        return found
    return [hits.get(item.id, Hit(passage=item, score=0.0)) for item in sections]


def _drafted(blocks: Sequence[Block], sources: CitedSources) -> Draft:
    return Draft(
        blocks=tuple(blocks),
        sources=tuple(sources.sources),
        origins=tuple(sources.origins),
        cited=tuple(sources.cited),
    )
