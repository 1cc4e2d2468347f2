"""The parts of a question are written at once, and told in their order."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace

import pytest
from tests.unit.made_writers import CIM, FALLBACK, SURE, TLS, Scripted, Together, seated, writing
from tests.unit.small_world import World

from elysia_guard.adapters.models import ModelCaller
from elysia_guard.domain.document import Passage
from elysia_guard.domain.manuscript import Written
from elysia_guard.domain.mode import Mode
from elysia_guard.domain.question import Lang
from elysia_guard.domain.response import RAGResponse
from elysia_guard.ports import unobserved
from elysia_guard.resilience.breaker import Breaker
from elysia_guard.stages.writing import AnswerGenerator

CIM_PART, TLS_PART = (
    "What does ADR-0012 say about CIM?",
    "what does ADR-0027 say about connections?",
)
TWO = "What does ADR-0012 say about CIM and what does ADR-0027 say about connections?"


def asked(writer: object, text: str = TWO, **desk: object) -> tuple[RAGResponse, World]:
    world = seated(writer, **desk)
    return world.reply(world.begin(text)), world


def test_parts_are_written_at_once_and_told_in_their_order() -> None:
    """Whoever is asked last answers first; a writer that is asked in turn would never answer."""
    writer = Together(2)
    reply, _ = asked(writer)
    assert writer.asked == list(reversed(writer.done))
    first, second = reply.answer.split(f"**{TLS_PART}**")
    assert f"{CIM} [source:1]" in first
    assert f"{TLS} [source:2]" in second
    assert [source.n for source in reply.sources] == [1, 2]
    assert reply.mode is Mode.AUTO


def test_the_trace_stands_in_the_order_of_the_parts() -> None:
    """Whatever the order that they were written in."""
    at_once, _ = asked(Together(2))
    in_turn, _ = asked(Scripted(writing((CIM, CIM))))
    stages = [step.stage for step in at_once.trace]
    assert stages == [step.stage for step in in_turn.trace]
    notes = [step.note for step in at_once.trace if step.stage == "writing"]
    assert len(notes) == 2


def test_all_parts_have_one_deadline() -> None:
    """Parts begin together, and one that is late leaves the others their words."""
    world = World(thresholds=SURE)
    written = asyncio.Event()

    class Slow(Scripted):
        async def __call__(
            self, question: str, told: Sequence[Passage], /, *, lang: Lang
        ) -> Written:
            if "CIM" in question:
                await written.wait()
                world.clock.advance(8.0)
                await asyncio.Event().wait()
            written.set()
            return await super().__call__(question, told, lang=lang)

    desk = AnswerGenerator(writer=Slow(writing((TLS, TLS))), clock=world.clock, deadline_s=8.0)
    world.pipeline = replace(world.pipeline, generator=desk)
    reply = world.reply(world.begin(TWO))
    first, second = reply.answer.split(f"**{TLS_PART}**")
    assert f"> {CIM}" in first
    assert f"> {TLS}" in second
    assert [item.type for item in reply.warnings] == ["PIPELINE_ERROR"]
    assert reply.retrieval_quality.fallback_reasons == ("writer_timeout",)
    assert not reply.complete
    assert world.clock() == pytest.approx(8.0)


def test_a_part_that_breaks_ends_the_others() -> None:
    """What is no failure of a source is nobody's answer."""

    def breaking(_told: Sequence[Passage]) -> Written:
        raise LookupError(FALLBACK)

    with pytest.raises(LookupError):
        asked(Scripted(breaking))


@pytest.mark.parametrize("most", [1, 2])
def test_no_more_calls_go_at_a_time_than_may(most: int) -> None:
    """The cap is the caller's: parts wait for each other where it is one."""
    breaker = Breaker("llm", failure_threshold=2)
    caller = ModelCaller(breaker, unobserved, deadlines_s={"write": 5.0}, at_once=most)
    under_way: list[str] = []
    seen: list[int] = []

    class Counting(Scripted):
        async def __call__(
            self, question: str, told: Sequence[Passage], /, *, lang: Lang
        ) -> Written:
            async def work() -> Written:
                under_way.append(question)
                for _ in range(5):
                    await asyncio.sleep(0)
                seen.append(len(under_way))
                under_way.remove(question)
                return await Scripted.__call__(self, question, told, lang=lang)

            return await caller.call(work, purpose="write")

    reply, _ = asked(Counting(writing((CIM, CIM))))
    assert max(seen) == most
    assert CIM in reply.answer
