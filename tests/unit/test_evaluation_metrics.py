"""What is right, and the figures over it; every expected number was computed by hand."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from tests.unit.evaluation_samples import COLLECTIONS, case, four, response, scored

from elysia_guard.domain.errors import SourceUnavailableError
from elysia_guard.domain.refusal import RefusalReason
from elysia_guard.domain.response import RAGResponse
from elysia_guard.evaluation import metrics, reliability, scoring
from elysia_guard.evaluation.golden import Case, ExpectedRoute
from elysia_guard.evaluation.runner import run
from elysia_guard.evaluation.scoring import Failure, Score


@pytest.mark.parametrize(
    ("asked", "answer", "failure"),
    [
        (case("ADR-0012"), response("ADR-0012", "ADR-0013"), None),
        (case("ADR-0012"), response("ADR-0013"), Failure.DOCUMENT),
        (case("ADR-0012"), response("POL-0008"), Failure.COLLECTION),
        (case("ADR-0012"), response(), Failure.COLLECTION),
        (case("ADR-0012"), response(reason=RefusalReason.NO_RESULTS), Failure.ABSTAINED),
        (case(), response("ADR-0012"), Failure.ANSWERED),
        (case(), response(reason=RefusalReason.LOW_COVERAGE), None),
        (
            case(reason="entity_not_found"),
            response(reason=RefusalReason.ENTITY_NOT_FOUND),
            None,
        ),
        (
            case(reason="terminology_not_found"),
            response(reason=RefusalReason.NO_RESULTS),
            Failure.REASON,
        ),
    ],
)
def test_a_response_is_right_or_wrong_for_a_reason(
    asked: Case, answer: RAGResponse, failure: Failure | None
) -> None:
    item = scored(asked, answer)
    assert item.failure is failure
    assert item.correct is (failure is None)


@pytest.mark.parametrize(
    ("cited", "failure"),
    [
        (("ADR-0006", "ADR-0027"), None),
        (("ADR-0006",), Failure.LIST),
        (("ADR-0006", "ADR-0027", "ADR-0001"), Failure.LIST),
    ],
)
def test_a_list_must_be_complete_and_hold_nothing_else(
    cited: tuple[str, ...], failure: Failure | None
) -> None:
    asked = case("ADR-0006", "ADR-0027", category="non_terminology_list")
    assert scored(asked, response(*cited, intent="list")).failure is failure


def test_wrong_answers_and_wrong_refusals_are_different() -> None:
    """A question back is no answer; a right document beside a wrong one is no wrong answer."""
    must_abstain, must_answer = case(), case("ADR-0012")
    back = RefusalReason.TERMINOLOGY_AMBIGUOUS
    assert scored(must_abstain, response("ADR-0012")).wrong_answer
    assert scored(must_answer, response("ADR-0013")).wrong_answer
    assert not scored(must_answer, response("ADR-0012", "ADR-0013")).wrong_answer
    assert not scored(must_abstain, response(reason=back)).wrong_answer
    assert scored(must_answer, response(reason=back)).wrong_refusal
    assert not scored(must_abstain, response(reason=back)).wrong_refusal


@pytest.mark.parametrize(
    ("answer", "routes"),
    [
        (response(intent="terminology", reason=RefusalReason.TERMINOLOGY_NOT_FOUND), "skosmos"),
        (response(intent="conversational"), "conversation"),
        (response("ADR-0012", intent="cross_collection"), "cross"),
        (response("https://v.example/cim", intent="open"), "skosmos"),
        (response("ADR-0012", intent="open"), "semantic"),
        (response(intent="open", reason=RefusalReason.NO_RESULTS), "semantic"),
        (response("ADR-0012D", intent="entity"), "adr"),
        (response("PCP-0014", intent="list"), "principle"),
        (response("POL-0001", intent="single_collection"), "policy"),
        (response("ADR-0012", "POL-0008", intent="entity"), "cross"),
        (
            response(intent="entity", reason=RefusalReason.ENTITY_NOT_FOUND),
            "adr principle policy cross",
        ),
    ],
)
def test_a_response_shows_its_route(answer: RAGResponse, routes: str) -> None:
    assert scoring.routes(answer) == {ExpectedRoute(name) for name in routes.split()}


def test_precision_is_over_answers_and_recall_over_answerable_questions() -> None:
    measured = metrics.quality(four())
    assert measured.precision == pytest.approx((1 + 0.5 + 0) / 3)
    assert measured.recall == pytest.approx(2 / 3)
    assert measured.f1 == pytest.approx(2 * 0.5 * (2 / 3) / (0.5 + 2 / 3))
    assert measured.count == 4


def test_the_recall_of_a_list_is_the_share_found() -> None:
    asked = case("ADR-0001", "ADR-0002", "ADR-0003", category="non_terminology_list")
    measured = metrics.quality([scored(asked, response("ADR-0001", "ADR-0009"))])
    assert (measured.precision, measured.recall) == (0.5, pytest.approx(1 / 3))


def test_nothing_measured_is_nothing() -> None:
    measured = metrics.quality([])
    assert (measured.precision, measured.recall, measured.f1) == (0, 0, 0)
    assert metrics.abstention([]).total_rate == 0
    assert metrics.latency([]).max_ms == 0
    assert reliability.reliability([]).ece == 0
    assert metrics.route_accuracy([]) == 0


def test_an_answer_without_a_source_is_imprecise() -> None:
    assert metrics.quality([scored(case("ADR-0012"), response())]).precision == 0


def test_a_question_counts_in_each_collection_it_is_about() -> None:
    both = case("ADR-0012", "POL-0008", number=5, category="cross_collection")
    by_name = metrics.by_collection([*four(), scored(both, response("ADR-0012"))], COLLECTIONS)
    assert {name: item.count for name, item in by_name.items()} == {
        "ADR_Ollama": 3,
        "Policy_Ollama": 2,
    }
    assert by_name["ADR_Ollama"].precision == pytest.approx((1 + 0.5 + 1) / 3)
    assert by_name["Policy_Ollama"].recall == 0.5


def test_abstentions_are_counted_by_reason() -> None:
    measured = metrics.abstention(four())
    assert measured.total_rate == 0.25
    assert measured.by_reason["low_confidence"] == 0.25
    assert set(measured.by_reason) == {str(reason) for reason in RefusalReason}
    assert sum(measured.by_reason.values()) == 0.25


def test_percentiles_are_by_nearest_rank() -> None:
    times = [float(n) for n in range(1, 101)]
    assert [metrics.percentile(times, share) for share in (0.5, 0.95, 0.99)] == [50, 95, 99]
    assert metrics.percentile([7.0], 0.5) == 7
    measured = metrics.latency(four())
    assert (measured.p50_ms, measured.p95_ms, measured.max_ms) == (20, 40, 40)


def test_groups_count_right_and_wrong() -> None:
    by_lang = metrics.groups(four(), lambda item: item.case.lang)
    assert (by_lang["nl"].count, by_lang["nl"].correct, by_lang["nl"].wrong_refusals) == (1, 0, 1)
    assert (by_lang["en"].correct, by_lang["en"].wrong_answers) == (2, 1)
    assert by_lang["en"].accuracy == pytest.approx(2 / 3)


def test_routes_are_counted() -> None:
    """The refusal of a policy question fits 'adr' too: it names no source."""
    assert metrics.route_accuracy(four()) == 1
    elsewhere = scored(case("ADR-0012"), response("ADR-0012", intent="open"))
    assert metrics.route_accuracy([*four(), elsewhere]) == 0.8


def confident(pairs: Iterable[tuple[float, bool]]) -> list[Score]:
    return [
        scored(
            case("ADR-0012"),
            response("ADR-0012" if right else "ADR-0013", intent="open", confidence=confidence),
        )
        for confidence, right in pairs
    ]


def test_the_calibration_error_is_the_mean_gap_over_bins() -> None:
    """Bin 0.6-0.7: mean 0.65, half right; bin 0.9-1.0: mean 0.95, all right."""
    measured = reliability.reliability(
        confident([(0.62, True), (0.68, False), (0.9, True), (1, True)])
    )
    assert [(item.lower, item.count) for item in measured.bins] == [(0.6, 2), (0.9, 2)]
    assert [item.accuracy for item in measured.bins] == [0.5, 1.0]
    assert measured.ece == pytest.approx((2 * 0.15 + 2 * 0.05) / 4)
    assert measured.count == 4


def test_fixed_confidences_can_be_left_out() -> None:
    term = scored(
        case("https://v.example/cim", category="terminology_hit"),
        response("https://v.example/cim", intent="open"),
    )
    entity = scored(case("ADR-0012"), response("ADR-0012"))
    searches = confident([(0.8, True)])
    measured = reliability.reliability([term, entity, *searches], searched=True)
    assert measured.count == 1
    assert measured.ece == pytest.approx(0.2)


class Answers:
    """Answers every question but the third, after the time of one tick."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str | None]] = []

    async def ask(self, query: str, /, *, request_id: str | None) -> RAGResponse:
        self.asked.append((query, request_id))
        if query == "Question 3?":
            raise SourceUnavailableError("the index is away", source="index")
        return response("ADR-0012")


class Ticks:
    """A clock that moves 5 ms each time it is read."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 0.005
        return self.now


async def test_what_cannot_run_is_kept_apart() -> None:
    """A case that could not run is neither right nor wrong, and is never dropped."""
    cases = [case("ADR-0012", number=n) for n in range(1, 5)]
    told: list[tuple[int, int]] = []
    asker = Answers()
    runs = await run(
        cases,
        asker,
        concurrency=2,
        clock=Ticks(),
        progress=lambda done, total: told.append((done, total)),
    )
    assert [item.case.id for item in runs] == ["GS-001", "GS-002", "GS-003", "GS-004"]
    assert runs[2].error == "SourceUnavailableError: the index is away"
    assert all(item.latency_ms > 0 for item in runs)
    assert told == [(1, 4), (2, 4), (3, 4), (4, 4)]
    assert asker.asked[0] == ("Question 1?", "eval-GS-001")
    scores, not_run = scoring.score_all(runs)
    assert len(scores) == 3
    assert [item.case.id for item in not_run] == ["GS-003"]


async def test_progress_need_not_be_watched() -> None:
    assert len(await run([case("ADR-0012")], Answers())) == 1
