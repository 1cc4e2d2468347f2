"""Looking at files while a question waits: beside the event loop, and no longer than a moment."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path
from threading import Thread

MOST_LATE = 4
"""A file system that hangs holds a thread each time; with so many held nobody waits any more."""


def devices(paths: Iterable[Path]) -> frozenset[int]:
    """Name the devices on which some paths lie; those that are not there have none."""
    found = set()
    for path in paths:
        with suppress(OSError):
            found.add(path.stat().st_dev)
    return frozenset(found)


class Lookout:
    """Runs each blocking look in a thread of its own, which keeps no program from ending."""

    def __init__(self, *, within_s: float) -> None:
        """Take the time, in seconds, that a question waits at most."""
        self._within_s = within_s
        self._late: list[Future[None]] = []

    async def run(self, look: Callable[[], None]) -> bool:
        """Run a look, and tell whether it ended in time; one that is late goes on by itself."""
        self._late = [each for each in self._late if not each.done()]
        if len(self._late) >= MOST_LATE:
            return False
        work: Future[None] = Future()
        Thread(target=_do, args=(look, work), name="elysia-guard-origins", daemon=True).start()
        done, _ = await asyncio.wait({asyncio.wrap_future(work)}, timeout=self._within_s)
        if done:
            work.result()
            return True
        self._late.append(work)
        return False


def _do(look: Callable[[], None], work: Future[None]) -> None:
    try:
        look()
    except Exception as err:  # noqa: BLE001  it is raised where the look was asked for
        work.set_exception(err)
    else:
        work.set_result(None)
