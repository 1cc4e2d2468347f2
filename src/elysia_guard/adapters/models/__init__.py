"""Who asks language models: one caller each, shared by all conversations of a process.

A model that could not be reached raises ``SourceUnavailableError`` itself, one that is late
``SourceTimeoutError``, one that is left alone ``CircuitOpenError``. No message holds what a model
or its server wrote.
"""

from __future__ import annotations

import json
import math
import threading
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial
from hashlib import sha256
from typing import Any, Generic, Literal, TypeVar

from cachetools import LRUCache

from elysia_guard.adapters.http import renamed
from elysia_guard.domain.errors import (
    CircuitOpenError,
    SourceTimeoutError,
    SourceUnavailableError,
)
from elysia_guard.domain.events import CallOutcome, CallPurpose, ModelCallEnded
from elysia_guard.ports import Clock, Observer
from elysia_guard.resilience.breaker import Breaker, BreakerState, SourceIsWell
from elysia_guard.resilience.calls import Guarded

Result = TypeVar("Result")
MakeBreaker = Callable[[Callable[[BreakerState], None]], Breaker]
MakeCaller = Callable[[Breaker], "ModelCaller"]

SOURCE = "llm"
Trouble = Literal["unfit", "rests"]
"""Why nothing is asked of a model: it failed what vets it, or is left alone for a while."""
MOST_MODELS = 64
"""Models that are remembered: users name them, and may name any."""
MOST_PROMPTS = 256
"""Prompts of each that are remembered, as their digests."""
_SEVERITY = (BreakerState.CLOSED, BreakerState.HALF_OPEN, BreakerState.OPEN)

_asking: ContextVar[bool] = ContextVar("elysia_guard_asking_a_model", default=False)


class ModelFailedError(SourceUnavailableError):
    """The model's server answered with a failure of its own, or asked to be left alone."""

    def __init__(self, message: str) -> None:
        super().__init__(message, source=SOURCE)


class NothingUsableError(ModelFailedError, SourceIsWell):
    """The server is well, but nothing came of this call.

    It turned the call down (a wrong key, too long a text), or what the model wrote has not the
    form that was asked for.
    """


class NoFormError(NothingUsableError):
    """A model wrote twice what has not the form that was asked for."""

    def __init__(self) -> None:
        super().__init__("the language model wrote nothing of the form asked, twice")


def unreachable(message: str = "the language model cannot be reached") -> SourceUnavailableError:
    """Make the error for a model that no call gets through to."""
    return SourceUnavailableError(message, source=SOURCE)


def late(_seconds: float = 0.0) -> SourceTimeoutError:
    """Make the error for a model that takes too long."""
    return SourceTimeoutError("the language model did not answer in time", source=SOURCE)


def outcome_of(err: SourceUnavailableError) -> CallOutcome:
    """Name a failure, as metrics and log lines do."""
    match err:
        case CircuitOpenError():
            return "circuit_open"
        case SourceTimeoutError():
            return "timeout"
        case ModelFailedError() | SourceIsWell():
            return "error"
        case _:
            return "unavailable"


of_model = partial(renamed, NothingUsableError, ModelFailedError)
"""Turns errors of the wire to a model server into those of a language model."""


class Remembered(Generic[Result]):
    """What was said to the last of what was asked, ``at_most`` of them; threads may share it."""

    def __init__(self, at_most: int) -> None:
        """Remember nothing yet."""
        self._lock = threading.Lock()
        self._said: LRUCache[bytes, Result] = LRUCache(at_most)

    async def once(self, asked: object, work: Callable[[], Awaitable[Result]]) -> Result:
        """Return what was said to the same JSON before, or what the work returns; the first counts.

        Where the work fails, nothing is remembered.
        """
        key = sha256(json.dumps(asked).encode()).digest()
        with self._lock:
            known = self._said.get(key)
        if known is not None:
            return known
        said = await work()
        with self._lock:
            return self._said.setdefault(key, said)


class ModelCaller:
    """Lets work that asks a model run, guarded, and tells what became of each call.

    What the work does to ask is one call. One that is cancelled tells nothing. What was written to
    the last prompts is remembered, so that the same question is read the same again.

    Args:
        breaker: leaves the model alone while it fails.
        observe: is told one ``ModelCallEnded`` a call.
        deadlines_s: how long a call for each purpose may take, waiting for others included.
        at_once: how many calls an event loop may have under way.
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
        self._guarded = Guarded(breaker, late=late, at_once=at_once, clock=clock)
        self._breaker = breaker
        self._observe = observe
        self._deadlines_s = deadlines_s
        self._clock = clock
        self._written: Remembered[str] = Remembered(MOST_PROMPTS)
        self._rests_until = -math.inf
        self.fit: bool | None = None
        """Whether the model passed what vets it; None where it was not asked yet."""

    @property
    def trouble(self) -> Trouble | None:
        """Why nothing is asked of the model now, as far as that is known."""
        if self.fit is False:
            return "unfit"
        return "rests" if self.rests or self._breaker.state is BreakerState.OPEN else None

    @property
    def rests(self) -> bool:
        """Whether the model is left alone, since it wrote in no form what vets it."""
        return self._clock() < self._rests_until

    def rest(self, seconds: float) -> None:
        """Leave the model alone for so many seconds: each try would keep a reader waiting."""
        self._rests_until = self._clock() + seconds

    async def call(
        self,
        work: Callable[[], Coroutine[Any, Any, Result]],
        *,
        purpose: CallPurpose,
        within_s: float | None = None,
    ) -> Result:
        """Do the work, and return what it returns. Within a call, another one is part of it.

        ``within_s`` bounds it where that is less than its purpose allows.

        Raises:
            NothingUsableError, ModelFailedError: the model answered, but with nothing of use.
            SourceTimeoutError: the time was up; the work has been cancelled.
            CircuitOpenError: the model is left alone; the work was not begun.
            SourceUnavailableError: the model could not be reached.
        """
        if _asking.get():
            return await work()

        async def marked() -> Result:
            with _marked():
                return await work()

        with self._told(purpose):
            allowed = self._deadlines_s[purpose]
            seconds = allowed if within_s is None else min(allowed, within_s)
            return await self._guarded.call(marked, seconds=seconds)

    async def once(
        self,
        prompt: str,
        work: Callable[[], Coroutine[Any, Any, str]],
        *,
        purpose: CallPurpose,
        within_s: float | None = None,
    ) -> str:
        """Return what the model wrote to a prompt before, or else what the work returns now.

        Of two at once, the first counts.

        Raises:
            SourceUnavailableError: as for ``call``; nothing is remembered then.
        """
        return await self._written.once(
            prompt, lambda: self.call(work, purpose=purpose, within_s=within_s)
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
        with self._told(purpose), self._guarded.attempt(), _marked():
            yield

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


@contextmanager
def _marked() -> Iterator[None]:
    """Mark that a model is being asked: what its asking asks is part of the same call."""
    asking = _asking.set(True)
    try:
        yield
    finally:
        _asking.reset(asking)


class ModelCallers:
    """One breaker for each model and address, so that a wrong one hurts nobody else.

    To the outside they are one service, in the worst state that any of them is in.

    Args:
        breaker: makes a breaker that tells its states to what it is given.
        caller: makes the caller behind a breaker.
        on_change: is told the state of the whole: a new one, and each time that one opens.
    """

    def __init__(
        self, breaker: MakeBreaker, caller: MakeCaller, *, on_change: Callable[[BreakerState], None]
    ) -> None:
        self._breaker = breaker
        self._caller = caller
        self._on_change = on_change
        self._lock = threading.RLock()
        self._callers: LRUCache[str, ModelCaller] = LRUCache(MOST_MODELS)
        self._states: dict[str, BreakerState] = {}
        self._shown = BreakerState.CLOSED

    def of(self, endpoint: str) -> ModelCaller:
        """Return the caller of a model, named by all that tells it from others."""
        with self._lock:
            if endpoint not in self._callers:
                self._callers[endpoint] = self._caller(
                    self._breaker(lambda state: self._changed(endpoint, state))
                )
                for forgotten in self._states.keys() - self._callers.keys():
                    self._changed(forgotten, BreakerState.CLOSED)
            return self._callers[endpoint]

    def _changed(self, endpoint: str, state: BreakerState) -> None:
        with self._lock:
            if state is BreakerState.CLOSED or endpoint not in self._callers:
                self._states.pop(endpoint, None)
            else:
                self._states[endpoint] = state
            worst = max(self._states.values(), key=_SEVERITY.index, default=BreakerState.CLOSED)
            opened = state is BreakerState.OPEN and endpoint in self._states
            if opened or worst is not self._shown:
                self._shown = worst
                self._on_change(worst)
