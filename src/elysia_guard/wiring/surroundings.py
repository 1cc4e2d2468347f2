"""What every part is made with: who is told, which clock, what to close at the end."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass

from elysia_guard.config import BreakerSection
from elysia_guard.domain.events import BreakerChanged
from elysia_guard.ports import Clock, Observer
from elysia_guard.resilience.breaker import Breaker, BreakerState


@dataclass(frozen=True, kw_only=True)
class Surroundings:
    """Shared by all parts of one configuration; what they open is closed with ``opened``."""

    observe: Observer
    clock: Clock
    opened: ExitStack

    def breaker(
        self,
        service: str,
        section: BreakerSection,
        *,
        on_change: Callable[[BreakerState], None] | None = None,
    ) -> Breaker:
        """Make the circuit breaker of a service; its states are told to the observers.

        With ``on_change`` they are told to that instead.
        """

        def observe(state: BreakerState) -> None:
            self.observe(BreakerChanged(service=service, state=state))

        return Breaker(
            service,
            failure_threshold=section.failure_threshold,
            success_threshold=section.success_threshold,
            rest_s=section.timeout_seconds,
            clock=self.clock,
            on_change=on_change or observe,
        )
