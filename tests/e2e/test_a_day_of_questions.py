"""The chat as a person starts it, with a model that answers: a day of questions, and a restart."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from tests.e2e.test_chat import Chat
from tests.host.chat_server import ChatServer
from tests.host.scripted import MARK, choice
from websockets.asyncio.client import ClientConnection, connect

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

PATIENCE_S = 120
KEY = "sk-made-up-0123456789"

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
        "How are connections encrypted with TLS?",
        "How are connections encrypted with TLS?",
    ),
)


def steps() -> Callable[[str], str]:
    """A model that chooses each tool in turn, makes claims all the while, and at times no sense."""
    turns = count()
    said = (
        choice("guarded_search"),
        choice("skosmos_lookup", {"term": "CIM"}),
        f"{MARK}: nothing that can be read",
        choice("list_documents"),
        choice("no_such_tool", {"text": MARK}),
    )
    return lambda _prompt: said[next(turns) % len(said)]


class House:
    """A machine on which `elysia-guard chat` is started, stopped and started again."""

    def __init__(self, index: Path, folder: Path, model: ChatServer) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self.address = f"http://127.0.0.1:{self.port}"
        self.log = folder / "chat.log"
        self._index = index
        kept = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith("ELYSIA_GUARD_") and not name.endswith("_API_KEY")
        }
        self._environment = kept | {
            "ELYSIA_GUARD_CONVERSATIONS__PATH": str(folder / "kept" / "conversations.sqlite"),
            "ELYSIA_GUARD_LOG_LEVEL": "INFO",
            "LITELLM_LOCAL_MODEL_COST_MAP": "True",
            "BASE_MODEL": "made-up",
            "COMPLEX_MODEL": "made-up",
            "BASE_PROVIDER": "openai",
            "COMPLEX_PROVIDER": "openai",
            "MODEL_API_BASE": f"{model.url}/v1",
            "OPENAI_API_KEY": KEY,
        }

    @contextmanager
    def chat(self) -> Iterator[None]:
        """Start it as a person does, and stop it with Ctrl-C."""
        words = ["chat", "--port", str(self.port), "--index", str(self._index)]
        with self.log.open("a") as log:
            process = subprocess.Popen(
                [sys.executable, "-m", "elysia_guard.edge.cli.main", *words],
                cwd=self.log.parent,
                env=self._environment,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                # A shell that runs the tests in the background lets Ctrl-C be ignored.
                preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),  # noqa: PLW1509
            )
        try:
            assert process.stdout is not None
            assert self.address in process.stdout.readline(), self.log.read_text()
            yield
            process.send_signal(signal.SIGINT)
            assert process.wait(PATIENCE_S) in {0, 130}
        finally:
            process.kill()
            process.wait(PATIENCE_S)
            process.stdout.close()

    def problems(self) -> list[str]:
        """What the log says that went wrong."""
        bad = ("ERROR", '"level": "error"', "Traceback", "CRITICAL", "cannot be kept")
        return [line for line in self.log.read_text().splitlines() if any(b in line for b in bad)]


@pytest.fixture
def model() -> Iterator[ChatServer]:
    with ChatServer(steps()) as serving:
        yield serving


@pytest.fixture
def house(index: Path, tmp_path: Path, model: ChatServer) -> House:
    return House(index, tmp_path, model)


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
    assert model.requests, "the model was asked"
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


def thumbs(chat: Chat, reply: int) -> Locator:
    """Good, and bad: the third and fourth button beside 'Finished in'."""
    row = chat.page.locator("div:has(> p:text-matches('^Finished in'))").nth(reply)
    return row.locator("button")


def test_c6_a_reopened_conversation_in_a_browser(house: House, browser: Browser) -> None:
    """After a restart a new window shows the conversation with its thumbs, and goes on with it."""
    with house.chat():
        context = browser.new_context(viewport={"width": 1400, "height": 1000})
        chat = Chat(context.new_page(), house.address, name="reopened").start()
        chat.ask("What does ADR.12 decide?")
        chat.ask("What is CIM?")
        thumbs(chat, 0).nth(2).click()
        chat.page.locator("button.text-accent").wait_for()
        chat.check()
        context.close()
    with house.chat():
        context = browser.new_context(viewport={"width": 1400, "height": 1000})
        page = context.new_page()
        chat = Chat(page, house.address, name="reopened")
        page.get_by_text("Welcome to Elysia").wait_for()
        page.keyboard.press("Escape")
        chat.finished.nth(1).wait_for()
        assert page.locator("button.text-accent").count() == 1
        assert "Which one do you mean?" in chat.shown
        chat.shot("after-a-restart")
        chat.ask("the second")
        assert "You chose this meaning; there are others" in chat.shown
        thumbs(chat, 0).nth(2).click()
        page.locator("button.text-accent").wait_for(state="detached")
        chat.shot("gone-on")
        chat.check()
        context.close()
    assert house.problems() == []


def test_c6_a_thumb_that_is_not_kept_stays_grey_in_a_browser(
    house: House, browser: Browser
) -> None:
    """Where nothing is kept, the page says so, and no button turns green."""
    house._environment["ELYSIA_GUARD_CONVERSATIONS__ENABLED"] = "false"
    with house.chat():
        context = browser.new_context(viewport={"width": 1400, "height": 1000})
        chat = Chat(context.new_page(), house.address, name="grey").start()
        chat.ask("What does ADR.12 decide?")
        thumbs(chat, 0).nth(2).click()
        chat.page.get_by_text("Your judgement was not kept: nothing is stored here").wait_for()
        assert chat.page.locator("button.text-accent").count() == 0
        chat.shot("not-kept")
        chat.check()
        context.close()
