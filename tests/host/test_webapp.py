"""The web app, spoken to as its front end does: over HTTP and a websocket, on loopback."""

from __future__ import annotations

import asyncio
import json
import threading
import uuid
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest
import uvicorn
from starlette.requests import Request
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from elysia_guard.domain.errors import ConfigError
from elysia_guard.edge.elysia.tree import STATE_KEY, GuardedTree
from elysia_guard.edge.elysia.webapp import serve, server
from elysia_guard.edge.elysia.webapp.managers import GuardedUserManager
from elysia_guard.edge.elysia.webapp.protection.principal import same_machine
from elysia_guard.language.catalogue import say
from elysia_guard.wiring import Wiring

pytestmark = pytest.mark.slow

Payload = dict[str, Any]
PATIENCE_S = 30


@dataclass
class Chat:
    """A running web app."""

    address: str

    @property
    def websocket(self) -> str:
        return self.address.replace("http", "ws", 1) + "/ws/query"

    @property
    def users(self) -> GuardedUserManager:
        from elysia.api.dependencies import common

        return common.get_user_manager()

    def tree(self, page: Page) -> GuardedTree:
        return self.users.users[page.user_id]["tree_manager"].get_tree(page.conversation_id)


@contextmanager
def running(config: uvicorn.Config) -> Iterator[str]:
    """Serve in a thread; the address is there once the server answers."""
    listener = server.listening("127.0.0.1", 0)
    ready = threading.Event()
    serving = server._Server(config, ready.set)
    thread = threading.Thread(target=serving.run, kwargs={"sockets": [listener]})
    with listener:
        thread.start()
        try:
            assert ready.wait(PATIENCE_S)
            yield server.address_of("127.0.0.1", listener)
        finally:
            serving.should_exit = True
            thread.join(PATIENCE_S)
    assert not thread.is_alive()


@dataclass
class Page:
    """What an open page of the front end does."""

    chat: Chat
    http: httpx.AsyncClient
    socket: ClientConnection
    user_id: str = field(default_factory=lambda: f"user-{uuid.uuid4().hex}")
    conversation_id: str = field(default_factory=lambda: str(uuid.uuid4()))

    async def visit(self) -> Page:
        await self.http.post(f"/init/user/{self.user_id}")
        await self.http.post(
            f"/init/tree/{self.user_id}/{self.conversation_id}", json={"low_memory": False}
        )
        return self

    def message(self, question: str, query_id: str) -> Payload:
        return {
            "user_id": self.user_id,
            "query": question,
            "query_id": query_id,
            "conversation_id": self.conversation_id,
            "collection_names": [],
            "route": "",
            "mimick": False,  # codespell:ignore mimick
        }

    async def ask(self, question: str) -> list[Payload]:
        """Ask, and return what arrives up to `completed`."""
        query_id = str(uuid.uuid4())
        await self.socket.send(json.dumps(self.message(question, query_id)))
        payloads: list[Payload] = []
        while not payloads or payloads[-1]["type"] != "completed":
            payloads.append(json.loads(await asyncio.wait_for(self.socket.recv(), PATIENCE_S)))
        assert {item["query_id"] for item in payloads} == {query_id}
        assert {item["conversation_id"] for item in payloads} == {self.conversation_id}
        return payloads


@asynccontextmanager
async def opened(chat: Chat, **known: str) -> AsyncIterator[Page]:
    async with (
        httpx.AsyncClient(base_url=chat.address, timeout=PATIENCE_S) as http,
        connect(chat.websocket) as socket,
    ):
        yield await Page(chat, http, socket, **known).visit()


def text_of(payloads: list[Payload]) -> str:
    return "\n".join(
        item["text"]
        for payload in payloads
        if payload["type"] == "text"
        for item in payload["payload"]["objects"]
    )


def only(payloads: list[Payload], kind: str) -> Payload:
    (found,) = [item["payload"] for item in payloads if item["type"] == kind]
    return found


def kinds(payloads: list[Payload]) -> set[str]:
    return {item["type"] for item in payloads}


@pytest.mark.parametrize(
    ("question", "said", "reason"),
    [
        ("What is CIMXML?", "> Format, laid down in IEC 61970-552", None),
        ("What is FooBarBaz?", "**Why:**", "terminology_not_found"),
        ("What does ADR.12 decide?", "Use CIM as the canonical data model", None),
        ("What is CIM?", "means more than one thing", "terminology_ambiguous"),
        ("Wat is een transformator?", "Bedrijfsmiddel zonder bewegende", None),
    ],
)
async def test_answers_arrive(page: Page, question: str, said: str, reason: str | None) -> None:
    """Each answer arrives as text, with no error, and with the whole of it for machines."""
    payloads = await page.ask(question)
    assert said in text_of(payloads)
    assert not kinds(payloads) & {"error", "warning", "self_healing_error", "user_timeout_error"}
    reply = only(payloads, "rag_response")
    assert reply["refusal_reason"] == reason
    assert (await page.http.post("/util/follow_up_suggestions", json=_named(page))).json() == {
        "suggestions": [],
        "error": "",
    }


def _named(page: Page) -> dict[str, str]:
    return {"user_id": page.user_id, "conversation_id": page.conversation_id}


async def test_cards_say_what_they_are(page: Page) -> None:
    """A source's card names the document and says where to read on; the reply has quoted it."""
    (card,) = only(await page.ask("What does ADR.12 decide?"), "result")["objects"]
    assert card["title"] == "[source:1] ADR-0012: Use CIM as the canonical data model"
    assert "Chosen option" not in card["content"]
    assert "`decisions/0012-" in card["content"]
    (card,) = only(await page.ask("Who approved ADR-0012?"), "result")["objects"]
    assert card["title"].startswith("[source:1] [source:2] [source:3] ADR-0012D: ")
    assert card["content"].count("`decisions/0012D-") == 1
    (card,) = only(await page.ask("What is CIMXML?"), "result")["objects"]
    assert card["title"] == "[source:1] CIMXML (Grid and market terms)"
    assert "<https://vocab.vennet.example/grid/cimxml>" in card["content"]


async def test_a_meaning_is_picked_without_retyping(page: Page) -> None:
    """'the second' in the next message; the conversation keeps the choice."""
    asked_back = only(await page.ask("What is CIM?"), "rag_response")
    assert asked_back["refusal_reason"] == "terminology_ambiguous"
    picked = only(await page.ask("the second"), "rag_response")
    again = only(await page.ask("what does CIM mean"), "rag_response")
    (source,) = picked["sources"]
    assert f"2. **{source['title']}**" in asked_back["answer"]
    assert source["doc_id"] in asked_back["answer"]
    assert [item["doc_id"] for item in again["sources"]] == [source["doc_id"]]


async def test_a_fresh_visit_meets_no_error(page: Page) -> None:
    """Whatever the front end asks for without a Weaviate has a sensible answer."""
    user, conversation = page.user_id, page.conversation_id
    for path in (
        "/",
        "/icon.svg",
        "/api/health",
        "/user/config/models",
        f"/user/config/{user}",
        f"/user/config/{user}/list",
        f"/tree/config/{user}/{conversation}",
        f"/collections/{user}/list",
        "/collections/mapping_types",
        f"/db/{user}/saved_trees",
        f"/db/{user}/load_tree/{uuid.uuid4()}",
        f"/feedback/metadata/{user}",
        "/tools/available",
    ):
        assert (await page.http.get(path)).status_code == httpx.codes.OK, path
    judged = {**_named(page), "query_id": "q", "feedback": 1}
    for path, body in (
        (f"/user/config/{user}/new", None),
        (f"/tree/config/{user}/{conversation}/new", None),
        (f"/db/{user}/save_tree/{conversation}", None),
        ("/feedback/add", judged),
        ("/feedback/remove", judged),
        ("/util/ner", {"text": "CIM"}),
        ("/util/title", {**_named(page), "text": ""}),
    ):
        assert (await page.http.post(path, json=body)).status_code == httpx.codes.OK, path


@pytest.mark.parametrize(
    ("host", "same"), [("127.0.0.1", True), ("::1", True), ("192.0.2.7", False), ("", False)]
)
def test_conversations_in_memory_are_listed_on_this_machine_only(host: str, *, same: bool) -> None:
    """Elysia names users after their make of browser: elsewhere it may be someone else's."""
    assert same_machine(Request({"type": "http", "client": (host, 1), "headers": []})) is same


async def test_conversations_share_no_state(chat: Chat) -> None:
    """Two conversations at once, of one user or of two, know nothing of each other."""
    async with (
        opened(chat) as one,
        opened(chat, user_id=one.user_id) as same_user,
        opened(chat) as other,
    ):
        pages = (one, same_user, other)
        questions = ("What is CIMXML?", "What is FooBarBaz?", "What does ADR.12 decide?")
        await asyncio.gather(*(map(Page.ask, pages, questions)))
        for page, question in zip(pages, questions, strict=True):
            data = chat.tree(page).tree_data
            asked = [
                item["content"] for item in data.conversation_history if item["role"] == "user"
            ]
            assert asked == [question]
        states = [chat.tree(page).tree_data.environment.hidden_environment for page in pages]
        assert len({id(state) for state in states}) == len(pages)
        assert len({state[STATE_KEY]["request_id"] for state in states}) == len(pages)


async def test_questions_of_one_conversation_take_turns(chat: Chat) -> None:
    """Two windows on one conversation may ask at once; each gets its own answer."""
    async with opened(chat) as first:
        known = {"user_id": first.user_id, "conversation_id": first.conversation_id}
        async with opened(chat, **known) as second, opened(chat, **known) as third:
            answers = await asyncio.gather(
                first.ask("What is CIMXML?"),
                second.ask("What does ADR.12 decide?"),
                third.ask("What is CIMXML?"),
            )
        assert "Format, laid down" in text_of(answers[0])
        assert "Use CIM as the canonical" in text_of(answers[1])
        first_said, third_said = (text_of(answers[n]).split("\n\n", 1) for n in (0, 2))
        assert first_said[0] != third_said[0]  # each leads to why it was given
        assert first_said[1] == third_said[1]
        tree, own = chat.tree(first), chat.users.users[first.user_id]["tree_manager"].settings
        await until(lambda: tree.settings is own)  # not the stand-in of a run
        assert own.BASE_MODEL is None


async def test_a_pasted_book_is_refused_at_once(page: Page) -> None:
    """A question that is far too long is not parsed first."""
    payloads = await asyncio.wait_for(page.ask("What is CIM? " * 50_000), 10)
    assert "characters" in text_of(payloads)
    assert only(payloads, "ner")["noun_spans"] == []


@pytest.mark.parametrize(
    ("question", "lang"), [("What is CIM?", "en"), ("Wat is een trafo?", "nl")]
)
async def test_an_unexpected_error_is_told_plainly(
    page: Page, monkeypatch: pytest.MonkeyPatch, question: str, lang: str
) -> None:
    """The page says that something went wrong, in the reader's language, and nothing of what."""

    async def fail(*_args: Any, **_kwargs: Any) -> AsyncIterator[None]:
        for payload in ():
            yield payload
        raise RuntimeError("the model said: secret, in /etc/secret")

    monkeypatch.setattr(GuardedTree, "async_run", fail)
    payloads = await page.ask(question)
    assert text_of(payloads) == say(lang, "fault.unexpected")
    assert "error" not in kinds(payloads)
    assert "secret" not in json.dumps(payloads)
    monkeypatch.undo()
    assert say(lang, "fault.unexpected") not in text_of(await page.ask(question))


async def until(true: Callable[[], bool]) -> None:
    """Wait for what the server does after its answer."""
    async with asyncio.timeout(PATIENCE_S):
        while not true():  # noqa: ASYNC110  (the server has no event to wait for)
            await asyncio.sleep(0.01)


def test_a_port_in_use_is_told(wiring: Wiring) -> None:
    """Two chats on one port: the second says which address it cannot have."""
    with server.listening("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(ConfigError, match=rf"127\.0\.0\.1:{port}.*--port"):
            serve(wiring, port=port)


@pytest.mark.parametrize(
    "message",
    [
        "no JSON",
        "[]",
        "{}",
        "17",
        b"\xff\x00",
        '{"user_id": ["x"], "query": 1, "query_id": 2, "conversation_id": {}}',
        '{"type": "[/markup]"}',
    ],
)
async def test_a_malformed_message_ends_nothing(
    chat: Chat, page: Page, message: str | bytes
) -> None:
    """After a message that makes no sense, this page and others get their answers."""
    await page.socket.send(message)
    try:
        await asyncio.wait_for(page.socket.recv(), PATIENCE_S)
    except ConnectionClosed:
        pass
    else:
        assert "Format, laid down" in text_of(await page.ask("What is CIMXML?"))
    async with opened(chat) as other:
        assert "Format, laid down" in text_of(await other.ask("What is CIMXML?"))


async def test_nothing_is_written_unasked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chat: Chat
) -> None:
    """Elysia's resource report, a file in the working directory, is off."""
    from elysia.api import app

    monkeypatch.chdir(tmp_path)
    await app.output_resources()
    async with opened(chat) as page:
        await page.ask("What is CIMXML?")
    assert not list(tmp_path.iterdir())  # noqa: ASYNC240


async def test_settings_reach_guarded_trees(chat: Chat, page: Page) -> None:
    """What the settings page changes holds for open and new conversations; all stay guarded."""
    from elysia.api.routes import user_config

    current = (await page.http.get(f"/user/config/{page.user_id}")).json()
    config = current["config"] | {
        "style": "Terse.",
        "agent_description": "An archivist.",
        "end_goal": "Done.",
        "branch_initialisation": "empty",
    }
    config["settings"] |= {"BASE_MODEL": "m", "BASE_PROVIDER": "p"}
    saved = await page.http.post(
        f"/user/config/{page.user_id}/{config['id']}",
        json={
            "name": "Mine",
            "config": config,
            "frontend_config": current["frontend_config"] | {"tree_timeout": 7},
            "default": True,
        },
    )
    assert saved.json()["error"] == ""
    async with opened(chat, user_id=page.user_id) as new:
        for item in (page, new):
            tree = chat.tree(item)
            assert isinstance(tree, GuardedTree)
            atlas = tree.tree_data.atlas
            assert (atlas.style, atlas.agent_description) == ("Terse.", "An archivist.")
            assert tree.branch_initialisation == "empty"
            assert (tree.settings.BASE_MODEL, tree.settings.BASE_PROVIDER) == ("m", "p")
            assert "Format, laid down" in text_of(await item.ask("What is CIMXML?"))
    for branches in ("one_branch", "multi_branch"):
        changed = await page.http.post(
            f"/tree/config/{page.user_id}/{page.conversation_id}",
            json={"branch_initialisation": branches, "style": "Long."},
        )
        assert changed.json()["error"] == ""
        assert chat.tree(page).branch_initialisation == branches
        assert "Format, laid down" in text_of(await page.ask("What is CIMXML?"))

    kept = (await page.http.post(f"/init/user/{page.user_id}")).json()["frontend_config"]
    assert kept["tree_timeout"] == 7
    written = Path(str(user_config.__file__)).parents[1] / "user_configs"
    assert not list(written.glob("*.json"))
