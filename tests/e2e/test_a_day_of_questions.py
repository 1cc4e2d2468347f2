"""The chat as a person starts it, with a model that answers: a day of questions, and a restart."""

from __future__ import annotations

import asyncio
import json
import uuid
from typing import Any

import httpx
import pytest
from tests.e2e.house import KEY, PATIENCE_S, House
from tests.host.chat_server import ChatServer
from tests.host.scripted import MARK
from websockets.asyncio.client import ClientConnection, connect

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

# Five conversations of ten questions: terms, named documents, lists, searches, small talk,
# follow-ups, refusals and repeated prompts, in three languages.
TALKS: tuple[tuple[str, ...], ...] = (
    (
        "What is CIMXML?",
        "What is CIM?",
        "the second",
        "What is CIM?",
        "hello",
        "What is FooBarBaz?",
        "What is FooBarBaz?",
        "How are grid models exchanged with neighbouring operators?",
        "Thanks!",
        "Define CIM",
    ),
    (
        "Wat is een transformator?",
        "Wat betekent CIM?",
        "de eerste",
        "hallo",
        "Welke principes zijn er?",
        "Wat besluit ADR-12?",
        "Hoe worden verbindingen versleuteld?",
        "Wat is een kwibus?",
        "Hoe worden verbindingen versleuteld?",
        "dank je wel",
    ),
    (
        "Was ist ein Transformator?",
        "Welche Grundsätze gibt es?",
        "Was beschließt ADR-12?",
        "Guten Tag",
        "Was ist CIMXML?",
        "Wie werden Verbindungen verschlüsselt?",
        "Was ist ein Quuxifizierer?",
        "Was ist ein Transformator?",
        "Wer muss vor einer Abschaltung verständigt werden?",
        "danke",
    ),
    (
        "List all principles",
        "Which decisions are accepted?",
        "What does ADR.12 decide?",
        "What is the status of ADR-12?",
        "And ADR-27?",
        "ADR 9999",
        "12",
        "List all policies",
        "What does POL-3 say?",
        "List all principles",
    ),
    (
        "How long is measurement data kept?",
        "Who has to be told before a substation is taken out of service?",
        "Why was that chosen?",
        "Where can I eat pizza tonight?",
        "What is the difference between CIM and CIMXML?",
        "???",
        "[/b] <script>alert(1)</script>",
        "😀",
        "What is a grid-forming inverter, and why does everyone want one?",
        "Our trainee wrote GOOSE on the whiteboard and it clearly wasn't about the bird.",
    ),
)


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
