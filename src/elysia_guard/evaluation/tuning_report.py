"""What a tuning run found: as plain values, for JSON, and as it is told in a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

from elysia_guard.evaluation.tuning import CONFIDENCES, Fold, Proposal
from elysia_guard.evaluation.tuning_judge import OutcomeCounts, Point, PointJudge

Report = dict[str, Any]
COUNTED = ("wrong_answers", "wrong_refusals", "right")
_HEADS = ("wrong answers", "wrong refusals", "right")


def build(
    judge: PointJudge, proposal: Proposal, *, asked: Mapping[str, int], max_wrong: float
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


def _point(judge: PointJudge, point: Point) -> Report:
    return {**_counts(judge.counts(point)), "min_confidence": point.min_confidence}


def _fold(fold: Fold) -> Report:
    return {
        "min_confidence": fold.point.min_confidence,
        "limits": [asdict(item) for item in fold.point.limits],
        "left_out": _counts(fold.counts),
        "in_force": _counts(fold.in_force),
    }


def _counts(counts: OutcomeCounts) -> Report:
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


def _curve(judge: PointJudge, proposal: Proposal) -> list[Report]:
    return [
        {
            "min_confidence": value,
            "in_force": _counts(judge.counts(now)),
            "best": _counts(judge.counts(then)),
        }
        for value, now, then in _along(proposal)
    ]


def _sections(judge: PointJudge, proposal: Proposal) -> list[Report]:
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


def render(report: Report) -> str:
    """Return the trade-off, what it is by collection, and the proposal with its reasons."""
    parts = (_opening, _trade_off, _by_collection, _left_out, _proposal)
    return "\n\n".join("\n".join(lines) for part in parts if (lines := list(part(report))))


def _opening(report: Report) -> Iterator[str]:
    sets = " and ".join(f"{number} {name}" for name, number in report["questions"].items())
    yield f"{sets} questions of the tuning half, each asked once; {report['searched']} go to a"
    yield "search, and no value here decides the others. All of them are counted."


def _trade_off(report: Report) -> Iterator[str]:
    sides = ("in_force", "best") if report["best_differs"] else ("in_force",)
    marks = {"in_force": "in force", "best": called(report)}
    rows = [("min_confidence", *(_HEADS * len(sides)), "")]
    for item in report["curve"]:
        value = item["min_confidence"]
        notes = [marks[side] for side in sides if report[side]["min_confidence"] == value]
        figures = [str(item[side][key]) for side in sides for key in COUNTED]
        rows.append((f"{value:.2f}", *figures, ", ".join(notes)))
    beside = f"; on the right {called(report)}" if report["best_differs"] else ""
    yield f"The trade-off over min_confidence: with the other values in force{beside}"
    yield from columns(rows)


def called(report: Report) -> str:
    """Name the second set of values: the rule's, or the best that were found."""
    return "one step of ADR-004" if report["rule"] == "adr-004" else "the best values found"


def _by_collection(report: Report) -> Iterator[str]:
    rows: list[tuple[str, ...]] = [
        ("", "distance_threshold", "min_query_coverage", *_HEADS[:2], "of answers", "of answerable")
    ]
    for item in report["sections"]:
        old, new = item["in_force"], item["proposed"]
        rows.append(
            (
                item["section"],
                *(
                    arrow(f"{old[key]:.2f}", f"{new[key]:.2f}")
                    for key in ("distance_threshold", "min_query_coverage")
                ),
                *(
                    arrow(str(old[key]), str(new[key]))
                    for key in ("wrong_answers", "wrong_refusals", "answers", "answerable")
                ),
            )
        )
    yield "By collection, of the questions that go to a search: now, and as proposed"
    yield from columns(rows)


def arrow(old: str, new: str) -> str:
    """Write what becomes of a value, or the value if it stays."""
    return old if old == new else f"{old} → {new}"


def _left_out(report: Report) -> Iterator[str]:
    if not report["folds"]:
        return
    rows: list[tuple[str, ...]] = [
        ("fold", "questions", "min_confidence chosen", *(_HEADS[:2]), *(_HEADS[:2]))
    ]
    for number, item in enumerate(report["folds"], start=1):
        rows.append((str(number), *_fold_cells(item, f"{item['min_confidence']:.2f}")))
    whole = {"left_out": report["left_out"], "in_force": report["in_force"]}
    rows.append(("all", *_fold_cells(whole, "")))
    yield "Chosen without each fold, and counted on it; on the right the values in force"
    yield from columns(rows)


def _fold_cells(item: Report, chosen: str) -> tuple[str, ...]:
    figures = [
        str(item[side][key])
        for side in ("left_out", "in_force")
        for key in ("wrong_answers", "wrong_refusals")
    ]
    return str(item["left_out"]["questions"]), chosen, *figures


def _proposal(report: Report) -> Iterator[str]:
    old, new = report["in_force"], report["proposed"]
    if not report["changed"]:
        yield "Proposal: leave everything as it is."
    else:
        told = ", ".join(
            f"{name} {arrow(str(old[key]), str(new[key]))}"
            for name, key in zip(_HEADS, COUNTED, strict=True)
        )
        models = "; the confidence models are fitted anew" if report["refitted"] else ""
        yield f"Proposal: {told}{models}."
    yield from (f"- {reason}" for reason in report["reasons"])


def columns(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Set the first column to the left and the others to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for first, *rest in rows:
        cells = [first.ljust(widths[0])]
        cells += [cell.rjust(width) for cell, width in zip(rest, widths[1:], strict=True)]
        yield "  " + "  ".join(cells).rstrip()
