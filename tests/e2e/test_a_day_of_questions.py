"""The chat as a person starts it, with a model that answers: a day of questions, and a restart."""

from __future__ import annotations

import asyncio
import json
import uuid
from typing import Any

import httpx
from tests.e2e.house import BROWSER, KEY, PATIENCE_S, House
from tests.host.chat_server import ChatServer
from tests.host.scripted import MARK
from tests.tables import FOLDER
from websockets.asyncio.client import ClientConnection, connect

pytestmark = BROWSER

TALKS = [
    part.splitlines()
    for part in (FOLDER / "a_day_of_questions.txt").read_text("utf-8").split("\n\n")
]
"""Five conversations of ten questions: terms, named documents, lists, searches, small talk,
follow-ups, refusals and repeated prompts, in three languages."""


async def talk(socket_: ClientConnection, user: str, talk_id: str, question: str) -> list[Any]:
    """Ask as the page does, and return what arrives up to `completed`."""
    asked = {
        "user_id": user,
        "conversation_id": talk_id,
        "query_id": str(uuid.uuid4()),
        "query": question,
        "collection_names": [],
        "route": "",
        "mimick": False,  # codespell:ignore mimick
    }
    await socket_.send(json.dumps(asked))
    payloads: list[Any] = []
    while not payloads or payloads[-1]["type"] != "completed":
        payloads.append(json.loads(await asyncio.wait_for(socket_.recv(), PATIENCE_S)))
    return payloads


async def test_c6_fifty_questions_with_a_model_and_a_restart(
    house: House, model: ChatServer
) -> None:
    """After a day of questions, beside a model that invents, all is there, and no error logged."""
    user, said = "a-person", {}
    with house.chat():
        async with (
            httpx.AsyncClient(base_url=house.address, timeout=PATIENCE_S) as http,
            connect(f"ws://127.0.0.1:{house.port}/ws/query") as socket_,
        ):
            await http.post(f"/init/user/{user}")
            for questions in TALKS:
                talk_id = str(uuid.uuid4())
                await http.post(f"/init/tree/{user}/{talk_id}", json={"low_memory": False})
                for question in questions:
                    payloads = await talk(socket_, user, talk_id, question)
                    found = {item["type"] for item in payloads}
                    assert {"text", "rag_response"} <= found, question
                    assert not found & {"error", "self_healing_error", "tree_timeout_error"}
                    assert MARK not in json.dumps(payloads), question
                shown = await http.get(f"/db/{user}/load_tree/{talk_id}")
                said[talk_id] = shown.json()["rebuild"]
    assert model.requests, "the model was asked how to read what is in doubt"
    with house.chat():
        async with httpx.AsyncClient(base_url=house.address, timeout=PATIENCE_S) as http:
            await http.post(f"/init/user/{user}")
            listed = (await http.get(f"/db/{user}/saved_trees")).json()["trees"]
            titles = {item["title"] for item in listed.values()}
            assert titles == {questions[0] for questions in TALKS}
            for (talk_id, before), questions in zip(said.items(), TALKS, strict=True):
                shown = await http.get(f"/db/{user}/load_tree/{talk_id}")
                assert shown.json() == {"rebuild": before, "error": ""}
                asked = [
                    item["payload"]["prompt"] for item in before if item["type"] == "user_prompt"
                ]
                assert [item.strip() for item in asked] == [item.strip() for item in questions]
    assert house.problems() == []
    assert KEY not in house.log.read_text()
