"""What is right, and the figures over it; every expected number was computed by hand."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pytest
from tests.unit.evaluation_samples import COLLECTIONS, case, four, response, scored

from elysia_guard.domain.errors import SourceUnavailableError
from elysia_guard.domain.refusal import RefusalReason
from elysia_guard.domain.response import RAGResponse
from elysia_guard.evaluation import metrics, scoring
from elysia_guard.evaluation.golden import Case, ExpectedRoute
from elysia_guard.evaluation.runner import run
from elysia_guard.evaluation.scoring import Failure, Score

LOW = RefusalReason.LOW_CONFIDENCE


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
    assert metrics.quality(four()) == {
        "precision": pytest.approx((1 + 0.5 + 0) / 3),
        "recall": pytest.approx(2 / 3),
        "f1": pytest.approx(2 * 0.5 * (2 / 3) / (0.5 + 2 / 3)),
    }


def test_nothing_measured_is_nothing() -> None:
    assert set(metrics.quality([]).values()) == {0}
    assert metrics.abstention([])["total_rate"] == 0
    assert set(metrics.latency([]).values()) == {0}
    assert metrics.reliability([])["ece"] == 0
    assert not any(metrics.certainty([]).values())
    assert metrics.route_accuracy([]) == 0
    assert metrics.latency_by_stage([]) == {}


def test_time_is_told_by_stage_in_the_order_of_the_way() -> None:
    """Seven of ten milliseconds are accounted for; a stage met twice adds up."""
    twice = replace(response("ADR-0012"), trace=(*response().trace, response().trace[1]))
    stages = metrics.latency_by_stage([*four(), scored(case("ADR-0012"), twice)])
    assert list(stages) == ["router", "retrieval", "gates", metrics.REST]
    assert (stages["retrieval"]["p50_ms"], stages["retrieval"]["max_ms"]) == (4, 8)
    assert stages["router"]["count"] == 5
    assert stages[metrics.REST]["max_ms"] == 33


def test_expectations_stand_beside_what_came() -> None:
    """The refusal of a policy question fits 'adr' too: it names no source."""
    elsewhere = scored(case("ADR-0012"), response("ADR-0012", intent="open"))
    none = RefusalReason.NO_RESULTS
    expected = scored(case(reason="no_results"), response(reason=none, intent="open"))
    scores = [*four(), elsewhere, expected]
    assert metrics.outcomes(scores) == {
        "answer": {"answer": 3, "low_confidence": 1},
        "any_reason": {"answer": 1},
        "no_results": {"no_results": 1},
    }
    assert metrics.routes(scores)["adr"] == {"adr": 3, "semantic": 2}
    assert metrics.route_accuracy(four()) == 1
    assert metrics.route_accuracy([*four(), elsewhere]) == 0.8


def test_asserted_and_hedged_are_counted_apart() -> None:
    found = metrics.certainty(
        [
            scored(case("ADR-0012", number=1), response("ADR-0012", confidence=0.95)),
            scored(case("ADR-0012", number=2), response("ADR-0013", confidence=0.95)),
            scored(case("ADR-0012", number=3), response("ADR-0012", confidence=0.7)),
            scored(case(number=4), response("ADR-0012", confidence=0.7)),
            scored(case(number=5), response("ADR-0012", confidence=0.9)),
            scored(case(number=6), response(reason=LOW)),
        ]
    )
    assert (found["answerable"], found["near_misses"]) == (3, 3)
    assert (found["asserted"], found["asserted_right"]) == (3, 1)
    assert (found["hedged"], found["hedged_right"]) == (2, 1)
    assert (found["near_misses_asserted"], found["near_misses_hedged"]) == (1, 1)
    assert found["asserted_precision"] == 1 / 3


def test_a_mention_shows_the_passage_and_is_no_answer() -> None:
    refused = response(reason=LOW)
    with_mention = replace(refused, mentions=response("ADR-0012").sources)
    found = metrics.certainty(
        [scored(case("ADR-0012"), refused), scored(case("ADR-0012"), with_mention)]
    )
    assert (found["shown"], found["asserted"], found["hedged"]) == (1, 0, 0)


KEPT = "Readings are kept for two years."
BOTH = f"{KEPT} Older ones are erased."


@pytest.mark.parametrize(
    ("answer", "held"),
    [
        (f"**ADR-0012: Readings**\n\n> {KEPT} [source:1]", True),
        ("> - **Readings** are\n>   kept for `two` years. [source:1]", True),
        ("> Older ones are erased. [source:2]\n>\n> No more. [source:2]", True),
        ("> Readings are kept for two years [source:1].", True),
        ("> Readings are kept for two. [source:1]", False),
        ("> Readings are kept for twenty-two years. [source:1]", False),
        ("", False),
    ],
)
def test_any_sentence_of_the_quote_is_enough(answer: str, held: bool) -> None:
    """Word for word; marks and white space around it do not count. Without it, it stays right."""
    asked = case("ADR-0012", expected={"quote": BOTH})
    found = scored(asked, response("ADR-0012", answer=answer))
    assert found.correct
    assert found.quoted is held
    assert metrics.certainty([found])["shown"] == held


@pytest.mark.parametrize(
    ("text", "quote", "held"),
    [
        ("It applies to cables laid in sand.", "cables laid in sand", True),
        ("Er gilt am\n15. März.", "Er gilt am 15. März.", True),
        ("1. Cables\n2. Meters", "2. Meters", True),
        ("- Gas\n- Cables and\n  wires", "- Water\n- Cables and wires", True),
        ("(see the\u00a0annex)", "(see the annex)", True),
        ("Use the MIT licence.", "Use [the MIT licence](https://mit.example/a_(b)).", True),
        ("Use [the MIT licence](https://mit.example).", "Use the MIT licence.", True),
        ("Recables laid", "cables laid", False),
        ("cables laidback", "cables laid", False),
    ],
)
def test_a_text_holds_a_quote_however_it_is_set(text: str, quote: str, held: bool) -> None:
    assert scoring.holds(text, quote) is held


def test_only_right_answers_to_questions_with_a_quote_count() -> None:
    """A wrong answer may hold the words, a refusal holds none: neither says anything."""
    asked = case("ADR-0012", expected={"quote": KEPT})
    wrong = scored(asked, response("ADR-0013", answer=KEPT))
    plain = scored(case("ADR-0012", category="policy_retrieval"), response("ADR-0012", answer=KEPT))
    refused = scored(asked, response(reason=RefusalReason.NO_RESULTS, answer=KEPT))
    assert wrong.quoted is plain.quoted is refused.quoted is None
    # Counted all the same, or a figure would seem to be gone when answers turn wrong.
    none = {"count": 0, "held": 0}
    found = metrics.sentences([wrong, plain, refused])
    assert found == {**none, "share": 0, "by_category": {"adr_retrieval": none}}


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
    bins = measured["bins"]
    assert [(item["lower"], item["count"], item["accuracy"]) for item in bins] == [
        (0.6, 2, 0.5),
        (0.9, 2, 1.0),
    ]
    assert measured["ece"] == pytest.approx((2 * 0.15 + 2 * 0.05) / 4)
    assert measured["count"] == 4


TERM = "https://v.example/cim"


def mixed() -> list[Score]:
    """Answers of every kind: of a term, by name, of a list, by a search; and a refusal."""
    return [
        scored(case(TERM, number=1), response(TERM, intent="open", confidence=0.98)),
        scored(case("ADR-0012", number=2), response("ADR-0012", confidence=0.95)),
        scored(case("ADR-0012", number=3), response("ADR-0013", confidence=0.6)),
        scored(case("ADR-0012", number=4), response("ADR-0012", intent="list", confidence=0.95)),
        scored(case("ADR-0012", number=5), response("ADR-0012", intent="open", confidence=0.75)),
        scored(case(number=6), response("ADR-0012", intent="open", confidence=0.75)),
        scored(case(number=7), response(reason=LOW, intent="open")),
    ]


def test_each_kind_is_measured_apart() -> None:
    """A search that is half right at 0.75 is off by a quarter, whatever the terms are."""
    found = metrics.calibration(mixed(), {"GS-003"})
    by_kind = {
        kind: (item["count"], round(item["ece"], 3)) for kind, item in found["by_kind"].items()
    }
    assert by_kind == {
        "definition": (1, 0.02),
        "named_document": (1, 0.05),
        "matter_of_a_named_document": (1, 0.6),
        "list": (1, 0.05),
        "search": (2, 0.25),
    }
    assert found["searched"] == found["by_kind"]["search"]
    assert "matter_of_a_named_document" not in metrics.calibration(mixed())["by_kind"]
    assert set(metrics.calibration(mixed()[:2])["by_outcome"]) == {"asserted"}


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
    assert len(await run(cases[:1], asker)) == 1, "progress need not be watched"


def test_the_recall_of_a_list_is_the_share_found() -> None:
    asked = case("ADR-0001", "ADR-0002", "ADR-0003", category="non_terminology_list")
    measured = metrics.quality([scored(asked, response("ADR-0001", "ADR-0009"))])
    assert (measured["precision"], measured["recall"]) == (0.5, pytest.approx(1 / 3))


def test_a_question_counts_in_each_collection_it_is_about() -> None:
    both = case("ADR-0012", "POL-0008", number=5, category="cross_collection")
    by_name = metrics.by_collection([*four(), scored(both, response("ADR-0012"))], COLLECTIONS)
    assert {name: item["count"] for name, item in by_name.items()} == {
        "ADR_Ollama": 3,
        "Policy_Ollama": 2,
    }
    assert by_name["ADR_Ollama"]["precision"] == pytest.approx((1 + 0.5 + 1) / 3)
    assert by_name["Policy_Ollama"]["recall"] == 0.5


def test_abstentions_are_counted_by_reason() -> None:
    measured = metrics.abstention(four())
    assert measured["total_rate"] == 0.25
    given = measured["by_reason"]
    assert given == dict.fromkeys(map(str, RefusalReason), 0) | {"low_confidence": 0.25}


def test_percentiles_are_by_nearest_rank() -> None:
    times = [float(n) for n in range(1, 101)]
    assert [metrics.percentile(times, share) for share in (0.5, 0.95, 0.99)] == [50, 95, 99]
    measured = metrics.latency(item.latency_ms for item in four())
    assert measured == {"p50_ms": 20, "p95_ms": 40, "p99_ms": 40, "max_ms": 40}


def test_groups_count_right_and_wrong() -> None:
    by_lang = metrics.groups(four(), lambda item: item.case.lang)
    assert by_lang == {
        "en": {
            "count": 3,
            "correct": 2,
            "wrong_answers": 1,
            "wrong_refusals": 0,
            "accuracy": pytest.approx(2 / 3),
        },
        "nl": {
            "count": 1,
            "correct": 0,
            "wrong_answers": 0,
            "wrong_refusals": 1,
            "accuracy": 0,
        },
    }
