"""What gates of every kind write down."""

from __future__ import annotations

from dataclasses import replace

from elysia_guard.domain.refusal import GateReading, Outcome, RefusalReason, Verdict


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


def as_warning(found: GateReading) -> GateReading:
    """Let a reading pass that a profile warns of instead of refusing."""
    return replace(found, passed=True, reason=None, source=f"{found.source} (warns)")
