"""What is counted of recorded answers, over a small world and a scripted writer."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.unit.made_writers import (
    ASKED,
    FALLBACK,
    MADE_UP,
    SURE,
    TLS,
    Say,
    Scripted,
    says_no,
    writing,
)
from tests.unit.small_world import World

from elysia_guard.domain.mode import Mode
from elysia_guard.domain.reading import Comparison
from elysia_guard.evaluation.golden import Case, Split
from elysia_guard.evaluation.recorded import Recorded, Replayed
from elysia_guard.evaluation.recorded_facts import Fact
from elysia_guard.evaluation.recorded_run import (
    RIGHT_IN_HUNDRED,
    Answered,
    Group,
    ScriptedOpinion,
    Way,
    ask,
    group_of,
)
from elysia_guard.evaluation.recorded_table import (
    markdown,
    proofread,
    share_shown,
    share_written,
)
from elysia_guard.running import run_anywhere
from elysia_guard.stages.writing import Desk


def case(*doc_ids: str, query: str = ASKED, quote: str | None = TLS) -> Case:
    expected = {
        "route": "adr",
        "abstain": False,
        "doc_types": ["ADR"],
        "doc_ids": doc_ids,
        "quote": quote,
    }
    return Case.model_validate(
        {
            "id": "GS-9001",
            "query": query,
            "category": "adr_retrieval",
            "lang": "en",
            "split": Split.TUNING,
            "expected": expected,
        }
    )


def answered(say: Say, way: Way, *doc_ids: str, quote: str | None = TLS) -> Answered:
    world = World(thresholds=SURE)
    desk = Desk(writer=Scripted(say), clock=world.clock)
    pipeline = replace(world.pipeline, desk=desk)
    asked = case(*(doc_ids or ("ADR-0012",)), quote=quote)
    return run_anywhere(ask(pipeline, [asked], way))[0]


def test_what_is_proved_is_shown_and_the_rest_is_counted() -> None:
    found = answered(writing((TLS, TLS), (FALLBACK, FALLBACK), (MADE_UP, TLS)), Way.CODE)
    assert len(proofread(found)) == 3
    assert share_shown([found]) == pytest.approx(2 / 3)
    assert found.written
    assert found.stated
    assert share_written([found]) == 1.0


def test_quotes_alone_ask_no_model() -> None:
    found = answered(writing((TLS, TLS)), Way.INSTANT, "ADR-0012", "ADR-9999")
    assert (found.written, found.manuscripts, proofread(found)) == (False, (), [])
    assert share_shown([found]) == share_written([found]) == 0.0


def test_answers_may_be_asked_for_in_mode_thinking() -> None:
    """Quotes alone are asked for in no mode but their own."""
    world = World(thresholds=SURE)
    pipeline = replace(
        world.pipeline, desk=Desk(writer=Scripted(writing((TLS, TLS))), clock=world.clock)
    )
    thought, quoted = (
        run_anywhere(ask(pipeline, [case("ADR-0012")], way, mode=Mode.THINKING))[0]
        for way in (Way.CODE, Way.INSTANT)
    )
    assert thought.written
    assert quoted.response.mode is Mode.INSTANT


def test_facts_are_counted_by_what_an_answer_rests_on() -> None:
    named = ("ADR-0027", "ADR-0012")
    facts = {"GS-9001": [Fact(document=each, words=TLS) for each in named]}
    world = World(thresholds=SURE)
    desk = Desk(writer=Scripted(writing((TLS, TLS))), clock=world.clock)
    pipeline = replace(world.pipeline, desk=desk)
    runs = {way: run_anywhere(ask(pipeline, [case(*named)], way, facts)) for way in Way}
    assert runs[Way.CODE][0].told == 1
    table = markdown([], {}, runs, [])
    assert "| 1 | 2 | 1 | 1 | 1 | 0 | 0 |" in table


def test_a_question_that_a_model_does_not_answer_is_none_that_it_loses() -> None:
    assert share_written([answered(says_no, Way.CODE)]) == 0.0


def test_the_share_of_expected_documents_is_of_those_cited() -> None:
    cited = {each.doc_id for each in answered(writing((TLS, TLS)), Way.CODE).response.sources}
    found = answered(writing((TLS, TLS)), Way.CODE, *cited, "ADR-9999")
    assert found.cited == cited
    assert found.share == pytest.approx(len(cited) / (len(cited) + 1))
    assert answered(writing((TLS, TLS)), Way.CODE, quote=None).stated is None


async def test_a_second_opinion_is_right_in_so_many_of_a_hundred_and_always_the_same() -> None:
    pairs = [(f"Sentence {n}.", "words") for n in range(2_000)]
    said = await ScriptedOpinion()(pairs, lang="en")
    assert said == await ScriptedOpinion()(pairs, lang="en")
    assert sum(said) / len(said) == pytest.approx(RIGHT_IN_HUNDRED / 100, abs=0.02)
    assert said != await ScriptedOpinion(seed=1)(pairs, lang="en")


def test_questions_are_grouped_by_what_they_want() -> None:
    world = World()
    one = world.begin(ASKED)
    assert group_of(case("ADR-0012"), one) is Group.ONE
    assert group_of(case("ADR-0012", "ADR-0013"), one) is Group.OVERVIEW
    assert group_of(case("ADR-0012"), world.begin("Compare ADR-0012 and ADR-0005")) is (
        Group.COMPARISON
    )
    compared = replace(one.part, asks=Comparison(terms=("CIM", "TLS"), topic="CIM and TLS"))
    assert group_of(case("ADR-0012"), replace(one, part=compared)) is Group.COMPARISON
    several = world.begin(ASKED)
    several.further = (world.begin(ASKED),)
    assert group_of(case("ADR-0012"), several) is Group.PARTS


def test_what_is_open_is_told_apart_by_what_leaves_it_so() -> None:
    say = writing((TLS, TLS), ("Lines are scrambled in TLS 1.3.", TLS))
    runs = {way: [answered(say, way)] for way in Way}
    assert "| open: words that no source has | 1 | 0 |" in markdown([], {}, runs, [])
    say = writing((TLS, TLS), (TLS.replace("are", "are only"), TLS))
    runs = {way: [answered(say, way)] for way in Way}
    assert "| open: perhaps turned | 1 | 0 |" in markdown([], {}, runs, [])


def test_the_tables_tell_what_was_played_shown_and_withheld() -> None:
    say = writing((TLS, TLS), (FALLBACK, FALLBACK), (MADE_UP, TLS))
    runs = {way: [answered(say, way)] for way in Way}
    answer = Recorded.model_validate(
        {
            "id": "GS-9001",
            "lang": "en",
            "split": "tuning",
            "prompt": "0123abcd",
            "languages": ["sources"],
            "question": "0123456789abcdef",
            "can_answer": True,
            "confidence": 1,
            "sentences": [{"text": TLS, "evidence": []}],
        }
    )
    played = {"GS-9001": Replayed(made=(), not_told=answer.sentences)}
    table = markdown([answer], {"sources": played, "question": {}}, runs, ["en", "nl"])
    assert "language of the sources: 1 recorded answers, 1 sentences" in table
    assert "0 sentences played, 1 not told" in table
    assert "language of the question: 0 recorded answers, 0 sentences" in table
    assert "| all | 1 | 3 | 0.667 |" in table
    assert "| nl |" not in table
    assert "withheld 1 sentences" in table
    assert "| fails: number | 1 | 0 |" in table
    assert not runs[Way.CODE][0].asserted  # one of its sentences was not proved
