"""The web app of a user whose settings name a language model: served over HTTP, on loopback."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Iterator
from typing import Any

import dspy
import pytest
from tests.guide_server import pointing
from tests.host.chat_server import ChatServer
from tests.host.scripted import MARK, guiding, hurry, making_up
from tests.host.test_webapp import Chat, Page, only, opened, running, text_of

from elysia_guard.edge.elysia.webapp import server
from elysia_guard.wiring import Wiring

pytestmark = pytest.mark.slow

OPEN = "How are grid models exchanged with neighbouring operators in CIMXML?"
QUESTIONS = (
    OPEN,
    "What is CIMXML?",
    OPEN,
    "What is CIM?",
    "the second",
    "Who has to be told before a substation is taken out of service?",
    "What does ADR.12 decide?",
    "hello",
    "Where can I eat the best pizza tonight?",
    "List all principles",
    "What is a quuxifier?",
    "Hoe worden netmodellen uitgewisseld met de naburige netbeheerders?",
    "Wat is een transformator?",
    "ADR 9999",
    "Wie werden Netzmodelle mit den Nachbarn getauscht?",
    "What is CIMXML?",
    "?",
    "List all policies",
    "How do we keep measurements?",
    "thanks",
)

KINDS: dict[str, dict[str, Any]] = {
    "right": {"answer": guiding(pointing("CIMXML"))},
    "wrong": {"answer": making_up},
    "slow": {"hanging": True},
    "broken": {"answer": f"{MARK}! I need no tools to know this."},
}


@pytest.fixture(scope="module")
def chat(wiring: Wiring) -> Iterator[Chat]:
    with running(server._settings(wiring)) as address:
        yield Chat(address)


@pytest.fixture(params=KINDS)
def model(
    request: pytest.FixtureRequest, chat: Chat, wiring: Wiring, rested_breakers: None
) -> Iterator[ChatServer]:
    before = dspy.cache
    dspy.configure_cache(enable_disk_cache=False, enable_memory_cache=False)
    if request.param == "slow":
        hurry(wiring)
    with ChatServer() as serving:
        vars(serving).update(KINDS[request.param])
        yield serving
    dspy.cache = before


def give(page: Page, model: ChatServer, key: str = "sk-made-up") -> None:
    """Name a model in the settings of a page's user."""
    settings = page.chat.users.users[page.user_id]["tree_manager"].settings
    for name, value in vars(model.settings()).items():
        if "MODEL" in name or "PROVIDER" in name:
            setattr(settings, name, value)
    settings.API_KEYS = {"openai_api_key": key}


async def test_c1_a_conversation_of_twenty_questions(
    chat: Chat, model: ChatServer, caplog: pytest.LogCaptureFixture
) -> None:
    """With a model in the user's settings, every kind of question gets its answer; no error."""
    with caplog.at_level(logging.ERROR):
        async with opened(chat) as page:
            give(page, model)
            for question in QUESTIONS:
                payloads = await page.ask(question)
                assert text_of(payloads).strip()
                assert "error" not in {item["type"] for item in payloads}
                assert MARK not in repr(payloads)
                assert only(payloads, "rag_response")["request_id"] == payloads[0]["query_id"]
            saved = chat.tree(page).export_to_json()
    assert model.requests or model.hanging  # whose deadline may pass before the request is sent
    assert MARK not in repr(saved)
    assert [record for record in caplog.records if record.levelno >= logging.ERROR] == []
    said = [item["content"].strip() for item in saved["tree_data"]["conversation_history"]]
    assert [question for question in QUESTIONS if question not in said] == []


async def test_c1_conversations_side_by_side(
    chat: Chat, model: ChatServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Users who ask models at once keep their own keys, and the machine keeps its own."""
    monkeypatch.setenv("OTHER_API_KEY", "kept")
    async with opened(chat) as one, opened(chat) as other:
        give(one, model, "sk-one")
        give(other, model, "sk-other")
        for _ in range(4):
            replies = await asyncio.gather(*(page.ask(OPEN) for page in (one, other)))
            assert all(text_of(payloads).strip() for payloads in replies)
        # A run may end a moment after its last payload has arrived; the next one waits for it.
        for page in (one, other):
            await page.ask("hello")
    assert os.environ.get("OTHER_API_KEY") == "kept"
    assert "OPENAI_API_KEY" not in os.environ
    assert set(model.keys) <= {"Bearer sk-one", "Bearer sk-other"}


async def test_the_first_screen_names_the_model_of_the_users_settings(
    chat: Chat, model: ChatServer
) -> None:
    """Of each user the own one, or that there is none."""
    async with opened(chat) as page, opened(chat) as other:
        give(page, model)
        named, none = [
            (await page.http.get(f"/guard/model/{each.user_id}")).text for each in (page, other)
        ]
    assert named.startswith(f"{model.settings().BASE_MODEL} plans what is searched and points")
    assert none == "No language model is used: the rules answer."
