"""What a named document says: of itself, in its approval record, or in its text."""

from __future__ import annotations

from collections.abc import Sequence

from elysia_guard.domain.document import Document, Hit, Passage, SectionRole
from elysia_guard.domain.draft import Block, Quote
from elysia_guard.domain.evidence import Evidence
from elysia_guard.domain.question import (
    STATED,
    Aspect,
    Question,
)
from elysia_guard.domain.reading import Named
from elysia_guard.language.approvals import apart, own, told
from elysia_guard.language.catalogue import say
from elysia_guard.language.sentences import units
from elysia_guard.stages.answering.citing import Sources, heading, quotes_of, units_of
from elysia_guard.stages.answering.judged import judged_first
from elysia_guard.stages.answering.measures import OF_ASPECT
from elysia_guard.stages.answering.premises import giving_reasons, premise_notes
from elysia_guard.stages.answering.wanted import Wanted

MAX_ENTITY_UNITS = 8

_ROLES: dict[Aspect, tuple[SectionRole, ...]] = {
    **OF_ASPECT,
    Aspect.SUBSTANCE: (SectionRole.SUBSTANCE,),
    Aspect.APPROVAL: (SectionRole.APPROVAL,),
}


def entity_blocks(
    question: Question, named: Named, evidence: Evidence, sources: Sources
) -> list[Block]:
    """What each named document says of what is asked."""
    wanted = Wanted.of(named.matter, question, evidence, named.aspect)
    blocks: list[Block] = []
    for document in evidence.documents:
        hits = [hit for hit in evidence.hits if hit.passage.document.id == document.id]
        passages = [hit.passage for hit in hits]
        found = [] if wanted.terms.words else _record_blocks(document, passages, sources)
        if named.aspect in STATED:
            found = approval_blocks(document, named.aspect, evidence, sources)
        blocks += found or [
            _document_block(document, hits, named.aspect, wanted, sources, evidence)
        ]
    return blocks


def approval_blocks(
    document: Document, aspect: Aspect, evidence: Evidence, sources: Sources
) -> list[Block]:
    """What the approval record says of each approval, the one that decides first."""
    passages = [*evidence.records, *(hit.passage for hit in evidence.hits)]
    blocks = []
    for part in told(document, aspect, passages, sources.lang):
        cited = [(fact, sources.cite(fact.passage, fact.text)) for fact in part.facts]
        quotes = tuple(Quote(text=fact.text, source=n, lead=fact.lead) for fact, n in cited)
        blocks.append(Block(heading=part.heading, quotes=quotes, notes=part.notes))
    return blocks


def _record_blocks(record: Document, passages: Sequence[Passage], sources: Sources) -> list[Block]:
    """Each approval of a record that lists several under headings of their own, none cut short."""
    blocks = []
    for above, under in apart(record, passages):
        quoted = [(item, unit) for item in under for unit in units(item.text, record.lang)]
        blocks.append(Block(heading=above, quotes=quotes_of(quoted[:MAX_ENTITY_UNITS], sources)))
    return blocks


def _document_block(
    document: Document,
    hits: Sequence[Hit],
    aspect: Aspect,
    wanted: Wanted,
    sources: Sources,
    evidence: Evidence,
) -> Block:
    if stated := own(document, aspect):
        lead = say(wanted.terms.lang, f"answer.{aspect}")
        quote = Quote(text=stated, source=sources.cite_document(document), lead=lead)
        return Block(heading=heading(document), quotes=(quote,))
    if aspect in STATED:
        unstated = say(wanted.terms.lang, f"answer.no_{aspect}", name=document.name)
        return Block(heading=heading(document), notes=(unstated,))
    part = SectionRole.APPROVAL if document.approval else None
    roles = (part,) if part else _ROLES.get(aspect, (SectionRole.SUBSTANCE,))
    chosen = [hit for hit in hits if hit.passage.role in roles] or list(hits)
    among = hits if aspect is Aspect.SUBSTANCE and not part else chosen
    about = judged_first(_with_reason(among, hits, wanted), hits, evidence)
    whole = [(hit.passage, unit) for hit in chosen for unit in units_of(hit.passage)]
    quoted = about or wanted.of_side(whole)
    # Each approval of a record has as much room as one.
    times = max(len(document.approvals), 1) if document.approval else 1
    quotes = quotes_of(quoted[: times * MAX_ENTITY_UNITS], sources, times=times)
    return Block(
        heading=heading(document), quotes=quotes, notes=premise_notes(document, hits, wanted)
    )


def _with_reason(
    among: Sequence[Hit], hits: Sequence[Hit], wanted: Wanted
) -> list[tuple[Passage, str]]:
    """The best sentences of some hits, or of all; of a why, the outcome's reason beside them."""
    best = wanted.best(among) or wanted.best(hits)
    reasons = giving_reasons(wanted.ranked(hits), wanted) if best else []
    said = [(item.sentence.hit.passage, item.sentence.text) for item in reasons]
    return [*(item for item in said if item not in best), *best]
