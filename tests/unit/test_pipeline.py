"""The whole way of a question, over working fakes: what comes out, and what the trace keeps."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from tests.unit.small_world import (
    DECISION,
    KNOWLEDGE,
    LIMITS,
    World,
    document,
    elsewhere,
    index,
)

from elysia_guard.domain.calibration import Calibration
from elysia_guard.domain.document import Passage, SectionRole
from elysia_guard.domain.draft import Draft
from elysia_guard.domain.errors import PassageIndexError, QuestionError, SourceTimeoutError
from elysia_guard.domain.events import RequestEnded, RequestStarted, SourceFailed, StageEnded
from elysia_guard.domain.refusal import RefusalReason
from elysia_guard.domain.response import RAGResponse
from elysia_guard.domain.thresholds import Thresholds
from elysia_guard.ports import Vector
from elysia_guard.running import run_anywhere
from elysia_guard.stages import answering
from elysia_guard.testing.fake_index import FakeIndex, HashEmbedder
from elysia_guard.testing.terminology import CONCEPTS, FakeTerminology, ScriptedFailure


@pytest.fixture
def world() -> World:
    return World()


def stages(response: RAGResponse) -> list[str]:
    return [step.stage for step in response.trace]


class TestAnswers:
    def test_what_is_asked_back_is_answered_when_chosen(self, world: World) -> None:
        """Every way on that a question back offers leads to an answer."""
        for asked in ("12", "What is an asset?"):
            for way_on in world.ask(asked).suggestions:
                assert world.ask(way_on.question).sources, way_on.question


class TestRefusals:
    @pytest.mark.parametrize(
        ("asked", "reason"),
        [
            ("What is FooBarBaz?", RefusalReason.TERMINOLOGY_NOT_FOUND),
            ("What is a CIM dump?", RefusalReason.TERMINOLOGY_DEPRECATED),
            ("What does ADR-9999 decide?", RefusalReason.ENTITY_NOT_FOUND),
            ("What does ADR.12 say about hydrogen tanks?", RefusalReason.LOW_COVERAGE),
            ("What does ADR.12 say about mapping hydrogen?", RefusalReason.LOW_COVERAGE),
            ("List all ADRs about hydrogen", RefusalReason.NO_RESULTS),
        ],
    )
    def test_what_is_not_there_is_refused_with_its_reason(
        self, world: World, asked: str, reason: RefusalReason
    ) -> None:
        """No source, a reason, and a way on."""
        response = world.ask(asked)
        assert (response.refused, response.refusal_reason) == (True, reason)
        assert response.sources == ()
        assert response.suggestions

    def test_a_weak_passage_is_refused(self) -> None:
        """Below 0.60 the guard abstains."""
        unsure = replace(
            LIMITS, calibration=Calibration(intercept=0, similarity=0, coverage=0, lexical=0)
        )
        response = World(thresholds=Thresholds(default=unsure)).ask(
            "How are connections encrypted?"
        )
        assert response.refusal_reason is RefusalReason.LOW_CONFIDENCE

    @pytest.mark.parametrize(
        ("error", "flag"),
        [
            (SourceTimeoutError("late", source="index"), "index_timeout"),
            (PassageIndexError("damaged"), "index_error"),
        ],
    )
    def test_how_the_index_failed_is_told_to_the_operator(
        self, error: Exception, flag: str
    ) -> None:
        """As an event and as a flag."""

        class Broken(FakeIndex):
            def _refuse_if_down(self) -> None:
                raise error

        world = World(made_index=Broken([]))
        response = world.ask("How are connections encrypted?")
        assert response.retrieval_quality.fallback_reasons == (flag,)
        (failed,) = [event for event in world.events if isinstance(event, SourceFailed)]
        assert (failed.source, failed.timeout) == ("index", flag == "index_timeout")


class TestVerified:
    def tamper(self, monkeypatch: pytest.MonkeyPatch, change: str) -> None:
        """Let the answering stage alter its quotes."""
        honest = answering.draft

        def dishonest(*args: object, **kwargs: object) -> Draft:
            made = honest(*args, **kwargs)  # type: ignore[arg-type]
            blocks = tuple(
                replace(
                    block,
                    quotes=tuple(
                        replace(quote, text=quote.text.replace("TLS 1.2", change))
                        for quote in block.quotes
                    ),
                )
                for block in made.blocks
            )
            return replace(made, blocks=blocks)

        monkeypatch.setattr(answering, "draft", dishonest)

    def test_one_altered_character_makes_it_a_refusal(
        self, world: World, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Nothing of the draft reaches the reader."""
        self.tamper(monkeypatch, "TLS 1.1")
        response = world.ask("What does ADR.27 decide?")
        assert (response.refused, response.refusal_reason) == (
            True,
            RefusalReason.UNVERIFIED_ANSWER,
        )
        assert "TLS 1.1" not in response.answer
        assert response.sources == ()
        assert response.retrieval_quality.confidence_score == 0.0

    def test_a_document_without_words_is_refused(self) -> None:
        """There is nothing to quote, so nothing is claimed."""
        empty = document(DECISION, 77, "Empty", (SectionRole.SUBSTANCE, "---"))
        response = World(passages=[*KNOWLEDGE, *empty]).ask("What does ADR.77 decide?")
        assert response.refusal_reason is RefusalReason.UNVERIFIED_ANSWER


class TestDegraded:
    def test_without_the_embedder_words_answer_at_a_fifth_less(self) -> None:
        """bm25_only, once x 0.8, and the reader is told."""
        world = World()
        sure = world.ask("encrypted connections with TLS").retrieval_quality
        world.embedder.down = True  # type: ignore[attr-defined]
        response = world.ask("encrypted connections with TLS")
        quality = response.retrieval_quality
        assert not response.refused
        assert quality.fallback_reasons == ("bm25_only",)
        assert quality.degraded
        assert quality.confidence_score == pytest.approx(sure.confidence_score * 0.8, abs=0.001)
        assert response.transparency.show_to_user

    def test_an_answer_below_the_minimum_after_the_reduction_is_a_refusal(self) -> None:
        """CONF-05 and IR0001's 'low < 0.6: abstain' hold for the confidence that is shown."""
        barely = Calibration(intercept=0.85, similarity=0, coverage=0, lexical=0)
        world = World(thresholds=Thresholds(default=replace(LIMITS, calibration=barely)))
        assert 0.6 < world.ask("encrypted connections").retrieval_quality.confidence_score < 0.75
        world.embedder.down = True  # type: ignore[attr-defined]
        response = world.ask("encrypted connections")
        assert response.retrieval_quality.confidence_score < 0.6
        assert response.refused
        assert response.refusal_reason is RefusalReason.LOW_CONFIDENCE

    @pytest.mark.parametrize("asked", ["What is a transformer?", "encrypted connections"])
    def test_every_source_that_fails_is_told_to_the_operator(self, asked: str) -> None:
        """IR0003's log example: component skosmos, event timeout."""
        down = FakeTerminology(CONCEPTS, name="skosmos", failure=ScriptedFailure.TIMEOUT)
        world = World(terminology=down)
        world.ask(asked)
        assert ("skosmos", True) in {
            (event.source, event.timeout)
            for event in world.events
            if isinstance(event, SourceFailed)
        }


class TestTrace:
    @pytest.mark.parametrize(
        ("asked", "expected"),
        [
            ("What is a meter?", "router terminology gates answer verification"),
            ("What does ADR.12 decide?", "router retrieval gates answer verification"),
            ("encrypted connections", "router terminology retrieval gates answer verification"),
            ("What is FooBarBaz?", "router terminology gates suggestions"),
            ("12", "router retrieval gates suggestions"),
            ("hello", "router gates"),
        ],
    )
    def test_the_stages_stand_in_order(self, world: World, asked: str, expected: str) -> None:
        """Each with a note; the gates with their readings."""
        response = world.ask(asked)
        assert stages(response) == expected.split()
        assert all(step.note for step in response.trace)
        gate = response.trace[stages(response).index("gates")]
        assert bool(gate.readings) == (asked != "hello")

    def test_an_observer_hears_it_all_under_one_id(self, world: World) -> None:
        """Start, every stage, end; with the reason and the flags."""
        response = world.ask("What is FooBarBaz?")
        assert {event.request_id for event in world.events} == {"req-1"}
        assert isinstance(world.events[0], RequestStarted)
        assert world.events[0].query == "What is FooBarBaz?"
        ended = world.events[-1]
        assert isinstance(ended, RequestEnded)
        assert (ended.reason, ended.route) == ("terminology_not_found", "direct")
        told = [event.stage for event in world.events if isinstance(event, StageEnded)]
        assert told == stages(response)

    def test_time_is_told_by_the_clock_given(self) -> None:
        """Milliseconds per stage and in total."""

        class Slow(HashEmbedder):
            async def embed(self, texts: Sequence[str]) -> Sequence[Vector]:
                world.clock.advance(0.25)
                return await super().embed(texts)

        made = index()
        world = World(made_index=made)
        object.__setattr__(world.pipeline, "embedder", Slow())
        response = world.ask("How are connections encrypted?")
        (step,) = [step for step in response.trace if step.stage == "retrieval"]
        assert step.elapsed_ms == 250.0
        ended = world.events[-1]
        assert isinstance(ended, RequestEnded)
        assert ended.total_ms == 250.0

    def test_the_same_question_has_the_same_response(self, world: World) -> None:
        """Ten times over: route, verdict, sources and words; times alone may differ."""
        for asked in (
            "How are connections encrypted?",
            "What is an asset?",
            "List all ADRs",
            "x y",
        ):
            answers = {json.dumps(world.ask(asked).to_dict(), sort_keys=True) for _ in range(10)}
            assert len(answers) == 1


class TestBadQuestions:
    @pytest.mark.parametrize(
        ("text", "code", "said"),
        [
            ("", "empty", "The question is empty."),
            (" \n\u200b ", "empty", "The question is empty."),
            ("?!", "no_words", "holds no words"),
            ("\U0001f600", "no_words", "holds no words"),
            ("wat is de " * 300, "too_long", "hoogstens 2000"),
        ],
    )
    def test_what_cannot_be_asked_is_turned_away_with_a_sentence(
        self, world: World, text: str, code: str, said: str
    ) -> None:
        """A refusal like any other, in the question's language where it shows one."""
        with pytest.raises(QuestionError) as caught:
            world.begin(text)
        assert caught.value.code == code
        away = world.pipeline.turn_away(text, caught.value, request_id="req-1", route="tree")
        response = run_anywhere(world.pipeline.answer(away))
        assert response.refused
        assert said in response.answer
        assert response.route == "tree"
        assert isinstance(world.events[-1], RequestEnded)

    def test_control_characters_do_not_reach_the_question(self, world: World) -> None:
        """What is asked is what can be seen."""
        assert world.begin("What is\x00 CI\u200bM?\n").question.text == "What is CIM?"


class TestTextsFromElsewhere:
    TEXTS = (
        elsewhere("Title", "Connections are encrypted with TLS."),
        elsewhere("Other", "Bananas are yellow."),
    )

    def weigh(self, world: World, asked: str, *texts: Passage) -> RAGResponse:
        async def go() -> RAGResponse:
            under_way = world.begin(asked)
            await world.pipeline.weigh(under_way, texts, source="query")
            world.pipeline.judge(under_way)
            return await world.pipeline.conclude(under_way)

        return run_anywhere(go())

    def test_a_text_that_answers_passes_the_gates(self, world: World) -> None:
        """And is quoted with the tool it came from as its place."""
        response = self.weigh(world, "How are connections encrypted?", *self.TEXTS)
        assert "Connections are encrypted with TLS." in response.answer
        assert {source.location for source in response.sources} == {"query"}

    def test_a_text_that_does_not_answer_is_refused(self, world: World) -> None:
        """Wrapped tools are held to the same gates."""
        assert self.weigh(world, "How are connections encrypted?", self.TEXTS[1]).refused

    def test_what_a_real_model_measures_is_json_too(self) -> None:
        """A model's vectors are numpy's; distances are plain numbers all the same."""

        class Numpy(HashEmbedder):
            async def embed(self, texts: Sequence[str]) -> Sequence[Vector]:
                found = await super().embed(texts)
                return [np.asarray(vector, dtype=np.float32) for vector in found]  # type: ignore[misc]

        response = self.weigh(
            World(embedder=Numpy()), "How are connections encrypted?", *self.TEXTS
        )
        assert json.dumps(response.to_dict())
