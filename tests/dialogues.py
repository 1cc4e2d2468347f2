"""Scripted dialogues with the chat, of which each reply is known: what one server alone would say.

Every question goes over a connection of its own, to the page's websocket or as a program asks.
"""

from __future__ import annotations

import asyncio
import json
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import httpx
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

from elysia_guard.direct import Guard
from elysia_guard.domain.conversation import Conversation
from elysia_guard.domain.document import Filters
from elysia_guard.wiring import Wiring

PATIENCE_S = 60
TRIES = 5
PICKS = ("the first", "the second")
SCRIPTS = (
    (
        "What does {of} decide?",
        "and who approved it?",
        "When was it accepted?",
        "What is CIM?",
        "{pick}",
    ),
    ("What is CIM?", "{pick}", "What does {of} decide?", "and who approved it?", "What is CIM?"),
)
WAYS = (("page",), ("program",), ("page", "program"))
"""Who asks the questions of a dialogue, in turn."""


class NotAnsweredError(Exception):
    """No whole answer came."""


@dataclass(kw_only=True)
class Dialogue:
    """What one person asks, and the replies that a single server gives."""

    questions: Sequence[str]
    ways: Sequence[str]
    expected: Sequence[str]
    user: str = field(default_factory=lambda: f"user-{uuid.uuid4().hex}")
    talk: str = field(default_factory=lambda: str(uuid.uuid4()))
    replies: list[str] = field(default_factory=list)
    again: int = 0
    """How often a question had to be asked again."""
    found: int = 0
    """How often an answer that did not arrive was in the conversation all the same."""


async def written(count: int, wiring: Wiring) -> list[Dialogue]:
    """Write so many dialogues: no two neighbours ask of the same document, or pick the same."""
    guard = Guard(wiring=wiring)
    named = [item.id for item in await wiring.index.documents(Filters()) if item.number]
    made = []
    for place in range(count):
        values = {"of": named[place % len(named)], "pick": PICKS[place // 2 % 2]}
        questions = [line.format(**values) for line in SCRIPTS[place % 2]]
        alone = Conversation()
        replies = [await guard.aask(question, conversation=alone) for question in questions]
        made.append(
            Dialogue(
                questions=questions,
                ways=WAYS[place % len(WAYS)],
                expected=[reply.answer for reply in replies],
            )
        )
    return made


async def play(
    address: str, dialogues: Sequence[Dialogue], *, at_once: int, told: Callable[[], None]
) -> None:
    """Hold dialogues, so many at once; ``told`` is called after each reply."""
    free = asyncio.Semaphore(at_once)

    async def hold(dialogue: Dialogue) -> None:
        async with free:
            for place, question in enumerate(dialogue.questions):
                way = dialogue.ways[place % len(dialogue.ways)]
                dialogue.replies.append(await _reply(address, dialogue, question, way))
                told()

    await asyncio.gather(*map(hold, dialogues))


async def shown(address: str, dialogue: Dialogue) -> list[tuple[str, str]]:
    """Return what the page shows of a dialogue: each question with its answer."""
    async with _client(address, dialogue) as http:
        found = await http.get(f"/db/{dialogue.user}/load_tree/{dialogue.talk}")
    if found.status_code != httpx.codes.OK:
        raise NotAnsweredError(found.text)
    payloads = found.json()["rebuild"]
    asked = [item["payload"]["prompt"].strip() for item in payloads if _is(item, "user_prompt")]
    return list(zip(asked, [_answer(item) for item in payloads if _is_reply(item)], strict=True))


async def _reply(address: str, dialogue: Dialogue, question: str, way: str) -> str:
    """Ask; what does not arrive is looked for in the conversation, then asked again."""
    ask = _ask_page if way == "page" else _ask_program
    for _ in range(TRIES):
        try:
            async with asyncio.timeout(PATIENCE_S):
                return await ask(address, dialogue, question)
        except (NotAnsweredError, httpx.HTTPError, WebSocketException, OSError):
            kept = await _kept(address, dialogue)
            if len(kept) > len(dialogue.replies):
                dialogue.found += 1
                return kept[-1][1]
            dialogue.again += 1
    raise NotAnsweredError(question)


async def _kept(address: str, dialogue: Dialogue) -> list[tuple[str, str]]:
    for _ in range(TRIES):
        try:
            return await shown(address, dialogue)
        except (NotAnsweredError, httpx.HTTPError):
            continue
    raise NotAnsweredError(dialogue.talk)


async def _ask_page(address: str, dialogue: Dialogue, question: str) -> str:
    message = {
        "user_id": dialogue.user,
        "conversation_id": dialogue.talk,
        "query_id": str(uuid.uuid4()),
        "query": question,
        "collection_names": [],
        "route": "",
    }
    answers = []
    place = address.replace("http", "ws", 1) + "/ws/query"
    async with connect(place, additional_headers={"X-Talk": dialogue.talk}) as socket:
        await socket.send(json.dumps(message))
        while True:
            item = json.loads(await socket.recv())
            assert (item["query_id"], item["conversation_id"]) == (
                message["query_id"],
                dialogue.talk,
            ), "a reply of somebody else's"
            answers += [_answer(item)] if _is_reply(item) else []
            if item["type"] == "completed":
                break
    if not answers:
        raise NotAnsweredError(question)
    return answers[-1]


async def _ask_program(address: str, dialogue: Dialogue, question: str) -> str:
    asked = {"question": question, "conversation_id": dialogue.talk, "user_id": dialogue.user}
    async with _client(address, dialogue) as http:
        answer = await http.post("/guard/ask", json=asked)
    if answer.status_code != httpx.codes.OK:
        raise NotAnsweredError(answer.text)
    return str(answer.json()["answer"])


def _client(address: str, dialogue: Dialogue) -> httpx.AsyncClient:
    headers = {"X-Talk": dialogue.talk}
    return httpx.AsyncClient(base_url=address, timeout=PATIENCE_S, headers=headers, trust_env=False)


def _is(item: dict[str, Any], kind: str) -> bool:
    return bool(item["type"] == kind)


def _is_reply(item: dict[str, Any]) -> bool:
    return _is(item, "rag_response")


def _answer(item: dict[str, Any]) -> str:
    return str(item["payload"]["answer"])
