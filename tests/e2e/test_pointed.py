"""Answers for which a model points, as a person sees them in a headless Chromium.

Screenshots go to build/e2e.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.e2e.house import BROWSER, Chat, at_the_page, served
from tests.guide_server import GuideServer, denying, inventing, pointing

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = BROWSER

ASKED = "How is the stability of the grid ensured?"
PREMISE = "Why may an assistant answer without any source?"


@pytest.fixture
def model() -> Iterator[GuideServer]:
    with GuideServer(pointing("grid")) as made:
        made.searches = ["Invented in 1842 by Ada Lovelace."]
        yield made


@pytest.fixture
def chat(
    browser: Browser,
    index: Path,
    tmp_path: Path,
    model: GuideServer,
    request: pytest.FixtureRequest,
) -> Iterator[Chat]:
    """The web chat with a model on loopback."""
    settings = {
        "ELYSIA_GUARD_INDEX__PATH": str(index),
        "ELYSIA_GUARD_CONVERSATIONS__PATH": str(tmp_path / "kept" / "conversations.sqlite"),
        "ELYSIA_GUARD_LLM__URL": model.url,
        "ELYSIA_GUARD_LLM__MODEL": "scripted-7b",
    }
    name = f"pointed-{request.node.name.removeprefix('test_')}"
    with (
        served(tmp_path / "server.log", **settings) as said,
        at_the_page(browser, Chat, said, name=name) as person,
    ):
        yield person


def test_units_of_the_sources_with_their_citations(chat: Chat) -> None:
    """Each bears its source; a card opens with the words, and where they stand."""
    shown = chat.ask(ASKED)
    assert re.search(r"Each of the \d quotes stands word for word in its source\.", shown)
    assert "Chosen by scripted-7b (prompt " in shown
    assert "1842" not in shown
    chat.shot("answered")
    chat.page.get_by_text(re.compile(r"^\S* ?\[source:1\] [\w\[]")).last.click()
    chat.page.get_by_text(re.compile(r"\.md:\d+")).first.wait_for()
    chat.shot("opened")


def test_a_premise_is_contradicted_and_a_near_miss_refused(chat: Chat, model: GuideServer) -> None:
    """The answer begins with what the model says of the units; its no shows where it is near."""
    model.script = lambda asked: ("contradicts", asked.saying("source")[:2])
    shown = chat.ask(PREMISE)
    assert "No: the source says" in shown
    chat.shot("contradicted")
    model.script = denying
    assert "I cannot answer this" in chat.ask("Who paid for the stability of the grid in 1999?")
    chat.shot("refused")


def test_where_it_points_at_nothing_it_answers_as_without_a_model(
    chat: Chat, model: GuideServer
) -> None:
    model.script = inventing
    shown = chat.ask(ASKED)
    assert "Chosen by" not in shown
    assert "word for word" in shown
    chat.shot("fallback")


def test_the_first_screen_names_the_model_and_whether_it_is_believed(
    chat: Chat, model: GuideServer
) -> None:
    """Before anything is asked; on the next conversation also what is known of it by then."""
    told = chat.page.locator("#guard-model")
    told.get_by_text("scripted-7b plans what is searched and points at what answers").wait_for()
    chat.shot("begun")
    model.fit = False
    chat.ask(ASKED)
    assert told.count() == 0
    chat.page.get_by_text("Add Conversation").click()
    told.get_by_text("scripted-7b failed its control questions, so it is not believed").wait_for()
    chat.shot("unfit")
