"""A Skosmos on loopback, in a thread of its own, that can be told to fail in many ways."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from enum import StrEnum
from http import HTTPStatus
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

from tests.golden.skosmos.emulator import Emulator, Reply
from tests.loopback import LoopbackServer

GOLDEN = Path(__file__).parent
API = "/rest/v1"
SECRET = "sparql.internal.example:3030"
"""Stands in every faulty answer, and must not reach anyone."""

IEC_AND_LEGAL = {name: (GOLDEN / f"{name}.ttl").read_bytes() for name in ("iec", "legal")}


class Fault(StrEnum):
    """A way to fail."""

    SLOW = "answers when it is too late"
    DRIPPING = "drips one byte at a time"
    DRIPPING_HEAD = "drips its headers one byte at a time"
    HANGING = "never answers"
    STUCK = "sends half of its answer, and no more"
    RESET = "is reset in mid-body"
    CLOSED = "hangs up without an answer"
    CUT_OFF = "hangs up in mid-body"
    ERROR = "answers 500 with HTML"
    LOGIN = "answers 200 with a login page"
    REDIRECT = "redirects elsewhere"
    TRUNCATED = "answers half a JSON document"
    WRONG_TYPE = "answers JSON under another content type"
    HUGE = "answers 10 MB"
    HUGE_UNANNOUNCED = "answers 10 MB without saying so"
    DEEP = "answers JSON too deep to read"
    WRONG_SHAPE = "answers JSON of another shape"
    NO_HTTP = "does not speak HTTP"
    PACKED = "packs its answer unasked"
    UNKNOWN_VOCABULARY = "does not know the vocabulary"
    NOT_FOUND = "is not at this address"


LATE = {Fault.SLOW, Fault.DRIPPING, Fault.DRIPPING_HEAD, Fault.HANGING, Fault.STUCK}

_LOGIN = f"<html><form action='http://{SECRET}/login'>Sign in</form></html>".encode()
_ERROR = f"ERROR: Unable to connect to {SECRET} (Connection refused)".encode()
_SPOILT: dict[Fault, tuple[int, str, Callable[[bytes], bytes]]] = {
    Fault.ERROR: (500, "text/html", lambda _: _ERROR),
    Fault.LOGIN: (200, "text/html", lambda _: _LOGIN),
    Fault.REDIRECT: (302, "text/html", lambda _: _LOGIN),
    Fault.TRUNCATED: (200, "application/json", lambda body: body[: len(body) // 2]),
    Fault.WRONG_TYPE: (200, "text/plain", lambda body: body),
    Fault.HUGE: (200, "application/json", lambda _: b" " * 10_000_000),
    Fault.DEEP: (200, "application/json", lambda _: b"[" * 500_000),
    Fault.WRONG_SHAPE: (200, "application/json", lambda _: b'{"results": {"uri": "%b"}}' % _ERROR),
    Fault.PACKED: (200, "application/json", lambda body: body),
    Fault.UNKNOWN_VOCABULARY: (
        404,
        "text/plain",
        lambda _: b"404 Not Found : Vocabulary id 'iec' not found.",
    ),
    Fault.NOT_FOUND: (404, "text/html", lambda _: _LOGIN),
}


class SkosmosServer(LoopbackServer[str]):
    """Serves vocabularies as Skosmos does, and counts what it is asked.

    ``fault`` holds for the calls in ``faulty``, of one vocabulary where it says ``iec/search``.
    ``replay`` holds answers, byte by byte, by call.
    """

    def __init__(self, vocabularies: dict[str, bytes] | None = None, **options: bool) -> None:
        super().__init__()
        self._emulator = Emulator.over(vocabularies or IEC_AND_LEGAL, **options)
        self.faulty = {"search", "data"}
        self.slow_s = 0.4
        self.replay: dict[str, bytes] = {}
        self.blank = False
        """Whether the store is away: every search finds nothing, and says so with 200."""
        self.busy = self.most_busy = 0
        self.hold = asyncio.Event()
        self.hold.set()

    @contextmanager
    def holding(self) -> Iterator[None]:
        """Answer nothing until the block ends."""
        self._loop.call_soon_threadsafe(self.hold.clear)
        try:
            yield
        finally:
            self._loop.call_soon_threadsafe(self.hold.set)

    def asked(self, call: str) -> list[str]:
        """The paths of the requests of one kind."""
        return [path for path in self.requests if urlsplit(path).path.endswith(f"/{call}")]

    async def _stop(self) -> None:
        self.hold.set()
        await super()._stop()

    async def _exchange(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        head = await reader.readuntil(b"\r\n\r\n")
        path = head.split(b" ")[1].decode()
        async with self._work(path):
            await self.hold.wait()
            url = urlsplit(path)
            call = url.path.rpartition("/")[2]
            if call in self.replay:
                writer.write(self.replay[call])
                await writer.drain()
                return False
            reply = self._reply(url.path, url.query)
            if self.fault and {call, "/".join(url.path.split("/")[-2:])} & self.faulty:
                return await self._fail(self.fault, reply, reader, writer)
            writer.write(_message(reply))
            await writer.drain()
            return True

    @asynccontextmanager
    async def _work(self, path: str) -> AsyncIterator[None]:
        self.busy += 1
        self.most_busy = max(self.most_busy, self.busy)
        self._take(path)
        try:
            yield
        finally:
            self.busy -= 1

    def _reply(self, path: str, query: str) -> Reply:
        if self.blank and path.endswith("/search"):
            return Reply(200, "application/json", b'{"results": []}')
        values = {key: found[0] for key, found in parse_qs(query, keep_blank_values=True).items()}
        return self._emulator.answer(unquote(path).removeprefix(API), values)

    async def _fail(
        self,
        fault: Fault,
        reply: Reply,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
    ) -> bool:
        """Answer in the way of a fault; tell whether the connection lives on."""
        if fault in _SPOILT:
            status, media_type, spoil = _SPOILT[fault]
            extra = b"Content-Encoding: gzip\r\n" if fault is Fault.PACKED else b""
            extra += b"Location: http://%b/\r\n" % SECRET.encode()
            writer.write(_message(Reply(status, media_type, spoil(reply.body)), extra))
            await writer.drain()
            return True
        message = _message(reply)
        if fault in LATE:
            return await self._be_late(fault, message, reader, writer, slow_s=self.slow_s)
        return await self._break_off(fault, message, reader, writer)


def _message(reply: Reply, extra: bytes = b"") -> bytes:
    phrase = HTTPStatus(reply.status).phrase
    head = (
        f"HTTP/1.1 {reply.status} {phrase}\r\nContent-Type: {reply.media_type}; charset=utf-8\r\n"
        f"Content-Length: {len(reply.body)}\r\n"
    )
    return head.encode() + extra + b"\r\n" + reply.body


def nobody_there() -> str:
    """An address on loopback at which nothing listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{probe.getsockname()[1]}"
