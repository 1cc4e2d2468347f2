"""Choosing limits and calibration on the tuning questions, with cross-validation.

What was chosen on the very questions it is counted on looks better than it is. So the choice is
repeated without a fifth of the questions, and counted on that fifth; new values are proposed only
where that count, over all fifths, is better than the values in force.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum
from itertools import product

import numpy as np

from elysia_guard.domain.calibration import Calibration
from elysia_guard.domain.errors import GuardError
from elysia_guard.domain.thresholds import Thresholds
from elysia_guard.evaluation import calibration
from elysia_guard.evaluation.tuning_judge import (
    DEFAULT,
    NOTHING,
    STEP,
    Flags,
    Models,
    OutcomeCounts,
    Point,
    PointJudge,
    SectionLimits,
)
from elysia_guard.evaluation.tuning_record import Sample

FOLDS = 5
MAX_WRONG = 0.01
MAX_REFUSED = 0.10
WIDEST = 2.0
"""Cosine distances reach no further."""
CONFIDENCES = tuple(round(n * STEP, 2) for n in range(6, 19))
LIMITS = {
    "distance_threshold": tuple(round(n * STEP, 2) for n in range(12, 25)),
    "min_query_coverage": tuple(round(n * STEP, 2) for n in range(17)),
}

Rank = tuple[float, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Goal:
    """What a good point is: seldom wrong, then seldom refusing for nothing, then near ``start``.

    ``max_wrong`` is the share of the answers that may be wrong.
    """

    start: Point
    max_wrong: float = MAX_WRONG

    def rank(self, counts: OutcomeCounts) -> Rank:
        """Order points, the best lowest.

        Among points within the allowed share, the one with the fewest wrong refusals; beyond it,
        the one with the fewest wrong answers.
        """
        if counts.wrong_share <= self.max_wrong:
            return (0, counts.wrong_refusals, counts.wrong_answers)
        return (1, counts.wrong_answers, counts.wrong_refusals)

    def order(self, counts: OutcomeCounts, point: Point) -> Rank:
        """Order points, and equals by how near they are to the start."""
        return (*self.rank(counts), *point.steps_from(self.start))


@dataclass(frozen=True, kw_only=True, slots=True)
class Fold:
    """A part of the questions: the point chosen without them, and what it does to them."""

    point: Point
    counts: OutcomeCounts
    in_force: OutcomeCounts


@dataclass(frozen=True, kw_only=True, slots=True)
class Proposal:
    """The point that is proposed, and why; ``best`` is the one that looks best on all questions."""

    rule: str
    start: Point
    point: Point
    best: Point
    reasons: tuple[str, ...]
    folds: tuple[Fold, ...] = field(default=())

    @property
    def changed(self) -> bool:
        """Whether anything would change."""
        return self.point != self.start

    @property
    def refitted(self) -> bool:
        """Whether the models would change."""
        return self.point.models != self.start.models

    @property
    def left_out(self) -> OutcomeCounts:
        """What the choice does to questions it was not made on."""
        return sum((fold.counts for fold in self.folds), NOTHING)


def fold_of(case_id: str, folds: int) -> int:
    """Put a question into a fold by its id: the same one whatever other questions there are."""
    return int.from_bytes(hashlib.sha256(case_id.encode()).digest()[:8]) % folds


def refitted(samples: Sequence[Sample], thresholds: Thresholds) -> Models | None:
    """Fit the models anew; None where there is too little to learn from."""
    try:
        fits = calibration.fit(
            samples,
            lambda name: thresholds.for_collection(name).calibration,
            trusted=thresholds.min_confidence,
        )
    except GuardError:
        return None
    pooled = fits[0].calibration
    own = {fit.collection: fit.calibration for fit in fits if fit.own}
    sections: list[tuple[str, Calibration]] = [(DEFAULT, pooled)]
    sections += [(name, own.get(name, pooled)) for name in thresholds.collections]
    return tuple(sections)


def best(judge: PointJudge, goal: Goal, fitted: Models | None, among: Flags | None = None) -> Point:
    """Return the best point, as counted among some questions (or all).

    At every ``min_confidence``, with each model, the other limits are settled one after the other.
    """
    models = dict.fromkeys((goal.start.models, fitted or goal.start.models))
    starts = [
        replace(goal.start, min_confidence=value, models=model)
        for model in models
        for value in sorted({*CONFIDENCES, goal.start.min_confidence})
    ]

    def order(point: Point) -> Rank:
        return goal.order(judge.counts(point, among), point)

    def settled(point: Point) -> Point:
        # Ends, as a point is left for a better one only.
        before = None
        while point != before:
            before = point
            for place, key in product(range(len(point.limits)), LIMITS):
                point = min((point, *_others(point, place, key)), key=order)
        return point

    return min((goal.start, *map(settled, starts)), key=order)


def _others(point: Point, place: int, key: str) -> list[Point]:
    """Return the points with another value of one limit, in one section."""
    limits = point.limits[place]
    return [
        with_limits(point, replace(limits, **{key: value}))  # type: ignore[arg-type]
        for value in LIMITS[key]
    ]


def with_limits(point: Point, limits: SectionLimits) -> Point:
    """Return a point with the limits of one section changed."""
    return replace(
        point,
        limits=tuple(limits if item.section == limits.section else item for item in point.limits),
    )


def cross_validated(
    judge: PointJudge, goal: Goal, thresholds: Thresholds, *, folds: int
) -> Proposal:
    """Propose the best point, if choosing it so also does well on questions left out.

    Args:
        judge: the recorded questions.
        goal: what a good point is.
        thresholds: the limits in force.
        folds: into how many parts the questions are put.
    """
    samples = judge.samples
    parts = np.array([fold_of(item.question.id, folds) for item in judge.asked])
    found = best(judge, goal, refitted(samples, thresholds))
    tried = []
    for number in sorted(set(parts.tolist())):
        left_out = parts == number
        kept = [item for item in samples if fold_of(item.case_id, folds) != number]
        point = best(judge, goal, refitted(kept, thresholds), ~left_out)
        tried.append(
            Fold(
                point=point,
                counts=judge.counts(point, left_out),
                in_force=judge.counts(goal.start, left_out),
            )
        )
    proposal = Proposal(
        rule="cross-validated",
        start=goal.start,
        point=found,
        best=found,
        reasons=(),
        folds=tuple(tried),
    )
    return _weighed(proposal, judge, goal)


def _weighed(proposal: Proposal, judge: PointJudge, goal: Goal) -> Proposal:
    """Keep the values in force unless choosing others is better on questions left out."""
    if not proposal.changed:
        reason = "no other values do better on the tuning questions than those in force"
        return replace(proposal, reasons=(reason,))
    now, left_out = judge.counts(goal.start), proposal.left_out
    told = f"chosen without them, values give {_told(left_out)}; those in force {_told(now)}"
    if goal.rank(left_out) < goal.rank(now):
        reason = f"on questions left out it does better: {told}"
        return replace(proposal, reasons=(reason,))
    looks = _told(judge.counts(proposal.best))
    values = ", ".join(differences(goal.start, proposal.best))
    reason = (
        f"the best values on all questions ({values}) give {looks}; but on questions left out the"
        f" choice does not do better: {told}. The values in force stay"
    )
    return replace(proposal, point=goal.start, reasons=(reason,))


def differences(start: Point, point: Point) -> list[str]:
    """Name the values of a point that are not those of the start."""
    found = []
    if point.min_confidence != start.min_confidence:
        found.append(f"min_confidence {point.min_confidence:.2f}")
    for old, new in zip(start.limits, point.limits, strict=True):
        found += [
            f"{new.section}.{key} {getattr(new, key):.2f}"
            for key in LIMITS
            if getattr(old, key) != getattr(new, key)
        ]
    return [*found, "the models fitted anew"] if point.models != start.models else found


def _told(counts: OutcomeCounts) -> str:
    return (
        f"{counts.wrong_answers} wrong answers ({counts.wrong_share:.1%} of the answers) and"
        f" {counts.wrong_refusals} wrong refusals"
    )


class Direction(IntEnum):
    """Where thresholds of likeness and confidence go."""

    LOWER = -1
    STAY = 0
    RAISE = 1


def adr_004(judge: PointJudge, *, max_wrong: float = MAX_WRONG) -> Proposal:
    """Move the limits of each collection one step; judge and repeat at will.

    ADR-004: "Adjust: Lower thresholds if false refusal rate > 10%; raise if hallucination rate >
    1%". Its thresholds are of likeness, so a lower one is a wider ``distance_threshold``. Where
    both rates are too high it raises: the decision is there to keep wrong answers out.

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


def direction(counts: OutcomeCounts, max_wrong: float = MAX_WRONG) -> Direction:
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


def _why(counts: OutcomeCounts, way: Direction, max_wrong: float) -> str:
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
