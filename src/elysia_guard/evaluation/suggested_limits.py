"""The limits that a fitted model suggests, on a step."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from elysia_guard.evaluation.samples import Sample

STEP = 0.05


def suggested(
    found: Sequence[Sample], chance: Callable[[Sample], float], trusted: float
) -> tuple[float, float]:
    """Return the distance and the coverage that leave every question a right passage.

    Of those questions alone for which the model trusts one.
    """
    by_question: dict[str, list[Sample]] = {}
    for item in found:
        if item.positive and chance(item) >= trusted:
            by_question.setdefault(item.case_id, []).append(item)
    right = by_question.values()
    return (
        _upwards([1.0 - max(item.similarity for item in items) for items in right]),
        _downwards([max(item.coverage for item in items) for items in right]),
    )


def _upwards(values: Sequence[float]) -> float:
    """The lowest limit, on a step, that no value is above."""
    return round(math.ceil(round(max(values, default=0.0) / STEP, 6)) * STEP, 2)


def _downwards(values: Sequence[float]) -> float:
    """The highest limit, on a step, that no value is below."""
    return round(math.floor(round(min(values, default=0.0) / STEP, 6)) * STEP, 2)
