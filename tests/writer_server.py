"""A model server on loopback that writes answers, as a script says, over chat completions."""

from __future__ import annotations

import asyncio
import json
import re
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from tests.loopback import LoopbackServer

SECRET = "writers.internal.example: out of memory"
"""Stands in every failure, and must not reach anyone."""


class Fault(StrEnum):
    """A way to fail, or to speak otherwise."""

    HANGING = "never answers"
    CLOSED = "hangs up"
    ERROR = "answers 500"
    LIMITED = "answers 429"
    UNAUTHORISED = "answers 401"
    EMPTY = "writes nothing"
    NO_JSON = "answers what is not JSON"
    WRONG_SHAPE = "answers JSON of another shape"
    PROSE = "writes prose"
    HALF_A_CHARACTER = "writes prose that ends in half a surrogate pair"
    PROSE_ONCE = "writes prose first, and then what was asked for"
    NO_SCHEMA = "turns a JSON schema down"


class StreamFault(StrEnum):
    """A way to fail that only a server has which sends what it writes as it comes."""

    NO_STREAM = "turns a stream down"
    CUT = "hangs up in the midst of a stream"
    FAILS = "tells of a failure in the midst of a stream"


PIECE = 7
"""Characters of each event of a stream."""
_WHOLE = {
    Fault.CLOSED,
    Fault.ERROR,
    Fault.LIMITED,
    Fault.UNAUTHORISED,
    Fault.NO_JSON,
    Fault.WRONG_SHAPE,
    StreamFault.NO_STREAM,
}
STATUS = {Fault.ERROR: 500, Fault.LIMITED: 429, Fault.UNAUTHORISED: 401}


@dataclass(frozen=True, kw_only=True)
class Asked:
    """What a writer was asked: the question, the sources as it was told them, and what failed."""

    question: str
    sources: Sequence[dict[str, Any]]
    failed: Sequence[dict[str, Any]] = ()

    def saying(self, words: str) -> int:
        """The number of the source that says some words; 0 if none does."""
        found = (each["id"] for each in self.sources if words in " ".join(each["text"].split()))
        return int(next(found, 0))


Sentence = tuple[str, Sequence[tuple[int, str]]]
"""A sentence, and for it the numbers of sources with words of theirs."""
Script = Callable[[Asked], "Sequence[Sentence] | None"]
"""Returns sentences; None says that the sources do not answer."""


def unanswered(_asked: Asked) -> None:
    """Say that the sources do not answer."""


class WriterServer(LoopbackServer[dict[str, Any]]):
    """Writes what ``script`` says, in the form that a writer is asked for.

    Attributes:
        script: is told what a writer is told.
        searches: what a question is taken apart into.
        doubts: of sentences, those that it does not stand by when it is asked to check them.
        streams: sends what it writes as it comes, where it is asked to.
        stops_at: the words of a stream that it does not write before ``go_on``; none is never.
        stops_at_row: the sentence, from 1, that it does not write before; 0 is never.
        left: set where whoever asked went away while it had stopped.
    """

    def __init__(self, script: Script) -> None:
        super().__init__()
        self.script = script
        self.searches: list[str] = []
        self.doubts: Callable[[str], bool] = lambda _sentence: False
        self.keys: list[str] = []
        self.usage: dict[str, int] | None = None
        self.streams = False
        self.stops_at = ""
        self.stops_at_row = 0
        self.left = threading.Event()
        self._going_on = asyncio.Event()

    def go_on(self) -> None:
        """Let it write on, where it stopped."""
        self._loop.call_soon_threadsafe(self._going_on.set)

    async def _exchange(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        named = dict(line.split(": ", 1) for line in head[1:] if ": " in line)
        named = {name.lower(): value for name, value in named.items()}
        request = json.loads(await reader.readexactly(int(named.get("content-length", 0))))
        self.keys.append(named.get("authorization", ""))
        self._take(request)
        streamed = self.streams and request.get("stream") and (self.stops_at or self.stops_at_row)
        if self.fault is Fault.HANGING and not streamed and self._tell_late():
            await reader.read()  # until whoever asked goes away
        if self.fault is Fault.CLOSED or (self.fault is Fault.HANGING and not streamed):
            return False
        if self.streams and request.get("stream") and self.fault not in _WHOLE:
            return await self._stream(reader, writer, request)
        status, body = self._answer(request)
        writer.write(
            b"HTTP/1.1 %d X\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n%s"
            % (status, len(body), body)
        )
        await writer.drain()
        return True

    async def _stream(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, request: dict[str, Any]
    ) -> bool:
        writer.write(b"HTTP/1.1 200 X\r\ncontent-type: text/event-stream\r\n")
        writer.write(b"transfer-encoding: chunked\r\n\r\n")
        text, sent = self._written(request["messages"]), 0
        stop = self._stops(text)
        while sent < len(text):
            if 0 <= stop < sent + PIECE and not self._going_on.is_set():
                if self.fault is StreamFault.CUT:
                    return False
                if self.fault is StreamFault.FAILS:
                    _send(writer, {"error": {"message": SECRET}})
                    break
                if self.fault is Fault.HANGING:
                    self._tell_late()
                if not await self._may_go_on(reader):
                    return False
            piece = text[sent : sent + PIECE]
            _send(writer, {"choices": [{"index": 0, "delta": {"content": piece}}]})
            await writer.drain()
            sent += PIECE
        if self.usage:
            _send(writer, {"choices": [], "usage": self.usage})
        writer.write(b"e\r\ndata: [DONE]\n\n\r\n0\r\n\r\n")
        await writer.drain()
        return True

    def _stops(self, text: str) -> int:
        """Where a text is not written on; -1 for nowhere."""
        if self.stops_at_row:
            return [found.start() for found in re.finditer('{"text": ', text)][
                self.stops_at_row - 1
            ]
        return text.find(self.stops_at) if self.stops_at else -1

    async def _may_go_on(self, reader: asyncio.StreamReader) -> bool:
        """Wait until it may write on; False where whoever asked went away before."""
        going, gone = (
            asyncio.ensure_future(self._going_on.wait()),
            asyncio.ensure_future(reader.read()),
        )
        done, others = await asyncio.wait({going, gone}, return_when=asyncio.FIRST_COMPLETED)
        for each in others:
            each.cancel()
            await asyncio.wait({each})
        if gone in done:
            self.left.set()
        return gone not in done

    def _answer(self, request: dict[str, Any]) -> tuple[int, bytes]:
        if self.fault in STATUS:
            return STATUS[self.fault], json.dumps({"error": SECRET}).encode()
        if self.fault is StreamFault.NO_STREAM and "stream" in request:
            return 400, json.dumps({"error": SECRET}).encode()
        if self.fault is Fault.NO_SCHEMA and "response_format" in request:
            return 400, json.dumps({"error": SECRET}).encode()
        if self.fault is Fault.NO_JSON:
            return 200, f"<html>{SECRET}</html>".encode()
        if self.fault is Fault.WRONG_SHAPE:
            return 200, json.dumps({"message": SECRET, "choices": SECRET}).encode()
        message = {"role": "assistant", "content": self._written(request["messages"])}
        answer: dict[str, Any] = {"choices": [{"index": 0, "message": message}]}
        if self.usage:
            answer["usage"] = self.usage
        return 200, json.dumps(answer).encode()

    def _written(self, messages: list[dict[str, str]]) -> str:
        repairing = len(messages) > 2
        if self.fault is Fault.EMPTY:
            return ""
        if self.fault is Fault.PROSE or (self.fault is Fault.PROSE_ONCE and not repairing):
            return f"I know the answer by heart. {SECRET}"
        if self.fault is Fault.HALF_A_CHARACTER:
            return "I know the answer by heart \ud83d"
        data = json.loads(messages[1]["content"])
        if "sentences" in data:
            checks = [
                {"id": row["id"], "supported": not self.doubts(row["sentence"]), "confidence": 0.9}
                for row in data["sentences"]
            ]
            return json.dumps({"checks": checks})
        if "sources" not in data:
            return json.dumps({"searches": self.searches})
        return written(self.script, messages[1]["content"])


def _send(writer: asyncio.StreamWriter, event: dict[str, Any]) -> None:
    data = f"data: {json.dumps(event)}\n\n".encode()
    writer.write(b"%x\r\n%s\r\n" % (len(data), data))


def written(script: Script, content: str) -> str:
    """Write to the data of a prompt what a script says."""
    data = json.loads(content)
    said = script(
        Asked(question=data["question"], sources=data["sources"], failed=data.get("failed", ()))
    )
    rows = [
        {
            "text": text,
            "evidence": [{"source": source, "words": words} for source, words in evidence],
        }
        for text, evidence in said or ()
    ]
    return json.dumps({"can_answer": said is not None, "confidence": 0.9, "sentences": rows})
