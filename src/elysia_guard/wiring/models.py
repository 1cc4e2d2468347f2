"""The language models that Elysia's settings name, as all conversations of a process ask them."""

from __future__ import annotations

from collections.abc import Callable

from elysia_guard.adapters.models import ModelCaller, ModelCallers
from elysia_guard.config import Config
from elysia_guard.domain.events import BreakerChanged
from elysia_guard.resilience.breaker import Breaker, BreakerState
from elysia_guard.wiring.surroundings import Surroundings

SERVICE = "llm"
ONE_CALL = 0.95
"""The share of the time for an answer that one call of its writer may take."""


def callers_of(config: Config, around: Surroundings) -> ModelCallers:
    """Make the callers, which put a breaker before each model."""

    def breaker(on_change: Callable[[BreakerState], None]) -> Breaker:
        return around.breaker(SERVICE, config.circuit_breaker.llm, on_change=on_change)

    def caller(breaker: Breaker) -> ModelCaller:
        return ModelCaller(
            breaker,
            around.observe,
            deadlines_s={
                "reading": config.llm.choice_deadline_seconds,
                "choice": config.llm.choice_deadline_seconds,
                "tool": config.llm.deadline_seconds,
                "judge": config.judge.deadline_seconds,
                # A little less than the whole answer may take, so that the breaker hears of it.
                "write": ONE_CALL * config.writer.deadline_seconds,
                "verify": config.verifier.deadline_seconds,
            },
            at_once=config.llm.max_concurrency,
            clock=around.clock,
        )

    return ModelCallers(
        breaker,
        caller,
        on_change=lambda state: around.observe(BreakerChanged(service=SERVICE, state=state)),
    )
