"""The regression gate: what fails it, whom it names, and what it refuses to compare."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from tests.unit.evaluation_samples import (
    SENTENCE,
    WANTED,
    built,
    case,
    four,
    response,
    scored,
    three_quoted,
)

from elysia_guard.domain.refusal import RefusalReason
from elysia_guard.domain.response import RAGResponse
from elysia_guard.evaluation import markdown, regression, report, table
from elysia_guard.evaluation.regression import Allowance, IncomparableError
from elysia_guard.evaluation.report import Report
from elysia_guard.evaluation.scoring import Score

STRICT = Allowance()


def before() -> Report:
    return report.baseline(built())


def messages(comparison: Report) -> list[str]:
    return [f"{item['where']}: {item['message']}" for item in comparison["regressions"]]


def test_the_same_run_is_no_regression() -> None:
    comparison = regression.compare(built(), before(), STRICT)
    assert comparison["passed"]
    assert comparison["gone_wrong"] == comparison["mended"] == comparison["settings"] == []
    assert all(item["before"] == item["after"] for item in comparison["changes"])


def refusing() -> list[Score]:
    """The four, of which the first, right until now, is refused."""
    refused = response(reason=RefusalReason.LOW_CONFIDENCE)
    return [scored(case("ADR-0012", number=1), refused), *four()[1:]]


def test_a_drop_of_recall_names_collection_and_questions() -> None:
    comparison = regression.compare(built(*refusing()), before(), STRICT)
    assert not comparison["passed"]
    assert "overall: recall fell from 0.667 to 0.333 (-0.333; allowed is -0.050)" in messages(
        comparison
    )
    fell = [item for item in comparison["regressions"] if item["where"] == "ADR_Ollama"]
    assert [item["questions"] for item in fell if "recall" in item["message"]] == [("GS-001",)]
    assert comparison["gone_wrong"] == [
        {
            "id": "GS-001",
            "reason": "abstained_instead_of_answering",
            "query": "Question 1?",
            "collections": ("ADR_Ollama",),
        }
    ]


def with_precision(value: float) -> Report:
    results = built()
    results["metrics"]["overall"]["precision"] = value
    return results


@pytest.mark.parametrize(
    ("value", "allowed", "passed"),
    [
        (0.45, 0.05, True),  # exactly what is allowed
        (0.4499, 0.05, False),
        (0.49, 0.0, False),
        (0.5, 0.0, True),
        (0.9, 0.0, True),
    ],
)
def test_a_drop_fails_when_it_is_more_than_allowed(
    value: float, allowed: float, passed: bool
) -> None:
    comparison = regression.compare(with_precision(value), before(), Allowance(precision=allowed))
    assert comparison["passed"] is passed


def holding(*numbers: int) -> Report:
    """The three, of which some hold the sentence that answers."""
    scores = [
        scored(item.case, replace(item.response, answer=SENTENCE if number in numbers else ""))
        for number, item in enumerate(three_quoted()[:3], start=11)
    ]
    return built(*four(), *scores)


def test_answers_that_lose_the_sentence_that_answers_are_a_regression() -> None:
    """They stay right: precision and recall tell nothing of it, but what is shown does."""
    comparison = regression.compare(holding(11), report.baseline(holding(11, 13)), STRICT)
    shown, fell = comparison["regressions"]
    assert shown["message"].startswith("right passage shown fell")
    assert shown["questions"] == ("GS-013",)
    assert fell["where"] == "overall"
    assert fell["message"] == (
        "sentences held fell from 0.667 to 0.333 (-0.333; allowed is -0.050)"
    )
    assert fell["questions"] == ("GS-013",)
    told = table.render_comparison(comparison, {})
    assert re.search(r"^sentences held +0\.667 → 0\.333 \(-0\.333\) FAIL$", told, re.M)
    assert re.search(r"^right passage shown +0\.667 → 0\.500 \(-0\.167\) FAIL$", told, re.M)


def test_a_baseline_without_sentences_is_fine() -> None:
    """Neither one from before they were measured, nor one of questions without quotes."""
    old = report.baseline(holding(11))
    del old["metrics"]["sentences"]
    for item in old["questions"].values():
        del item["sentences_held"]
    for kept in (old, before()):
        allowed = Allowance(precision=1, recall=1, shown=1)
        comparison = regression.compare(holding(), kept, allowed)
        assert comparison["passed"]
        assert "sentences_held" not in {item["metric"] for item in comparison["changes"]}


def test_a_gate_that_stops_turning_passages_away_is_a_regression() -> None:
    """A limit that nothing fails is no limit, though another gate may still refuse the answers."""
    open_gate = built()
    open_gate["metrics"]["gates"]["ADR_Ollama"]["distance"]["turned_away"] = 0
    comparison = regression.compare(open_gate, before(), STRICT)
    (message,) = messages(comparison)
    assert message.startswith("ADR_Ollama: the distance gate turned 6 of 20 passages away, and now")
    assert comparison["regressions"][0]["questions"] == ("GS-001", "GS-004")


@pytest.mark.parametrize(
    ("path", "gone"),
    [
        (("overall", "recall"), "overall.recall"),
        (("by_collection", "ADR_Ollama"), "by_collection.ADR_Ollama.precision"),
        (("latency", "p95_ms"), "latency.p95_ms"),
        (("abstention",), "abstention.total_rate"),
        (("gates", "ADR_Ollama"), "gates.ADR_Ollama.distance.passages"),
        (("route_accuracy",), "route_accuracy"),
        (("sentences",), "sentences.share"),
    ],
)
def test_a_metric_that_disappears_is_a_regression(path: tuple[str, ...], gone: str) -> None:
    """Nothing is hidden by not being measured any more."""
    results = built()
    *parents, last = path
    group = results["metrics"]
    for name in parents:
        group = group[name]
    del group[last]
    comparison = regression.compare(results, before(), STRICT)
    assert f"overall: the metric {gone} is gone" in messages(comparison)


def test_more_questions_that_cannot_run_than_allowed_fail() -> None:
    comparison = regression.compare(built(lost=2), before(), STRICT)
    assert messages(comparison) == ["overall: 2 question(s) could not run; allowed are 0"]
    assert comparison["regressions"][0]["questions"] == ("GS-900", "GS-901")
    assert regression.compare(built(lost=2), before(), Allowance(could_not_run=2))["passed"]


@pytest.mark.parametrize(
    ("group", "name", "said"),
    [
        ("meta", "golden_set_hash", "the golden sets differ"),
        ("meta", "golden_set_version", "the golden set versions differ"),
        ("setting", "split", "the splits differ"),
        ("setting", "model_id", "the embedding models differ"),
        ("setting", "index_hash", "the indexed documents differ"),
        ("setting", "passages", "the numbers of passages in the index differ"),
        ("setting", "vocabulary_hash", "the vocabularies differ"),
    ],
)
def test_only_equals_are_compared(group: str, name: str, said: str) -> None:
    """A golden-set edit is refused, whatever its figures; the message says what to do."""
    other = before()
    other[group][name] = "other"
    with pytest.raises(IncomparableError, match=f"{said} .*make baseline"):
        regression.compare(built(), other, STRICT)
    del other[group][name]
    with pytest.raises(IncomparableError, match=f"{said} .none in the baseline"):
        regression.compare(built(), other, STRICT)


def test_what_may_differ_is_shown() -> None:
    now = built()
    now["setting"]["route"] = "tree"
    now["setting"]["limits"] = {"default.distance_threshold": 0.05, "new.distance_threshold": 1.0}
    comparison = regression.compare(now, before(), STRICT)
    assert comparison["settings"] == [{"name": "route", "before": "direct", "after": "tree"}]
    assert comparison["limits"] == [
        {"name": "default.distance_threshold", "before": 0.9, "after": 0.05},
        {"name": "new.distance_threshold", "before": None, "after": 1.0},
    ]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "cannot be read"),
        ("{", "is not JSON"),
        ("[]", "has no 'meta'"),
        (json.dumps({"meta": {}}), "has no 'setting'"),
    ],
)
def test_a_file_without_results_is_named(tmp_path: Path, content: str | None, said: str) -> None:
    path = tmp_path / "results.json"
    if content is not None:
        path.write_text(content, encoding="utf-8")
    with pytest.raises(IncomparableError, match=rf"results\.json: {said}"):
        regression.read(path)


def with_figure(group: str, name: str, value: float) -> Report:
    results = built()
    results["metrics"][group][name] = value
    return results


@pytest.mark.parametrize(
    ("rise", "passed"), [(0.049, True), (0.051, False), (0.2, False), (-0.4, True)]
)
def test_c7_refusing_more_than_allowed_is_a_regression(rise: float, passed: bool) -> None:
    """The rate of refusals may rise by five hundredths of itself (IR0003), and fall by any."""
    rate = before()["metrics"]["abstention"]["total_rate"]
    now = with_figure("abstention", "total_rate", rate * (1 + rise))
    comparison = regression.compare(now, before(), STRICT)
    assert comparison["passed"] is passed
    if not passed:
        assert f"overall: abstention rate rose from {rate:.3f} to" in messages(comparison)[0]


def test_c7_questions_that_are_refused_now_are_named() -> None:
    """Whoever looks for the cause starts with a question, not with a share."""
    allowed = Allowance(precision=1.0, recall=1.0, shown=1.0)
    comparison = regression.compare(built(*refusing()), before(), allowed)
    (rose,) = comparison["regressions"]
    assert rose["message"].startswith("abstention rate rose")
    assert rose["questions"] == ("GS-001",)


def timed(*, guarded_ms: float, plain_ms: float) -> Report:
    """The four, each of which took so long, and so long without the guard."""
    return built(*(replace(item, latency_ms=guarded_ms, control_ms=plain_ms) for item in four()))


@pytest.mark.parametrize(
    ("guarded_ms", "plain_ms", "passed"),
    [
        (40.0, 10.0, True),
        (139.0, 10.0, True),
        (141.0, 10.0, False),
        # Four times as slow a machine, or one as busy: all of it takes four times as long.
        (160.0, 40.0, True),
        (556.0, 40.0, True),
        (564.0, 40.0, False),
        # Four times as fast a one, on which the guard has become slower than it may.
        (36.0, 2.5, False),
        (10.0, 2.5, True),
    ],
)
def test_what_is_added_to_a_plain_search_may_rise_by_100_ms_on_any_machine(
    guarded_ms: float, plain_ms: float, passed: bool
) -> None:
    """At the pace that the plain search of the same run tells; 30 ms are added in the baseline."""
    earlier = timed(guarded_ms=40, plain_ms=10)
    comparison = regression.compare(
        timed(guarded_ms=guarded_ms, plain_ms=plain_ms), earlier, STRICT
    )
    assert comparison["passed"] is passed
    if not passed:
        assert "overall: added p95 ms rose from 30.000 to" in messages(comparison)[0]


def test_a_run_without_its_control_does_not_pass_beside_one_with_it() -> None:
    """What is not measured any more is gone; a baseline from before it was measured is fine."""
    measured = timed(guarded_ms=40, plain_ms=10)
    gone = messages(regression.compare(built(), measured, STRICT))
    assert "overall: the metric added.p95_ms is gone" in gone
    earlier = regression.compare(measured, built(), STRICT)
    assert earlier["passed"]
    assert "added p95 ms" in earlier["notes"][0]


def test_c7_both_are_shown_with_the_other_figures() -> None:
    """In the table that a pull request shows."""
    shown = table.render_comparison(regression.compare(built(), before(), STRICT), {})
    assert re.search(r"^abstention rate +0\.250 → 0\.250$", shown, re.M)
    assert re.search(r"^p95 ms +40 → 40$", shown, re.M)


REFUSED = response(reason=RefusalReason.LOW_CONFIDENCE)
SURE, UNSURE = 0.95, 0.7
OPEN = Allowance(precision=1, recall=1, abstention=1)
"""Nothing but the three outcomes can fail."""


def answers(*ids: str, confidence: float = SURE) -> RAGResponse:
    return replace(response(*ids, confidence=confidence), answer=f"> {SENTENCE} [source:1]")


def forty() -> list[Score]:
    """Twenty answered as they are to be, surely; ten hedged; ten near misses refused."""
    sure = [scored(case("ADR-0012", number=n, **WANTED), answers("ADR-0012")) for n in range(1, 21)]
    unsure = [
        scored(case("POL-0001", number=n, **WANTED), answers("POL-0001", confidence=UNSURE))
        for n in range(21, 31)
    ]
    return [*sure, *unsure, *(scored(case(number=n), REFUSED) for n in range(31, 41))]


def with_reply(number: int, reply: RAGResponse) -> Report:
    """The forty, of which one got another reply."""
    scores = forty()
    scores[number - 1] = scored(scores[number - 1].case, reply)
    return built(*scores)


def moved(comparison: Report) -> set[str]:
    return {item["metric"] for item in comparison["changes"]}


def fails(now: Report, allowed: Allowance = OPEN) -> dict[str, tuple[str, ...]]:
    """What fails, by the first words of its message, and the questions it names."""
    comparison = regression.compare(now, report.baseline(built(*forty())), allowed)
    return {
        item["message"].split(" fell")[0].split(" rose")[0].split(" is ")[0]: item["questions"]
        for item in comparison["regressions"]
    }


def test_one_wrong_assertion_fails_the_promise_and_the_comparison() -> None:
    """Nineteen right of twenty are fewer than 97 of 100, and fewer than before."""
    now = with_reply(3, answers("ADR-0099"))
    scores = regression.compare(now, report.baseline(built(*forty())), OPEN)["regressions"]
    promised, fell = (item["message"] for item in scores)
    assert promised == "asserted precision is 0.950 (19 of 20); at least 0.97 is promised"
    assert fell.startswith("asserted precision fell from 1.000 to 0.950")
    assert {item["questions"] for item in scores} == {("GS-003",)}


def test_the_promise_holds_whatever_the_baseline_was() -> None:
    """A baseline that breaks it does not make it right."""
    now = with_reply(3, answers("ADR-0099"))
    comparison = regression.compare(now, report.baseline(now), OPEN)
    (item,) = comparison["regressions"]
    assert "at least 0.97 is promised" in item["message"]
    assert item["questions"] == ("GS-003",)
    allowed = replace(OPEN, asserted_floor=0.0)
    assert regression.compare(now, report.baseline(now), allowed)["passed"]


def test_what_asserts_nothing_breaks_no_promise() -> None:
    """It may be useless, but it says nothing wrong; and there is no precision to compare."""
    hedged = [scored(item.case, answers("ADR-0012", confidence=UNSURE)) for item in forty()[:20]]
    comparison = regression.compare(
        built(*hedged, *forty()[20:]), report.baseline(built(*forty())), OPEN
    )
    assert comparison["passed"]
    assert "asserted_precision" not in moved(comparison)


def test_a_near_miss_that_is_hedged_fails_by_itself() -> None:
    assert fails(with_reply(35, answers("ADR-0012", confidence=UNSURE))) == {
        "near misses hedged": ("GS-035",)
    }


def test_a_right_passage_that_is_no_longer_shown_fails() -> None:
    assert fails(with_reply(25, REFUSED)) == {"right passage shown": ("GS-025",)}


@pytest.mark.parametrize(
    ("number", "reply", "allowed"),
    [
        (3, answers("ADR-0099"), replace(OPEN, asserted=0.05, asserted_floor=0.95)),
        (35, answers("ADR-0012", confidence=UNSURE), replace(OPEN, near_hedged=0.1)),
        (25, REFUSED, replace(OPEN, shown=0.034)),
    ],
)
def test_each_has_a_tolerance_of_its_own(
    number: int, reply: RAGResponse, allowed: Allowance
) -> None:
    assert fails(with_reply(number, reply), allowed) == {}


def test_a_baseline_from_before_passes_with_a_note() -> None:
    """What it does not tell cannot be compared; that is said, in each form of the report."""
    old = report.baseline(built(*forty()))
    del old["metrics"]["certainty"]
    for item in old["questions"].values():
        del item["outcome"], item["shown"]
    now = with_reply(25, REFUSED)
    comparison = regression.compare(now, old, OPEN)
    assert comparison["passed"]
    (note,) = comparison["notes"]
    assert "right passage shown" in note
    for shown in (
        table.render_comparison(comparison, now["questions"]),
        markdown.render(now | {"baseline": comparison}),
    ):
        assert "does not tell asserted precision, right passage shown" in shown


def test_what_got_better_is_named() -> None:
    right = [*four()[:2], scored(four()[2].case, response("POL-0001")), four()[3]]
    comparison = regression.compare(built(*right), before(), STRICT)
    assert comparison["passed"]
    assert comparison["mended"] == ["GS-003"]


def test_a_gate_that_hardly_worked_may_stop() -> None:
    few, none = built(), built()
    few["metrics"]["gates"]["ADR_Ollama"]["distance"]["turned_away"] = 4
    none["metrics"]["gates"]["ADR_Ollama"]["distance"]["turned_away"] = 0
    assert regression.compare(none, few, STRICT)["passed"]


def test_a_question_that_could_not_run_before_did_not_go_wrong() -> None:
    """It was never right; and one that cannot run now is not mended."""
    wrong = scored(case("ADR-0012", number=900), response(reason=RefusalReason.NO_RESULTS))
    comparison = regression.compare(
        built(*four(), wrong), report.baseline(built(lost=1)), Allowance(recall=1, precision=1)
    )
    assert comparison["gone_wrong"] == []
    was_wrong = report.baseline(built(*four(), wrong))
    assert regression.compare(built(lost=1), was_wrong, STRICT)["mended"] == []
