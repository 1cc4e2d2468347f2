"""What every part is made with: who is told, which clock, what to close at the end."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass

from elysia_guard.config import BreakerSection
from elysia_guard.domain.events import BreakerChanged
from elysia_guard.ports import Clock, Observer
from elysia_guard.resilience.breaker import Breaker


@dataclass(frozen=True, kw_only=True)
class Surroundings:
    """Shared by all parts of one configuration; what they open is closed with ``opened``."""

    observe: Observer
    clock: Clock
    opened: ExitStack

    def breaker(self, service: str, section: BreakerSection) -> Breaker:
        """Make the circuit breaker of a service; its states are told to the observers."""
        return Breaker(
            service,
            failure_threshold=section.failure_threshold,
            success_threshold=section.success_threshold,
            rest_s=section.timeout_seconds,
            clock=self.clock,
            on_change=lambda state: self.observe(BreakerChanged(service=service, state=state)),
        )
