"""A circuit breaker: a source that keeps failing is left alone for a while."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum

from elysia_guard.domain.errors import CircuitOpenError, SourceUnavailableError
from elysia_guard.ports import Clock


class BreakerState(StrEnum):
    """Whether calls are let through."""

    CLOSED = "closed"
    HALF_OPEN = "half_open"
    OPEN = "open"


class SourceIsWell(Exception):  # noqa: N818  it is mixed into errors, and says what they do not
    """Mixed into errors of a call of which nothing came, though the source is well."""


def _unnoticed(state: BreakerState) -> None:
    """Nobody watches."""


class Breaker:
    """Opens after failures in a row, rests, then lets one call at a time try again.

    Args:
        name: of the source, as in the ``service`` label of metrics.
        failure_threshold: failures in a row that open it.
        success_threshold: successes in a row that close it again.
        rest_s: how long it stays open.
        clock: tells the time.
        on_change: told every new state.
    """

    def __init__(
        self,
        name: str,
        *,
        failure_threshold: int = 5,
        success_threshold: int = 2,
        rest_s: float = 30.0,
        clock: Clock = time.monotonic,
        on_change: Callable[[BreakerState], None] = _unnoticed,
    ) -> None:
        self.name = name
        self._failure_threshold = failure_threshold
        self._success_threshold = success_threshold
        self._rest_s = rest_s
        self._clock = clock
        self._on_change = on_change
        self._lock = threading.RLock()
        self._state = BreakerState.CLOSED
        self._count = 0
        """Failures in a row while closed, successes in a row while half open."""
        self._opened_at = 0.0
        self._probing = False
        # A call that was let in before the last change says nothing about the state after it.
        self._generation = 0

    @property
    def state(self) -> BreakerState:
        """The state now; an open breaker becomes half open when the rest is over."""
        with self._lock:
            if self._state is BreakerState.OPEN and self._rests_for() <= 0:
                self._move(BreakerState.HALF_OPEN)
            return self._state

    @contextmanager
    def attempt(self) -> Iterator[None]:
        """Guard one call to the source; also around an ``await``.

        Only a ``SourceUnavailableError`` counts as a failure, unless its source is well: a
        cancelled call, or a mistake of our own, says nothing about the source.

        Raises:
            CircuitOpenError: the source is not to be asked now.
        """
        generation = self._enter()
        try:
            yield
        except SourceUnavailableError as err:
            self._leave(generation, succeeded=isinstance(err, SourceIsWell))
            raise
        except BaseException:
            self._leave(generation, succeeded=None)
            raise
        self._leave(generation, succeeded=True)

    def _enter(self) -> int:
        with self._lock:
            state = self.state
            if state is BreakerState.OPEN or (state is BreakerState.HALF_OPEN and self._probing):
                rest = max(0.0, self._rests_for())
                raise CircuitOpenError(
                    f"{self.name} failed too often and is left alone; ask again in {rest:.0f} s",
                    source=self.name,
                )
            self._probing = state is BreakerState.HALF_OPEN
            return self._generation

    def _leave(self, generation: int, *, succeeded: bool | None) -> None:
        with self._lock:
            if generation != self._generation:
                return
            self._probing = False
            if succeeded is None:
                return
            if self._state is BreakerState.CLOSED:
                self._count = 0 if succeeded else self._count + 1
                if self._count >= self._failure_threshold:
                    self._open()
            elif not succeeded:
                self._open()
            else:
                self._count += 1
                if self._count >= self._success_threshold:
                    self._move(BreakerState.CLOSED)

    def _open(self) -> None:
        self._opened_at = self._clock()
        self._move(BreakerState.OPEN)

    def _move(self, state: BreakerState) -> None:
        self._state = state
        self._count = 0
        self._probing = False
        self._generation += 1
        self._on_change(state)

    def _rests_for(self) -> float:
        return self._opened_at + self._rest_s - self._clock()
