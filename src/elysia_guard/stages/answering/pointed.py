"""The units that a model points at, whole, as the sources have them."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter

from elysia_guard.domain.document import Passage
from elysia_guard.domain.draft import Block, Quote
from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.pointing import Pointed, PointedVerdict, UnitOfSource
from elysia_guard.language.catalogue import say
from elysia_guard.stages.answering.citing import CitedSources
from elysia_guard.stages.answering.documents import quoted_block
from elysia_guard.stages.answering.wanted import Wanted

_ARROW = "\u2192"
_SAID_FIRST = (PointedVerdict.PARTLY, PointedVerdict.CONTRADICTS)


def pointed_blocks(inquiry: Inquiry, pointed: Pointed, sources: CitedSources) -> list[Block]:
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
