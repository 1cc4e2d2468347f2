"""Calls of one source: within a deadline, behind its breaker, a few at a time."""

from __future__ import annotations

import asyncio
import time
import weakref
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from typing import Any, TypeVar, cast

from elysia_guard.domain.errors import SourceTimeoutError
from elysia_guard.ports import Clock, timeout_at
from elysia_guard.resilience.breaker import Breaker

Result = TypeVar("Result")


class Deadline:
    """A moment by which all steps of a call must have ended.

    HTTP libraries time each phase by itself (connect, read, write), so a server that sends a byte
    now and then outlives them; this bounds the whole.

    >>> deadline = Deadline(0.3, late=lambda: SourceTimeoutError("too late", source="skosmos"))
    >>> await deadline.bound(client.lookup("CIM", lang="en"))  # doctest: +SKIP
    """

    def __init__(
        self,
        seconds: float,
        *,
        late: Callable[[], SourceTimeoutError],
        clock: Clock = time.monotonic,
    ) -> None:
        """Start the time; ``late`` makes the error for what does not end by then."""
        self._late = late
        self._clock = clock
        self._ends = clock() + seconds

    @property
    def left_s(self) -> float:
        """The seconds that are left, never below zero."""
        return max(0.0, self._ends - self._clock())

    async def bound(self, work: Coroutine[Any, Any, Result]) -> Result:
        """Await a coroutine, and cancel it when the time is up.

        Raises:
            SourceTimeoutError: it did not end in time, or there was no time left to begin.
        """
        if not self.left_s:
            work.close()
            raise self._late()
        timer = timeout_at(self._clock, self._ends)
        try:
            async with timer:
                return await work
        except TimeoutError:
            # A TimeoutError of the work itself (ETIMEDOUT of a socket) is not ours to rename.
            if not timer.expired():
                raise
        raise self._late()


Asked = TypeVar("Asked")
Work = Callable[[], Coroutine[Any, Any, Result]]


def _late(seconds: float) -> SourceTimeoutError:
    return SourceTimeoutError(f"no answer within {seconds:g} s", source="")


class Guarded:
    """Ends a call when its time is up, and leaves a source alone that keeps failing.

    What a call does (several requests, a second try in another form) has one deadline, and is one
    success or failure for the breaker. A call that is cancelled says nothing of the source.

    Args:
        breaker: leaves the source alone while it fails; None asks it always.
        late: makes the error for a call that takes longer than so many seconds.
        at_once: how many calls with a deadline an event loop may have under way; others wait,
            within their time. None is any number.
        clock: tells the time.
    """

    def __init__(
        self,
        breaker: Breaker | None = None,
        *,
        late: Callable[[float], SourceTimeoutError] = _late,
        at_once: int | None = None,
        clock: Clock = time.monotonic,
    ) -> None:
        self._breaker = breaker
        self._late = late
        self._at_once = at_once
        self._clock = clock
        # Elysia opens a loop for a question, and a semaphore belongs to the loop it waits in.
        self._slots: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Semaphore] = (
            weakref.WeakKeyDictionary()
        )

    async def call(self, work: Work[Result], *, seconds: float | None = None) -> Result:
        """Do the work, and return what it returns; begun only once it is its turn.

        Raises:
            SourceTimeoutError: the time was up; the work has been cancelled.
            CircuitOpenError: the source is left alone; the work was not begun.
        """
        if seconds is None:
            with self.attempt():
                return await work()
        deadline = Deadline(seconds, late=lambda: self._late(seconds), clock=self._clock)
        async with self._slot(deadline):
            with self.attempt():
                return await deadline.bound(work())

    @contextmanager
    def attempt(self) -> Iterator[None]:
        """Pass the breaker alone, such as with a call that blocks its thread."""
        if self._breaker is None:
            yield
        else:
            with self._breaker.attempt():
                yield

    @asynccontextmanager
    async def _slot(self, deadline: Deadline) -> AsyncIterator[None]:
        if self._at_once is None:
            yield
            return
        slot = self._slots.setdefault(asyncio.get_running_loop(), asyncio.Semaphore(self._at_once))
        await deadline.bound(_acquired(slot))
        try:
            yield
        finally:
            slot.release()


async def _acquired(slot: asyncio.Semaphore) -> None:
    await slot.acquire()


class _Through:
    """Stands for a source, some of whose methods are called by somebody else."""

    def __init__(
        self, asked: Any, call: Callable[[Work[Any]], Awaitable[Any]], names: tuple[str, ...]
    ) -> None:
        self._asked, self._call, self._names = asked, call, names

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._asked, name)
        if name not in self._names:
            return found

        async def called(*args: Any, **kwargs: Any) -> Any:
            return await self._call(lambda: found(*args, **kwargs))

        return called

    async def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return await self._call(lambda: self._asked(*args, **kwargs))


class _Instead:
    """Stands for a source, some of whose methods somebody else does."""

    def __init__(self, source: Any, methods: Mapping[str, Callable[..., Any]]) -> None:
        self._source = source
        vars(self).update(methods)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._source, name)


def instead(source: Asked, **methods: Callable[..., Any]) -> Asked:
    """Return what stands for a source: the methods given are called in the place of its own."""
    return cast("Asked", _Instead(source, methods))


def through(asked: Asked, call: Callable[[Work[Any]], Awaitable[Any]], *names: str) -> Asked:
    """Return what asks the same source, its calls made by ``call``, such as ``Guarded.call``.

    Args:
        asked: a source of any kind: an embedder, a vocabulary, a judge, a chat.
        call: is given each call as work to begin, and returns what that returns.
        names: the methods that are called so; a call of the source itself always is.
    """
    return cast("Asked", _Through(asked, call, names))
