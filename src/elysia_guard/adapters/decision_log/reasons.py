"""What a decision hung on: how far each measure was from its limit."""

from __future__ import annotations

import math
from dataclasses import dataclass

from elysia_guard.adapters.decision_log.entry import Ruling
from elysia_guard.domain.refusal import GateReading

AT_MOST = frozenset({"distance"})
"""Gates that let through what measures no more than the limit; the others, no less."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Gap:
    """How far a measure was from its limit; below 0 it did not pass."""

    reading: GateReading
    margin: float

    @property
    def limit_that_passes(self) -> str:
        """The limit that would have let it through: 'at most 0.412', 'at least 0.913'."""
        value = float(self.reading.value or 0.0)
        if self.reading.gate in AT_MOST:
            return f"at least {math.ceil(value * 1000) / 1000:.3f}"
        return f"at most {math.floor(value * 1000) / 1000:.3f}"


def gaps(ruling: Ruling) -> list[Gap]:
    """Return the measures that have a number, those that did not pass first, the nearest first."""
    found = [gap for reading in ruling.readings if (gap := _gap(reading))]
    return sorted(found, key=lambda gap: (gap.reading.passed, abs(gap.margin)))


def _gap(reading: GateReading) -> Gap | None:
    value, limit = reading.value, reading.threshold
    if not isinstance(value, float) or not isinstance(limit, float | int):
        return None
    margin = limit - value if reading.gate in AT_MOST else value - limit
    if reading.passed and margin < 0:
        # Searched by words alone, a distance is not held against its limit.
        return None
    return Gap(reading=reading, margin=round(margin, 4))
