"""What gates of every kind write down."""

from __future__ import annotations

from dataclasses import replace

from elysia_guard.domain.quality import MOST_HEDGED
from elysia_guard.domain.refusal import GateReading, Outcome, RefusalReason, Verdict
from elysia_guard.domain.thresholds import Thresholds


def reading(
    gate: str,
    *,
    value: float | None,
    threshold: float,
    passed: bool,
    source: str,
    reason: RefusalReason,
) -> GateReading:
    """Write a measure down beside its limit; None is a measure that could not be taken."""
    return GateReading(
        gate=gate,
        passed=passed,
        value=None if value is None else round(value, 4),
        threshold=round(threshold, 4),
        source=source,
        reason=None if passed else reason,
    )


def refusal(
    reason: RefusalReason, subject: str, *readings: GateReading, variant: str = ""
) -> Verdict:
    """Refuse for what the readings say; ``variant`` names the text that says it best."""
    return Verdict(
        outcome=Outcome.REFUSE,
        confidence=0.0,
        readings=readings,
        reason=reason,
        subject=subject,
        details={"variant": variant} if variant else {},
    )


def held_to(key: str, answered: Verdict, thresholds: Thresholds) -> Verdict:
    """Return an answer as sure as others of its shape were right; too seldom, it is hedged.

    ``key`` names the measure of the shape among the thresholds.
    """
    right: float = getattr(thresholds, key)
    row = GateReading(
        gate="shape",
        passed=right >= thresholds.asserted_from,
        value=right,
        threshold=thresholds.asserted_from,
        source=f"confidence.{key}",
    )
    held = right if row.passed else min(right, MOST_HEDGED)
    return replace(answered, confidence=held, readings=(*answered.readings, row))


def as_warning(found: GateReading) -> GateReading:
    """Let a reading pass that a profile warns of instead of refusing."""
    return replace(found, passed=True, reason=None, source=f"{found.source} (warns)")
