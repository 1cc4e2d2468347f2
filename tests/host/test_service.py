"""Programs ask over HTTP, agents over the Model Context Protocol; both get what the guard says."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from mcp.client import Client

from elysia_guard.adapters.conversations import Keeper, SqlConversations
from elysia_guard.config import DecisionLogSection, home
from elysia_guard.direct import Guard
from elysia_guard.domain.errors import ConversationStoreError, PassageIndexError
from elysia_guard.domain.saved import ConversationKey
from elysia_guard.edge.elysia.webapp.programs import shown
from elysia_guard.edge.service import agents
from elysia_guard.edge.service.routes import UNANSWERED, router
from elysia_guard.edge.service.service import AskedQuestion, GuardService, Talks
from elysia_guard.testing.fake_conversations import MemoryConversations
from elysia_guard.wiring import Wiring

FIRST, FOLLOW_UP = "What does ADR-0012 decide?", "and who approved it?"


def settled(reply: dict[str, Any]) -> dict[str, Any]:
    """A response without its id and the time it took, as JSON has it."""
    plain: dict[str, Any] = json.loads(json.dumps(reply))
    plain.pop("request_id")
    for step in plain["trace"]:
        step.pop("elapsed_ms")
    return plain


def keeper(path: Path) -> Keeper:
    return Keeper(SqlConversations.in_file(path), place=str(path), keep_for=None)


def client(
    wiring: Wiring, talks: Talks | None = None, asked: list[str] | None = None
) -> TestClient:
    """A client of the routes alone; the user is whoever the request names."""
    service = GuardService(Guard(wiring=wiring), talks or Talks())
    app = FastAPI()
    app.include_router(
        router(
            lambda _: service,
            named=lambda _, named: named or "",
            remembered=lambda _, request_id: (asked if asked is not None else []).append(
                request_id
            ),
        )
    )
    return TestClient(app)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Keeper]:
    kept = keeper(tmp_path / "talks.sqlite")
    yield kept
    kept.close()


@pytest.mark.parametrize(
    "question",
    [
        "What is CIMXML?",
        FIRST,
        "What does ADR-0050 decide?",
        "What is CIM?",
        "Hello!",
        "the third one",
        "das letzte",
        "How large is 10 m² of ③?",
    ],
)
def test_a_program_gets_what_the_guard_says(wiring: Wiring, question: str) -> None:
    """The whole response, as ``ask --json`` prints it."""
    asked: list[str] = []
    answer = client(wiring, asked=asked).post("/guard/ask", json={"question": question})
    assert answer.status_code == 200
    assert settled(answer.json()) == settled(Guard(wiring=wiring).ask(question).to_dict())
    assert asked == [answer.json()["request_id"]]


def test_a_conversation_goes_on_in_another_process(wiring: Wiring, tmp_path: Path) -> None:
    """Two services over one store: what the one was asked, the other follows up."""
    stores = [keeper(tmp_path / "talks.sqlite") for _ in range(2)]
    one, other = (client(wiring, Talks(item)) for item in stores)
    talk = {"conversation_id": "c1", "user_id": "ada"}
    one.post("/guard/ask", json={"question": FIRST, **talk})
    followed = other.post("/guard/ask", json={"question": FOLLOW_UP, **talk}).json()
    assert followed["sources"][0]["doc_id"] == "ADR-0012D"
    for item in stores:
        item.close()


async def test_of_questions_at_once_in_one_conversation_none_is_lost(
    wiring: Wiring, store: Keeper
) -> None:
    """One after the other; each is kept before it is answered, as the page would show it."""
    talks = Talks(store, show=shown)
    service = GuardService(Guard(wiring=wiring), talks)
    asked = [
        AskedQuestion(question=f"What does ADR-{number:04d} decide?", conversation_id="c1")
        for number in range(10, 20)
    ]
    replies = await asyncio.gather(*(service.ask(item, user_id="ada") for item in asked))
    saved = await store.load(ConversationKey(user_id="ada", conversation_id="c1"))
    assert saved is not None
    kept = {
        turn.query_id: [
            item["payload"]["prompt"] for item in turn.payloads if "prompt" in item["payload"]
        ]
        for turn in saved.turns
    }
    assert kept == {
        reply.request_id: [item.question] for reply, item in zip(replies, asked, strict=True)
    }
    assert saved.standing.title == asked[0].question


async def test_a_store_that_cannot_be_had_costs_no_answer(
    wiring: Wiring, store: Keeper, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fails(*_args: object, **_named: object) -> None:
        raise ConversationStoreError("cannot write")

    monkeypatch.setattr(store.store, "load", fails)
    monkeypatch.setattr(store.store, "add_turn", fails)
    body = {"question": FIRST, "conversation_id": "c1"}
    answer = client(wiring, Talks(store)).post("/guard/ask", json=body)
    assert answer.json()["outcome"] == "asserted"
    assert store.lost == 1


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ({"question": " "}, "the question is empty"),
        ({"question": "x" * 100_000}, "at most"),
        ({"question": "What is CIM?", "collections": ["nope"]}, "there is no collection 'nope'"),
    ],
)
def test_what_cannot_be_asked_is_told(wiring: Wiring, body: dict[str, Any], told: str) -> None:
    answer = client(wiring).post("/guard/ask", json=body)
    assert answer.status_code == 422
    assert told in answer.json()["error"]
    assert answer.json()["code"]


def test_what_is_missing_in_the_server_is_told_to_its_log_alone(
    wiring: Wiring, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def fails(*_args: object, **_named: object) -> None:
        raise PassageIndexError("/secret/place/index.sqlite is damaged")

    asking = client(wiring)
    monkeypatch.setattr(Guard, "aask", fails)
    answer = asking.post("/guard/ask", json={"question": FIRST})
    assert (answer.status_code, answer.json()) == (503, {"error": UNANSWERED})
    assert "/secret/place" in caplog.text


def test_it_tells_whether_it_is_ready(wiring: Wiring, monkeypatch: pytest.MonkeyPatch) -> None:
    asking = client(wiring)
    ready = asking.get("/guard/ready")
    assert (ready.status_code, ready.json()["status"]) == (200, "ready")
    assert ready.json()["documents"] > 0

    async def fails(*_args: object) -> None:
        raise PassageIndexError("damaged")

    for method in ("info", "documents"):
        monkeypatch.setattr(wiring.pipeline.index, method, fails, raising=False)
    assert asking.get("/guard/ready").status_code == 503
    assert asking.get("/guard/documents").status_code == 503


def test_it_is_ready_while_the_store_of_conversations_is_away(wiring: Wiring) -> None:
    """Questions are answered, each by itself: a server that is taken away answers none."""
    memory = MemoryConversations()
    asking = client(wiring, Talks(Keeper(memory, place="memory", keep_for=None)))
    assert asking.get("/guard/ready").json()["conversations"] == "kept"
    memory.down = True
    for _ in range(3):
        ready = asking.get("/guard/ready")
        assert (ready.status_code, ready.json()["conversations"]) == (200, "away")
    alone = client(wiring).get("/guard/ready").json()
    assert alone["conversations"] == "in_memory"


def test_documents_are_listed_by_the_page(wiring: Wiring) -> None:
    """The pages together are all that a notebook lists; each is where an answer says it is from."""
    asking, guard = client(wiring), Guard(wiring=wiring)
    every = guard.documents(kind="policy")
    found: list[dict[str, Any]] = []
    while len(found) < len(every):
        query = {"kind": "policy", "limit": 3, "offset": len(found)}
        page = asking.get("/guard/documents", params=query).json()
        assert page["total"] == len(every)
        assert 1 <= len(page["documents"]) <= 3
        found += page["documents"]
    assert [item["location"] for item in found] == [row["path"] for row in every]
    whole = asking.get("/guard/documents", params={"limit": 500}).json()["documents"]
    sources = asking.post("/guard/ask", json={"question": FIRST}).json()["sources"]
    assert {item["location"] for item in sources} <= {item["location"] for item in whole}
    assert asking.get("/guard/documents", params={"offset": 10_000}).json()["documents"] == []


@pytest.mark.parametrize("query", [{"limit": 501}, {"limit": 0}, {"offset": -1}, {"kind": "memo"}])
def test_there_is_no_such_page_of_documents(wiring: Wiring, query: dict[str, Any]) -> None:
    assert client(wiring).get("/guard/documents", params=query).status_code == 422


def test_the_description_says_what_is_answered(wiring: Wiring) -> None:
    """Every reference leads somewhere, and replies of every kind are as it says."""
    asking = client(wiring)
    told = asking.get("/guard/openapi.json").json()
    assert listed() == {
        (method.upper(), path) for path, methods in told["paths"].items() for method in methods
    }
    schemas = told["components"]["schemas"]
    for name in references(told):
        assert name in schemas
    schema = {"$ref": "#/components/schemas/RAGResponse", **told}
    for question in (FIRST, "What does ADR-0050 decide?", "What is CIM?", "Hello!"):
        reply = asking.post("/guard/ask", json={"question": question}).json()
        jsonschema.Draft202012Validator(schema).validate(reply)


def listed() -> set[tuple[str, str]]:
    """The routes that docs/service.md lists."""
    text = (home() / "docs" / "service.md").read_text()
    return set(re.findall(r"^\| `(GET|POST) (/[\w./]+)` \|", text, re.MULTILINE))


def test_every_route_of_the_documents_works(wiring: Wiring, tmp_path: Path) -> None:
    """Each answers what it is for, in the form that the description gives it."""
    section = DecisionLogSection(url=f"sqlite:///{tmp_path / 'decisions.sqlite'}")
    logged = Wiring(wiring.config.model_copy(update={"decision_log": section}))
    asking = client(logged)
    asked = asking.post("/guard/ask", json={"question": FIRST}).json()["request_id"]
    bodies = {
        "/guard/ask": {"question": FIRST},
        "/guard/feedback": {"request_id": asked, "judgement": "right"},
    }
    told = asking.get("/guard/openapi.json").json()
    for method, path in sorted(listed()):
        answer = asking.request(method, path, json=bodies.get(path))
        assert (path, answer.status_code) == (path, 200)
        described = told["paths"][path][method.lower()]["responses"]["200"]["content"]
        schema = {**described["application/json"]["schema"], **told}
        jsonschema.Draft202012Validator(schema).validate(answer.json())
    logged.close()


def references(part: Any) -> Iterator[str]:
    if isinstance(part, dict):
        if isinstance(named := part.get("$ref"), str):
            yield named.removeprefix("#/components/schemas/")
        for value in part.values():
            yield from references(value)
    elif isinstance(part, list):
        for value in part:
            yield from references(value)


async def test_an_agent_asks(wiring: Wiring) -> None:
    """The official client finds one tool, and its replies fit the schema that the tool tells."""
    service = GuardService(Guard(wiring=wiring), Talks())
    async with Client(agents.server(service)) as agent:
        (tool,) = (await agent.list_tools()).tools
        assert tool.name == "ask"
        assert "user_id" not in tool.input_schema["properties"]
        outcomes = []
        for question in (FIRST, FOLLOW_UP, "What does ADR-0050 decide?", "What is CIM?"):
            given = {"question": question, "conversation_id": "c1"}
            found = await agent.call_tool("ask", given)
            assert not found.is_error
            jsonschema.Draft202012Validator(tool.output_schema).validate(found.structured_content)
            reply = found.structured_content
            assert reply["answer"] in found.content[0].text
            outcomes.append(reply["outcome"])
        assert outcomes == ["asserted", "asserted", "refused", "clarified"]


@pytest.mark.parametrize(
    ("name", "given", "told"),
    [
        ("ask", {"question": ""}, "the question is empty"),
        ("ask", {"question": "What is CIM?", "mode": "raw"}, "choose one of instant"),
        ("ask", {}, "question: Field required"),
        ("other", {}, "there is no tool 'other'"),
    ],
)
async def test_an_agent_is_told_what_is_wrong(
    wiring: Wiring, name: str, given: dict[str, Any], told: str
) -> None:
    async with Client(agents.server(GuardService(Guard(wiring=wiring), Talks()))) as agent:
        found = await agent.call_tool(name, given)
    assert found.is_error
    assert told in found.content[0].text


@pytest.mark.parametrize(
    "talk",
    [{"conversation_id": "c2", "user_id": "ada"}, {"conversation_id": "c1", "user_id": "bob"}, {}],
    ids=["another conversation", "another user", "none"],
)
@pytest.mark.parametrize("kept", [True, False], ids=["kept", "in memory"])
def test_nobody_follows_up_what_somebody_else_asked(
    wiring: Wiring, store: Keeper, talk: dict[str, str], *, kept: bool
) -> None:
    asking = client(wiring, Talks(store if kept else None))
    body = {"question": FIRST, "conversation_id": "c1", "user_id": "ada"}
    asking.post("/guard/ask", json=body)
    followed = asking.post("/guard/ask", json={"question": FOLLOW_UP, **talk}).json()
    assert "ADR-0012D" not in {item["doc_id"] for item in followed["sources"]}


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"question": None},
        {"question": "What is CIM?", "mode": "raw"},
        {"question": "What is CIM?", "conversation_id": ""},
        {"question": "What is CIM?", "colections": []},
    ],
)
def test_what_does_not_fit_is_refused(wiring: Wiring, body: dict[str, Any]) -> None:
    assert client(wiring).post("/guard/ask", json=body).status_code == 422
