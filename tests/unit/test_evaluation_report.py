"""The report and what is written from it: every field, every failure, and no held-out question."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from tests.unit.evaluation_samples import (
    SENTENCE,
    built,
    case,
    four,
    golden_set,
    response,
    scored,
    setting,
    three_quoted,
)

from elysia_guard import config as configuration
from elysia_guard.domain.refusal import RefusalReason
from elysia_guard.evaluation import markdown, regression, report, table
from elysia_guard.evaluation.regression import Allowance
from elysia_guard.evaluation.report import Report
from elysia_guard.evaluation.runner import Run

SECRET = "Which walrus keeps the held-out tide tables?"
RENDERERS = (table.render, markdown.render, json.dumps)


def hidden(*, answered: bool = True) -> Any:
    asked = case("ADR-0012", number=201, split="held_out", query=SECRET)
    reason = None if answered else RefusalReason.LOW_COVERAGE
    return scored(asked, response(*(["POL-0001"] if answered else []), reason=reason))


def lost_and_hidden() -> Report:
    """A report with failures and losses in both halves, compared with a better baseline."""
    scores = [*four(), hidden(), hidden(answered=False)]
    lost = Run(
        case=case("ADR-0012", number=202, split="held_out", query=SECRET),
        latency_ms=1,
        error=f"SourceTimeoutError: slow at {SECRET}",
    )
    told = Run(case=case("ADR-0012", number=9), latency_ms=1, error="SourceTimeoutError: slow")
    found = report.build(scores, [lost, told], golden_set(*scores), setting())
    right = [scored(item.case, response("ADR-0012")) for item in scores]
    before = report.baseline(report.build(right, [], golden_set(*scores), setting()))
    return found | {"baseline": regression.compare(found, before, Allowance())}


def test_the_report_has_every_field_of_ir0003() -> None:
    results = built(lost=1)
    assert results["meta"] == {
        "timestamp": "2026-02-09T10:30:00Z",
        "config_hash": "c" * 64,
        "golden_set_hash": "d" * 40,
        "golden_set_version": "v1.2.0",
        "total_queries": 5,
        "pass_count": 2,
        "fail_count": 2,
        "could_not_run_count": 1,
    }
    figures = results["metrics"]
    assert figures["overall"] == {"precision": 0.5, "recall": 0.6667, "f1": 0.5714}
    assert figures["by_collection"]["ADR_Ollama"] == {
        "precision": 0.75,
        "recall": 1.0,
        "f1": 0.8571,
        "count": 2,
    }
    assert set(figures["latency"]) == {"p50_ms", "p95_ms", "p99_ms", "max_ms"}
    assert figures["abstention"]["total_rate"] == 0.25
    assert {
        "no_results",
        "low_confidence",
        "terminology_not_found",
        "terminology_timeout",
        "entity_not_found",
    } <= set(figures["abstention"]["by_reason"])
    assert figures["answers"] == {"wrong_answers": 1, "wrong_refusals": 1}
    failed = results["failures"]
    assert [item["id"] for item in failed] == ["GS-003", "GS-004"]
    assert {"id", "query", "expected", "actual", "reason"} <= set(failed[0])
    assert failed[0]["reason"] == "abstained_instead_of_answering"
    assert failed[0]["actual"]["reason"] == "low_confidence"
    assert failed[0]["trace"][2]["readings"][0]["gate"] == "distance"
    assert results["could_not_run"] == [
        {
            "id": "GS-900",
            "split": "tuning",
            "query": "Question 900?",
            "error": "SourceTimeoutError: slow",
        }
    ]
    assert results["setting"]["seed"] is None


def test_the_sentence_that_answers_has_its_own_figures() -> None:
    """Of three right answers one holds it; the others stay right, and are noted."""
    results = built(*four(), *three_quoted())
    assert results["metrics"]["sentences"] == {
        "count": 3,
        "held": 1,
        "share": 0.3333,
        "by_category": {
            "adr_retrieval": {"count": 2, "held": 1},
            "policy_retrieval": {"count": 1, "held": 0},
        },
    }
    assert [item["id"] for item in results["notes"]] == ["GS-012", "GS-013"]
    assert results["notes"][0] == {
        "id": "GS-012",
        "split": "tuning",
        "category": "adr_retrieval",
        "note": "right_without_the_sentence_that_answers",
        "query": "Question 12?",
        "quote": SENTENCE,
    }
    assert [item["id"] for item in results["failures"]] == ["GS-003", "GS-004", "GS-014"]
    assert "quote" not in results["failures"][2]["expected"]
    held = [results["questions"][f"GS-0{n}"]["sentences_held"] for n in (11, 12, 14)]
    assert held == [1.0, 0.0, None]


@pytest.mark.parametrize("render", RENDERERS[:2])
def test_the_sentence_that_answers_is_told_everywhere(render: Any) -> None:
    """Overall, by category, and each answer without it, whose sentence stays no markup."""
    shown = render(built(*three_quoted()))
    assert "nswers that hold the sentence that answers: 1 of 3" in shown
    assert re.search(r"policy.{0,2}retrieval\D+0\D+1\b", shown)
    assert re.search(r"[Rr]ight, without the sentence that answers", shown)
    assert "Question 12?" in shown
    assert "are kept" not in shown


def test_a_baseline_holds_no_question() -> None:
    kept = report.baseline(built(lost=1))
    assert "Question" not in json.dumps(kept)
    assert kept["could_not_run"] == [{"id": "GS-900", "split": "tuning"}]
    assert "trace" not in json.dumps(kept)
    quoting = report.baseline(built(*three_quoted()))
    assert "Readings" not in json.dumps(quoting)
    assert quoting["metrics"]["sentences"]["held"] == 1


@pytest.mark.parametrize("render", RENDERERS)
def test_a_held_out_question_is_never_shown(render: Any) -> None:
    """Who reads a held-out question starts to tune on it; nor do its documents tell of it."""
    results = lost_and_hidden()
    shown = render(results)
    assert "walrus" not in shown
    told = [item for item in results["failures"] if item["id"] == "GS-201"]
    assert [item["expected"] for item in told] == [{}, {}]
    assert [item["error"] for item in results["could_not_run"]] == [
        "SourceTimeoutError",
        "SourceTimeoutError: slow",
    ]
    assert "GS-201" not in results["questions"]


def test_the_table_shows_every_failure() -> None:
    shown = table.render(built(lost=1))
    assert "5 cases · 2 right · 2 wrong · 1 could not run" in shown
    assert "GS-003 abstained_instead_of_answering: Question 3?" in shown
    assert "expected abstention (any reason); got POL-0001 (open)" in shown
    assert "GS-900 SourceTimeoutError: slow: Question 900?" in shown
    assert "golden set v1.2.0 (dddddddddddd)" in shown
    assert re.search(r"retrieval +4\.0 +4\.0 +4\.0 +4\.0 +4\n", shown)


def test_a_faultless_run_lists_no_failures() -> None:
    shown = table.render(built(four()[0]))
    assert "failures" not in shown
    assert "\ncould not run" not in shown
    assert "abstention 0.000" in shown


def hostile() -> Report:
    """Questions and names that would be markup if they could."""
    text = "<script>alert(1)</script> | **bold** ```code [a](http://x) <img src=x onerror=y>"
    wrong = scored(case("ADR-0012", number=7, query=text), response("POL-0001"))
    right = scored(case("ADR-0012", number=7, query=text), response("ADR-0012"))
    lost = Run(case=case("ADR-0012", number=8, query=text), latency_ms=1, error=f"Error: {text}")
    found = report.build([wrong], [lost], golden_set(wrong), setting())
    before = report.baseline(report.build([right], [], golden_set(wrong), setting()))
    return found | {"baseline": regression.compare(found, before, Allowance())}


def test_nothing_in_a_question_becomes_markup() -> None:
    """All that holds a question stands in fences that are longer than any in it."""
    written = markdown.render(hostile())
    outside = "".join(re.split(r"^(`{4,})text\n.*?\n\1$", written, flags=re.M | re.S)[::2])
    assert "<script>" in written
    assert "<script>" not in outside
    assert "GS-" not in outside


@pytest.mark.parametrize("render", RENDERERS[:2])
def test_a_comparison_is_written_everywhere(render: Any) -> None:
    """Verdict, figures before and after, and the questions that went wrong."""
    shown = render(lost_and_hidden())
    assert re.search(r"regression gate:? \**fail", shown, flags=re.IGNORECASE)
    assert "1.000 → 0." in shown
    assert "GS-003" in shown
    same = built()
    same["baseline"] = regression.compare(same, report.baseline(same), Allowance())
    assert re.search(r"regression gate:? pass", render(same), flags=re.IGNORECASE)


@pytest.mark.parametrize("render", RENDERERS[:2])
def test_a_refused_comparison_says_why(render: Any) -> None:
    results = built() | {"baseline": {"refused": "the golden sets differ"}}
    assert "the golden sets differ" in render(results)


@pytest.mark.parametrize("render", [table.render, markdown.render])
def test_of_many_questions_some_are_told_and_all_are_named(render: Any) -> None:
    wrong = [
        scored(case("ADR-0012", number=n), response(reason=RefusalReason.NO_RESULTS))
        for n in range(1, 21)
    ]
    right = [scored(item.case, response("ADR-0012")) for item in wrong]
    results = report.build(wrong, [], golden_set(), setting())
    before = report.build(right, [], golden_set(), setting())
    results["baseline"] = regression.compare(results, before, Allowance())
    shown = render(results)
    assert "and 8 more: GS-013, GS-014" in shown


def test_every_limit_has_its_key() -> None:
    thresholds = configuration.load_thresholds(configuration.home() / "config/thresholds.yaml")
    named = report.limits(thresholds)
    assert named["confidence.min_confidence"] == thresholds.min_confidence
    assert (
        named["ADR_Ollama.distance_threshold"]
        == thresholds.for_collection("ADR_Ollama").distance_threshold
    )
    assert named["default.min_query_coverage"] == thresholds.default.min_query_coverage
