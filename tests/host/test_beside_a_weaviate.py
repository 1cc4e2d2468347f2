"""What the page is answered where a person has connected a Weaviate, here one in memory.

``test_connected.py`` asks the same of a real one.
"""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.responses import JSONResponse
from tests.host.test_keeping import rebuilt, saved, thumb
from tests.host.test_webapp import Chat, DeadWeaviate, Page, opened, running, text_of
from tests.host.weaviate_in_memory import InMemoryWeaviate
from websockets.asyncio.client import connect

from elysia_guard.domain.scope import EVERYTHING
from elysia_guard.edge.elysia.webapp import server
from elysia_guard.edge.elysia.webapp.connected import asking, collections
from elysia_guard.edge.elysia.webapp.managers import PageTree
from elysia_guard.wiring import Wiring

pytestmark = [
    pytest.mark.host,
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
]

TREES, FEEDBACK = "ELYSIA_TREES__", "ELYSIA_FEEDBACK__"
BOOKS = {"name": "Books", "total": 2, "vectorizer": {}, "processed": False, "error": False}
NO_PROMPTS: dict[str, Any] = {"prompts": []}
QUESTION = "What does ADR.12 decide?"


@pytest.fixture(scope="module")
def chat(wiring: Wiring) -> Iterator[Chat]:
    with running(server._settings(wiring)) as address:
        yield Chat(address)


def connected(chat: Chat, page: Page, weaviate: Any) -> None:
    """Let a person's settings name a Weaviate, for data and to save in."""
    user = chat.users.users[page.user_id]
    user["client_manager"] = weaviate
    user["frontend_config"].save_location_client_manager = weaviate
    user["frontend_config"].config["save_trees_to_weaviate"] = True


@pytest.fixture
def listing(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What Elysia answers who asks for the collections of a Weaviate."""
    said: dict[str, Any] = {"collections": [BOOKS | NO_PROMPTS], "error": ""}

    async def listed(*_: Any) -> JSONResponse:
        return JSONResponse(said, 500 if said["error"] else 200)

    monkeypatch.setattr(collections.collections, "collections_list", listed)
    return said


async def until_saved(weaviate: InMemoryWeaviate, words: str) -> None:
    """A conversation is saved after its answer: wait until these words are there."""
    for _ in range(500):
        if any(words in it.properties["tree"] for it in weaviate.known[TREES].objects.values()):
            return
        await asyncio.sleep(0.02)
    raise AssertionError(f"{words!r} was not saved")


async def listed(page: Page) -> dict[str, Any]:
    said: dict[str, Any] = (await page.http.get(f"/collections/{page.user_id}/list")).json()
    return said


async def test_d2_ours_are_listed_beside_theirs(chat: Chat, listing: dict[str, Any]) -> None:
    """With questions to begin with; a name that both have is theirs."""
    async with opened(chat) as page:
        ours = (await listed(page))["collections"]
        connected(chat, page, InMemoryWeaviate())
        both = (await listed(page))["collections"]
        assert both == [*ours, BOOKS | NO_PROMPTS]
        assert any(item["prompts"] for item in both)
        listing["collections"] = [BOOKS | NO_PROMPTS | {"name": "Decisions"}]
        named = [
            item for item in (await listed(page))["collections"] if item["name"] == "Decisions"
        ]
        assert named == listing["collections"]


async def test_d2_where_it_cannot_be_read_ours_are_listed_and_it_is_said(
    chat: Chat, listing: dict[str, Any]
) -> None:
    listing["error"] = "10.0.0.7 refused the connection"
    listing["collections"] = []
    async with opened(chat) as page:
        ours = (await listed(page))["collections"]
        connected(chat, page, InMemoryWeaviate())
        said = await listed(page)
        assert said == {"collections": ours, "error": collections.AWAY}
        assert "10.0.0.7" not in json.dumps(said)


async def test_d2_a_collection_of_ours_is_shown_unless_theirs_has_its_name(chat: Chat) -> None:
    """Decided when it is asked for, not by what was listed."""
    async with opened(chat) as page:
        where = f"/collections/{page.user_id}/metadata/Decisions"
        own = (await page.http.get(where)).json()["metadata"]
        connected(chat, page, InMemoryWeaviate("Books"))
        assert (await page.http.get(where)).json()["metadata"] == own
        assert (await page.http.patch(where, json={})).status_code == 409
        connected(chat, page, InMemoryWeaviate("Decisions"))
        assert (await page.http.get(where)).json()["metadata"] != own


async def test_d2_what_is_selected_means_what_was_listed(chat: Chat, wiring: Wiring) -> None:
    """Ours under their names; theirs open nothing of ours, and close nothing either."""
    async with opened(chat) as page:
        ours = [item["name"] for item in (await listed(page))["collections"]]
    tree, weaviate = PageTree.bound_to(wiring)(), InMemoryWeaviate("Books")
    assert tree._scope([], weaviate) == tree._scope(ours, weaviate) == EVERYTHING
    assert tree._scope([*ours, "Books"], weaviate) == EVERYTHING
    assert tree._scope(["Decisions", "Books"], weaviate).only == "decision"
    assert tree._scope(["Books"], weaviate).is_empty


async def test_d2_analysing_without_a_model_says_what_is_missing(chat: Chat) -> None:
    async with opened(chat) as page:
        connected(chat, page, InMemoryWeaviate("Books"))
        async with connect(chat.websocket.replace("query", "process_collection")) as socket:
            asked = {"user_id": page.user_id, "collection_name": "Books"}
            await socket.send(json.dumps(asked))
            said = json.loads(await asyncio.wait_for(socket.recv(), 30))
        assert (said["type"], said["collection_name"]) == ("error", "Books")
        assert "needs a model" in said["error"]


async def test_d2_a_title_is_kept_there(chat: Chat) -> None:
    """Also of a conversation that is in no memory but its own."""
    weaviate = InMemoryWeaviate(TREES)
    async with opened(chat) as page:
        connected(chat, page, weaviate)
        await page.ask("What is CIMXML?")
        await until_saved(weaviate, "Format, laid down")
        manager = chat.users.users[page.user_id]["tree_manager"]
        manager.delete_tree_local(page.conversation_id)
        where = f"/db/{page.user_id}/rename_tree/{page.conversation_id}"
        answer = await page.http.post(where, json={"title": "Exchange"})
        assert answer.json() == {"error": ""}
        (kept,) = weaviate.known[TREES].objects.values()
        assert kept.properties["title"] == "Exchange"
        assert json.loads(kept.properties["tree"])["conversation_title"] == "Exchange"
        weaviate.known[TREES].down = True
        answer = await page.http.post(where, json={"title": "Lost"})
        assert answer.status_code == 503
        assert answer.json()["error"]


async def test_d2_thumbs_are_kept_there_once_and_go_with_their_conversation(chat: Chat) -> None:
    weaviate = InMemoryWeaviate(TREES)
    async with opened(chat) as page:
        connected(chat, page, weaviate)
        query_id = (await page.ask("What is CIMXML?"))[0]["query_id"]
        for value in (1, -1):
            assert await thumb(page, query_id, value) == ""
        (kept,) = weaviate.known[FEEDBACK].objects.values()
        assert (kept.properties["feedback"], kept.properties["user_prompt"]) == (
            -1,
            "What is CIMXML?",
        )
        counted = (await page.http.get(f"/feedback/metadata/{page.user_id}")).json()
        assert (counted["total_feedback"], counted["feedback_by_value"]["negative"]) == (1, 1)
        await until_saved(weaviate, "Format, laid down")
        assert (await rebuilt(page))[0]["payload"]["feedback"] == -1
        await page.http.delete(f"/db/{page.user_id}/delete_tree/{page.conversation_id}")
        assert weaviate.known[FEEDBACK].objects == {}


async def test_d2_a_thumb_that_is_kept_nowhere_is_said(chat: Chat) -> None:
    """Green means kept; Elysia's own route calls it kept when the insert has failed."""
    weaviate = InMemoryWeaviate(TREES, FEEDBACK)
    async with opened(chat) as page:
        connected(chat, page, weaviate)
        query_id = (await page.ask("What is CIMXML?"))[0]["query_id"]
        weaviate.known[FEEDBACK].insert = refused  # type: ignore[method-assign]
        assert await thumb(page, query_id, 1) != ""
        assert weaviate.known[FEEDBACK].objects == {}


async def refused(**_: Any) -> None:
    raise ValueError("no API key: env.OPENAI_APIKEY")


async def test_d2_what_is_opened_while_it_is_away_is_never_saved_over(chat: Chat) -> None:
    """The page opens a conversation anew where it could not be loaded."""
    weaviate = InMemoryWeaviate(TREES)
    async with opened(chat) as page:
        connected(chat, page, weaviate)
        await page.ask("What is CIMXML?")
        await until_saved(weaviate, "Format, laid down")
        manager = chat.users.users[page.user_id]["tree_manager"]
        manager.delete_tree_local(page.conversation_id)
        connected(chat, page, DeadWeaviate())
        await page.visit()
        assert "canonical data model" in text_of(await page.ask(QUESTION))
        connected(chat, page, weaviate)
        await page.ask(QUESTION)
        (kept,) = weaviate.known[TREES].objects.values()
        assert "Format, laid down" in kept.properties["tree"]
        assert "Format, laid down" in json.dumps(await rebuilt(page))
        await page.ask(QUESTION)
        await until_saved(weaviate, "canonical data model")


async def test_d2_one_that_is_deleted_while_it_is_saved_does_not_come_back(chat: Chat) -> None:
    """It is saved after its answer, and deleting may overtake that."""
    weaviate = InMemoryWeaviate(TREES)
    trees, begun, may_go = weaviate.known[TREES], threading.Event(), threading.Event()
    insert = trees.insert

    async def slow(**given: Any) -> None:
        begun.set()
        await asyncio.to_thread(may_go.wait, 30)
        await insert(**given)

    trees.insert = slow  # type: ignore[method-assign]
    removed = []
    forget = trees.delete_by_id

    async def removing(key: object) -> None:
        removed.append(str(key) in trees.objects)
        await forget(key)

    trees.delete_by_id = removing  # type: ignore[method-assign]
    async with opened(chat) as page:
        connected(chat, page, weaviate)
        await page.ask("What is CIMXML?")
        assert await asyncio.to_thread(begun.wait, 30)
        await page.http.delete(f"/db/{page.user_id}/delete_tree/{page.conversation_id}")
        may_go.set()
        for _ in range(500):
            if True in removed:
                break
            await asyncio.sleep(0.02)
        assert trees.objects == {}
        assert removed == [True], "it was saved after all, and not taken back"


async def test_d2_in_an_outage_what_is_in_memory_is_listed_and_shown(chat: Chat) -> None:
    async with opened(chat) as page:
        await page.ask("What is CIMXML?")
        connected(chat, page, DeadWeaviate())
        assert page.conversation_id in await saved(page)
        assert "Format, laid down" in json.dumps(await rebuilt(page))


async def test_d2_one_that_never_answers_is_left(
    chat: Chat, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its own client would try for a minute."""
    monkeypatch.setattr(asking, "PATIENCE_S", 0.01)

    class Hanging(InMemoryWeaviate):
        async def exists(self, name: str) -> bool:
            await asyncio.Event().wait()
            return False

    async with opened(chat) as page:
        connected(chat, page, Hanging())
        assert "canonical data model" in text_of(await page.ask(QUESTION))
        assert page.conversation_id in await saved(page)
