"""Several processes behind one address: what one has answered, any other goes on with.

They share the listening socket, so that a connection waits for whichever is free, and conversations
in the store. One that ends unasked is replaced; the others go on.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import socket
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, redirect_stdout
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from types import FrameType
from typing import TYPE_CHECKING

from elysia_guard.domain.errors import ConfigError, GuardError
from elysia_guard.domain.own_kinds import under

if TYPE_CHECKING:
    from elysia_guard.config import Config

MOST_WORKERS = 64
STOPPED_S = 10.0
"""How long workers may take to end before they are made to."""
MOST_FAILED_STARTS = 3
NOT_KEPT = (
    "several workers need conversations that are kept (conversations.enabled): "
    "the next question of one may come to another"
)
READY, END = b"ready", b"end"
FAILED = 3

log = logging.getLogger(__name__)
_spawn = multiprocessing.get_context("spawn")


def shared(config: Config) -> Config:
    """Return a configuration for several processes over one file of conversations.

    Raises:
        ConfigError: conversations are not kept.
    """
    if not config.conversations.enabled:
        raise ConfigError(NOT_KEPT)
    kept = config.conversations.model_copy(update={"shared": True})
    return config.model_copy(update={"conversations": kept})


def serve_by(
    workers: int, config: Config, *, host: str, port: int, ready: Callable[[str], None]
) -> None:
    """Serve the web chat by several processes until it is stopped.

    Args:
        workers: how many.
        config: what each of them is made of.
        host: the address to listen on.
        port: the port; 0 takes a free one.
        ready: called with the address once all of them answer.

    Raises:
        ConfigError: the address cannot be had, conversations are not kept, or a worker cannot
            be started.
    """
    # After the check of the configuration: it imports Elysia.
    config = shared(config)
    from elysia_guard.edge.access_policy import Policy
    from elysia_guard.edge.elysia.webapp.server import address_of, listening

    Policy.of(config.server, host)
    with ExitStack() as end:
        listener = end.enter_context(listening(host, port))
        end.enter_context(_counted_together())
        crew = Crew(config=config, host=host, listener=listener, work=work)
        end.callback(crew.stop)
        end.enter_context(_stopped_by_signals(crew))
        crew.run(workers, lambda: ready(address_of(host, listener)))


@dataclass(slots=True)
class _Worker:
    process: SpawnProcess
    told: Connection
    """What it says of itself; closed when this process ends, and so it ends too."""
    answers: bool = False


Work = Callable[["Config", str, socket.socket, Connection], None]


@dataclass(kw_only=True)
class Crew:
    """The processes, and who replaces one that has ended."""

    config: Config
    host: str
    listener: socket.socket
    work: Work
    """What each of them does; see ``work``."""
    _workers: list[_Worker] = field(default_factory=list)
    _ending: bool = False
    _failed: int = 0

    def __post_init__(self) -> None:
        """Make the pipe that wakes ``run``."""
        self._wake, self._woken = _spawn.Pipe()

    def run(self, workers: int, ready: Callable[[], None]) -> None:
        """Start them and see to it that there are so many; returns once ``end`` was called.

        Raises:
            ConfigError: they end before they answer.
        """
        self._workers = [self._start() for _ in range(workers)]
        said = False
        while not self._ending:
            self._look()
            if not said and all(item.answers for item in self._workers):
                said = True
                ready()

    def end(self) -> None:
        """Let ``run`` return; may be called by a handler of signals."""
        if not self._ending:
            self._ending = True
            self._wake.send_bytes(END)

    def stop(self) -> None:
        """End all workers: asked first, then made to."""
        for item in self._workers:
            item.process.terminate()
        for item in self._workers:
            item.process.join(STOPPED_S)
            if item.process.exitcode is None:
                item.process.kill()
                item.process.join()
            item.told.close()

    def _look(self) -> None:
        """Wait until a worker says something or ends, and act on it."""
        ears = {item.told: item for item in self._workers}
        for heard in wait([*ears, self._woken]):
            if isinstance(heard, Connection) and heard in ears:
                self._hear(ears[heard])

    def _hear(self, worker: _Worker) -> None:
        try:
            worker.told.recv_bytes()
        except (EOFError, OSError):
            if not self._ending:
                self._replace(worker)
        else:
            worker.answers, self._failed = True, 0

    def _replace(self, gone: _Worker) -> None:
        gone.process.join()
        gone.told.close()
        self._workers.remove(gone)
        code = gone.process.exitcode
        if not gone.answers:
            self._failed += 1
            if self._failed >= MOST_FAILED_STARTS:
                raise ConfigError(
                    f"a worker ends before it answers (status {code}); its log says why"
                )
        self._workers.append(self._start())
        log.warning(
            "worker %s ended with status %s; another takes its place", gone.process.pid, code
        )

    def _start(self) -> _Worker:
        told, telling = _spawn.Pipe()
        process = _spawn.Process(
            target=self.work, args=(self.config, self.host, self.listener, telling), daemon=True
        )
        process.start()
        # Its own end alone is left, so that this one is told when the process is no more.
        telling.close()
        return _Worker(process, told)


def work(config: Config, host: str, listener: socket.socket, telling: Connection) -> None:
    """Be one worker: serve until stopped, or until the process that started it is gone."""
    # Ctrl-C reaches the whole group; who started this one says when it is to end.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    threading.Thread(target=_end_with, args=(telling,), daemon=True).start()
    # What Elysia prints must not stand where a script reads the address.
    with redirect_stdout(sys.stderr):
        from elysia_guard.edge.elysia.webapp.server import serve_at
        from elysia_guard.wiring import Wiring

        try:
            with under(config.kinds), closing(Wiring(config)) as wiring:
                serve_at(listener, wiring, host=host, ready=lambda: telling.send_bytes(READY))
        except GuardError as err:
            log.error("a worker cannot start: %s", err)  # noqa: TRY400  it says what is wrong
            sys.exit(FAILED)


def _end_with(telling: Connection) -> None:
    """Wait for the end of the process at the other end, which sends nothing."""
    try:
        telling.recv_bytes()
    except (EOFError, OSError):
        os.kill(os.getpid(), signal.SIGTERM)


@contextmanager
def _counted_together() -> Iterator[None]:
    """Give the workers a folder to count in, where none is named: one is asked for all."""
    from elysia_guard.observability.workers import VARIABLE

    if os.environ.get(VARIABLE):
        yield
        return
    with tempfile.TemporaryDirectory(prefix="elysia-guard-") as folder:
        os.environ[VARIABLE] = folder
        try:
            yield
        finally:
            del os.environ[VARIABLE]


@contextmanager
def _stopped_by_signals(crew: Crew) -> Iterator[None]:
    def stop(_number: int, _frame: FrameType | None) -> None:
        crew.end()

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
