"""Calibration by kind of question and by outcome, with what certainty calls right."""

from __future__ import annotations

import pytest
from tests.unit.evaluation_samples import case, four, golden_set, response, scored, setting
from tests.unit.small_world import World

from elysia_guard.domain.refusal import RefusalReason
from elysia_guard.domain.response import ReplyOutcome
from elysia_guard.evaluation import markdown, page, reliability, report, table, telling
from elysia_guard.evaluation.asked import Kind, kind_of, matters
from elysia_guard.evaluation.certainty import certainty
from elysia_guard.evaluation.report import Probed
from elysia_guard.evaluation.scoring import Score

TERM = "https://v.example/cim"


def mixed() -> list[Score]:
    return [
        scored(case(TERM, number=1), response(TERM, intent="open", confidence=0.98)),
        scored(case("ADR-0012", number=2), response("ADR-0012", confidence=0.95)),
        scored(case("ADR-0012", number=3), response("ADR-0013", confidence=0.6)),
        scored(case("ADR-0012", number=4), response("ADR-0012", intent="list", confidence=0.95)),
        scored(case("ADR-0012", number=5), response("ADR-0012", intent="open", confidence=0.75)),
        scored(case(number=6), response("ADR-0012", intent="open", confidence=0.75)),
        scored(case(number=7), response(reason=RefusalReason.LOW_CONFIDENCE, intent="open")),
    ]


def test_each_kind_is_measured_apart() -> None:
    """A search that is half right at 0.75 is off by a quarter, whatever the terms are."""
    found = reliability.by_asked(mixed(), {"GS-003"})
    assert {kind: (item.count, round(item.ece, 3)) for kind, item in found.items()} == {
        Kind.DEFINITION: (1, 0.02),
        Kind.NAMED: (1, 0.05),
        Kind.MATTER: (1, 0.6),
        Kind.LIST: (1, 0.05),
        Kind.SEARCH: (2, 0.25),
    }


def test_without_reading_again_a_named_document_is_one_kind() -> None:
    assert kind_of(mixed()[2]) is Kind.NAMED
    assert Kind.MATTER not in reliability.by_asked(mixed())


def test_right_is_what_it_is_for_the_precision_of_what_is_asserted() -> None:
    """Otherwise a confidence could look calibrated and its answers not be right."""
    for scores in (mixed(), four()):
        bands, counts = reliability.bands(scores), certainty(scores)
        asserted, hedged = bands[ReplyOutcome.ASSERTED], bands[ReplyOutcome.HEDGED]
        assert asserted.accuracy == counts.precision
        assert asserted.count == counts.asserted
        assert hedged.accuracy * hedged.count == pytest.approx(counts.hedged_right)
        whole = reliability.reliability(scores)
        right = sum(item.accuracy * item.count for item in whole.bins)
        assert right == pytest.approx(counts.asserted_right + counts.hedged_right)


def test_an_outcome_that_never_came_has_no_band() -> None:
    assert set(reliability.bands(mixed()[:2])) == {ReplyOutcome.ASSERTED}


async def test_a_matter_is_told_from_the_document_by_reading_the_question() -> None:
    """A question in other words than a named document's, or that nobody can ask, is none."""
    asked = {
        1: "What does ADR-0012 say about encryption?",
        2: "What does ADR-0012 decide?",
        3: "Who approved ADR-0012?",
        4: "?!",
    }
    scores = [
        scored(case("ADR-0012", number=number, query=query), response("ADR-0012"))
        for number, query in asked.items()
    ]
    search = case("ADR-0012", number=5, query=asked[1])
    scores.append(scored(search, response("ADR-0012", intent="open")))
    assert await matters(World().pipeline, scores) == {"GS-001"}


def test_the_kinds_stand_in_every_form_of_the_report() -> None:
    scores = mixed()
    probed = Probed(matters=frozenset({"GS-003"}))
    found = report.build(scores, [], golden_set(*scores), setting(), probed=probed)
    rows = {name: cells for name, *cells in telling.kind_rows(found)}
    assert rows["search"] == [2, 1, "0.750", "0.250"]
    assert rows["all"][0] == 6
    assert [row[:3] for row in telling.outcome_rows(found)] == [
        ("asserted", 3, "1.000"),
        ("hedged", 3, "0.333"),
    ]
    for render in (table.render, markdown.render, page.render):
        assert "matter of a named document" in render(found)


def test_of_no_answer_there_is_no_mean() -> None:
    found = report.build([], [], golden_set(), setting())
    assert telling.kind_rows(found) == [("all", 0, 0, "0.000", "0.000")]
