"""What a tuning run found, as plain values: for JSON, for the terminal and for the page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Any

from elysia_guard.evaluation.tuning import CONFIDENCES, Fold, Proposal
from elysia_guard.evaluation.tuning_judge import Judge
from elysia_guard.evaluation.tuning_points import Counts, Point

Report = dict[str, Any]


def build(
    judge: Judge, proposal: Proposal, *, asked: Mapping[str, int], max_wrong: float
) -> Report:
    """Put the figures together.

    Args:
        judge: the recorded questions.
        proposal: what is proposed.
        asked: how many questions there are, by the name of their set.
        max_wrong: the share of the answers that may be wrong.
    """
    start, point, best = proposal.start, proposal.point, proposal.best
    return {
        "rule": proposal.rule,
        "max_wrong": max_wrong,
        "questions": dict(asked),
        "searched": judge.searched(start).questions,
        "changed": proposal.changed,
        "refitted": proposal.refitted,
        "best_differs": best != start,
        "reasons": list(proposal.reasons),
        "in_force": _point(judge, start),
        "best": {**_point(judge, best), "limits": [asdict(item) for item in best.limits]},
        "proposed": _point(judge, point),
        "left_out": _counts(proposal.left_out) if proposal.folds else None,
        "folds": [_fold(fold) for fold in proposal.folds],
        "curve": _curve(judge, proposal),
        "sections": _sections(judge, proposal),
    }


def _point(judge: Judge, point: Point) -> Report:
    return {**_counts(judge.counts(point)), "min_confidence": point.min_confidence}


def _fold(fold: Fold) -> Report:
    return {
        "min_confidence": fold.point.min_confidence,
        "limits": [asdict(item) for item in fold.point.limits],
        "left_out": _counts(fold.counts),
        "in_force": _counts(fold.in_force),
    }


def _counts(counts: Counts) -> Report:
    return {
        **asdict(counts),
        "right": counts.right,
        "wrong_share": round(counts.wrong_share, 4),
        "refused_share": round(counts.refused_share, 4),
    }


def _along(proposal: Proposal) -> list[tuple[float, Point, Point]]:
    """Every ``min_confidence``, with the other values in force and with the best found."""
    start, best = proposal.start, proposal.best
    values = sorted({*CONFIDENCES, start.min_confidence, best.min_confidence})
    return [
        (value, replace(start, min_confidence=value), replace(best, min_confidence=value))
        for value in values
    ]


def _curve(judge: Judge, proposal: Proposal) -> list[Report]:
    return [
        {
            "min_confidence": value,
            "in_force": _counts(judge.counts(now)),
            "best": _counts(judge.counts(then)),
        }
        for value, now, then in _along(proposal)
    ]


def _sections(judge: Judge, proposal: Proposal) -> list[Report]:
    start, point = judge.by_section(proposal.start), judge.by_section(proposal.point)
    best = judge.by_section(proposal.best)
    along = [
        (value, judge.by_section(now), judge.by_section(then))
        for value, now, then in _along(proposal)
    ]
    return [
        {
            "section": old.section,
            "in_force": {**asdict(old), **_counts(start[old.section])},
            "best": _counts(best[old.section]),
            "proposed": {**asdict(new), **_counts(point[old.section])},
            "curve": [
                {
                    "min_confidence": value,
                    "in_force": _counts(now[old.section]),
                    "best": _counts(then[old.section]),
                }
                for value, now, then in along
            ],
        }
        for old, new in zip(proposal.start.limits, proposal.point.limits, strict=True)
    ]
