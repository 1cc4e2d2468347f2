"""Work on one thing is done once at a time; whoever wants it meanwhile gets what comes of it."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine, Hashable
from contextlib import suppress
from dataclasses import dataclass, field
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


@dataclass(eq=False, slots=True)
class _Waiter(Generic[Result]):
    loop: asyncio.AbstractEventLoop
    told: asyncio.Future[Result | None]

    def tell(self, result: Result | None) -> None:
        # Nobody waits in a loop that has ended.
        with suppress(RuntimeError):
            self.loop.call_soon_threadsafe(self._set, result)

    def _set(self, result: Result | None) -> None:
        if not self.told.done():
            self.told.set_result(result)


@dataclass(eq=False, slots=True)
class _Work(Generic[Result]):
    waiting: list[_Waiter[Result]] = field(default_factory=list)
    ended: bool = False


@dataclass(frozen=True, slots=True)
class WorkTurn(Generic[Result]):
    """A turn at some work: one's own, or that of whoever is at it.

    ``done`` ends work of one's own, and tells those who wait what came of it; None is nothing.
    """

    done: Callable[[Result | None], None]
    told: asyncio.Future[Result | None] | None = None

    @property
    def is_own(self) -> bool:
        """Whether the work is to be done here; else somebody is at it, whom ``told`` waits for."""
        return self.told is None


class Turns(Generic[Key, Result]):
    """Gives the first who wants a thing a turn of their own, and the others what comes of it.

    Unlike ``SingleFlight`` it serves callers in any event loop and thread, and the work need not be
    one call: it ends when whoever does it says so.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._works: dict[Key, _Work[Result]] = {}

    def __len__(self) -> int:
        """How many works are under way."""
        return len(self._works)

    def take(self, key: Key) -> WorkTurn[Result]:
        """Take a turn at the work of a key; to be called in a running loop."""
        loop = asyncio.get_running_loop()
        with self._lock:
            under_way = self._works.get(key)
            if under_way is None:
                work = self._works[key] = _Work()
                return WorkTurn(done=lambda result: self._end(key, work, result))
            waiter = _Waiter(loop=loop, told=loop.create_future())
            under_way.waiting.append(waiter)
            return WorkTurn(done=lambda _: None, told=waiter.told)

    def give_up(self, key: Key, turn: WorkTurn[Result]) -> None:
        """Wait no longer for the work that a turn waits for: whoever comes next works anew.

        Work that was begun after that goes on: one after another may give up the same.
        """
        with self._lock:
            work = self._works.get(key)
            if work and any(waiter.told is turn.told for waiter in work.waiting):
                del self._works[key]

    def _end(self, key: Key, work: _Work[Result], result: Result | None) -> None:
        with self._lock:
            if work.ended:
                return
            work.ended = True
            if self._works.get(key) is work:
                del self._works[key]
        for waiter in work.waiting:
            waiter.tell(result)
