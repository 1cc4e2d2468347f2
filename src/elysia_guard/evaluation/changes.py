"""A comparison with the baseline in words and rows, whatever it is written into."""

from __future__ import annotations

from collections.abc import Sequence

from elysia_guard.evaluation.regression_figures import ABSTENTION_RATE, CERTAINTY
from elysia_guard.evaluation.report_questions import HELD_OUT, SENTENCES_HELD, Report

SHARES = ("precision", "recall", "f1")
"""The figures that are told of each collection."""
FRACTIONS = (SENTENCES_HELD, ABSTENTION_RATE, *CERTAINTY)
"""The other figures that are shares; the rest are counts and times."""


def quality_rows(comparison: Report) -> list[tuple[str, ...]]:
    """Return a row for each collection, with precision, recall and F1 before and after."""
    rows: dict[str, dict[str, str]] = {}
    for item in comparison["changes"]:
        if item["metric"] in SHARES:
            rows.setdefault(item["where"], {})[item["metric"]] = moved(item)
    return [
        (where, *(cells.get(metric, "gone") for metric in SHARES)) for where, cells in rows.items()
    ]


def other_rows(comparison: Report) -> list[tuple[str, str]]:
    """Return the other figures, before and after."""
    return [
        (item["metric"].replace("_", " "), moved(item))
        for item in comparison["changes"]
        if item["metric"] not in SHARES
    ]


def moved(item: Report) -> str:
    """Write a figure before and after; one that moved further than allowed says so."""
    digits = 3 if item["metric"] in (*SHARES, *FRACTIONS) else 0
    before, after = (f"{item[key]:.{digits}f}" for key in ("before", "after"))
    change = f" ({item['after'] - item['before']:+.{digits}f})" if before != after else ""
    return f"{before} → {after}{change}{' FAIL' if item['failed'] else ''}"


def sentences_held(report: Report) -> str:
    """Say how many right answers hold the sentence that answers; empty where none is named."""
    found = report["metrics"]["sentences"]
    if not found["by_category"]:
        return ""
    return f"answers that hold the sentence that answers: {found['held']} of {found['count']}"


def settings(comparison: Report) -> list[tuple[str, str, str]]:
    """Return what was set otherwise: limits first."""
    return [
        (item["name"], _short(item["before"]), _short(item["after"]))
        for item in (*comparison["limits"], *comparison["settings"])
    ]


def told(turned: Sequence[Report]) -> list[Report]:
    """Return the tuning questions among those that turned."""
    return [item for item in turned if item["query"] != HELD_OUT]


def hidden(turned: Sequence[Report]) -> str:
    """Name the held-out questions among those that turned by their ids; empty where none is."""
    names = [item["id"] for item in turned if item["query"] == HELD_OUT]
    return f"{len(names)} held out: {', '.join(names)}" if names else ""


def _short(value: object) -> str:
    return "none" if value is None else str(value)[:12]
