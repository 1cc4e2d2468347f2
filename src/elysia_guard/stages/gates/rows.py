"""A gate is a row: what was measured, against what, where that is set, and why it refuses."""

from __future__ import annotations

from dataclasses import replace

from elysia_guard.domain.quality import MOST_HEDGED
from elysia_guard.domain.refusal import GateReading, Outcome, RefusalReason, Verdict
from elysia_guard.domain.thresholds import Thresholds

Measure = float | str | None
"""What was measured, or its limit; None is a measure that could not be taken."""


def row(
    gate: str, value: Measure, threshold: Measure, source: str, reason: RefusalReason | None = None
) -> GateReading:
    """Write a gate down; it has passed where there is no ``reason`` to refuse."""
    value, threshold = (
        round(each, 4) if isinstance(each, float) else each for each in (value, threshold)
    )
    return GateReading(
        gate=gate,
        passed=reason is None,
        value=value,
        threshold=threshold,
        source=source,
        reason=reason,
    )


def at_least(
    gate: str, value: float, limit: float, source: str, reason: RefusalReason
) -> GateReading:
    """Hold a measure against the least that it has to be."""
    return row(gate, value, limit, source, None if value >= limit else reason)


def as_warning(found: GateReading) -> GateReading:
    """Let a row pass that a profile warns of instead of refusing."""
    return replace(found, passed=True, reason=None, source=f"{found.source} (warns)")


def refusal(
    subject: str,
    *rows: GateReading,
    reason: RefusalReason | None = None,
    variant: str = "",
    outcome: Outcome = Outcome.REFUSE,
) -> Verdict:
    """Refuse, or ask back, for the ``reason`` of the last row; ``variant`` names the text."""
    return Verdict(
        outcome=outcome,
        confidence=0.0,
        readings=rows,
        reason=reason or rows[-1].reason,
        subject=subject,
        details={"variant": variant} if variant else {},
    )


def held_to(key: str, answered: Verdict, thresholds: Thresholds) -> Verdict:
    """Return an answer as sure as others of its shape were right; too seldom, it is hedged.

    ``key`` names the measure of the shape among the thresholds.
    """
    right: float = getattr(thresholds, key)
    least = thresholds.asserted_from
    shape = replace(row("shape", right, least, f"confidence.{key}"), passed=right >= least)
    held = right if shape.passed else min(right, MOST_HEDGED)
    return replace(answered, confidence=held, readings=(*answered.readings, shape))
