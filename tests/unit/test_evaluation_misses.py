"""Where right passages were lost: one place each, and of held-out questions only how many."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from tests.unit.evaluation_samples import (
    SENTENCE,
    case,
    golden_set,
    response,
    scored,
    setting,
)
from tests.unit.small_world import World

from elysia_guard.domain.refusal import RefusalReason
from elysia_guard.evaluation import markdown, probing, report, scoring, table
from elysia_guard.evaluation.probing import Lost, placed
from elysia_guard.evaluation.report import Probed, Report
from elysia_guard.evaluation.runner import Run
from elysia_guard.evaluation.scoring import Score

LOW = RefusalReason.LOW_CONFIDENCE
SECRET = "Which walrus keeps the held-out tide tables?"


def refused(number: int = 1, intent: str = "open") -> Score:
    return scored(case("ADR-0012", number=number), response(reason=LOW, intent=intent))


def test_a_document_that_the_search_did_not_find_is_not_found() -> None:
    miss = placed(refused(), ["POL-0003", "ADR-0027"])
    assert (miss.where, miss.rank, miss.by) == (Lost.NOT_FOUND, None, "")


def test_a_document_that_was_found_and_refused_names_the_gate_and_its_place() -> None:
    miss = placed(refused(), ["POL-0003", "ADR-0012"])
    assert (miss.where, miss.rank, miss.by) == (Lost.REFUSED, 2, "confidence")


def test_a_refusal_without_a_gate_names_its_reason() -> None:
    asked_back = replace(response(reason=RefusalReason.TERMINOLOGY_AMBIGUOUS), trace=())
    miss = placed(scored(case("ADR-0012"), asked_back), ["ADR-0012"])
    assert (miss.where, miss.by) == (Lost.REFUSED, "terminology_ambiguous")


@pytest.mark.parametrize(
    ("ids", "route", "intent", "where"),
    [
        # A term that nothing looked up, though documents were searched.
        ("https://v.example/cim", "skosmos", "open", Lost.READ),
        # A document that is asked for, where small talk was heard, or a list made.
        ("ADR-0012", "semantic", "conversational", Lost.READ),
        ("ADR-0012", "semantic", "terminology", Lost.READ),
        # The right kind was looked for, and it is not there.
        ("https://v.example/cim", "skosmos", "terminology", Lost.NOT_FOUND),
        ("ADR-0012", "adr", "entity", Lost.NOT_FOUND),
    ],
)
def test_what_was_read_otherwise_was_never_looked_for(
    ids: str, route: str, intent: str, where: Lost
) -> None:
    asked = case(ids, expected={"route": route})
    assert placed(scored(asked, response(reason=LOW, intent=intent)), []).where is where


async def test_what_was_found_is_gathered_as_the_question_gathers_it() -> None:
    """Of those that were shown it, and of near misses, nothing is asked."""
    world = World()
    found_it = case("POL-0003", number=1, query="When are the measurements of trains deleted?")
    near = case(number=2, query="Who feeds the walrus?")
    nothing = case("ADR-0012", number=3, query="?!")
    scores = [
        scored(found_it, response(reason=LOW, intent="open")),
        scored(near, response(reason=LOW, intent="open")),
        scored(nothing, response(reason=LOW, intent="open")),
        scored(case("ADR-0012", number=4), response("ADR-0012")),
    ]
    found = await probing.misses(world.pipeline, scores)
    assert [(item.score.case.id, item.where) for item in found] == [
        ("GS-001", Lost.REFUSED),
        ("GS-003", Lost.NOT_FOUND),
    ]


async def test_what_was_taken_for_small_talk_was_never_looked_for() -> None:
    reply = response(reason=LOW, intent="conversational")
    asked = case("ADR-0012", query="Hello!", expected={"route": "semantic"})
    (miss,) = await probing.misses(World().pipeline, [scored(asked, reply)])
    assert (miss.where, miss.rank) == (Lost.READ, None)


async def test_a_term_counts_as_found_by_its_concept() -> None:
    world = World()
    reply = await world.pipeline.answer(world.begin("What is a transformer?"))
    (source,) = reply.sources
    asked = case(source.doc_id, query="What is a transformer?", expected={"route": "skosmos"})
    lost = replace(reply, sources=(), refused=True, refusal_reason=LOW)
    score = scoring.score(Run(case=asked, latency_ms=1.0), lost)
    (miss,) = await probing.misses(world.pipeline, [score])
    assert (miss.where, miss.rank) == (Lost.REFUSED, 1)


def missed() -> Report:
    hidden = scored(
        case("ADR-0012", number=201, split="held_out", query=SECRET),
        response(reason=LOW, intent="open"),
    )
    mentioned = replace(response(reason=LOW, intent="open"), mentions=response("ADR-0012").sources)
    asked = case("ADR-0012", number=2, expected={"quote": SENTENCE})
    scores = [refused(), scored(asked, mentioned), hidden]
    found = [placed(scores[0], []), placed(scores[1], ["ADR-0012"]), placed(hidden, ["ADR-0012"])]
    probed = Probed(misses=found)
    return report.build(scores, [], golden_set(*scores), setting(), probed=probed)


def test_halves_are_counted_apart() -> None:
    figures = missed()["metrics"]["misses"]
    assert figures["count"] == 3
    assert figures["by_place"]["refused"] == 2
    assert figures["by_split"]["held_out"]["refused"] == 1
    assert figures["by_gate"] == {"confidence": 2}


def test_every_miss_of_the_tuning_half_is_told_and_no_other() -> None:
    found = missed()
    assert [item["id"] for item in found["misses"]] == ["GS-001", "GS-002"]
    lost = "GS-002 refused by confidence, found as 1, its document is mentioned: Question 2?"
    assert lost in table.render(found)
    for render in (table.render, markdown.render, json.dumps):
        shown = render(found)
        assert SECRET not in shown
        assert "Question 2?" in shown


def test_a_report_whose_misses_nobody_looked_for_says_nothing_of_them() -> None:
    scores = [refused()]
    found = report.build(scores, [], golden_set(*scores), setting())
    assert found["metrics"]["misses"] == {}
    for render in (table.render, markdown.render):
        assert "passage not shown" not in render(found)


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
    assert await probing.matters(World().pipeline, scores) == {"GS-001"}
