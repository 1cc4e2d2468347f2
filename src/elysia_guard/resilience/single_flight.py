"""Concurrent calls for one thing share one call."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Hashable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Result = TypeVar("Result")


@dataclass(slots=True)
class _Flight(Generic[Result]):
    task: asyncio.Task[Result]
    waiters: int = 0


class SingleFlight(Generic[Key, Result]):
    """Runs one call per key at a time; whoever asks meanwhile waits for the same result.

    A waiter that is cancelled leaves the others waiting; when the last one is gone, so is the
    call. Belongs to one event loop.
    """

    def __init__(self) -> None:
        self._flights: dict[Key, _Flight[Result]] = {}

    def __len__(self) -> int:
        """How many calls are under way."""
        return len(self._flights)

    def __contains__(self, key: Key) -> bool:
        """Whether a call for a key is under way."""
        return key in self._flights

    async def run(self, key: Key, call: Callable[[], Coroutine[Any, Any, Result]]) -> Result:
        """Return the result of the call under way for a key, begun if there is none.

        An error of the call reaches every waiter.
        """
        flight = self._flights.get(key)
        if flight is None:
            flight = self._flights[key] = _Flight(asyncio.create_task(call()))
            flight.task.add_done_callback(lambda _: self._forget(key, flight))
        flight.waiters += 1
        try:
            return await asyncio.shield(flight.task)
        finally:
            flight.waiters -= 1
            if not flight.waiters and not flight.task.done():
                # Whoever asks from here on must not join a call that is being cancelled.
                self._forget(key, flight)
                flight.task.cancel()
                await asyncio.wait([flight.task])

    def _forget(self, key: Key, flight: _Flight[Result]) -> None:
        if self._flights.get(key) is flight:
            del self._flights[key]
