"""The gates before passages: something found, near enough, on the subject, and likely to answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from elysia_guard.domain.document import DocumentKind, Hit
from elysia_guard.domain.evidence import Evidence
from elysia_guard.domain.question import Intent, Question
from elysia_guard.domain.refusal import GateReading, Outcome, RefusalReason, Verdict
from elysia_guard.domain.response import FALLBACK_PENALTY
from elysia_guard.domain.thresholds import Limits, Thresholds
from elysia_guard.language.coverage import QueryTerms, query_terms
from elysia_guard.stages.gates.readings import reading

CollectionNames = Mapping[DocumentKind, str]


@dataclass(frozen=True, kw_only=True, slots=True)
class Measured:
    """A hit with its measures, and the confidence that it answers."""

    hit: Hit
    readings: tuple[GateReading, ...]
    confidence: float

    @property
    def passed(self) -> bool:
        """Whether every gate let it through."""
        return all(reading.passed for reading in self.readings)


def search_gates(
    question: Question,
    intent: Intent,
    evidence: Evidence,
    *,
    thresholds: Thresholds,
    collections: CollectionNames,
) -> Verdict:
    """Require hits, a near enough one, enough of the question's words in it, and confidence."""
    topic = intent.topic or question.text
    terms = query_terms(topic, question.lang, evidence.synonyms, rarity=evidence.rarity)
    found = GateReading(
        gate="no_results",
        passed=bool(evidence.hits) and bool(terms.words),
        value=len(evidence.hits),
        threshold=1,
        source="number of passages" if terms.words else "the question has no content words",
        reason=None if evidence.hits and terms.words else RefusalReason.NO_RESULTS,
    )
    if not found.passed:
        return Verdict(
            outcome=Outcome.REFUSE,
            confidence=0.0,
            readings=(found,),
            reason=RefusalReason.NO_RESULTS,
            subject=topic,
        )
    measured = measure(evidence, terms, thresholds=thresholds, collections=collections)
    best = max(measured, key=_furthest)
    failed = next((reading for reading in best.readings if not reading.passed), None)
    return Verdict(
        outcome=Outcome.REFUSE if failed else Outcome.ANSWER,
        confidence=best.confidence,
        readings=(found, *best.readings),
        reason=failed.reason if failed else None,
        subject=topic,
        support=tuple(item.hit for item in supporting(measured)),
    )


def measure(
    evidence: Evidence,
    terms: QueryTerms,
    *,
    thresholds: Thresholds,
    collections: CollectionNames,
) -> list[Measured]:
    """Hold each hit against the limits of its own collection."""
    by_words_alone = "bm25_only" in evidence.fallbacks
    return [
        _measure_hit(
            hit,
            terms,
            thresholds,
            thresholds.for_collection(collections.get(hit.passage.document.kind, "")),
            by_words_alone=by_words_alone,
            degraded=bool(evidence.fallbacks),
        )
        for hit in evidence.hits
    ]


def _measure_hit(
    hit: Hit,
    terms: QueryTerms,
    thresholds: Thresholds,
    limits: Limits,
    *,
    by_words_alone: bool,
    degraded: bool,
) -> Measured:
    lang = hit.passage.document.lang
    foreign = lang not in ("", terms.lang)
    coverage = terms.coverage(hit.passage.in_context, lang)
    calibration = thresholds.cross_language if foreign else limits.calibration
    distance = limits.distance_threshold if hit.nearest is None else hit.nearest
    confidence = calibration.probability(
        similarity=1.0 - distance, coverage=coverage, lexical=hit.lexical or 0.0
    )
    readings = (
        distance_gate(hit.nearest, limits, by_words_alone=by_words_alone),
        coverage_gate(coverage, limits, comparable=not foreign),
        confidence_gate(
            confidence * FALLBACK_PENALTY if degraded else confidence, thresholds.min_confidence
        ),
    )
    return Measured(hit=hit, readings=readings, confidence=confidence)


def distance_gate(
    distance: float | None, limits: Limits, *, by_words_alone: bool = False
) -> GateReading:
    """Require a true cosine distance (of the nearest sentence) within the limit; else refuse.

    Only when no vector could be made at all (``by_words_alone``) is the gate without a subject;
    the confidence is reduced for it.
    """
    within = distance is not None and distance <= limits.distance_threshold
    return reading(
        "distance",
        value=distance,
        threshold=limits.distance_threshold,
        passed=within or by_words_alone,
        source="bm25_only" if by_words_alone else f"{limits.source}.distance_threshold",
        reason=RefusalReason.NOT_RELEVANT,
    )


def coverage_gate(coverage: float, limits: Limits, *, comparable: bool = True) -> GateReading:
    """Require a share of the question's content words, where the languages can be compared."""
    return reading(
        "term_coverage",
        value=coverage if comparable else None,
        threshold=limits.min_query_coverage,
        passed=not comparable or coverage >= limits.min_query_coverage,
        source=f"{limits.source}.min_query_coverage",
        reason=RefusalReason.LOW_COVERAGE,
    )


def confidence_gate(confidence: float, minimum: float) -> GateReading:
    """Require a calibrated probability that the passage answers."""
    return reading(
        "confidence",
        value=confidence,
        threshold=minimum,
        passed=confidence >= minimum,
        source="confidence.min_confidence",
        reason=RefusalReason.LOW_CONFIDENCE,
    )


def _furthest(measured: Measured) -> tuple[int, float]:
    """Order hits by how many gates they pass in a row, then by confidence."""
    passed = 0
    for item in measured.readings:
        if not item.passed:
            break
        passed += 1
    return passed, measured.confidence


def supporting(measured: Sequence[Measured]) -> list[Measured]:
    """Return the hits that passed every gate, the most confident first."""
    passed = [item for item in measured if item.passed]
    return sorted(passed, key=lambda item: (-item.confidence, item.hit.passage.id))
