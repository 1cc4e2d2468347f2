"""The gates that hold one measure of a passage against its limit."""

from __future__ import annotations

from elysia_guard.domain.refusal import GateReading, RefusalReason
from elysia_guard.domain.thresholds import Limits
from elysia_guard.stages.gates.readings import reading


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


def coverage_gate(coverage: float, limits: Limits) -> GateReading:
    """Require a share of the question's content words, or of words that mean alike."""
    return reading(
        "term_coverage",
        value=coverage,
        threshold=limits.min_query_coverage,
        passed=coverage >= limits.min_query_coverage,
        source=f"{limits.source}.min_query_coverage",
        reason=RefusalReason.LOW_COVERAGE,
    )


def confidence_gate(
    confidence: float, minimum: float, *, source: str = "confidence.min_confidence"
) -> GateReading:
    """Require a calibrated probability that the passage answers."""
    return reading(
        "confidence",
        value=confidence,
        threshold=minimum,
        passed=confidence >= minimum,
        source=source,
        reason=RefusalReason.LOW_CONFIDENCE,
    )
