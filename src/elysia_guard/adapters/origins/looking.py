"""Looking at files while a question waits: beside the event loop, and no longer than a moment."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor

MOST_AT_ONCE = 4
"""A file system that hangs holds a thread each; with all of them held nobody waits any more."""


class Lookout:
    """Runs blocking looks in threads of its own."""

    def __init__(self, *, within_s: float) -> None:
        """Take the time, in seconds, that a question waits at most."""
        self._within_s = within_s
        self._threads = ThreadPoolExecutor(MOST_AT_ONCE, thread_name_prefix="elysia-guard-origins")
        self._late: set[Future[None]] = set()

    async def run(self, look: Callable[[], None]) -> bool:
        """Run a look, and tell whether it ended in time; one that is late goes on by itself."""
        self._late = {each for each in self._late if not each.done()}
        if len(self._late) >= MOST_AT_ONCE:
            return False
        work = self._threads.submit(look)
        waited = asyncio.wrap_future(work)
        done, _ = await asyncio.wait({waited}, timeout=self._within_s)
        if done:
            waited.result()
            return True
        self._late.add(work)
        waited.add_done_callback(_retrieved)
        return False

    def close(self) -> None:
        """Let the threads end; one that hangs is not waited for."""
        self._threads.shutdown(wait=False, cancel_futures=True)


def _retrieved(late: asyncio.Future[None]) -> None:
    """Take note of an error that nobody waited for."""
    if not late.cancelled():
        late.exception()
