"""What is right, and the figures over it; every expected number was computed by hand."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from elysia_guard.domain.errors import SourceUnavailableError
from elysia_guard.domain.refusal import RefusalReason
from elysia_guard.domain.response import (
    RAGResponse,
    RetrievalQuality,
    Source,
    TransparencyStatement,
)
from elysia_guard.evaluation import metrics, report, scoring
from elysia_guard.evaluation.golden import Case, Expected, ExpectedRoute, GoldenSet
from elysia_guard.evaluation.runner import Run, run
from elysia_guard.evaluation.scoring import Failure, Score

COLLECTIONS = {
    "ADR": "ADR_Ollama",
    "DAR": "ADR_Ollama",
    "Vocabulary": "Vocabulary_Ollama",
    "Principle": "Principle_Ollama",
    "Policy": "Policy_Ollama",
}
TYPES = {"ADR": "ADR", "PCP": "Principle", "POL": "Policy"}


def kind_of(name: str) -> str:
    if name.startswith("http"):
        return "Vocabulary"
    return "DAR" if name.endswith("D") else TYPES[name[:3]]


def case(
    *ids: str,
    number: int = 1,
    category: str = "adr_retrieval",
    reason: str | None = None,
    **changes: Any,
) -> Case:
    types = tuple(dict.fromkeys(kind_of(name) for name in ids))
    expected = {
        "route": "adr",
        "abstain": not ids,
        "reason": reason,
        "doc_types": types,
        "doc_ids": ids,
        **changes.pop("expected", {}),
    }
    return Case.model_validate(
        {
            "id": f"GS-{number:03d}",
            "query": f"Question {number}?",
            "category": category,
            "lang": "en",
            "split": "tuning",
            "expected": Expected.model_validate(expected),
            **changes,
        }
    )


def response(
    *ids: str,
    reason: RefusalReason | None = None,
    intent: str = "entity",
    confidence: float = 0.95,
) -> RAGResponse:
    sources = tuple(
        Source(n=n, doc_type=kind_of(name), doc_id=name, title="", collection="", quote="")
        for n, name in enumerate(ids, start=1)
    )
    return RAGResponse(
        answer="",
        request_id="r",
        route="direct",
        lang="en",
        intent=intent,
        retrieval_quality=RetrievalQuality.from_retrieval(confidence, ()),
        transparency=TransparencyStatement(statement=None, show_to_user=False),
        sources=sources,
        refused=reason is not None,
        refusal_reason=reason,
    )


def scored(asked: Case, answer: RAGResponse, *, latency_ms: float = 10.0) -> Score:
    return scoring.score(Run(case=asked, latency_ms=latency_ms), answer)


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


def four() -> list[Score]:
    """Two right answers (one cites a wrong document too), a wrong refusal and a wrong answer."""
    return [
        scored(case("ADR-0012", number=1), response("ADR-0012"), latency_ms=10),
        scored(case("ADR-0012", number=2), response("ADR-0012", "ADR-0013"), latency_ms=20),
        scored(
            case("POL-0001", number=3, category="policy_retrieval", lang="nl"),
            response(reason=RefusalReason.LOW_CONFIDENCE, intent="single_collection"),
            latency_ms=30,
        ),
        scored(
            case(number=4, category="semantic_search", expected={"route": "semantic"}),
            response("POL-0001", intent="open", confidence=0.65),
            latency_ms=40,
        ),
    ]


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
    assert metrics.reliability([]).ece == 0
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
    measured = metrics.reliability(confident([(0.62, True), (0.68, False), (0.9, True), (1, True)]))
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
    measured = metrics.reliability([term, entity, *searches], searched=True)
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


def setting() -> report.Setting:
    return report.Setting(
        timestamp="2026-02-09T10:30:00Z",
        config_hash="c" * 64,
        split="all",
        route="direct",
        version="0.1.0",
        python="3.11.7",
        model_id="model",
        documents=68,
        passages=342,
        concurrency=1,
        collections=COLLECTIONS,
    )


def built(tmp_path: Any) -> report.Report:
    scores = four()
    golden_set = GoldenSet(
        cases=tuple(item.case for item in scores),
        version="v1.2.0",
        blob_hash="d" * 40,
        path=tmp_path,
    )
    lost = Run(case=case("ADR-0012", number=9), latency_ms=1, error="SourceTimeoutError: slow")
    return report.build(scores, [lost], golden_set, setting())


def test_the_report_has_every_field_of_ir0003(tmp_path: Any) -> None:
    results = built(tmp_path)
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
    assert results["could_not_run"] == [
        {"id": "GS-009", "query": "Question 9?", "error": "SourceTimeoutError: slow"}
    ]
    assert results["setting"]["seed"] is None


def test_the_table_shows_every_failure(tmp_path: Any) -> None:
    table = report.render(built(tmp_path))
    assert "5 cases · 2 right · 2 wrong · 1 could not run" in table
    assert "GS-003 abstained_instead_of_answering: Question 3?" in table
    assert "expected abstention (any reason); got POL-0001 (open)" in table
    assert "GS-009 SourceTimeoutError: slow: Question 9?" in table
    assert "golden set v1.2.0 (dddddddddddd)" in table


def test_a_held_out_failure_keeps_its_question(tmp_path: Any) -> None:
    """Who reads a held-out question starts to tune on it: its id and fault are shown alone."""
    results = built(tmp_path)
    for item in results["failures"]:
        item["split"] = "held_out"
    table = report.render(results)
    assert "GS-003 abstained_instead_of_answering (held out" in table
    assert "Question 3?" not in table


def test_a_faultless_run_lists_no_failures(tmp_path: Any) -> None:
    right = four()[:1]
    golden_set = GoldenSet(cases=(), version="v1.2.0", blob_hash="d" * 40, path=tmp_path)
    table = report.render(report.build(right, [], golden_set, setting()))
    assert "failures" not in table
    assert "\ncould not run" not in table
    assert "abstention 0.000" in table


def test_an_answer_without_sources_is_named_so(tmp_path: Any) -> None:
    golden_set = GoldenSet(cases=(), version="v1.2.0", blob_hash="d" * 40, path=tmp_path)
    wrong = [scored(case("ADR-0012"), response(intent="conversational"))]
    table = report.render(report.build(wrong, [], golden_set, setting()))
    assert "got an answer without sources (conversational)" in table
