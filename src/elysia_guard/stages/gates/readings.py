"""What gates of every kind write down, and the text they hold a passage to."""

from __future__ import annotations

from elysia_guard.domain.document import Hit
from elysia_guard.domain.refusal import GateReading, RefusalReason


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


def searchable(hit: Hit) -> str:
    """Return the text of a passage with the title and headings it stands under."""
    passage = hit.passage
    return f"{passage.document.title}\n{passage.section}\n{passage.text}"
