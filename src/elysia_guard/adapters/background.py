"""An event loop in a thread of its own, so that one client serves callers in any loop, or in none.

Connections belong to the loop that opened them, while notebooks and Elysia's synchronous calls
open a loop for every question.
"""

from __future__ import annotations

import asyncio
import threading
import weakref
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

Result = TypeVar("Result")


class BackgroundLoop:
    """Runs coroutines in its own thread, started when it is first needed."""

    def __init__(self, name: str = "elysia-guard-skosmos") -> None:
        """Take a name for the thread."""
        self._name = name
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stop: Callable[[], object] | None = None

    @classmethod
    def shared(cls, name: str) -> BackgroundLoop:
        """Return the loop of this name that somebody in this process holds, or a new one.

        It stops when the last who holds it lets go of it.
        """
        with _sharing:
            loop = _shared.get(name)
            if loop is None:
                loop = _shared[name] = cls(name)
            return loop

    def run(self, work: Coroutine[Any, Any, Result]) -> Result:
        """Run a coroutine to its end, also from within a running loop, which waits."""
        return asyncio.run_coroutine_threadsafe(work, self._running()).result()

    async def arun(self, work: Coroutine[Any, Any, Result]) -> Result:
        """Await a coroutine that runs over there; cancelling it here cancels it there."""
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work, self._running()))

    async def call(self, work: Callable[[], Coroutine[Any, Any, Result]]) -> Result:
        """Begin some work over there, and await it; see ``resilience.calls.through``."""
        return await self.arun(work())

    def close(self) -> None:
        """Stop the loop and its thread; using it again starts a new one."""
        with self._lock:
            if self._stop:
                self._stop()
            self._loop = self._stop = None

    def _running(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                thread = threading.Thread(
                    target=self._loop.run_forever, name=self._name, daemon=True
                )
                thread.start()
                # Also at the end of the program, or when nobody holds this any more.
                self._stop = weakref.finalize(self, _stop, self._loop, thread)
            return self._loop


_sharing = threading.Lock()
_shared: weakref.WeakValueDictionary[str, BackgroundLoop] = weakref.WeakValueDictionary()


def _stop(loop: asyncio.AbstractEventLoop, thread: threading.Thread) -> None:
    asyncio.run_coroutine_threadsafe(_end_tasks(), loop).result()
    loop.call_soon_threadsafe(loop.stop)
    thread.join()
    loop.close()


async def _end_tasks() -> None:
    tasks = asyncio.all_tasks() - {asyncio.current_task()}
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
