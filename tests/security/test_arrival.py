"""Requests that never end, or are of any size, over raw sockets to the real server."""

from __future__ import annotations

import contextlib
import socket
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Event
from urllib.parse import urlsplit

import pytest
from tests.security.served import SECRET, Served, answers, start, stop

WITHIN_S = 1.5
HEAD = 8_192
PATIENCE_S = 30.0
LEEWAY_S = 15.0
"""How much later a busy machine may come to it; who is not given up waits for PATIENCE_S."""


@pytest.fixture(scope="module")
def strict(
    servers: dict[str, Served], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Served]:
    """A server with a login, whose limits are short."""
    folder = tmp_path_factory.mktemp("strict")
    served = start(
        servers["owners"].log.parent.parent / "index.sqlite",
        folder / "server",
        ELYSIA_GUARD_SECRET=SECRET,
        ELYSIA_GUARD_SERVER__ARRIVAL_SECONDS=str(WITHIN_S),
        ELYSIA_GUARD_SERVER__MAX_HEAD_BYTES=str(HEAD),
    )
    try:
        yield served.wait()
    finally:
        stop(served)


@contextlib.contextmanager
def connected(served: Served) -> Iterator[socket.socket]:
    """A connection that nobody makes HTTP of."""
    where = urlsplit(served.address)
    with socket.create_connection((where.hostname, where.port), PATIENCE_S) as raw:
        raw.settimeout(PATIENCE_S)
        yield raw


def heard(raw: socket.socket) -> bytes:
    """All that is sent until the connection is closed."""
    said = b""
    with contextlib.suppress(ConnectionResetError):
        while part := raw.recv(65_536):
            said += part
    return said


def poured(raw: socket.socket, parts: Iterator[bytes], most: int) -> int:
    """Send until nobody takes it any more, or there is no end; return how many bytes that was."""
    sent = 0
    try:
        for part in parts:
            raw.sendall(part)
            sent += len(part)
            if sent > most:
                break
    except OSError:
        pass
    return sent


def endless(part: bytes) -> Iterator[bytes]:
    while True:
        yield part


def dripped(raw: socket.socket, byte: bytes, every_s: float) -> float:
    """Send a byte now and then until the other side closes; return after how long that was."""
    started = time.monotonic()
    raw.settimeout(every_s)
    while time.monotonic() - started < PATIENCE_S:
        try:
            raw.sendall(byte)
            if not raw.recv(65_536):
                break
        except TimeoutError:
            continue
        except OSError:
            break
    return time.monotonic() - started


@pytest.mark.parametrize(
    "begin",
    [b"GET /", b"GET / HTTP/1.1\r\nX: ", b"GET /?", b"GET / HTTP/1.1\r\n" + b"x" * 100],
)
def test_a_head_without_end_is_refused_before_it_is_read(strict: Served, begin: bytes) -> None:
    """Of an address, a header or a name that goes on and on no more is taken than the bound."""
    with connected(strict) as raw:
        raw.sendall(begin)
        assert poured(raw, endless(b"y" * 16_384), 100_000_000) < 20_000_000
        assert heard(raw)[:12] in (b"HTTP/1.1 431", b"HTTP/1.1 400", b"")


def test_many_headers_are_no_way_around_the_bound(strict: Served) -> None:
    """A head of many short lines counts as one of a long line, in one piece or in many."""
    line = b"X-Some-Name: some value\r\n"
    with connected(strict) as raw:
        raw.sendall(b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n" + line * 500 + b"\r\n")
        assert heard(raw).startswith(b"HTTP/1.1 431 ")
    with connected(strict) as raw:
        raw.sendall(b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n")
        assert poured(raw, endless(line), 1_000_000) < 1_000_000
        assert heard(raw)[:12] in (b"HTTP/1.1 431", b"")


def never_ended(strict: Served) -> None:
    begun = (b"", b"\r\n", b"G", b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n") * 25
    with contextlib.ExitStack() as stack:
        every = [stack.enter_context(connected(strict)) for _ in begun]
        started = time.monotonic()
        for raw, begin in zip(every, begun, strict=True):
            raw.sendall(begin)
        for raw in every:
            assert heard(raw)[:12] in (b"", b"HTTP/1.1 408")
        assert time.monotonic() - started < WITHIN_S + LEEWAY_S


def now_and_then(strict: Served) -> None:
    for begin in (b"", b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: "):
        with connected(strict) as raw:
            raw.sendall(begin)
            assert dripped(raw, b"a", 0.3) < WITHIN_S + LEEWAY_S


def second_request(strict: Served) -> None:
    whole = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    with connected(strict) as raw:
        raw.sendall(whole + whole[:20])
        started = time.monotonic()
        assert b"HTTP/1.1 408 Request Timeout" in heard(raw)
        assert time.monotonic() - started < WITHIN_S + LEEWAY_S


def slow_body(strict: Served) -> None:
    def slow(path: str) -> None:
        head = (
            f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {SECRET}\r\n"
            "Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n"
        )
        with connected(strict) as raw:
            raw.sendall(head.encode())
            started = time.monotonic()
            assert raw.recv(65_536)[:12] in (b"HTTP/1.1 408", b"HTTP/1.1 404")
            assert time.monotonic() - started < WITHIN_S + LEEWAY_S
            assert dripped(raw, b"a", 0.3) < WITHIN_S + LEEWAY_S

    with ThreadPoolExecutor() as pool:
        list(pool.map(slow, ("/guard/login", "/guard/ask", "/nowhere")))


def takes_no_answer(strict: Served) -> None:
    with strict.client(SECRET) as client:
        page = client.get("/").text
    script = next(part for part in page.split('"') if part.endswith(".js"))
    asked = f"GET {script} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {SECRET}\r\n\r\n"
    with connected(strict) as raw:
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        poured(raw, iter([asked.encode()] * 40), 10**9)
        Event().wait(WITHIN_S + 2)
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 20)
        assert len(heard(raw)) < 40_000_000


def in_time(strict: Served) -> None:
    with strict.client(SECRET) as client:
        assert client.post("/guard/ask", json={"question": "What is CIMXML?"}).status_code == 200
    sent = {"Authorization": f"Bearer {SECRET}"}
    with strict.socket(additional_headers=sent) as page:
        Event().wait(WITHIN_S + 1)
        assert "CIMXML" in answers(strict.ask(page, "What is CIMXML?"))["answer"]


Begun = dict[Callable[[Served], None], Future[None]]


@pytest.fixture(scope="module")
def begun(strict: Served) -> Iterator[Begun]:
    """What waits for the bounds, all at once: one after the other it takes half a minute."""
    every = (never_ended, now_and_then, second_request, slow_body, takes_no_answer, in_time)
    with ThreadPoolExecutor(len(every)) as pool:
        yield {each: pool.submit(each, strict) for each in every}


def test_a_request_that_is_never_ended_is_given_up(begun: Begun) -> None:
    """A connection that says nothing, or half of a request, is closed in time; so are many."""
    begun[never_ended].result()


def test_bytes_now_and_then_keep_no_connection_open(begun: Begun) -> None:
    """A head that comes byte by byte has the same time as one that does not come."""
    begun[now_and_then].result()


def test_a_second_request_of_a_connection_has_the_same_bounds(begun: Begun) -> None:
    """After an answer, half a request is given up as the first would be."""
    begun[second_request].result()


def test_a_body_that_does_not_come_is_given_up(begun: Begun) -> None:
    """A slow body is answered in time, at the login too, and its connection closed."""
    begun[slow_body].result()


def test_who_takes_no_answer_is_given_up(begun: Begun) -> None:
    """Somebody who asks for a large file and reads none of it is gone after a while."""
    begun[takes_no_answer].result()


def test_what_is_in_time_is_answered(begun: Begun) -> None:
    """A question takes longer than the bounds, an open page too, and both are answered."""
    begun[in_time].result()


def test_a_body_in_pieces_is_taken(strict: Served) -> None:
    """A body may come in pieces, and the connection serves the next request."""
    body = b'{"question": "What is CIMXML?"}'
    head = (
        f"POST /guard/ask HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {SECRET}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    ).encode()
    with connected(strict) as raw:
        for _ in range(2):
            for part in (head[:30], head[30:], body[:5], body[5:]):
                raw.sendall(part)
                Event().wait(0.1)
            said = raw.recv(65_536)
            assert said.startswith(b"HTTP/1.1 200 "), said[:100]
            while b'"outcome"' not in said:
                said += raw.recv(65_536)
