"""What the requirement documents want of latency, held against what was measured last."""

from __future__ import annotations

import json
from pathlib import Path

BASELINE = Path(__file__).parents[2] / "data" / "evaluation" / "baseline.json"


def test_recorded_requests_take_less_than_100_ms() -> None:
    """IR0003, TD-080, ADR-004 and ADR-0031 allow 100 ms for what is added; a whole request is less.

    Over the golden set, without a model of a server: what the gate holds every later run against.
    """
    measured = json.loads(BASELINE.read_text(encoding="utf-8"))
    assert measured["meta"]["total_queries"] >= 1_000
    assert 0 < measured["metrics"]["latency"]["p95_ms"] < 100


def test_recorded_questions_are_read_in_less_than_20_ms() -> None:
    """IR0001 allows that much for telling what is asked, before anything is looked up."""
    measured = json.loads(BASELINE.read_text(encoding="utf-8"))
    assert 0 < measured["metrics"]["latency_by_stage"]["router"]["p95_ms"] < 20


def test_recorded_precision_is_above_85_percent() -> None:
    """IR0003 wants that over the golden set, of all questions together."""
    measured = json.loads(BASELINE.read_text(encoding="utf-8"))
    assert measured["metrics"]["overall"]["precision"] > 0.85


def test_recorded_contexts_that_answer_are_seldom_rejected() -> None:
    """TD-080 allows 10 %: found, turned away by a gate, and nothing that answers is shown."""
    metrics = json.loads(BASELINE.read_text(encoding="utf-8"))["metrics"]
    assert metrics["misses"]["by_place"]["refused"] < 0.10 * metrics["certainty"]["answerable"]


def test_recorded_assertions_are_seldom_wrong() -> None:
    """What is not invented may still not answer: ADR 0053 holds that to 2 and to 1 in 100."""
    figures = json.loads(BASELINE.read_text(encoding="utf-8"))["metrics"]["certainty"]
    assert figures["asserted_right"] >= 0.98 * figures["asserted"] > 0
    assert figures["near_misses_asserted"] <= 0.01 * figures["near_misses"]


def test_recorded_recall_is_what_precision_leaves_of_80_percent() -> None:
    """IR0003 wants both: ADR 0053 holds recall to 0.78, and what answers is shown to 0.80."""
    metrics = json.loads(BASELINE.read_text(encoding="utf-8"))["metrics"]
    assert metrics["overall"]["precision"] > 0.85
    assert metrics["overall"]["recall"] >= 0.78
    assert metrics["certainty"]["shown"] > 0.80 * metrics["certainty"]["answerable"]


def test_invented_sentences_were_shown_to_nobody() -> None:
    """When the golden set was last asked with models that invent: IR0001 allows one in 1,000.

    None of so many on either route means, 95 times in 100, fewer than three in so many.
    """
    text = (BASELINE.parents[2] / "docs" / "adversaries.md").read_text(encoding="utf-8")
    (line,) = [
        row for row in text.splitlines() if row.startswith("| **all** |") and " 0 | " in row
    ][:1]
    made, shown, made_on_tree, shown_on_tree, *plain = (
        int(cell.replace(",", "")) for cell in line.strip("| ").split(" | ")[1:]
    )
    assert (shown, shown_on_tree) == (0, 0)
    assert 3 / min(made, made_on_tree) < 0.001
    assert plain[0] == plain[1] > 0
