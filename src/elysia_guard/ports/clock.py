"""What tells the time, and deadlines by it."""

from __future__ import annotations

import asyncio
from asyncio import Timeout
from typing import Protocol, runtime_checkable


class Clock(Protocol):
    """Seconds that only ever grow, such as ``time.monotonic``."""

    def __call__(self) -> float:
        """Return the seconds since some fixed moment."""


@runtime_checkable
class Timekeeper(Clock, Protocol):
    """A clock that can also wake whoever waits: then no other time counts for its deadlines."""

    def timeout_at(self, moment: float) -> Timeout:
        """Return a context that is cancelled with ``TimeoutError`` at a moment of the clock."""


def timeout_at(clock: Clock, moment: float | None) -> Timeout:
    """Return a context that ends with ``TimeoutError`` at a moment of the clock; None is never.

    A clock that keeps the time says when it has come; for any other the event loop does.
    """
    if moment is None:
        return asyncio.timeout(None)
    if isinstance(clock, Timekeeper):
        return clock.timeout_at(moment)
    return asyncio.timeout(max(0.0, moment - clock()))


def timeout(clock: Clock, seconds: float | None) -> Timeout:
    """Return a context that ends with ``TimeoutError`` after some seconds; None is never."""
    return timeout_at(clock, None if seconds is None else clock() + seconds)
