"""A judge within a deadline, behind its breaker, a few calls at a time."""

from __future__ import annotations

import asyncio
import time
import weakref
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from elysia_guard.adapters.judges.errors import NoJudgementError, late
from elysia_guard.adapters.models.errors import outcome_of
from elysia_guard.domain.document import Passage
from elysia_guard.domain.errors import SourceUnavailableError
from elysia_guard.domain.events import CallOutcome, ModelCallEnded
from elysia_guard.domain.judgement import Judgement
from elysia_guard.domain.question import Lang
from elysia_guard.ports import Clock, Judge, Observer
from elysia_guard.resilience.breaker import Breaker
from elysia_guard.resilience.deadline import Deadline

Judgements = Sequence[Judgement]
_Asking = Callable[[], Coroutine[Any, Any, Judgements]]


class GuardedJudge:
    """Ends a call when its time is up, and leaves a judge alone that keeps failing.

    Several requests, or a second try in another form, are one call: it has one deadline, and is one
    success or failure for the breaker. A judge that is well but wrote nonsense fails the call, and
    leaves the breaker as it is. A call that is cancelled tells nothing.

    Args:
        judge: is asked.
        breaker: leaves it alone while it fails.
        observe: is told one ``ModelCallEnded`` a call.
        deadline_s: how long a call may take, waiting for others included.
        at_once: how many calls an event loop may have under way.
        clock: tells the time.
    """

    def __init__(
        self,
        judge: Judge,
        breaker: Breaker,
        observe: Observer,
        *,
        deadline_s: float,
        at_once: int = 4,
        clock: Clock = time.monotonic,
    ) -> None:
        self._judge = judge
        self._breaker = breaker
        self._observe = observe
        self._deadline_s = deadline_s
        self._at_once = at_once
        self._clock = clock
        self._slots: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Semaphore] = (
            weakref.WeakKeyDictionary()
        )

    @property
    def model_id(self) -> str:
        return self._judge.model_id

    async def __call__(
        self, question: str, passages: Sequence[Passage], /, *, lang: Lang
    ) -> Judgements:
        """Ask the judge; see ``ports.Judge``."""
        deadline = Deadline(
            self._deadline_s, late=lambda: late(self._deadline_s), clock=self._clock
        )
        with self._told():
            slot = self._slots.setdefault(
                asyncio.get_running_loop(), asyncio.Semaphore(self._at_once)
            )
            await deadline.bound(_acquired(slot))
            try:
                # Only once it is its turn: a coroutine that nobody awaits would complain.
                return await self._attempted(
                    deadline, lambda: self._asked(question, passages, lang)
                )
            finally:
                slot.release()

    async def _asked(self, question: str, passages: Sequence[Passage], lang: Lang) -> Judgements:
        return await self._judge(question, passages, lang=lang)

    async def _attempted(self, deadline: Deadline, ask: _Asking) -> Judgements:
        with self._breaker.attempt():
            try:
                return await deadline.bound(ask())
            except NoJudgementError as err:
                nothing = err
        raise nothing

    @contextmanager
    def _told(self) -> Iterator[None]:
        started = self._clock()
        try:
            yield
        except NoJudgementError:
            self._tell("error", started)
            raise
        except SourceUnavailableError as err:
            self._tell(outcome_of(err), started)
            raise
        self._tell("done", started)

    def _tell(self, outcome: CallOutcome, started: float) -> None:
        elapsed_ms = (self._clock() - started) * 1000
        self._observe(ModelCallEnded(purpose="judge", outcome=outcome, elapsed_ms=elapsed_ms))


async def _acquired(slot: asyncio.Semaphore) -> None:
    await slot.acquire()
