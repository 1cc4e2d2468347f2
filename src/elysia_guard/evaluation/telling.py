"""Misses and calibration as rows and sentences, whatever they are written into."""

from __future__ import annotations

from collections.abc import Sequence

from elysia_guard.evaluation.report_questions import Report

MISS_HEAD = ("where it was lost", "tuning", "held out")
KIND_HEAD = ("kind of question", "answers", "right", "mean confidence", "calibration error")
OUTCOME_HEAD = ("outcome", "answers", "share right", "mean confidence")


def misses_told(report: Report) -> str:
    """Say how many right passages were not shown; empty where nobody looked."""
    found = report["metrics"]["misses"]
    if not found:
        return ""
    answerable = report["metrics"]["certainty"]["answerable"]
    return f"right passage not shown: {found['count']} of {answerable}"


def miss_rows(report: Report) -> list[tuple[str, int, int]]:
    """Return a row for each place where passages were lost, in the order of the way."""
    halves = report["metrics"]["misses"].get("by_split", {})
    tuning, held_out = halves.get("tuning", {}), halves.get("held_out", {})
    return [(spaced(name), count, held_out.get(name, 0)) for name, count in tuning.items()]


def gate_rows(report: Report) -> list[tuple[str, int]]:
    """Return which gate, or reason, refused how many questions whose passage was found."""
    by_gate = report["metrics"]["misses"].get("by_gate", {})
    return [(spaced(name), count) for name, count in by_gate.items()]


def lost(item: Report) -> str:
    """Say where one miss was lost: 'refused by confidence, found as 3, mentioned'."""
    parts = [spaced(item["where"]) + (f" by {spaced(item['by'])}" if item["by"] else "")]
    if item["rank"]:
        parts.append(f"found as {item['rank']}")
    if item["mentioned"]:
        parts.append("its document is mentioned")
    return ", ".join(parts)


def kind_rows(report: Report) -> list[tuple[str, int, int, str, str]]:
    """Return the calibration of each kind of question, and of all."""
    found = report["metrics"]["calibration"]
    return [
        (
            spaced(name),
            item["count"],
            round(sum(each["accuracy"] * each["count"] for each in item["bins"])),
            f"{_mean(item):.3f}",
            f"{item['ece']:.3f}",
        )
        for name, item in {**found["by_kind"], "all": found["all"]}.items()
    ]


def outcome_rows(report: Report) -> list[tuple[str, int, str, str]]:
    """Return how sure asserted and hedged answers are, and how often they are right."""
    return [
        (name, item["count"], f"{item['accuracy']:.3f}", f"{item['confidence']:.3f}")
        for name, item in report["metrics"]["calibration"]["by_outcome"].items()
    ]


def _mean(item: Report) -> float:
    bins: Sequence[Report] = item["bins"]
    total: float = sum(each["confidence"] * each["count"] for each in bins)
    return total / item["count"] if item["count"] else 0.0


def spaced(name: str) -> str:
    """Write a key in words."""
    return name.replace("_", " ")
