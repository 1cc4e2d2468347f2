"""What a writer is told: passages that passed the gates, of questions that passages answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from elysia_guard.domain.document import Hit, Passage, SectionRole
from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.question import RECORDED, Aspect
from elysia_guard.domain.reading import Comparison, Named, Search, topic_of
from elysia_guard.domain.refusal import Outcome, Verdict
from elysia_guard.language.coverage import asked_of

MOST_PASSAGES = 12
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


def told_of(inquiry: Inquiry, *, max_chars: int = MAX_CHARS) -> tuple[Passage, ...]:
    """Choose what a writer is told: what passed the gates, the likeliest of each document first.

    Then come what those documents state, and what else of them passed. The first is told however
    long it is, and what does not fit any more leaves room for what does.
    """
    first, further = _one_of_each_first(passed(inquiry))
    named = {hit.passage.document.id for hit in first}
    stating = [
        hit
        for hit in inquiry.evidence.hits
        if hit.passage.role == SectionRole.SUBSTANCE and hit.passage.document.id in named
    ]
    return _fitting([*first, *stating, *further], max_chars)


def _fitting(hits: Sequence[Hit], max_chars: int) -> tuple[Passage, ...]:
    """Take the passages that fit, in their order."""
    chosen: list[Passage] = []
    left = max_chars
    for hit in hits:
        length = len(hit.passage.text)
        if hit.passage not in chosen and (length <= left or not chosen):
            left -= length
            chosen.append(hit.passage)
    return tuple(chosen[:MOST_PASSAGES])


def passing(verdict: Verdict) -> Sequence[Hit]:
    """Return the hits that passed every gate, where those let an answer through at all."""
    return verdict.support if verdict.outcome is Outcome.ANSWER else ()


def widened(inquiry: Inquiry, more: Sequence[Hit]) -> Inquiry:
    """Return a copy of an inquiry with further hits, which passed the gates for a part of it."""
    verdict, evidence = inquiry.decided(), inquiry.evidence
    known = {hit.passage.id for hit in evidence.hits}
    new = tuple({hit.passage.id: hit for hit in more if hit.passage.id not in known}.values())
    own = verdict.support or tuple(passed(inquiry))
    through = {hit.passage.id for hit in own}
    found = tuple(hit for hit in more if hit.passage.id not in through)
    support = (*own, *{hit.passage.id: hit for hit in found}.values())
    ranking = (*(verdict.ranking or own), *new)
    return replace(
        inquiry,
        evidence=replace(evidence, hits=(*evidence.hits, *new)),
        verdict=replace(verdict, support=support, ranking=ranking),
    )


def passed(inquiry: Inquiry) -> Sequence[Hit]:
    """Return the hits of the documents that passed the gates, the best first."""
    verdict, evidence = inquiry.decided(), inquiry.evidence
    if verdict.support:
        documents = {hit.passage.document.id for hit in verdict.support}
        ranking = verdict.ranking or verdict.support
        return [hit for hit in ranking if hit.passage.document.id in documents]
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
