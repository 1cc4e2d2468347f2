"""Adversaries behind a server on loopback that speaks OpenAI's chat completions.

The name of the model is the script: ``mixed``, ``fabricate:number+date``. A fault is how the server
itself fails. It listens on 127.0.0.1 alone.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import StrEnum
from types import TracebackType
from typing import Any, Self

from scripts.lab.adversaries.ground import Attack
from scripts.lab.adversaries.policies import UnknownPolicyError, script
from scripts.lab.adversaries.told import (
    AdversaryPrompt,
    AdversaryReply,
    AdversarySource,
    MadeSentence,
)

from elysia_guard.adapters.models.vetting import ANSWERED, RIGHT, UNANSWERED


def asked(messages: Sequence[Mapping[str, Any]]) -> AdversaryPrompt:
    """Return what the messages ask; of what is no prompt of the guard's, nothing."""
    data: dict[str, Any] = {}
    for message in messages:
        with contextlib.suppress(json.JSONDecodeError, RecursionError):
            said = json.loads(str(message.get("content", "")))
            if isinstance(said, dict) and said.keys() & {"catalogue", "documents"}:
                data = data or said
    question = str(data.get("question", ""))
    plans = "catalogue" in data
    return AdversaryPrompt(
        question=question,
        sources=tuple(_titles(question, data["catalogue"]) if plans else _units(data)),
        talk=data.get("asked_before", ()),
        plans=plans,
        turn=sum(item.get("role") == "assistant" for item in messages),
    )


def _titles(question: str, catalogue: Sequence[str]) -> Iterator[AdversarySource]:
    """Yield the question and every title as sentences, so that they can be turned."""
    yield AdversarySource(id=0, text=f"{question.rstrip('?!. ')}.")
    for line in catalogue:
        n, _, *named = line.split(" | ")
        document, title, status = (*named, "", "")[:3]
        text = f"{title or document}."
        yield AdversarySource(id=int(n), text=text, document=document, title=title, status=status)


def _units(data: Mapping[str, Any]) -> Iterator[AdversarySource]:
    for label, text in data.get("definitions", {}).items():
        yield AdversarySource(id=0, text=text, title=label)
    for document in data.get("documents", ()):
        about = {"document": document.get("document", ""), "title": document["title"]}
        about["status"] = document.get("status", "")
        for part in document["sections"]:
            within = {"section": part["section"], "role": part.get("role", "")}
            for n, text in part["units"].items():
                yield AdversarySource(id=int(n), text=text, **about, **within)


_PASSED = {
    ANSWERED: {"missing": "", "verdict": "answers", "units": [RIGHT]},
    UNANSWERED: {"missing": "all", "verdict": "no", "units": []},
}
"""What is said to the control questions, so that it is believed afterwards."""
TOOL = "text_response"
"""Elysia's own tool that shows a model's words."""

_OUTPUTS = re.compile(r"Your output fields are:\n(.*?)\n(?:All interactions|Your input)", re.DOTALL)
_FIELD = re.compile(r"^\d+\. `(\w+)`", re.MULTILINE)


def filled(messages: Sequence[Mapping[str, Any]], text: str) -> str:
    """Return a decision to show a text, in the form that DSPy's chat adapter reads.

    What is no decision is answered with the text alone.
    """
    asked = _OUTPUTS.search(str(messages[0].get("content", ""))) if messages else None
    names = _FIELD.findall(asked[1]) if asked else []
    if not names:
        return text
    parts = [f"[[ ## {name} ## ]]\n{_field(name, text)}" for name in names]
    return "\n\n".join((*parts, "[[ ## completed ## ]]"))


def _field(name: str, text: str) -> str:
    decided = {
        "reasoning": "The question can be answered.",
        "message_update": "One moment.",
        "impossible": "False",
        "end_actions": "True",
        "function_name": TOOL,
        "function_inputs": json.dumps({"text": text}, ensure_ascii=False),
    }
    return decided.get(name, text)


MARKED = "adversary.internal.example: account 4711"
"""Stands in every failure, and must not reach anyone."""
_TOKENS_EACH = 4
"""Characters to a token, about."""


class Fault(StrEnum):
    """A way in which a model server fails."""

    CLOSED = "closed"
    HANGING = "hanging"
    DRIPPING = "dripping"
    """It sends its headers, and then a byte now and then."""
    LATE = "late"
    """It answers, after ``late_s``."""
    ERROR = "error"
    UNAUTHORISED = "unauthorised"
    NO_QUOTA = "no_quota"
    """402: the account is empty."""
    FORBIDDEN = "forbidden"
    RATE_LIMITED = "rate_limited"
    NO_JSON = "no_json"
    NO_SCHEMA = "no_schema"
    """It knows no JSON schema, and answers without one."""


_STATUS = {
    Fault.ERROR: 500,
    Fault.UNAUTHORISED: 401,
    Fault.NO_QUOTA: 402,
    Fault.FORBIDDEN: 403,
    Fault.RATE_LIMITED: 429,
}


_LATE = frozenset({Fault.HANGING, Fault.DRIPPING, Fault.LATE})


class AdversaryServer:
    """Plays the model that a request names; runs between ``with`` and its end.

    Attributes:
        made: what was made up, for each answer given; ``taken`` empties it.
        fault: how it fails; None: not at all.
        playing: a script that is played whatever model is named; None: the one that is named.
        saying: what is said to whoever asks in another form than the guard asks: to Elysia.
        requests: what each request held.
        on_late: is called when an answer is being late; a test may let its clock move then.
    """

    def __init__(self, attacks: Sequence[Attack] = (), *, late_s: float = 1.0) -> None:
        self.made: list[MadeSentence] = []
        self.fault: Fault | None = None
        self.playing: str | None = None
        self.saying = ""
        self.requests: list[dict[str, Any]] = []
        self.late_s = late_s
        self.on_late: Callable[[], None] = lambda: None
        self._attacks = attacks
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._port = 0

    @property
    def url(self) -> str:
        """Its address."""
        return f"http://127.0.0.1:{self._port}/v1"

    def taken(self) -> list[MadeSentence]:
        """Return what was made up since it was last taken."""
        made, self.made = self.made, []
        return made

    def __enter__(self) -> Self:
        self._thread.start()
        starting = asyncio.start_server(self._serve, "127.0.0.1", 0)
        self._server = asyncio.run_coroutine_threadsafe(starting, self._loop).result()
        self._port = self._server.sockets[0].getsockname()[1]
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        asyncio.run_coroutine_threadsafe(self._stop(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _stop(self) -> None:
        self._server.close()
        tasks = asyncio.all_tasks() - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        gone = (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError)
        try:
            with contextlib.suppress(*gone):
                while await self._exchange(reader, writer):
                    pass
        finally:
            writer.transport.abort()

    async def _exchange(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        headers = dict(line.lower().split(": ", 1) for line in head[1:] if ": " in line)
        body = await reader.readexactly(int(headers.get("content-length", 0)))
        request: dict[str, Any] = json.loads(body or b"{}")
        self.requests.append(request)
        if self.fault in _LATE:
            self.on_late()
        match self.fault:
            case Fault.CLOSED:
                return False
            case Fault.HANGING:
                await reader.read()  # until whoever asked goes away
                return False
            case Fault.DRIPPING:
                await _drip(writer)
            case Fault.LATE:
                await asyncio.sleep(self.late_s)
        status, answer = self._answer(head[0], request)
        writer.write(
            b"HTTP/1.1 %d X\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n%s"
            % (status, len(answer), answer)
        )
        await writer.drain()
        return True

    def _answer(self, line: str, request: Mapping[str, Any]) -> tuple[int, bytes]:
        if line.split(" ")[1].endswith("/models"):
            return 200, json.dumps({"object": "list", "data": []}).encode()
        if self.fault in _STATUS:
            return _STATUS[self.fault], _error(MARKED)
        if self.fault is Fault.NO_JSON:
            return 200, f"<html>{MARKED}</html>".encode()
        if self.fault is Fault.NO_SCHEMA and "response_format" in request:
            return 400, _error(MARKED)
        try:
            reply = self._played(request)
        except UnknownPolicyError as err:
            return 404, _error(str(err))
        self.made += reply.made
        return 200, _completion(request, reply)

    def _played(self, request: Mapping[str, Any]) -> AdversaryReply:
        messages = request.get("messages", ())
        if self.saying:
            return AdversaryReply(text=filled(messages, self.saying))
        chosen = script(self.playing or str(request.get("model", "")), self._attacks)
        prompt = asked(messages)
        if prompt.question in _PASSED:
            return AdversaryReply(text=json.dumps(_PASSED[prompt.question]))
        return chosen(prompt)


async def _drip(writer: asyncio.StreamWriter) -> None:
    head = b"HTTP/1.1 200 X\r\ncontent-type: application/json\r\ncontent-length: 9000\r\n\r\n"
    writer.write(head)
    while True:
        writer.write(b" ")
        await writer.drain()
        await asyncio.sleep(0.05)


def _error(text: str) -> bytes:
    return json.dumps({"error": {"message": text, "type": "adversary"}}).encode()


def _completion(request: Mapping[str, Any], reply: AdversaryReply) -> bytes:
    asked = sum(len(str(item.get("content", ""))) for item in request.get("messages", ()))
    tokens = (asked // _TOKENS_EACH, len(reply.text) // _TOKENS_EACH)
    message = {"role": "assistant", "content": reply.text}
    said = {
        "id": "chatcmpl-adversary",
        "object": "chat.completion",
        "created": 0,
        "model": request.get("model", ""),
        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
        "usage": {
            "prompt_tokens": tokens[0],
            "completion_tokens": tokens[1],
            "total_tokens": sum(tokens),
        },
    }
    return json.dumps(said).encode()
