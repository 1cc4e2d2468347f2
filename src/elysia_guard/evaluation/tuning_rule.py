"""ADR-004's rule: lower the thresholds where too much is refused, raise them where it is wrong.

    "Adjust: Lower thresholds if false refusal rate > 10%; raise if hallucination rate > 1%"

Its thresholds are of likeness, so a lower one is a wider ``distance_threshold``. Where both rates
are too high it raises: the decision is there to keep wrong answers out.
"""

from __future__ import annotations

from dataclasses import replace
from enum import IntEnum

from elysia_guard.evaluation.tuning import MAX_WRONG, Proposal, with_limits
from elysia_guard.evaluation.tuning_judge import Judge
from elysia_guard.evaluation.tuning_points import STEP, Counts, SectionLimits

MAX_REFUSED = 0.10
WIDEST = 2.0
"""Cosine distances reach no further."""


class Direction(IntEnum):
    """Where thresholds of likeness and confidence go."""

    LOWER = -1
    STAY = 0
    RAISE = 1


def adr_004(judge: Judge, *, max_wrong: float = MAX_WRONG) -> Proposal:
    """Move the limits of each collection one step, as ADR-004 says; judge and repeat at will.

    ``min_confidence`` holds for all collections, so it follows the rates of all searches.
    """
    point = start = judge.start
    reasons = []
    overall = judge.searched(start)
    way = direction(overall, max_wrong)
    reasons.append(f"min_confidence: {_why(overall, way, max_wrong)}")
    point = replace(point, min_confidence=_moved(start.min_confidence, way * STEP, 1.0))
    counted = judge.by_section(start)
    for limits in start.limits:
        counts = counted[limits.section]
        way = direction(counts, max_wrong)
        reasons.append(f"{limits.section}: {_why(counts, way, max_wrong)}")
        point = with_limits(point, _stepped(limits, way))
    return Proposal(rule="adr-004", start=start, point=point, best=point, reasons=tuple(reasons))


def direction(counts: Counts, max_wrong: float = MAX_WRONG) -> Direction:
    """Say where the rule moves the thresholds behind these counts."""
    if counts.wrong_share > max_wrong:
        return Direction.RAISE
    return Direction.LOWER if counts.refused_share > MAX_REFUSED else Direction.STAY


def _stepped(limits: SectionLimits, way: Direction) -> SectionLimits:
    return replace(
        limits,
        distance_threshold=_moved(limits.distance_threshold, -way * STEP, WIDEST),
        min_query_coverage=_moved(limits.min_query_coverage, way * STEP, 1.0),
    )


def _moved(value: float, by: float, most: float) -> float:
    """Move a value, within what a threshold may be; one that stays is left as it is written."""
    return round(min(max(value + by, 0.0), most), 4) if by else value


def _why(counts: Counts, way: Direction, max_wrong: float) -> str:
    refused = (
        f"{counts.wrong_refusals} of {counts.answerable} answerable questions are refused"
        f" ({counts.refused_share:.1%}"
    )
    wrong = (
        f"{counts.wrong_answers} of {counts.answers} answers are wrong ({counts.wrong_share:.1%}"
    )
    match way:
        case Direction.RAISE:
            return f"{wrong}, more than {max_wrong:.0%}): raised one step. {refused})"
        case Direction.LOWER:
            return f"{refused}, more than {MAX_REFUSED:.0%}): lowered one step. {wrong})"
    return f"{refused}) and {wrong}): stays"
