"""Several processes behind one socket: started, replaced, given up and stopped."""

from __future__ import annotations

import os
import signal
import socket
import sys
import threading
from collections.abc import Iterator
from multiprocessing.connection import Connection

import pytest

from elysia_guard import config as configuration
from elysia_guard.config import Config
from elysia_guard.domain.errors import ConfigError
from elysia_guard.edge.workers import MOST_FAILED_STARTS, READY, Crew, Work, shared

PATIENCE_S = 60


def answer(_config: Config, _host: str, listener: socket.socket, telling: Connection) -> None:
    """Say each caller who answers, until stopped."""
    telling.send_bytes(READY)
    while True:
        caller, _ = listener.accept()
        with caller:
            caller.sendall(str(os.getpid()).encode())


def fail(_config: Config, _host: str, listener: socket.socket, _telling: Connection) -> None:
    """Say that it was started, and end before it answers."""
    with socket.create_connection(listener.getsockname()) as caller:
        caller.sendall(b"started")
    sys.exit(3)


@pytest.fixture
def listener() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.settimeout(PATIENCE_S)
        yield listening


def crew_of(listener: socket.socket, work: Work) -> Crew:
    return Crew(config=configuration.load(environ={}), host="", listener=listener, work=work)


def told_by(listener: socket.socket) -> int:
    with socket.create_connection(listener.getsockname(), timeout=PATIENCE_S) as caller:
        return int(caller.recv(20))


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_one_that_is_killed_is_replaced_and_all_are_stopped(
    listener: socket.socket, caplog: pytest.LogCaptureFixture
) -> None:
    """Ready is said once, when all answer; the caller after a kill is answered too."""
    crew, ready = crew_of(listener, answer), threading.Event()
    running = threading.Thread(target=crew.run, args=(2, ready.set))
    running.start()
    try:
        assert ready.wait(PATIENCE_S)
        first = told_by(listener)
        os.kill(first, signal.SIGKILL)
        assert told_by(listener) != first
        while f"worker {first} ended" not in caplog.text:
            told_by(listener)
    finally:
        crew.end()
        running.join(PATIENCE_S)
        last = [item.process.pid for item in crew._workers]
        crew.stop()
    assert len(last) == 2
    assert first not in last
    assert not any(alive(pid) for pid in last if pid)


def test_workers_that_end_before_they_answer_are_given_up(listener: socket.socket) -> None:
    """Three in a row, or a wrong setting would be tried for ever."""
    crew = crew_of(listener, fail)
    with pytest.raises(ConfigError, match="status 3"):
        crew.run(1, lambda: None)
    crew.stop()
    listener.settimeout(0)
    for _ in range(MOST_FAILED_STARTS):
        listener.accept()[0].close()
    with pytest.raises(BlockingIOError):
        listener.accept()


def test_several_share_what_is_kept_or_are_not_started() -> None:
    config = configuration.load(environ={})
    assert shared(config).conversations.shared
    kept = config.conversations.model_copy(update={"enabled": False})
    with pytest.raises(ConfigError, match=r"conversations\.enabled"):
        shared(config.model_copy(update={"conversations": kept}))
