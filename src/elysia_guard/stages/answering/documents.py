"""What a named document says: of itself, in its approval record, or in its text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from elysia_guard.domain.document import Document, DocumentKind, Hit, Passage, SectionRole
from elysia_guard.domain.draft import Block, Quote
from elysia_guard.domain.evidence import Evidence
from elysia_guard.domain.question import OF_ASPECT, STATED, Aspect, Lang, Question
from elysia_guard.domain.reading import Named
from elysia_guard.language.answer_types import AnswerType, holds
from elysia_guard.language.approvals import apart, own, told
from elysia_guard.language.catalogue import say
from elysia_guard.stages.answering.citing import CitedSources, heading
from elysia_guard.stages.answering.quoting import Portion, portions, quotes_in, quotes_of, units_in
from elysia_guard.stages.answering.wanted import Wanted

_REASONS = (SectionRole.RATIONALE, SectionRole.DRIVERS)
"""What belongs to an outcome where it stands under its heading."""


def entity_blocks(
    question: Question, named: Named, evidence: Evidence, sources: CitedSources
) -> list[Block]:
    """What each named document says of what is asked."""
    wanted = Wanted.of(named.matter, question, evidence, named.aspect)
    blocks: list[Block] = []
    for document in evidence.documents:
        hits = [hit for hit in evidence.hits if hit.passage.document.id == document.id]
        passages = [hit.passage for hit in hits]
        whole = not wanted.terms.words
        if named.aspect in STATED:
            found = approval_blocks(document, named.aspect, evidence, sources)
        else:  # each approval of a record that lists several under headings of their own
            found = [
                _told(document, under, named.part, sources, first=under, above=above)
                for above, under in (apart(document, passages) if whole else ())
            ]
        blocks += found or [_document_block(document, hits, named, wanted, sources)]
    return blocks


def approval_blocks(
    document: Document, aspect: Aspect, evidence: Evidence, sources: CitedSources
) -> list[Block]:
    """What the approval record says of each approval, the one that decides first."""
    passages = [*evidence.records, *(hit.passage for hit in evidence.hits)]
    blocks = []
    for part in told(document, aspect, passages, sources.lang):
        cited = [(fact, sources.cite(fact.passage, fact.text)) for fact in part.facts]
        quotes = tuple(Quote(text=fact.text, source=n, lead=fact.lead) for fact, n in cited)
        blocks.append(Block(heading=part.heading, quotes=quotes, notes=part.notes))
    return blocks


def _document_block(
    document: Document,
    hits: Sequence[Hit],
    named: Named,
    wanted: Wanted,
    sources: CitedSources,
) -> Block:
    aspect, lang = named.aspect, sources.lang
    if stated := own(document, aspect):
        quote = Quote(
            text=stated, source=sources.cite_document(document), lead=say(lang, f"answer.{aspect}")
        )
        return Block(heading=heading(document), quotes=(quote,))
    if aspect in STATED:
        unstated = say(lang, f"answer.no_{aspect}", name=document.name)
        return Block(heading=heading(document), notes=(unstated,))
    passages = [hit.passage for hit in hits]
    asked = _asked_for(document, aspect, passages)
    among = [hit for hit in hits if hit.passage in asked] if aspect in OF_ASPECT else hits
    about = wanted.best(among) or wanted.best(hits)
    if not about and wanted.side:
        whole = [(item, unit.text) for item in asked or passages for unit in units_in(item)]
        about = wanted.of_side(whole)
    if about:
        return quoted_block(document, about, sources, beside=passages)
    because = _because(passages, wanted) if aspect is Aspect.CONTEXT else []
    return _told(document, passages, named.part, sources, first=[*because, *asked])


def _told(
    document: Document,
    passages: Sequence[Passage],
    part: int,
    sources: CitedSources,
    *,
    first: Sequence[Passage] = (),
    above: str = "",
) -> Block:
    """Tell a document from end to end, as much as a reply holds, and what is left of it.

    ``part`` is which portion of it is asked for, from 1, ``above`` the heading where it is another.
    What is asked for comes ``first``, all where there is no such section. The rest follows where
    more is wanted; what stands below its headings is counted as left of it, but options.
    """
    lang, name = sources.lang, document.name
    rest = [item for item in passages if item not in first and item.role != SectionRole.PARTICULARS]
    asked = tuple(f"{item.section} > " for item in first)
    below = [
        item for item in rest if item.section.startswith(asked) and item.role != SectionRole.OPTIONS
    ]
    more = sum(len(units_in(item)) for item in below)
    beyond = portions([*below, *(item for item in rest if item not in below)])
    within = [Portion(units, left + more) for units, left in portions(first)]
    found = [*within, *beyond] or portions(passages) or [Portion([], 0)]
    units, left = found[min(part, len(found)) - 1]
    heads = {item.section.split(" > ")[0] for item in first}
    headed = next(iter(heads)) if len(heads) == 1 and part == 1 else None
    above = above or heading(document)
    if not first and part == 1 and document.kind.like is DocumentKind.DECISION:
        above = f"{above}\n\n{say(lang, 'answer.no_section', name=name)}"
    notes = [say(lang, "answer.no_more", name=name)] if part > len(found) else []
    quotes = quotes_in(units, sources, headed=headed)
    shown = Block(heading=above, quotes=quotes, notes=tuple(notes))
    return _with_left(shown, document, left, lang, part=part + 1)


def quoted_block(
    document: Document,
    chosen: Sequence[tuple[Passage, str]],
    sources: CitedSources,
    found: Sequence[Hit] = (),
    beside: Sequence[Passage] = (),
) -> Block:
    """Quote sentences or units of a document under its name; see ``quotes_of``."""
    quotes, left = quotes_of(chosen, sources, found, beside)
    return _with_left(Block(heading=heading(document), quotes=quotes), document, left, sources.lang)


def _with_left(shown: Block, document: Document, left: int, lang: Lang, *, part: int = 1) -> Block:
    """Say how many units of what is told are not shown, and how to get them."""
    if not left:
        return shown
    key = "answer.part" if part > 1 else "suggest.document"
    ask = say(lang, key, name=document.in_question, part=part)
    key = "answer.left_one" if left == 1 else "answer.left_many"
    note = f"{say(lang, key, count=left)} {say(lang, 'suggest.ask', question=ask)}"
    return replace(shown, notes=(*shown.notes, note), left=left, more=ask)


def _asked_for(document: Document, aspect: Aspect, passages: Sequence[Passage]) -> list[Passage]:
    """The passages of what is asked: the outcome with its reasons, or another side."""
    if document.approval:
        return [item for item in passages if item.role == SectionRole.APPROVAL]
    outcome = [item.section for item in passages if item.role == SectionRole.SUBSTANCE]
    roles = OF_ASPECT.get(aspect, (SectionRole.SUBSTANCE,))
    proposed = () if aspect in OF_ASPECT else _proposed(passages, outcome)
    return [
        item
        for item in passages
        if item.role in roles
        or item in proposed
        or (
            aspect not in OF_ASPECT
            and item.role in _REASONS
            and any(item.section.startswith(f"{place} > ") for place in outcome)
        )
    ]


def _proposed(passages: Sequence[Passage], outcome: Sequence[str]) -> list[Passage]:
    """What a document proposes that decides under no heading of that rank: first words, design."""
    headed = [item.section for item in passages if item.role == SectionRole.PROPOSAL]
    if not headed or (outcome and _rank(outcome) <= _rank(headed)):
        return []
    return [
        item
        for item in passages
        if item.role == SectionRole.PROPOSAL
        or (item.role == SectionRole.OTHER and not item.section)
    ]


def _rank(sections: Sequence[str]) -> int:
    """How far below the title the highest of some headings stands."""
    return min(section.count(" > ") for section in sections)


def _because(passages: Sequence[Passage], wanted: Wanted) -> list[Passage]:
    """Where the outcome is told, if a reason is asked for and stands beside it."""
    outcome = [item for item in passages if item.role == SectionRole.SUBSTANCE]
    beside = [item for item in outcome if item.section == outcome[0].section]
    why = AnswerType.REASON in wanted.things
    return beside if why and any(holds(item.text, AnswerType.REASON) for item in beside) else []
