"""Requests that nobody waits for: each has a deadline of its own, and some further tries."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping

from elysia_guard.adapters.skosmos.errors import SKOSMOSTimeout
from elysia_guard.adapters.skosmos.wire import Answer, Wire
from elysia_guard.domain.errors import SourceUnavailableError
from elysia_guard.ports import Clock
from elysia_guard.resilience.deadline import Deadline

PAUSES_S = (0.5, 2.0)
"""Before each further try of a request that failed."""
SERVER_ERROR = 500

Sleep = Callable[[float], Awaitable[None]]


class PatientWire(Wire):
    """A wire with a deadline for each request, and further tries of those that fail."""

    def __init__(  # noqa: PLR0913 - those of a wire, and its patience
        self,
        base_url: str,
        *,
        name: str,
        max_concurrency: int,
        max_body_bytes: int,
        timeout_s: float,
        sleep: Sleep,
        clock: Clock,
    ) -> None:
        super().__init__(
            base_url,
            name=name,
            max_concurrency=max_concurrency,
            max_body_bytes=max_body_bytes,
        )
        self._timeout_s = timeout_s
        self._sleep = sleep
        self._clock = clock

    async def get(self, path: str, params: Mapping[str, str]) -> Answer:
        for pause_s in PAUSES_S:
            try:
                answer = await self._in_time(path, params)
            except SourceUnavailableError:
                answer = None
            if answer and answer.status < SERVER_ERROR:
                return answer
            await self._sleep(pause_s)
        return await self._in_time(path, params)

    async def _in_time(self, path: str, params: Mapping[str, str]) -> Answer:
        def late() -> SKOSMOSTimeout:
            return SKOSMOSTimeout(f"{self._name} did not answer in {self._timeout_s:g} s")

        deadline = Deadline(self._timeout_s, late=late, clock=self._clock)
        return await deadline.bound(super().get(path, params))
