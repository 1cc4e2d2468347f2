"""A model server on loopback that plans and points, as a script says, over chat completions."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from tests.loopback import LoopbackServer

from elysia_guard.adapters.models.vetting import ANSWERED, UNANSWERED

SECRET = "models.internal.example: out of memory"
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
class ToldUnit:
    """A unit as a model is told it, with where it stands."""

    n: int
    text: str
    document: str
    title: str
    section: str


@dataclass(frozen=True, kw_only=True)
class Asked:
    """What a model is asked to point at: the question, and the units by their numbers."""

    question: str
    units: Sequence[ToldUnit]

    def saying(self, *words: str) -> list[int]:
        """The numbers of the units that say any of some words, in the order of the words."""
        return [each.n for said in words for each in self.units if said in each.text]


Said = tuple[str, Sequence[object]]
"""A verdict, and the numbers of units."""
Script = Callable[[Asked], Said]


def pointing(*words: str) -> Script:
    """Point at the units that say some words; say no where none does."""

    def script(asked: Asked) -> Said:
        found = asked.saying(*words)
        return ("answers", found) if found else ("no", [])

    return script


def lazy(_asked: Asked) -> Said:
    """Point at the first unit, whatever it says."""
    return "answers", [1]


def denying(_asked: Asked) -> Said:
    """Say that no unit answers."""
    return "no", []


def inventing(asked: Asked) -> Said:
    """Point at units that there are not."""
    return "answers", [0, -1, len(asked.units) + 1, 10**12]


CONTROLS = {ANSWERED: pointing("three years after"), UNANSWERED: denying}


class GuideServer(LoopbackServer[dict[str, Any]]):
    """Plans nothing unless told to, and points as ``script`` says.

    Attributes:
        script: is told what a model is told that points.
        documents: names or titles of the catalogue that a plan names.
        searches: the wordings of a plan.
        tools: the names of tools in a plan, where tools are offered.
        wholes: what a plan makes of questions as they are typed; others stay as they are.
        fit: whether it passes the control questions; else the script answers them too.
    """

    def __init__(self, script: Script) -> None:
        super().__init__()
        self.script = script
        self.documents: list[str] = []
        self.searches: list[str] = []
        self.tools: list[str] = []
        self.wholes: dict[str, str] = {}
        self.fit = True
        self.keys: list[str] = []
        self.usage: dict[str, int] | None = None

    def asked_to(self, purpose: str) -> list[dict[str, Any]]:
        """The data of the requests to ``plan`` or to ``point``, without the control questions."""
        told = (json.loads(each["messages"][1]["content"]) for each in self.requests)
        return [
            data
            for data in told
            if ("catalogue" in data) is (purpose == "plan") and data["question"] not in CONTROLS
        ]

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
        said = said_to(
            messages[1]["content"], self.script, self.documents, self.searches, fit=self.fit
        )
        made = json.loads(said)
        if '"tools": {' in messages[1]["content"]:
            made |= {"tools": self.tools}
        if (asked := made.get("question")) in self.wholes:
            made |= {"question": self.wholes[asked]}
        return json.dumps(made)


def said_to(
    content: str,
    script: Script,
    documents: Sequence[str] = (),
    searches: Sequence[str] = (),
    *,
    fit: bool = True,
) -> str:
    """Write to the data of a prompt what a script says; a fit one passes the control questions."""
    data = json.loads(content)
    script = CONTROLS.get(data["question"], script) if fit else script
    if "catalogue" in data:
        named = [
            int(line.split(" | ")[0])
            for wanted in documents
            for line in data["catalogue"]
            if wanted in line.split(" | ")
        ]
        plan = {"question": data["question"], "searches": list(searches), "documents": named}
        return json.dumps(plan | {"terms": []})
    units = [
        ToldUnit(
            n=int(n),
            text=" ".join(text.split()),
            document=document.get("document", ""),
            title=document["title"],
            section=section["section"],
        )
        for document in data["documents"]
        for section in document["sections"]
        for n, text in section["units"].items()
    ]
    verdict, numbers = script(Asked(question=data["question"], units=units))
    return json.dumps({"missing": "", "verdict": verdict, "units": list(numbers)})
