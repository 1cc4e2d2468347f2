"""One conversation that goes on and on: what is held of it stays as large as it is."""

from __future__ import annotations

from itertools import cycle
from pathlib import Path

import pytest
from pympler import asizeof
from tests.host.test_keeping import House, known, rebuilt
from tests.host.test_webapp import Page, opened

from elysia_guard.edge.elysia import GuardedTree, conversation_import
from elysia_guard.wiring import Wiring

pytestmark = pytest.mark.slow

ASKED = (
    "What is CIMXML?",
    "What does ADR-0015 decide?",
    "and who approved it?",
    "How is data exchanged?",
    "thanks",
)
TURNS = 300


def held(tree: GuardedTree) -> dict[str, int]:
    """How many things a tree holds of its conversation, and how large its copies are, in bytes."""
    data = tree.tree_data
    found = [
        each
        for named in data.environment.environment.values()
        for entries in named.values()
        for each in entries
    ]
    return {
        "payloads": len(tree.returner.store),
        "said": len(data.conversation_history),
        "tasks": len(data.tasks_completed),
        "found": len(found),
        "prompts": len(tree.prompt_to_query_id),
        "ids": len(tree.query_id_to_prompt),
        "actions": len(tree.actions_called),
        "copies": len(tree.history),
        "bytes": asizeof.asizeof(tree.history, tree.returner.store, data, tree.actions_called),
    }


async def test_a_tree_holds_the_last_turns_of_an_endless_conversation(
    wiring: Wiring, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After 300 turns it holds no more than after 150, and is titled with its first question."""
    monkeypatch.setattr(conversation_import, "MOST_TURNS", 25)
    tree = GuardedTree(wiring=wiring)
    before: dict[str, int] = {}
    for turn, question in zip(range(1, TURNS + 1), cycle(ASKED), strict=False):
        async for _ in tree.async_run(question):
            pass
        if turn == TURNS // 2:
            before = held(tree)
    after = held(tree)
    assert after.pop("bytes") <= 1.05 * before.pop("bytes")
    assert after == before
    assert after["prompts"] == after["ids"] == 25 + 1
    assert after["copies"] == conversation_import.MOST_COPIES + 1
    assert await tree.create_conversation_title_async() == ASKED[0]
    assert "CIMXML" in tree.run("What is CIMXML?")[0]


async def prompts(page: Page) -> list[str]:
    """The questions that the page shows of a conversation."""
    every = await rebuilt(page)
    return [item["payload"]["prompt"] for item in every if item["type"] == "user_prompt"]


async def test_the_page_shows_all_of_a_conversation_that_is_kept(
    wiring: Wiring, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is in memory no more comes from the store: read again, and after a restart."""
    monkeypatch.setattr(conversation_import, "MOST_TURNS", 3)
    house = House(wiring, tmp_path / "conversations.sqlite")
    asked = [f"What does ADR-00{number} decide?" for number in range(10, 18)]

    with house.chat() as chat:
        async with opened(chat) as page:
            for question in asked:
                await page.ask(question)
            assert await prompts(page) == asked
            who = known(page)
    with house.chat() as chat:
        async with opened(chat, **who) as page:
            assert await prompts(page) == asked
