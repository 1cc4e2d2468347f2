"""Calls of a language model: a deadline, a breaker, a few at once, and nothing left behind."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from elysia_guard.adapters.models import MOST_MODELS as AT_MOST
from elysia_guard.adapters.models import MOST_PROMPTS as REMEMBERED
from elysia_guard.adapters.models import (
    ModelCaller,
    ModelCallers,
    ModelFailedError,
    NothingUsableError,
    unreachable,
)
from elysia_guard.domain.errors import (
    CircuitOpenError,
    SourceTimeoutError,
    SourceUnavailableError,
)
from elysia_guard.domain.events import Event, ModelCallEnded
from elysia_guard.resilience.breaker import Breaker, BreakerState
from elysia_guard.testing.clock import FakeClock

LONG_S = 60.0
SHORT_S = 0.01
"""A deadline for what never ends; nothing that ends is held to it."""


class World:
    """A caller, its breaker, its clock and what it told."""

    def __init__(self, *, seconds: float = LONG_S, at_once: int = 8) -> None:
        self.clock = FakeClock()
        self.events: list[Event] = []
        self.breaker = Breaker("llm", failure_threshold=2, clock=self.clock)
        self.caller = ModelCaller(
            self.breaker,
            self.events.append,
            deadlines_s={"plan": seconds, "tool": LONG_S},
            at_once=at_once,
            clock=self.clock,
        )

    async def ask(self, work: Callable[[], Any]) -> Any:
        return await self.caller.call(work, purpose="plan")

    @property
    def told(self) -> list[str]:
        assert all(isinstance(event, ModelCallEnded) for event in self.events)
        return [event.outcome for event in self.events]  # type: ignore[attr-defined]


async def answer() -> str:
    return "an answer"


def failing(err: Exception) -> Callable[[], Any]:
    async def work() -> None:
        raise err

    return work


FAILURES: dict[str, tuple[Exception, str]] = {
    "late": (SourceTimeoutError("late", source="llm"), "timeout"),
    "not there": (unreachable(), "unavailable"),
    "broken": (ModelFailedError("500"), "error"),
}


@pytest.mark.parametrize("name", FAILURES)
async def test_c4_failures_in_a_row_open_the_breaker(name: str) -> None:
    """A model that keeps failing is left alone, tried again after a rest, and taken back."""
    err, outcome = FAILURES[name]
    world = World()
    for _ in range(2):
        with pytest.raises(SourceUnavailableError):
            await world.ask(failing(err))
    begun: list[int] = []

    async def work() -> None:
        begun.append(1)

    with pytest.raises(CircuitOpenError):
        await world.ask(work)
    assert not begun
    assert world.told == [outcome, outcome, "circuit_open"]
    world.clock.advance(30)
    for _ in range(2):
        await world.ask(work)
    assert world.breaker.state is BreakerState.CLOSED


async def test_c4_nonsense_is_no_outage() -> None:
    """A model that is asked for nonsense by one person is not taken from all others."""
    world = World()
    for _ in range(10):
        with pytest.raises(NothingUsableError):
            await world.ask(failing(NothingUsableError("no form")))
    assert world.told == ["error"] * 10
    assert world.breaker.state is BreakerState.CLOSED


async def test_c4_one_call_however_often_it_asks() -> None:
    """Second tries within a call share its deadline, and are no failures of their own."""
    world = World()

    async def twice() -> None:
        for _ in range(2):
            with pytest.raises(SourceUnavailableError):
                await world.caller.call(failing(unreachable()), purpose="tool")
            with (
                pytest.raises(SourceUnavailableError),
                world.caller.call_now(purpose="tool"),
            ):
                raise unreachable()
        raise unreachable()

    with pytest.raises(SourceUnavailableError):
        await world.ask(twice)
    assert world.told == ["unavailable"]
    assert world.breaker.state is BreakerState.CLOSED
    assert await world.ask(answer) == "an answer"
    assert world.told == ["unavailable", "done"]


async def test_c4_waiting_for_a_turn_is_no_failure_of_the_model() -> None:
    """Who finds no turn in time goes on without the model; the breaker has learnt nothing."""
    world = World(seconds=SHORT_S, at_once=1)
    leave = asyncio.Event()
    holding = asyncio.create_task(world.caller.call(leave.wait, purpose="tool"))
    await asyncio.sleep(0)
    for _ in range(5):
        asked = asyncio.create_task(world.ask(answer))
        await asyncio.sleep(0)
        world.clock.advance(SHORT_S)
        with pytest.raises(SourceTimeoutError):
            await asked
    assert world.breaker.state is BreakerState.CLOSED
    leave.set()
    await holding
    assert world.told == ["timeout"] * 5 + ["done"]


# Many models


class Many:
    """The callers of several models, and what is shown of them together."""

    def __init__(self) -> None:
        self.clock = FakeClock()
        self.shown: list[str] = []
        self.all = ModelCallers(
            lambda on_change: Breaker(
                "llm", failure_threshold=1, clock=self.clock, on_change=on_change
            ),
            lambda breaker: ModelCaller(
                breaker,
                lambda _: None,
                deadlines_s={"plan": LONG_S, "tool": LONG_S},
                at_once=8,
                clock=self.clock,
            ),
            on_change=lambda state: self.shown.append(str(state)),
        )

    async def fail(self, endpoint: str) -> None:
        with pytest.raises(SourceUnavailableError):
            await self.all.of(endpoint).call(failing(unreachable()), purpose="plan")

    async def succeed(self, endpoint: str) -> None:
        await self.all.of(endpoint).call(answer, purpose="plan")


async def test_c4_a_wrong_model_hurts_nobody_else() -> None:
    """What one person has set up wrongly is left alone; the models of others are asked."""
    many = Many()
    await many.fail("mine")
    with pytest.raises(CircuitOpenError):
        await many.succeed("mine")
    await many.succeed("yours")
    assert many.all.of("mine") is many.all.of("mine")


async def test_c4_no_end_of_models_is_remembered() -> None:
    """Models that were named once and no more are forgotten, and no longer shown as open."""
    many = Many()
    await many.fail("first")
    for position in range(AT_MOST):
        await many.succeed(f"model {position}")
    assert many.shown == ["open", "closed"]
    await many.succeed("first")


# What is asked once


async def test_c4_the_same_prompt_is_asked_once() -> None:
    """What a model wrote stands, also if it would write otherwise now; each prompt by itself."""
    world = World()

    async def ask(prompt: str, said: str) -> str:
        async def work() -> str:
            return said

        return await world.caller.once(prompt, work, purpose="plan")

    assert [await ask("a", "1"), await ask("b", "2"), await ask("a", "3")] == ["1", "2", "1"]
    assert world.told == ["done", "done"]


async def test_c4_a_failure_is_not_remembered() -> None:
    """The next question asks again; and what is known is said while the model is away."""
    world = World()
    with pytest.raises(NothingUsableError):
        await world.caller.once("a", failing(NothingUsableError("none")), purpose="plan")
    assert await world.caller.once("a", answer, purpose="plan") == "an answer"
    away = failing(unreachable())
    for _ in range(3):
        with pytest.raises(SourceUnavailableError):
            await world.caller.once("b", away, purpose="plan")
    assert world.breaker.state is BreakerState.OPEN
    assert await world.caller.once("a", away, purpose="plan") == "an answer"


async def test_c4_only_the_last_prompts_are_remembered() -> None:
    """However many questions there are, memory is bounded, and what is asked often stays."""
    world = World()
    asked: list[str] = []

    async def ask(prompt: str) -> None:
        async def work() -> str:
            asked.append(prompt)
            return prompt

        await world.caller.once(prompt, work, purpose="plan")

    for number in range(2 * REMEMBERED):
        await ask("often")
        await ask(str(number))
    assert asked.count("often") == 1
    await ask("0")
    assert asked.count("0") == 2


def test_c4_a_call_that_blocks_passes_the_breaker_too() -> None:
    """Code without a loop is told as any other, and turned away while the breaker is open."""
    world = World()
    for _ in range(2):
        with pytest.raises(SourceUnavailableError), world.caller.call_now(purpose="tool"):
            raise unreachable()
    with pytest.raises(CircuitOpenError), world.caller.call_now(purpose="tool"):
        raise AssertionError("begun")
    assert world.told == ["unavailable", "unavailable", "circuit_open"]
