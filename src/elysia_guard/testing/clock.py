"""A clock that a test turns by hand."""

from __future__ import annotations

import asyncio
import threading
from contextlib import suppress
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class _Alarm:
    """Somebody who waits in an event loop until a moment of the clock."""

    at: float
    loop: asyncio.AbstractEventLoop
    waiting: asyncio.Timeout

    def ring(self) -> None:
        # Whoever no longer waits cannot be woken, nor a loop that has ended.
        with suppress(RuntimeError):
            self.loop.call_soon_threadsafe(self._wake)

    def _wake(self) -> None:
        with suppress(RuntimeError):
            self.waiting.reschedule(self.loop.time())


class FakeClock:
    """Stands still until it is told otherwise; implements ``ports.Timekeeper``.

    It may be moved from any thread, such as that of a server which is to be too late.

    >>> clock = FakeClock()
    >>> clock.advance(30)
    >>> clock()
    30.0
    """

    def __init__(self, now: float = 0.0) -> None:
        self.now = float(now)
        self._alarms: list[_Alarm] = []
        self._moving = threading.Lock()

    def __call__(self) -> float:
        """Return the seconds at which the clock stands."""
        return self.now

    def timeout_at(self, moment: float) -> asyncio.Timeout:
        """Return a context that ends with ``TimeoutError`` once the clock has moved so far."""
        loop = asyncio.get_running_loop()
        with self._moving:
            if moment <= self.now:  # moved there, perhaps, since the moment was reckoned
                return asyncio.timeout(0)
            waiting = asyncio.timeout(None)
            self._alarms.append(_Alarm(at=moment, loop=loop, waiting=waiting))
        return waiting

    def advance(self, seconds: float) -> None:
        """Move on, and wake whoever waited for it; a clock never goes back."""
        if seconds < 0:
            raise ValueError(f"a clock only goes forward; it was moved by {seconds} seconds")
        with self._moving:
            self.now += seconds
            due = [alarm for alarm in self._alarms if alarm.at <= self.now]
            self._alarms = [alarm for alarm in self._alarms if alarm.at > self.now]
        for alarm in due:
            alarm.ring()
