"""A server on loopback that scores passages, in the forms of rerank servers."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import Any

from tests.loopback import LoopbackServer

Decide = Callable[[str, Sequence[str]], Sequence[float]]
SECRET = "judges.internal.example: out of memory"
"""Stands in every failure, and must not reach anyone."""


class Fault(StrEnum):
    """A way to fail, or to speak otherwise."""

    HANGING = "never answers"
    CLOSED = "hangs up"
    ERROR = "answers 500"
    UNAUTHORISED = "answers 401"
    TOO_LONG = "answers 400"
    NO_JSON = "answers what is not JSON"
    HUGE = "answers 10 MB"
    WRONG_SHAPE = "answers JSON of another shape"
    TOO_FEW = "forgets a passage"
    TWICE = "judges one passage twice"
    WORDS = "writes words for numbers"
    BEYOND = "is surer than sure"


class JudgeServer(LoopbackServer[dict[str, Any]]):
    """Scores as ``decide`` does.

    Attributes:
        decide: is told the question and the passages, each with its title and headings.
        form: of ``/rerank``: ``results``, ``data`` or ``list``; ``logits`` are scores beyond 0..1.
        keys: what came with each request.
    """

    def __init__(self, decide: Decide) -> None:
        super().__init__()
        self.decide = decide
        self.form = "results"
        self.logits = False
        self.keys: list[str] = []
        self.paths: list[str] = []

    async def _exchange(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        named = dict(line.lower().split(": ", 1) for line in head[1:] if ": " in line)
        plain = dict(line.split(": ", 1) for line in head[1:] if ": " in line)
        request = json.loads(await reader.readexactly(int(named.get("content-length", 0))))
        self.keys.append(plain.get("Authorization", ""))
        self.paths.append(head[0].split(" ")[1])
        self._take(request)
        if self.fault is Fault.HANGING and self._tell_late():
            await reader.read()  # until whoever asked goes away
        if self.fault in {Fault.HANGING, Fault.CLOSED}:
            return False
        status, body = self._answer(self.paths[-1], request)
        writer.write(
            b"HTTP/1.1 %d X\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n%s"
            % (status, len(body), body)
        )
        await writer.drain()
        return True

    def _answer(self, path: str, request: dict[str, Any]) -> tuple[int, bytes]:
        match self.fault:
            case Fault.ERROR | Fault.UNAUTHORISED | Fault.TOO_LONG:
                status = {Fault.ERROR: 500, Fault.UNAUTHORISED: 401, Fault.TOO_LONG: 400}
                return status[self.fault], json.dumps({"error": SECRET}).encode()
            case Fault.NO_JSON:
                return 200, f"<html>{SECRET}</html>".encode()
            case Fault.HUGE:
                return 200, b" " * 10_000_000
            case Fault.WRONG_SHAPE:
                return 200, json.dumps({"message": SECRET, "results": [SECRET]}).encode()
        return (200, self._ranked(request)) if path.endswith("/rerank") else (404, b"{}")

    def _ranked(self, request: dict[str, Any]) -> bytes:
        texts = request["texts"] if self.form == "list" else request["documents"]
        scores = self.decide(request["query"], texts)
        if self.logits:
            scores = [12.0 * (score - 0.5) for score in scores]
        name = "score" if self.form == "list" else "relevance_score"
        rows: list[dict[str, Any]] = [{"index": n, name: score} for n, score in enumerate(scores)]
        rows.sort(key=lambda row: -row[name])  # as servers do
        match self.fault:
            case Fault.TOO_FEW:
                rows = rows[:-1]
            case Fault.TWICE:
                rows = [rows[0], *rows[:-1]]
            case Fault.WORDS:
                rows = [{**row, name: "high"} for row in rows]
            case Fault.BEYOND:
                rows = [{**row, name: 10**400} for row in rows]
        answer = rows if self.form == "list" else {self.form: rows}
        return json.dumps(answer).encode()
