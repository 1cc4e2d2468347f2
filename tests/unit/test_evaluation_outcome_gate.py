"""The regression gate over three outcomes: what one question does to them, and whom it names."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.unit.evaluation_samples import SENTENCE, WANTED, built, case, response, scored

from elysia_guard.domain.refusal import RefusalReason
from elysia_guard.domain.response import RAGResponse
from elysia_guard.evaluation import markdown, regression, report, table
from elysia_guard.evaluation.regression import Allowance
from elysia_guard.evaluation.report import Report
from elysia_guard.evaluation.scoring import Score

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
