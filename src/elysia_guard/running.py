"""Running coroutines from synchronous code, and programs into a pipe."""

from __future__ import annotations

import asyncio
import gc
import os
import sys
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

Result = TypeVar("Result")


def run_anywhere(work: Coroutine[Any, Any, Result]) -> Result:
    """Run a coroutine to its end, also where an event loop is already running (a notebook).

    Not with ``asyncio.run``: a synchronous call of an unguarded Elysia tree replaces that function
    for the whole process with one that needs a loop to be there.
    """
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return _run(work)
    with ThreadPoolExecutor(max_workers=1) as pool:
        return pool.submit(_run, work).result()


def _run(work: Coroutine[Any, Any, Result]) -> Result:
    # Its ``run`` sets a signal handler, for which Python writes out the whole result.
    with asyncio.Runner() as runner:
        return runner.get_loop().run_until_complete(work)


def settle() -> None:
    """Take all that is there for what stays; for a server, once it has loaded what it needs.

    When Python looks for garbage it looks through everything that is there, for a tenth of a second
    and more, in the midst of a question. From now on it looks through what has come since.
    """
    gc.collect()
    gc.freeze()


def into_pipe(main: Callable[[], Result], *, unread: Result) -> Result:
    """Run a program; where its reader has seen enough (``| head``), that is no fault of it.

    Args:
        main: what to run.
        unread: what to return where nobody read to the end.
    """
    try:
        result = main()
        sys.stdout.flush()
    except BrokenPipeError:
        # The interpreter flushes once more as it ends, and would complain then.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return unread
    return result
