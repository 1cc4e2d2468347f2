"""The parts of a question are asked of a model in their order, and have one deadline."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest
from tests.unit.made_guides import CIM, FALLBACK, TLS, Scripted, guided, pointing

from elysia_guard.domain.mode import Mode
from elysia_guard.domain.pointing import Pointing, UnitOfSource

CIM_PART, TLS_PART = (
    "What does ADR-0012 say about CIM?",
    "what does ADR-0027 say about connections?",
)
TWO = "What does ADR-0012 say about CIM and what does ADR-0027 say about connections?"


def test_each_part_is_pointed_at_and_told_in_its_order() -> None:
    """Of one part the model is told nothing that another asks."""
    guide = Scripted(point=pointing(CIM, TLS))
    reply = guided(guide).ask(TWO)
    assert [each.question for each in guide.pointed] == [CIM_PART, TLS_PART]
    first, second = reply.answer.split(f"**{TLS_PART}**")
    assert f"> {CIM} [source:1]" in first
    assert f"> {TLS} [source:2]" in second
    assert [source.n for source in reply.sources] == [1, 2]
    assert reply.mode is Mode.AUTO
    assert len([step for step in reply.trace if step.stage == "pointing"]) == 2


def test_what_is_planned_for_is_the_part_alone() -> None:
    """The other is a term, of which no model is asked."""
    guide = Scripted(point=pointing(TLS))
    reply = guided(guide).ask("What is CIM and how are connections encrypted?")
    (planned,), (pointed,) = guide.planned, guide.pointed
    assert planned.question == pointed.question == "how are connections encrypted?"
    assert f"> {TLS}" in reply.answer


def test_all_parts_have_one_deadline() -> None:
    """One that is late leaves the parts before it as they are, and the rest to the rules."""

    class Slow(Scripted):
        async def point(
            self, question: str, units: Sequence[UnitOfSource], /, **told: Any
        ) -> Pointing:
            said = await super().point(question, units, **told)
            if len(self.pointed) == 2:
                world.clock.advance(8.0)
                await asyncio.Event().wait()
            return said

    guide = Slow(point=pointing(CIM, FALLBACK))
    world = guided(guide, deadline_s=8.0)
    reply = world.ask(TWO)
    first, second = reply.answer.split(f"**{TLS_PART}**")
    assert f"> {CIM}" in first
    assert f"> {TLS}" in second
    assert reply.retrieval_quality.fallback_reasons == ("llm_timeout",)
    assert world.clock() == pytest.approx(8.0)


def test_a_part_that_breaks_is_nobodys_answer() -> None:
    """What is no failure of a source is told to whoever asks."""
    with pytest.raises(LookupError):
        guided(Scripted(point=LookupError(FALLBACK))).ask(TWO)
