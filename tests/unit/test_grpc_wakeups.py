"""Connections to Weaviate in several event loops: one loop for all, and nothing in the log."""

from __future__ import annotations

import asyncio
import gc
import logging
import threading

import pytest

from elysia_guard.adapters.background import BackgroundLoop
from elysia_guard.adapters.weaviate_index import Connection, Server
from elysia_guard.adapters.weaviate_index.connection import silence_spurious_wakeups


def test_c5_all_connections_share_one_loop() -> None:
    """gRPC wakes every loop it knows for every answer; all our connections know one."""
    first, second = (Connection(Server(url="http://127.0.0.1:1")) for _ in range(2))
    assert first._loop is second._loop


async def _where() -> threading.Thread:
    return threading.current_thread()


def test_c5_the_shared_loop_ends_with_its_last_holder() -> None:
    """Closing one connection leaves the others their loop; nobody's loop goes on."""
    first, second = BackgroundLoop.shared("test"), BackgroundLoop.shared("test")
    thread = first.run(_where())
    assert second.run(_where()) is thread
    del first
    gc.collect()
    assert thread.is_alive()
    del second
    gc.collect()
    thread.join(timeout=10)
    assert not thread.is_alive()


class PollerCompletionQueue:
    """Stands for gRPC's, which raises in a loop that was woken for another's answer."""

    def __init__(self, error: Exception) -> None:
        self._error = error

    def _handle_events(self) -> None:
        raise self._error


def reported(error: Exception, caplog: pytest.LogCaptureFixture) -> list[str]:
    """What a loop with asyncio's own handler reports of a callback."""

    async def run() -> None:
        asyncio.get_running_loop().call_soon(PollerCompletionQueue(error)._handle_events)
        await asyncio.sleep(0)

    silence_spurious_wakeups()
    with caplog.at_level(logging.ERROR, logger="asyncio"):
        asyncio.run(run())
    return [record.getMessage() for record in caplog.records if record.name == "asyncio"]


def test_c5_a_wakeup_that_was_anothers_is_no_error(caplog: pytest.LogCaptureFixture) -> None:
    """What gRPC reports for nothing stands in no log, also of a loop that is not ours."""
    assert reported(BlockingIOError(11, "Resource temporarily unavailable"), caplog) == []


def test_c5_any_other_error_of_a_loop_is_reported(caplog: pytest.LogCaptureFixture) -> None:
    """Only that report is kept out: another error of the same callback is an error."""
    assert len(reported(OSError(9, "Bad file descriptor"), caplog)) == 1


def test_c5_another_callback_is_reported(caplog: pytest.LogCaptureFixture) -> None:
    """And the same error of another callback is one too."""

    async def run() -> None:
        def read() -> None:
            raise BlockingIOError(11, "Resource temporarily unavailable")

        asyncio.get_running_loop().call_soon(read)
        await asyncio.sleep(0)

    silence_spurious_wakeups()
    with caplog.at_level(logging.ERROR, logger="asyncio"):
        asyncio.run(run())
    assert len(caplog.records) == 1
