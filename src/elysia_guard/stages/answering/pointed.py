"""The units that a model points at, whole, as the sources have them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from elysia_guard.domain.document import Hit, Passage
from elysia_guard.domain.draft import Block, Quote
from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.pointing import Pointed, PointedVerdict, UnitOfSource
from elysia_guard.domain.reading import aspect_of, topic_of
from elysia_guard.language.catalogue import say
from elysia_guard.stages.answering.citing import CitedSources, heading
from elysia_guard.stages.answering.documents import left_notes
from elysia_guard.stages.answering.quoting import quotes_of
from elysia_guard.stages.answering.wanted import Wanted

_ARROW = "\u2192"
_SAID_FIRST = (PointedVerdict.PARTLY, PointedVerdict.CONTRADICTS)


def pointed_blocks(inquiry: Inquiry, pointed: Pointed, sources: CitedSources) -> list[Block]:
    """The units under the names of their documents, those of one section in their order there.

    Documents and sections stand in the order in which the model first names them.
    """
    evidence, lang = inquiry.evidence, sources.lang
    hits = {hit.passage.id: hit for hit in evidence.hits}
    blocks = []
    # The documents of an inquiry that was brought up to date are as they are now.
    now = {name: hit.passage for name, hit in hits.items()}
    told = _telling(inquiry, [hits[each.id] for each in pointed.passages if each.id in hits])
    for units in _by_document(pointed.units):
        chosen = [(now.get(unit.passage.id, unit.passage), unit.text) for unit in units]
        document = chosen[0][0].document
        chosen += [
            (item, each)
            for item, text in chosen
            for each in told.get(item.id, ())
            if each.strip() in text
        ]
        at_hand = (*evidence.beside, *now.values())
        quotes, left = quotes_of(chosen, sources, hits, at_hand)
        notes = left_notes(document, left, lang)
        if quotes:
            blocks.append(Block(heading=heading(document), quotes=quotes, notes=notes, left=left))
    if blocks and pointed.verdict in _SAID_FIRST:
        blocks.insert(0, Block(heading=say(lang, f"pointed.{pointed.verdict}")))
    return blocks


def _telling(inquiry: Inquiry, hits: Sequence[Hit]) -> Mapping[str, Sequence[str]]:
    """The sentences that tell most of what is asked, by the ids of their passages: to be marked."""
    question, asks = inquiry.question, inquiry.asks
    topic = topic_of(asks) or question.text
    wanted = Wanted.of(topic, question, inquiry.evidence, aspect_of(asks))
    found: dict[str, list[str]] = {}
    for passage, sentence in wanted.best(hits):
        found.setdefault(passage.id, []).append(sentence)
    return found


def _by_document(units: Sequence[UnitOfSource]) -> list[list[UnitOfSource]]:
    found: dict[str, dict[str, list[UnitOfSource]]] = {}
    for unit in units:
        of = found.setdefault(unit.passage.document.id, {})
        of.setdefault(unit.passage.section, []).append(unit)
    return [
        [unit for section in of.values() for unit in sorted(section, key=_place)]
        for of in found.values()
    ]


def _place(unit: UnitOfSource) -> tuple[int, int]:
    return unit.passage.position, unit.at


def bare_blocks(passages: Sequence[Passage], sources: CitedSources) -> list[Block]:
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
