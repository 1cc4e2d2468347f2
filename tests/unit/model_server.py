"""A model server on loopback, in a thread of its own, that can be told to fail in many ways."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from http import HTTPStatus
from typing import Any

from tests.loopback import LoopbackServer

from elysia_guard.adapters.embedders.served import ModelServer
from elysia_guard.testing.fake_index import HashEmbedder

SECRET = "models.internal.example:11434"
"""Stands in every faulty answer, and must not reach anyone."""
KEY = "sk-made-up-0123456789"
DIMENSION = 64
LATE_S = 1.0
"""When the slow fault answers, unless a test says otherwise."""

PATHS = {"/api/embed": "ollama", "/v1/embeddings": "openai"}


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
    NO_HTTP = "does not speak HTTP"
    ERROR = "answers 500 with HTML"
    LOGIN = "answers 200 with a login page"
    REDIRECT = "redirects elsewhere"
    TRUNCATED = "answers half a JSON document"
    HUGE = "answers 10 MB"
    HUGE_UNANNOUNCED = "answers 10 MB without saying so"
    PACKED = "packs its answer unasked"
    DEEP = "answers JSON too deep to read"
    WRONG_SHAPE = "answers JSON of another shape"
    NOTHING = "answers null"
    TOO_FEW = "forgets a vector"
    TOO_MANY = "adds a vector"
    WRONG_DIMENSION = "answers vectors of another model"
    NAN = "answers a vector with NaN"
    INFINITE = "answers a vector with Infinity"
    ENORMOUS = "answers a number that no float holds"
    ZERO = "answers a vector of zeros"
    WORDS = "answers numbers in quotes"
    UNAUTHORISED = "answers 401 and repeats the key"
    NO_MODEL = "answers 404: there is no such model"
    TOO_LONG = "answers 400: the text is too long"
    BUSY = "answers 429"


LATE = {Fault.SLOW, Fault.DRIPPING, Fault.DRIPPING_HEAD, Fault.HANGING, Fault.STUCK}
BROKEN_OFF = {Fault.RESET, Fault.CLOSED, Fault.CUT_OFF, Fault.NO_HTTP, Fault.HUGE_UNANNOUNCED}
LASTING = {Fault.WRONG_DIMENSION, Fault.UNAUTHORISED, Fault.NO_MODEL, Fault.TOO_LONG}

Vectors = list[list[Any]]
_LOGIN = f"<html><form action='http://{SECRET}/login'>Sign in</form></html>".encode()
_STATUS: dict[Fault, tuple[int, bytes]] = {
    Fault.ERROR: (500, f"<html>{SECRET}: unsupported value: NaN</html>".encode()),
    Fault.LOGIN: (200, _LOGIN),
    Fault.REDIRECT: (302, _LOGIN),
    Fault.HUGE: (200, b" " * 10_000_000),
    Fault.DEEP: (200, b"[" * 500_000),
    Fault.WRONG_SHAPE: (200, json.dumps({"embedding": SECRET, "data": [SECRET]}).encode()),
    Fault.NOTHING: (200, b"null"),
    Fault.UNAUTHORISED: (401, json.dumps({"error": f"wrong key {KEY} for {SECRET}"}).encode()),
    Fault.NO_MODEL: (404, json.dumps({"error": f"model not found at {SECRET}"}).encode()),
    Fault.TOO_LONG: (400, json.dumps({"error": "input exceeds the context length"}).encode()),
    Fault.BUSY: (429, SECRET.encode()),
}
_SPOILT: dict[Fault, Callable[[Vectors], Vectors]] = {
    Fault.TOO_FEW: lambda vectors: vectors[:-1],
    Fault.TOO_MANY: lambda vectors: [*vectors, vectors[0]],
    Fault.WRONG_DIMENSION: lambda vectors: [vector * 2 for vector in vectors],
    Fault.NAN: lambda vectors: [[float("nan"), *vector[1:]] for vector in vectors],
    Fault.INFINITE: lambda vectors: [[float("inf"), *vector[1:]] for vector in vectors],
    Fault.ENORMOUS: lambda vectors: [[10**400, *vector[1:]] for vector in vectors],
    Fault.ZERO: lambda vectors: [[0.0] * len(vector) for vector in vectors],
    Fault.WORDS: lambda vectors: [[str(number) for number in vector] for vector in vectors],
}


@dataclass(frozen=True)
class Request:
    """What the server was asked."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]

    @property
    def texts(self) -> list[str]:
        return list(self.body["input"])


class LoopbackModels(LoopbackServer[Request]):
    """Embeds as ``HashEmbedder`` does, three times as long, and counts what it is asked.

    ``fault`` holds for every request; ``faults`` for the next ones, each for one (None: well).
    """

    def __init__(self) -> None:
        super().__init__()
        self.faults: list[Fault | None] = []
        self.slow_s = LATE_S
        self._model = HashEmbedder(dimension=DIMENSION)

    def address(self, kind: str) -> str:
        """The address that a configuration holds."""
        return self.url + ("/v1" if kind == "openai" else "")

    def server(self, kind: str, **values: Any) -> ModelServer:
        """Describe itself as a client sees it."""
        own = {"kind": kind, "url": self.address(kind), "model": "hash", "dimension": DIMENSION}
        return ModelServer(**(own | values))

    async def _exchange(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        headers = dict(line.lower().split(": ", 1) for line in head[1:] if ": " in line)
        body = json.loads(await reader.readexactly(int(headers.get("content-length", 0))))
        shown = dict(line.split(": ", 1) for line in head[1:] if ": " in line)
        self._take(Request(head[0].split(" ")[1], shown, body))
        fault = self.faults.pop(0) if self.faults else self.fault
        message = await self._message(self.requests[-1], fault)
        if fault in LATE:
            return await self._be_late(fault, message, reader, writer, slow_s=self.slow_s)
        if fault in BROKEN_OFF:
            return await self._break_off(fault, message, reader, writer)
        writer.write(message)
        await writer.drain()
        return True

    async def _message(self, request: Request, fault: Fault | None) -> bytes:
        if fault in _STATUS:
            return _http(*_STATUS[fault])
        vectors: Vectors = [
            [3 * x for x in vector] for vector in await self._model.embed(request.texts)
        ]
        if fault in _SPOILT:
            vectors = _SPOILT[fault](vectors)
        body = json.dumps(_answer(PATHS.get(request.path, ""), vectors)).encode()
        if fault is Fault.TRUNCATED:
            body = body[: len(body) // 2]
        extra = b"Content-Encoding: gzip\r\n" if fault is Fault.PACKED else b""
        return _http(200 if request.path in PATHS else 404, body, extra)


def _answer(kind: str, vectors: Vectors) -> dict[str, Any]:
    """What the two kinds of servers answer; OpenAI's vectors come in no promised order."""
    if kind == "ollama":
        return {"model": "hash", "embeddings": vectors, "total_duration": 1, "load_duration": 1}
    data = [
        {"object": "embedding", "index": n, "embedding": vector} for n, vector in enumerate(vectors)
    ]
    return {"object": "list", "data": data[::-1], "model": "hash", "usage": {"total_tokens": 1}}


def _http(status: int, body: bytes, extra: bytes = b"") -> bytes:
    head = (
        f"HTTP/1.1 {status} {HTTPStatus(status).phrase}\r\nContent-Type: application/json\r\n"
        f"Location: http://{SECRET}/\r\nContent-Length: {len(body)}\r\n"
    )
    return head.encode() + extra + b"\r\n" + body
