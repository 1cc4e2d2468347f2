"""A Weaviate that is away, silent, slow or something else: a named error, in time, no address."""

from __future__ import annotations

import asyncio
import gc
import logging
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from elysia_guard.adapters.background import BackgroundLoop
from elysia_guard.adapters.weaviate_index import (
    Connection,
    Names,
    Server,
    WeaviateIndex,
)
from elysia_guard.adapters.weaviate_index.connection import silence_spurious_wakeups
from elysia_guard.domain.document import Filters
from elysia_guard.domain.errors import (
    CircuitOpenError,
    PassageIndexError,
    SourceTimeoutError,
    SourceUnavailableError,
)
from elysia_guard.domain.kinds import STANDING_KINDS
from elysia_guard.resilience.breaker import Breaker
from elysia_guard.testing.clock import FakeClock

DEADLINE_S = 0.4
"""For a server that never answers: on however busy a machine, it does not answer in time."""
PATIENT_S = 60.0
"""For one that does answer, or is not there."""
SECRET = "internal-weaviate.example"
NAMES = Names(passages={kind: f"Test_{kind.value}" for kind in STANDING_KINDS})
VECTOR = [1.0, 0.0]


class Meta(BaseHTTPRequestHandler):
    """The HTTP side of a Weaviate: it says its version, as the answer below tells it to."""

    status, body = 200, '{"version": "1.39.0"}'
    drip_s = 0.0

    def do_GET(self) -> None:
        self.send_response(self.status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(self.body)))
        self.end_headers()
        for letter in self.body:
            self.wfile.write(letter.encode())
            self.wfile.flush()
            if self.drip_s and self.server.stopped.wait(self.drip_s):  # type: ignore[attr-defined]
                return

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base's name
        """Say nothing."""


class Machine:
    """Ports on loopback that behave as they are told; all are closed at the end."""

    def __init__(self, stack: ExitStack) -> None:
        self._stack = stack

    def closed(self) -> int:
        """A port at which nothing listens."""
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            return int(probe.getsockname()[1])

    def silent(self) -> int:
        """A port that accepts, and never answers."""
        listening = self._stack.enter_context(socket.socket())
        listening.bind(("127.0.0.1", 0))
        listening.listen(16)
        return int(listening.getsockname()[1])

    def http(self, *, status: int = 200, body: str = Meta.body, drip_s: float = 0.0) -> int:
        """A port that answers each request alike."""
        answer = type("Answer", (Meta,), {"status": status, "body": body, "drip_s": drip_s})
        server = ThreadingHTTPServer(("127.0.0.1", 0), answer)
        server.daemon_threads = True
        server.stopped = threading.Event()  # type: ignore[attr-defined]
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        self._stack.callback(thread.join)
        self._stack.callback(server.server_close)
        self._stack.callback(server.shutdown)
        self._stack.callback(server.stopped.set)  # type: ignore[attr-defined]
        return int(server.server_address[1])


@pytest.fixture
def machine() -> Iterator[Machine]:
    with ExitStack() as stack:
        yield Machine(stack)


@pytest.fixture
def connect() -> Iterator[Callable[..., Connection]]:
    with ExitStack() as stack:

        def connected(
            http: int,
            grpc: int,
            *,
            breaker: Breaker | None = None,
            deadline_s: float = PATIENT_S,
        ) -> Connection:
            server = Server(url=f"http://127.0.0.1:{http}", grpc_port=grpc, deadline_s=deadline_s)
            return stack.enter_context(closing(Connection(server, breaker=breaker)))

        yield connected


def reader(connection: Connection) -> WeaviateIndex:
    return WeaviateIndex(connection, NAMES, model_id="hash@1", dimension=2)


CALLS: dict[str, Callable[[WeaviateIndex], object]] = {
    "search": lambda index: index.search("TLS", VECTOR, filters=Filters()),
    "rarity": lambda index: index.rarity(["tls"], lang="en"),
    "documents": lambda index: index.documents(Filters()),
    "passages": lambda index: index.passages("ADR-0012"),
    "info": lambda index: index.info(),
}


def failed(index: WeaviateIndex, call: str = "search") -> BaseException:
    """How a call ended. The client's own tries, of a minute, would end none in time."""

    async def asked() -> None:
        async with asyncio.timeout(PATIENT_S / 2):
            await CALLS[call](index)  # type: ignore[misc]

    try:
        asyncio.run(asked())
    except (SourceUnavailableError, PassageIndexError) as err:
        return err
    raise AssertionError("the call did not fail")


def check(error: BaseException, kind: type[Exception]) -> None:
    assert type(error) is kind
    shown = f"{error!s} {error!r} {error.__cause__!r}"
    for inside in (SECRET, "127.0.0.1", "http", "grpc", "Errno", "<html"):
        assert inside not in shown


@pytest.mark.parametrize("call", CALLS)
def test_nothing_listens(machine: Machine, connect: Callable[..., Connection], call: str) -> None:
    """A server that is away is unavailable, at once."""
    check(failed(reader(connect(machine.closed(), machine.closed())), call), SourceUnavailableError)


@pytest.mark.parametrize("call", ["search", "documents"])
def test_it_accepts_and_never_answers(
    machine: Machine, connect: Callable[..., Connection], call: str
) -> None:
    """A server that hangs is late."""
    late = connect(machine.silent(), machine.silent(), deadline_s=DEADLINE_S)
    check(failed(reader(late), call), SourceTimeoutError)


def test_it_drips(machine: Machine, connect: Callable[..., Connection]) -> None:
    """A server that sends a letter now and then does not outlive the deadline."""
    http = machine.http(drip_s=0.1)
    late = connect(http, machine.closed(), deadline_s=DEADLINE_S)
    check(failed(reader(late)), SourceTimeoutError)


@pytest.mark.parametrize("call", ["search", "documents"])
def test_grpc_is_away(machine: Machine, connect: Callable[..., Connection], call: str) -> None:
    """The client's own minute of trying again does not hold us."""
    late = connect(machine.http(), machine.closed(), deadline_s=DEADLINE_S)
    check(failed(reader(late), call), SourceTimeoutError)


@pytest.mark.parametrize(
    ("status", "body", "said"),
    [
        (200, "<html>log in</html>", "is none; check index.weaviate.url"),
        (200, "{}", "is none; check index.weaviate.url"),
        (200, '{"version": "1.20.0"}', "is older than 1.27"),
        (401, SECRET, "does not let us in; check index.weaviate.api_key_env"),
        (403, "{}", "does not let us in; check index.weaviate.api_key_env"),
        (500, f"at {SECRET}", "answered with status 500"),
    ],
)
def test_something_else_answers(
    machine: Machine, connect: Callable[..., Connection], status: int, body: str, said: str
) -> None:
    """What is no Weaviate, or does not let us in, is said to be; not in its own words."""
    http = machine.http(status=status, body=body)
    found = failed(reader(connect(http, machine.closed())))
    check(found, SourceUnavailableError)
    assert said in str(found)


def test_one_that_fails_is_left_alone(machine: Machine, connect: Callable[..., Connection]) -> None:
    """After some failures in a row it is not asked, until the rest is over."""
    clock = FakeClock()
    breaker = Breaker("weaviate", failure_threshold=3, rest_s=30, clock=clock)
    index = reader(connect(machine.closed(), machine.closed(), breaker=breaker))
    for kind in (SourceUnavailableError,) * 3 + (CircuitOpenError,):
        with pytest.raises(kind) as raised:
            asyncio.run(index.info())
        assert type(raised.value) is kind
    clock.now += 31
    with pytest.raises(SourceUnavailableError, match="cannot be reached"):
        asyncio.run(index.info())


@pytest.mark.parametrize("vector", [[1.0], [float("nan"), 0.0]])
def test_a_foreign_vector_is_refused_before_anybody_is_asked(
    machine: Machine, connect: Callable[..., Connection], vector: list[float]
) -> None:
    """A vector of another model is never sent."""
    index = reader(connect(machine.closed(), machine.closed()))
    with pytest.raises(PassageIndexError, match="embed with hash@1"):
        asyncio.run(index.search("TLS", vector, filters=Filters()))


def test_the_key_is_not_shown() -> None:
    """What a server is printed as leaves its key out."""
    assert "s3cret" not in repr(Server(url="http://127.0.0.1", api_key="s3cret"))


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
