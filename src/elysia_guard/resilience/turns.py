"""Work on one thing is done once at a time, and whoever wants it meanwhile gets what comes of it.

Unlike ``SingleFlight`` it serves callers in any event loop and thread, and the work need not be one
call: it ends when whoever does it says so.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Hashable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Result = TypeVar("Result")


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
class Turn(Generic[Result]):
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
    """Gives the first who wants a thing a turn of their own, and the others what comes of it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._works: dict[Key, _Work[Result]] = {}

    def __len__(self) -> int:
        """How many works are under way."""
        return len(self._works)

    def take(self, key: Key) -> Turn[Result]:
        """Take a turn at the work of a key; to be called in a running loop."""
        loop = asyncio.get_running_loop()
        with self._lock:
            under_way = self._works.get(key)
            if under_way is None:
                work = self._works[key] = _Work()
                return Turn(done=lambda result: self._end(key, work, result))
            waiter = _Waiter(loop=loop, told=loop.create_future())
            under_way.waiting.append(waiter)
            return Turn(done=lambda _: None, told=waiter.told)

    def give_up(self, key: Key, turn: Turn[Result]) -> None:
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
