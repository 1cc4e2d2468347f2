"""A store that takes nothing: nobody is told that a conversation is kept which is not."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event
from sqlalchemy.exc import OperationalError
from tests.host.test_keeping import House, known, rebuilt
from tests.host.test_webapp import Page, kinds, only, opened

from elysia_guard.adapters.conversations import SqlConversations
from elysia_guard.language.catalogue import say
from elysia_guard.wiring import Wiring

pytestmark = pytest.mark.slow

Fill = Callable[[bool], None]
NOT_KEPT = say("en", "conversation.not_kept")
ENOUGH = 1_000_000


def with_a_quota(monkeypatch: pytest.MonkeyPatch) -> Fill:
    """Let SQLite itself allow the file no page more."""
    begin, pages = SqlConversations.__init__, [ENOUGH]

    def limited(self: SqlConversations, *args: Any, **named: Any) -> None:
        begin(self, *args, **named)

        @event.listens_for(self._database.engine, "checkout")
        def hold(connection: Any, *_: object) -> None:
            connection.cursor().execute(f"PRAGMA max_page_count = {pages[0]}")

    def fill(full: bool) -> None:
        pages[0] = 1 if full else ENOUGH

    monkeypatch.setattr(SqlConversations, "__init__", limited)
    return fill


def that_says_so(monkeypatch: pytest.MonkeyPatch) -> Fill:
    """Let every write fail as it does where the disk is full."""
    full = [False]
    add = SqlConversations._add_turn

    def refused(self: SqlConversations, *args: Any) -> None:
        if full[0]:
            reason = sqlite3.OperationalError("database or disk is full")
            raise OperationalError("INSERT", {}, reason)
        add(self, *args)

    def fill(to: bool) -> None:
        full[0] = to

    monkeypatch.setattr(SqlConversations, "_add_turn", refused)
    return fill


@pytest.fixture(params=[with_a_quota, that_says_so])
def fill(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Fill:
    made: Fill = request.param(monkeypatch)
    return made


async def kept(page: Page) -> str:
    """Where a probe is told that conversations are."""
    answer = await page.http.get("/guard/ready")
    assert answer.status_code == 200
    return str(answer.json()["conversations"])


async def asked(page: Page, question: str) -> list[str]:
    """Ask as a program does; return the types of the warnings of the reply."""
    body = {"question": question, "conversation_id": "p1", "user_id": page.user_id}
    reply = (await page.http.post("/guard/ask", json=body)).json()
    assert reply["answer"]
    return [item["type"] for item in reply["warnings"]]


async def test_with_the_disk_full_people_and_probes_are_told(
    wiring: Wiring, tmp_path: Path, fill: Fill
) -> None:
    """Questions are answered, each with word that it is not kept; with room again, it is kept."""
    house = House(wiring, tmp_path / "conversations.sqlite")
    with house.chat() as chat:
        async with opened(chat) as page:
            assert "warning" not in kinds(await page.ask("What is CIMXML?"))
            assert await kept(page) == "kept"
            fill(True)
            told = only(await page.ask("What does ADR-0015 decide?"), "warning")
            assert told["text"] == NOT_KEPT
            assert await kept(page) == "away"
            assert "NOT_KEPT" in await asked(page, "What is CIMXML?")
            who = known(page)
            fill(False)
            assert "NOT_KEPT" not in await asked(page, "What is CIMXML?")
            assert await kept(page) == "kept"
            assert "warning" not in kinds(await page.ask("What does ADR-0016 decide?"))
    with house.chat() as chat:
        async with opened(chat, **who) as page:
            shown = [
                item["payload"]["prompt"]
                for item in await rebuilt(page)
                if item["type"] == "user_prompt"
            ]
            assert shown == ["What is CIMXML?", "What does ADR-0016 decide?"]


async def test_with_the_disk_full_a_stream_says_so_too(
    wiring: Wiring, tmp_path: Path, fill: Fill
) -> None:
    """The last event of a reply bears the warning, in the language of the question."""
    house = House(wiring, tmp_path / "conversations.sqlite")
    with house.chat() as chat:
        async with opened(chat) as page:
            await page.ask("What is CIMXML?")
            fill(True)
            body = {"question": "Wat besluit ADR-0015?", "conversation_id": "p2"}
            events = await page.http.post(
                "/guard/ask", json=body, headers={"Accept": "text/event-stream"}
            )
            assert "NOT_KEPT" in events.text
            assert "Dit gesprek wordt niet bewaard" in events.text
