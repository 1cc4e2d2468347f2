"""Answers that a model writes, as a person sees them in a headless Chromium; the model is scripted.

Screenshots go to build/e2e.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.e2e.house import Chat, at_the_page, served
from tests.writer_server import Asked, Sentence, WriterServer

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

ASKED = "How is the stability of the grid ensured?"
PARTS = "Who approved ADR-0029 and how is the stability of the grid ensured?"
INVENTED = "It was invented in 1842 by Ada Lovelace."
HEDGED = "I cannot be sure that this answers your question"


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


def shot_from_the_top(chat: Chat, what: str) -> None:
    chat.page.get_by_text(ASKED).last.scroll_into_view_if_needed()
    chat.shot(what)


@pytest.fixture
def writer() -> Iterator[WriterServer]:
    with WriterServer(stated) as made:
        made.streams = True
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


def test_five_sentences_with_their_citations(chat: Chat) -> None:
    """Each sentence bears its source; a card opens with the words, and where they stand."""
    shown = chat.ask(ASKED)
    assert len(set(re.findall(r"\[source:\d\]", shown))) == 5
    assert "Each of the 5 sentences of it that are shown stands in its source." in shown
    assert "Written by scripted-7b (prompt " in shown
    chat.shot("answered")
    chat.page.get_by_text(re.compile(r"^\S* ?\[source:1\] \w")).last.click()
    chat.page.get_by_text(re.compile(r"\.md:\d+")).first.wait_for()
    assert chat.page.locator("blockquote").count() >= 1
    chat.shot("opened")


def test_sentences_appear_while_the_model_writes(chat: Chat, writer: WriterServer) -> None:
    """Two are read while it has not written the third; then the answer takes their place."""
    rows: list[str] = []

    def script(asked: Asked) -> Sequence[Sentence]:
        found = stated(asked)
        rows[:] = [text for text, _ in found]
        return found

    writer.script = script
    # It writes every sentence as text first, and then its words: it stops before those.
    chat.page.locator("textarea").first.fill(ASKED)
    writer.stops_at_row = 3
    chat.page.keyboard.press("Enter")
    writer.wait_until_asked(1)
    chat.page.get_by_text(re.compile(r"\[source:2\]$")).first.wait_for()
    chat.shot("under-way")
    shown = chat.shown
    assert rows[0] in shown
    assert rows[1] in shown
    assert rows[2] not in shown
    assert HEDGED in shown
    assert chat.finished.count() == 0
    writer.go_on()
    shown = chat.answered(1)
    assert all(shown.count(f"{text} [source:{n}]") == 1 for n, text in enumerate(rows, start=1))
    assert shown.count(HEDGED) >= 1
    chat.shot("whole")


def test_a_part_is_read_while_another_is_written(chat: Chat, writer: WriterServer) -> None:
    """Each stands under its words, the first alone until the second is whole."""
    writer.stops_at_row = 1
    chat.page.locator("textarea").first.fill(PARTS)
    chat.page.keyboard.press("Enter")
    writer.wait_until_asked(1)
    chat.page.get_by_text(re.compile(r"\[source:1\]$")).first.wait_for()
    chat.shot("first-part")
    first = chat.shown
    assert chat.finished.count() == 0
    assert HEDGED not in first
    writer.go_on()
    shown = chat.answered(1)
    assert shown.count("[source:2]") >= 1
    assert HEDGED in shown
    assert shown.count("Who approved ADR-0029?") == first.count("Who approved ADR-0029?")
    shot_from_the_top(chat, "both-parts")


def test_a_sentence_is_withheld(chat: Chat, writer: WriterServer) -> None:
    """What is made up is not shown, and the page says once that a sentence was left out."""
    writer.script = making_up(4)
    shown = chat.ask(ASKED)
    assert "1842" not in shown
    assert "Each of the 4 sentences of it that are shown stands in its source." in shown
    assert shown.count("left out") == 1
    chat.shot("withheld")


def test_a_fallback_is_told(chat: Chat, writer: WriterServer) -> None:
    """Where nothing holds the quotes are shown, and the page says why."""
    writer.script = making_up(0)
    shown = chat.ask(ASKED)
    assert "1842" not in shown
    assert "could not be found in the sources, and is left out" in shown
    assert "Written by" not in shown
    chat.shot("fallback")
    shot_from_the_top(chat, "fallback-top")


def test_what_was_shown_stays_beside_the_quotes(chat: Chat, writer: WriterServer) -> None:
    """One sentence holds and four do not: it stays, and the quotes stand below it."""
    writer.script = making_up(1)
    shown = chat.ask(ASKED)
    assert "1842" not in shown
    assert "What else the language model wrote could not be found in the sources" in shown
    assert "The sentence of it that is shown stands in its source." in shown
    assert "4 sentence(s) of it were left out" in shown
    assert shown.count("left out") == 1
    chat.shot("beside-quotes")
    shot_from_the_top(chat, "beside-quotes-top")
