"""Answers that a model writes, as a person sees them in a headless Chromium; the model is scripted.

Screenshots go to build/e2e.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.e2e.house import BROWSER, Chat, at_the_page, served
from tests.writer_server import Asked, Sentence, WriterServer

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = BROWSER

ASKED = "How is the stability of the grid ensured?"
INVENTED = "It was invented in 1842 by Ada Lovelace."


def stated(asked: Asked) -> list[Sentence]:
    """Five sentences of the sources, one or two of each, each over itself."""
    found: list[Sentence] = []
    for source in asked.sources:
        text = " ".join(source["text"].split())
        sentences = [each for each in re.split(r"(?<=\.) ", text) if 40 < len(each) < 160]
        found += [(each, [(source["id"], each)]) for each in sentences[:2]]
    assert len(found) >= 5
    return found[:5]


def making_up(count: int) -> Callable[[Asked], Sequence[Sentence]]:
    """Write some sentences that hold, and then only what no source says."""

    def script(asked: Asked) -> Sequence[Sentence]:
        rows = stated(asked)
        return [
            (text if n < count else f"{INVENTED[:-1]}, {n} times.", evidence)
            for n, (text, evidence) in enumerate(rows)
        ]

    return script


@pytest.fixture
def writer() -> Iterator[WriterServer]:
    with WriterServer(stated) as made:
        yield made


@pytest.fixture
def chat(
    browser: Browser,
    index: Path,
    tmp_path: Path,
    writer: WriterServer,
    request: pytest.FixtureRequest,
) -> Iterator[Chat]:
    """The web chat with a writer on loopback."""
    settings = {
        "ELYSIA_GUARD_INDEX__PATH": str(index),
        "ELYSIA_GUARD_CONVERSATIONS__PATH": str(tmp_path / "kept" / "conversations.sqlite"),
        "ELYSIA_GUARD_WRITER__KIND": "language_model",
        "ELYSIA_GUARD_WRITER__URL": writer.url,
        "ELYSIA_GUARD_WRITER__MODEL": "scripted-7b",
    }
    name = f"written-{request.node.name.removeprefix('test_')}"
    with (
        served(tmp_path / "server.log", **settings) as said,
        at_the_page(browser, Chat, said, name=name) as person,
    ):
        yield person


def test_sentences_of_the_sources_with_their_citations(chat: Chat) -> None:
    """Each bears its source; a card opens with the words, and where they stand."""
    shown = chat.ask(ASKED)
    assert re.search(r"Each of the \d quotes stands word for word in its source\.", shown)
    assert "Chosen by scripted-7b (prompt " in shown
    chat.shot("answered")
    chat.page.get_by_text(re.compile(r"^\S* ?\[source:1\] [\w\[]")).last.click()
    chat.page.get_by_text(re.compile(r"\.md:\d+")).first.wait_for()
    chat.shot("opened")


def test_a_sentence_is_withheld(chat: Chat, writer: WriterServer) -> None:
    """What is made up is not shown, and the page says once that a sentence was left out."""
    writer.script = making_up(4)
    shown = chat.ask(ASKED)
    assert "1842" not in shown
    assert shown.count("left out") == 1
    chat.shot("withheld")


def test_where_all_is_made_up_it_answers_as_without_a_model(
    chat: Chat, writer: WriterServer
) -> None:
    writer.script = making_up(0)
    shown = chat.ask(ASKED)
    assert "1842" not in shown
    assert "Chosen by" not in shown
    assert "word for word" in shown
    chat.shot("fallback")
