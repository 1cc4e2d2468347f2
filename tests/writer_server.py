"""A model server on loopback that writes answers, as a script says, over chat completions."""

from __future__ import annotations

import asyncio
import json
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


STATUS = {Fault.ERROR: 500, Fault.LIMITED: 429, Fault.UNAUTHORISED: 401}


@dataclass(frozen=True, kw_only=True)
class Asked:
    """What a writer was asked: the question, and the sources as it was told them."""

    question: str
    sources: Sequence[dict[str, Any]]

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
    """

    def __init__(self, script: Script) -> None:
        super().__init__()
        self.script = script
        self.searches: list[str] = []
        self.keys: list[str] = []
        self.usage: dict[str, int] | None = None

    async def _exchange(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        named = dict(line.split(": ", 1) for line in head[1:] if ": " in line)
        named = {name.lower(): value for name, value in named.items()}
        request = json.loads(await reader.readexactly(int(named.get("content-length", 0))))
        self.keys.append(named.get("authorization", ""))
        self._take(request)
        if self.fault is Fault.HANGING and self._tell_late():
            await reader.read()  # until whoever asked goes away
        if self.fault in {Fault.CLOSED, Fault.HANGING}:
            return False
        status, body = self._answer(request)
        writer.write(
            b"HTTP/1.1 %d X\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n%s"
            % (status, len(body), body)
        )
        await writer.drain()
        return True

    def _answer(self, request: dict[str, Any]) -> tuple[int, bytes]:
        if self.fault in STATUS:
            return STATUS[self.fault], json.dumps({"error": SECRET}).encode()
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
        if "sources" not in data:
            return json.dumps({"searches": self.searches})
        return written(self.script, messages[1]["content"])


def written(script: Script, content: str) -> str:
    """Write to the data of a prompt what a script says."""
    data = json.loads(content)
    said = script(Asked(question=data["question"], sources=data["sources"]))
    rows = [
        {"text": text, "source": evidence[0][0] if evidence else 0} for text, evidence in said or ()
    ]
    return json.dumps({"can_answer": said is not None, "sentences": rows})
