"""The gates before passages: something found, near enough, on the subject, and likely to answer."""

from __future__ import annotations

from collections.abc import Sequence

from elysia_guard.domain.document import Hit
from elysia_guard.domain.evidence import Evidence
from elysia_guard.domain.question import Question
from elysia_guard.domain.reading import Comparison, Search
from elysia_guard.domain.refusal import GateReading, Outcome, RefusalReason, Verdict
from elysia_guard.domain.thresholds import Thresholds
from elysia_guard.language.answer_types import AnswerType
from elysia_guard.language.coverage import asked_of
from elysia_guard.language.text import own_words
from elysia_guard.stages.gates import answer_type, together
from elysia_guard.stages.gates.measuring import CollectionNames, MeasuredHit, measure
from elysia_guard.stages.gates.readings import refusal


def search_gates(
    question: Question,
    asks: Search | Comparison,
    evidence: Evidence,
    *,
    thresholds: Thresholds,
    collections: CollectionNames,
) -> Verdict:
    """Require hits, a near enough one, enough of the question's words in it, and confidence."""
    topic = asks.topic or question.text
    terms = asked_of(evidence, topic, question.lang)
    found = GateReading(
        gate="no_results",
        passed=bool(evidence.hits) and bool(terms.words),
        value=len(evidence.hits),
        threshold=1,
        source="number of passages" if terms.words else "the question has no content words",
        reason=None if evidence.hits and terms.words else RefusalReason.NO_RESULTS,
    )
    if not found.passed:
        subject = own_words(topic, question.told)
        return refusal(RefusalReason.NO_RESULTS, subject, found)
    things = answer_type.required(question.text, terms)
    measured = measure(
        evidence,
        terms,
        thresholds=thresholds,
        collections=collections,
        things=things,
        question=question.text,
    )
    best = max(measured, key=_furthest)
    failed = next((reading for reading in best.readings if not reading.passed), None)
    support = tuple(item.hit for item in supporting(measured))
    near = _near(measured, thresholds.mentioned) if failed else ()
    return Verdict(
        outcome=Outcome.REFUSE if failed else Outcome.ANSWER,
        confidence=min(best.confidence, thresholds.search_ceiling),
        readings=(found, *best.readings),
        reason=failed.reason if failed else None,
        subject=own_words(topic, question.told),
        details={
            **together.warned(terms, [item.hit for item in measured], thresholds),
            **_variant(failed, things),
        },
        support=support,
        ranking=(*support, *(item.hit for item in measured if not item.passed)),
        mentioned=near,
    )


def _variant(failed: GateReading | None, things: frozenset[AnswerType]) -> dict[str, str]:
    """Name the text of a refusal for want of what is asked for."""
    wanting = failed is not None and failed.gate == answer_type.GATE
    return {"variant": min(things)} if wanting else {}


def _near(measured: Sequence[MeasuredHit], chance: float) -> tuple[Hit, ...]:
    """Return the likeliest hit of each document that may answer, though nothing says it does."""
    found: dict[str, Hit] = {}
    for item in sorted(measured, key=lambda item: -item.confidence):
        if item.confidence >= chance and not _is_far(item):
            found.setdefault(item.hit.passage.document.id, item.hit)
    return tuple(found.values())


def _is_far(measured: MeasuredHit) -> bool:
    return any(item.gate == "distance" and not item.passed for item in measured.readings)


def _furthest(measured: MeasuredHit) -> tuple[int, float]:
    """Order hits by how many gates they pass in a row, then by their own order."""
    passed = 0
    for item in measured.readings:
        if not item.passed:
            break
        passed += 1
    return passed, measured.order


def supporting(measured: Sequence[MeasuredHit]) -> list[MeasuredHit]:
    """Return the hits that passed every gate, the best first.

    Where no gate looks at the confidence, they keep the search's order.
    """
    passed = [item for item in measured if item.passed]
    return sorted(passed, key=lambda item: item.order, reverse=True)
