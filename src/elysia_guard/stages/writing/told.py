"""What a writer is told: passages that passed the gates, of questions that passages answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import zip_longest

from elysia_guard.domain.claim import Told
from elysia_guard.domain.document import Hit, Passage, SectionRole
from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.question import RECORDED, Aspect
from elysia_guard.domain.reading import Comparison, Named, Search, topic_of
from elysia_guard.domain.refusal import Outcome, RefusalReason, Verdict
from elysia_guard.language.coverage import asked_of
from elysia_guard.stages.writing.sides import Side, sides_of

MOST_PASSAGES, MOST_BESIDE = 12, 4
MAX_CHARS = 7_000
"""Characters of all that is told, which makes about 2,000 tokens beside the task."""


def is_written(inquiry: Inquiry) -> bool:
    """Tell whether an answer is for a model to write: passages answer, and no record or list."""
    evidence = inquiry.evidence
    defined = evidence.matches or evidence.explained
    return may_be_written(inquiry) and not defined and bool(evidence.hits)


def may_be_written(inquiry: Inquiry) -> bool:
    """Tell, before anything is found, whether an answer may come to be for a model to write.

    Of named documents it is what several say, why one says it, or what it says of a matter; a
    field of theirs and a whole document are quoted.
    """
    asks = inquiry.asks
    if isinstance(asks, Named):
        several = len(asks.references) > 1
        said = bool(asks.matter) or several or asks.aspect is Aspect.CONTEXT
        return said and asks.aspect not in RECORDED
    return isinstance(asks, Search | Comparison)


def may_be_in_part(inquiry: Inquiry) -> bool:
    """Tell whether parts of a refused question may be answered: it was searched for in vain.

    What the sources are seen not to tell is not asked of them again in parts.
    """
    verdict = inquiry.decided()
    unsure = {RefusalReason.LOW_CONFIDENCE, RefusalReason.LOW_COVERAGE}
    searched = isinstance(inquiry.asks, Search) and not inquiry.evidence.missing
    return searched and verdict.outcome is Outcome.REFUSE and verdict.reason in unsure


def told_of(inquiry: Inquiry, *, max_chars: int = MAX_CHARS) -> tuple[Passage, ...]:
    """Choose what a writer is told, breadth first: the likeliest passage of each document.

    Those of documents that passed the gates come first, then those of documents beside them, then
    what these state, then what else passed. Of what is compared each side is told alike. The first
    is told however long it is, and what does not fit any more leaves room for what does.
    """
    if sides := sides_of(inquiry):
        return _balanced(inquiry, sides, max_chars)
    first, further = _one_of_each_first(_passed(inquiry))
    # What is asked of a named document, no other one answers.
    named_alone = isinstance(inquiry.asks, Named)
    beside = () if named_alone else inquiry.decided().beside[:MOST_BESIDE]
    named = {hit.passage.document.id for hit in (*first, *beside)}
    stating = [
        hit
        for hit in inquiry.evidence.hits
        if hit.passage.role == SectionRole.SUBSTANCE and hit.passage.document.id in named
    ]
    return _fitting([*first, *beside, *stating, *further], max_chars, MOST_PASSAGES)


def _fitting(hits: Sequence[Hit], max_chars: int, most: int) -> tuple[Passage, ...]:
    """Take the passages that fit, in their order."""
    chosen: list[Passage] = []
    left = max_chars
    for hit in hits:
        length = len(hit.passage.text)
        if len(chosen) < most and hit.passage not in chosen and (length <= left or not chosen):
            left -= length
            chosen.append(hit.passage)
    return tuple(chosen)


def _balanced(inquiry: Inquiry, sides: Sequence[Side], max_chars: int) -> tuple[Passage, ...]:
    """Tell as much of each side: the best passage of each, then the second, and so on."""
    ranked = _of_sides(inquiry)
    own = [
        _fitting(
            [hit for hit in ranked if side.holds(hit.passage)],
            max_chars // len(sides),
            max(1, MOST_PASSAGES // len(sides)),
        )
        for side in sides
    ]
    turns = (passage for row in zip_longest(*own) for passage in row if passage)
    return tuple(dict.fromkeys(turns)) or _fitting(ranked, max_chars, MOST_PASSAGES)


def _of_sides(inquiry: Inquiry) -> list[Hit]:
    """All that may be told of what is compared: named documents count whole, as they passed."""
    passed = list(_passed(inquiry))
    if not isinstance(inquiry.asks, Named):
        return [*passed, *inquiry.decided().beside]
    named = {item.id for item in inquiry.evidence.documents}
    others = [hit for hit in inquiry.evidence.hits if hit not in passed]
    return [hit for hit in (*passed, *others) if hit.passage.document.id in named]


def passing(verdict: Verdict) -> Sequence[Hit]:
    """Return the hits that passed every gate, where those let an answer through at all."""
    return verdict.support if verdict.outcome is Outcome.ANSWER else ()


def widened(inquiry: Inquiry, more: Sequence[Hit]) -> Inquiry:
    """Return a copy of an inquiry with further hits, which passed the gates for a part of it."""
    verdict, evidence = inquiry.decided(), inquiry.evidence
    known = {hit.passage.id for hit in evidence.hits}
    new = tuple({hit.passage.id: hit for hit in more if hit.passage.id not in known}.values())
    own = verdict.support or tuple(_passed(inquiry))
    passed = {hit.passage.id for hit in own}
    found = tuple(hit for hit in more if hit.passage.id not in passed)
    support = (*own, *{hit.passage.id: hit for hit in found}.values())
    ranking = (*(verdict.ranking or own), *new)
    return replace(
        inquiry,
        evidence=replace(evidence, hits=(*evidence.hits, *new)),
        verdict=replace(verdict, support=support, ranking=ranking),
    )


def _passed(inquiry: Inquiry) -> Sequence[Hit]:
    verdict, evidence = inquiry.decided(), inquiry.evidence
    if verdict.support:
        passed = {hit.passage.document.id for hit in verdict.support}
        ranking = verdict.ranking or verdict.support
        return [hit for hit in ranking if hit.passage.document.id in passed]
    terms = asked_of(evidence, topic_of(inquiry.asks), inquiry.question.lang)
    states = SectionRole.SUBSTANCE
    return sorted(
        evidence.hits,
        key=lambda hit: (-terms.coverage_by(hit.passage), hit.passage.role != states),
    )


def _one_of_each_first(hits: Sequence[Hit]) -> tuple[list[Hit], list[Hit]]:
    """Part the likeliest hit of each document from the others."""
    first = {hit.passage.document.id: hit for hit in reversed(hits)}
    leading = [hit for hit in hits if first[hit.passage.document.id] is hit]
    return leading, [hit for hit in hits if hit not in leading]


def as_told(passage: Passage) -> Told:
    """Return a passage as a writer is told it."""
    document = passage.document
    identity = document.identity
    named = (document.identifier, str(identity) if identity else "")
    return Told(
        text=passage.text,
        title=document.title,
        section=passage.section,
        status=document.status,
        identifiers=tuple(dict.fromkeys(name for name in named if name)),
        lang=document.lang or "en",
        heading=_narrowing(passage),
    )


def _narrowing(passage: Passage) -> str:
    """The nearest heading of a passage, where it narrows what stands under it.

    That is one below another, or of a part of the document that is none of the usual ones, or of
    options: of what is weighed, little is what the document decides.
    """
    above, _, nearest = passage.section.rpartition(" > ")
    weighed = passage.role in {SectionRole.OPTIONS, SectionRole.OTHER}
    return nearest if above or weighed else ""
