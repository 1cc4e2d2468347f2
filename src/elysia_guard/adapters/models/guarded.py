"""Calls of a language model, each within a deadline, behind its breaker, a few at a time."""

from __future__ import annotations

import asyncio
import time
import weakref
from collections.abc import Callable, Coroutine, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar

from elysia_guard.adapters.models.errors import NothingUsableError, late, outcome_of
from elysia_guard.adapters.models.written import Written
from elysia_guard.domain.errors import SourceUnavailableError
from elysia_guard.domain.events import CallOutcome, CallPurpose, ModelCallEnded
from elysia_guard.ports import Clock, Observer
from elysia_guard.resilience.breaker import Breaker
from elysia_guard.resilience.deadline import Deadline

Result = TypeVar("Result")

_asking: ContextVar[bool] = ContextVar("elysia_guard_asking_a_model", default=False)


class ModelCaller:
    """Lets work that asks a language model run, and ends it when its time is up.

    What the work does to ask (several requests, a second try in another form) is one call: it has
    one deadline, counts once, and is one success or failure for the breaker. A call that is
    cancelled tells nothing and says nothing about the model.

    Args:
        breaker: leaves the model alone while it fails.
        observe: is told one ``ModelCallEnded`` a call.
        deadlines_s: how long a call for each purpose may take.
        at_once: how many calls an event loop may have under way; others wait, within their time.
        clock: tells the time.
    """

    def __init__(
        self,
        breaker: Breaker,
        observe: Observer,
        *,
        deadlines_s: Mapping[CallPurpose, float],
        at_once: int,
        clock: Clock = time.monotonic,
    ) -> None:
        self._breaker = breaker
        self._observe = observe
        self._deadlines_s = deadlines_s
        self._at_once = at_once
        self._clock = clock
        self._written = Written()
        # Elysia opens a loop for a question, and a semaphore belongs to the loop it waits in.
        self._slots: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Semaphore] = (
            weakref.WeakKeyDictionary()
        )

    async def call(
        self,
        work: Callable[[], Coroutine[Any, Any, Result]],
        *,
        purpose: CallPurpose,
    ) -> Result:
        """Do the work, and return what it returns. Within a call, another one is part of it.

        Raises:
            NothingUsableError, ModelFailedError: the model answered, but with nothing of use.
            SourceTimeoutError: the time was up; the work has been cancelled.
            CircuitOpenError: the model is left alone; the work was not begun.
            SourceUnavailableError: the model could not be reached.
        """
        if _asking.get():
            return await work()
        with self._told(purpose):
            return await self._in_time(work, self._deadlines_s[purpose])

    async def once(
        self,
        prompt: str,
        work: Callable[[], Coroutine[Any, Any, str]],
        *,
        purpose: CallPurpose,
    ) -> str:
        """Return what the model wrote to a prompt before, or else what the work returns now.

        Raises:
            SourceUnavailableError: as for ``call``; nothing is remembered then.
        """
        known = self._written.to(prompt)
        return (
            known
            if known is not None
            else self._written.keep(prompt, await self.call(work, purpose=purpose))
        )

    @contextmanager
    def call_now(self, *, purpose: CallPurpose) -> Iterator[None]:
        """Guard a call that blocks its thread; whoever makes it sees to its deadline.

        Raises:
            CircuitOpenError: the model is left alone.
        """
        if _asking.get():
            yield
            return
        with self._told(purpose), self._attempt():
            yield

    async def _in_time(
        self, work: Callable[[], Coroutine[Any, Any, Result]], seconds: float
    ) -> Result:
        deadline = Deadline(seconds, late=late, clock=self._clock)
        slot = self._slots.setdefault(asyncio.get_running_loop(), asyncio.Semaphore(self._at_once))
        await deadline.bound(_acquired(slot))
        try:
            with self._attempt():
                return await deadline.bound(work())
        finally:
            slot.release()

    @contextmanager
    def _attempt(self) -> Iterator[None]:
        """Pass the breaker; a server that is well stays so, whatever came of the call."""
        nothing = None
        asking = _asking.set(True)
        try:
            with self._breaker.attempt():
                try:
                    yield
                except NothingUsableError as err:
                    nothing = err
        finally:
            _asking.reset(asking)
        if nothing:
            raise nothing

    @contextmanager
    def _told(self, purpose: CallPurpose) -> Iterator[None]:
        started = self._clock()
        try:
            yield
        except SourceUnavailableError as err:
            self._tell(purpose, outcome_of(err), started)
            raise
        self._tell(purpose, "done", started)

    def _tell(self, purpose: CallPurpose, outcome: CallOutcome, started: float) -> None:
        elapsed_ms = (self._clock() - started) * 1000
        self._observe(ModelCallEnded(purpose=purpose, outcome=outcome, elapsed_ms=elapsed_ms))


async def _acquired(slot: asyncio.Semaphore) -> None:
    await slot.acquire()
