"""One deadline for everything that a call does, however many steps and phases it has."""

from __future__ import annotations

import time
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from elysia_guard.domain.errors import SourceTimeoutError
from elysia_guard.ports import Clock, timeout_at

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
