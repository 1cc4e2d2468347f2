"""Mode thinking: the parts of a question are answered as one, or answer where the whole is not."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace

import pytest
from tests.unit.made_writers import (
    CIM,
    MADE_UP,
    SURE,
    TLS,
    Opinion,
    Plan,
    Say,
    Scripted,
    says_no,
    seated,
    writing,
)
from tests.unit.small_world import World
from tests.unit.test_writing import types

from elysia_guard.domain.claim import Proved, Told, Written
from elysia_guard.domain.errors import SourceTimeoutError, SourceUnavailableError
from elysia_guard.domain.mode import Mode
from elysia_guard.domain.question import Lang
from elysia_guard.domain.response import RAGResponse, ReplyOutcome
from elysia_guard.stages.writing import Desk

TWO = "Which language do we use for the domain and how are connections encrypted?"
REFUSED = "Are connections encrypted while the canteen cooks meatballs on Fridays?"
MIXED = "Are connections encrypted while replicas converge and the canteen cooks?"
MIXED_PARTS = ("Are connections encrypted?", "Do replicas converge?", "Does the canteen cook?")
REPLICAS = "Replicas converge; temporary divergence is tolerated."
PARTS = ("Are connections encrypted?", "Does the canteen cook meatballs on Fridays?")


def ask(
    say: Say | Exception,
    text: str,
    *parts: str,
    mode: Mode = Mode.THINKING,
    failure: Exception | None = None,
    **desk: object,
) -> tuple[RAGResponse, Scripted, Plan]:
    writer, plan = Scripted(say), Plan(*parts, failure=failure)
    world = seated(writer, planner=plan, **desk)
    inquiry = world.begin(text)
    for each in inquiry.every:
        each.mode = mode
    return world.reply(inquiry), writer, plan


class TestAsOne:
    def test_what_the_parts_found_is_one_answer(self) -> None:
        """It is asked once, of all of it, and stands under no part's words."""
        reply, writer, _ = ask(writing((CIM, CIM), (TLS, TLS)), TWO)
        assert len(writer.asked) == 1
        question, told, *_ = writer.asked[0]
        assert question.count("?") == 2
        assert {each.identifiers[0] for each in told} >= {"ADR-0012", "ADR-0027"}
        assert f"{CIM} [source:1]" in reply.answer
        assert f"{TLS} [source:2]" in reply.answer
        assert "**" not in reply.answer
        assert reply.mode is Mode.THINKING
        assert reply.complete

    def test_a_part_that_is_refused_stands_beside_it(self) -> None:
        text = f"{TWO[:-1]} and who owns ADR-0099?"
        reply, writer, _ = ask(writing((CIM, CIM), (TLS, TLS)), text)
        assert len(writer.asked) == 1
        assert CIM in reply.answer
        assert TLS in reply.answer
        assert "ADR-0099 does not exist" in reply.answer
        assert not reply.complete
        assert not reply.refused

    def test_an_answer_to_one_part_alone_is_none_to_all(self) -> None:
        """Then each is written by itself, and what is not written is quoted."""
        reply, writer, plan = ask(writing((TLS, TLS)), TWO)
        assert len(writer.asked) > 1
        assert len(plan.asked) == 1
        assert reply.answer.count("**") >= 4
        assert TLS in reply.answer
        assert CIM in reply.answer

    def test_in_mode_auto_each_is_written_by_itself(self) -> None:
        _, writer, plan = ask(writing((CIM, CIM), (TLS, TLS)), TWO, mode=Mode.AUTO)
        assert len({question for question, *_ in writer.asked}) == 2
        assert not plan.asked

    @pytest.mark.parametrize(
        "say",
        [
            writing((MADE_UP, TLS)),
            says_no,
            SourceTimeoutError("late", source="llm"),
            SourceUnavailableError("down", source="llm"),
        ],
    )
    def test_a_model_of_no_use_leaves_the_quotes(self, say: Say | Exception) -> None:
        reply, *_ = ask(say, TWO)
        assert reply.mode is Mode.INSTANT
        assert CIM in reply.answer
        assert TLS in reply.answer
        assert "1842" not in str(reply.to_dict())


class TestInPart:
    def test_parts_answer_where_the_whole_is_refused(self) -> None:
        """What found something is asked, and no more; what is not answered is told."""
        reply, writer, _ = ask(writing((TLS, TLS), (REPLICAS, REPLICAS)), MIXED, *MIXED_PARTS)
        assert writer.asked[0][0] == " ".join(MIXED_PARTS[:2])
        assert TLS in reply.answer
        assert REPLICAS in reply.answer
        assert not reply.refused
        assert reply.refusal_reason is None
        assert reply.outcome is ReplyOutcome.HEDGED
        assert types(reply) == ["PARTLY_ANSWERED"]
        (warning,) = reply.warnings
        assert "canteen" in warning.message
        assert "cook" in warning.message
        assert "encrypted" not in warning.message
        assert not reply.complete

    def test_less_than_half_of_a_question_is_no_part_of_it_to_answer(self) -> None:
        """The rare words are what is asked; common ones are found anywhere."""
        reply, writer, plan = ask(writing((TLS, TLS)), REFUSED, *PARTS)
        assert plan.asked
        assert reply.refused
        assert not writer.asked

    @pytest.mark.parametrize(
        "parts",
        [
            (),
            ("connections encrypted",),
            ("connections encrypted", "canteen cooks meatballs"),
            ("connections encrypted with TLS", PARTS[1]),
            ("Are connections on Fridays?", "Is the canteen encrypted while it cooks meatballs?"),
        ],
    )
    def test_what_is_not_its_parts_answers_nothing(self, parts: tuple[str, ...]) -> None:
        """One alone, with words left out or put in, or none that finds anything."""
        reply, writer, _ = ask(writing((TLS, TLS)), REFUSED, *parts)
        assert reply.refused
        assert not writer.asked

    def test_in_mode_auto_it_is_refused(self) -> None:
        reply, writer, plan = ask(
            writing((TLS, TLS)),
            REFUSED,
            *PARTS,
            mode=Mode.AUTO,
        )
        assert reply.refused
        assert not writer.asked
        assert not plan.asked

    @pytest.mark.parametrize(
        "say",
        [
            writing((MADE_UP, TLS)),
            says_no,
            SourceTimeoutError("late", source="llm"),
            SourceUnavailableError("down", source="llm"),
        ],
    )
    def test_a_model_of_no_use_leaves_the_refusal(self, say: Say | Exception) -> None:
        reply, writer, _ = ask(say, MIXED, *MIXED_PARTS)
        assert writer.asked
        assert reply.refused
        assert reply.refusal_reason
        assert "1842" not in str(reply.to_dict())

    def test_a_planner_that_is_away_leaves_the_refusal(self) -> None:
        reply, writer, _ = ask(
            writing((TLS, TLS)), REFUSED, failure=SourceTimeoutError("late", source="llm")
        )
        assert reply.refused
        assert not writer.asked
        assert "writer_timeout" in reply.retrieval_quality.fallback_reasons

    def test_what_its_writer_does_not_stand_by_is_no_answer(self) -> None:
        say = writing((TLS, TLS), (REPLICAS, REPLICAS))
        reply, writer, _ = ask(say, MIXED, *MIXED_PARTS, critic=Opinion(0.1))
        assert writer.asked
        assert reply.refused


async def test_a_question_that_goes_away_ends_the_calls() -> None:
    """Nothing goes on writing for nobody."""
    ended: list[str] = []

    class Hanging:
        model_id = "hanging@write"

        async def __call__(
            self,
            question: str,
            told: Sequence[Told],
            /,
            *,
            lang: Lang,
            failed: Sequence[Proved] = (),
        ) -> Written:
            try:
                await asyncio.Event().wait()
            finally:
                ended.append(question)
            return Written(answers=False)

    world = World(thresholds=SURE)
    pipeline = replace(world.pipeline, desk=Desk(writer=Hanging()))
    inquiry = await pipeline.begin(TWO, request_id="req-1", route="direct")
    work = asyncio.create_task(pipeline.answer(inquiry))
    for _ in range(50):
        await asyncio.sleep(0)
    work.cancel()
    with pytest.raises(asyncio.CancelledError):
        await work
    assert len(ended) == 2
