"""A Weaviate that a person has connected on the Settings page: a real one, and lines to it."""

from __future__ import annotations

import asyncio
import json
import uuid
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.contract.weaviate_server import GRPC_PORT, LIVE, URL, Line, lines
from tests.host.test_keeping import House, rebuilt, saved, thumb
from tests.host.test_webapp import Page, opened, text_of

from elysia_guard.wiring import Wiring

pytestmark = [
    *LIVE,
    pytest.mark.host,
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

Lines = tuple[Line, Line]
ELYSIAS = ("ELYSIA_TREES__", "ELYSIA_CONFIG__", "ELYSIA_FEEDBACK__", "ELYSIA_METADATA__")
BOOKS = "GuardTestBooks"


@asynccontextmanager
async def asking() -> AsyncIterator[Any]:
    """The Weaviate itself, past the lines."""
    import weaviate

    host, port = URL.rsplit("//", 1)[1].split(":")
    made = weaviate.use_async_with_local(host=host, port=int(port), grpc_port=GRPC_PORT)
    async with made as client:
        yield client


@pytest.fixture
async def books() -> AsyncIterator[str]:
    """Two books of somebody's own, which Elysia has not analysed; Elysia has saved nothing."""
    async with asking() as client:
        there = [name for name in ELYSIAS if await client.collections.exists(name)]
        if there:
            pytest.skip(f"{there} are somebody's own")
        await client.collections.delete(BOOKS)
        made = await client.collections.create(BOOKS)
        for title in ("Middlemarch", "Dead Souls"):
            await made.data.insert({"title": title})
        yield BOOKS
        await client.collections.delete([BOOKS, *ELYSIAS])


@pytest.fixture
def leads() -> Iterator[Lines]:
    with lines() as both:
        yield both


@pytest.fixture
def house(wiring: Wiring, tmp_path: Path) -> House:
    place = wiring.config.index.model_copy(update={"path": tmp_path / "index.sqlite"})
    wired = Wiring(wiring.config.model_copy(update={"index": place}))
    vars(wired)["pipeline"] = wiring.pipeline
    return House(wired, tmp_path / "kept" / "conversations.sqlite")


async def connect(page: Page, leads: Lines, *, saves: bool = True) -> dict[str, Any]:
    """What the page sends where somebody fills in 'Local' and saves."""
    current = (await page.http.get(f"/user/config/{page.user_id}")).json()
    http, grpc = (line.port for line in leads)
    own = {
        "WEAVIATE_IS_LOCAL": True,
        "WCD_URL": "http://localhost",
        "LOCAL_WEAVIATE_PORT": http,
        "LOCAL_WEAVIATE_GRPC_PORT": grpc,
    }
    config = current["config"]
    storage = {
        "save_location_weaviate_is_local": True,
        "save_location_wcd_url": "http://localhost",
        "save_location_local_weaviate_port": http,
        "save_location_local_weaviate_grpc_port": grpc,
        "save_trees_to_weaviate": saves,
        "save_configs_to_weaviate": saves,
    }
    body = {
        "name": "With books",
        "default": True,
        "config": config | {"settings": config["settings"] | own},
        "frontend_config": current["frontend_config"] | storage,
    }
    said = await page.http.post(f"/user/config/{page.user_id}/{config['id']}", json=body)
    answer: dict[str, Any] = said.json()
    assert (answer["error"], answer["warnings"]) == ("", [])
    return answer


async def listed(page: Page) -> dict[str, dict[str, Any]]:
    said = (await page.http.get(f"/collections/{page.user_id}/list")).json()
    return {item["name"]: item for item in said["collections"]} | {"": {"error": said["error"]}}


async def ask(page: Page, question: str, names: list[str]) -> str:
    query_id = str(uuid.uuid4())
    message = {**page.message(question, query_id), "collection_names": names}
    await page.socket.send(json.dumps(message))
    payloads: list[dict[str, Any]] = []
    while not payloads or payloads[-1]["type"] != "completed":
        payloads.append(json.loads(await asyncio.wait_for(page.socket.recv(), 30)))
    return text_of(payloads)


async def until_saved(page: Page, times: int) -> None:
    """A conversation is saved after its answer: wait until so many questions are there."""
    for _ in range(100):
        async with asking() as client:
            if await client.collections.exists("ELYSIA_TREES__"):
                found = await client.collections.get("ELYSIA_TREES__").query.fetch_objects()
                for item in found.objects:
                    tree = json.loads(str(item.properties["tree"]))
                    asked = [it for it in tree["frontend_rebuild"] if it["type"] == "user_prompt"]
                    whose = item.properties["conversation_id"]
                    if (whose, len(asked)) == (page.conversation_id, times):
                        return
        await asyncio.sleep(0.1)
    raise AssertionError("the conversation was not saved")


async def test_d2_what_is_in_it_is_listed_beside_what_is_ours(
    house: House, books: str, leads: Lines
) -> None:
    """A collection that nobody has analysed too; each opens as whose it is."""
    with house.chat() as chat:
        async with opened(chat) as page:
            before = await listed(page)
            await connect(page, leads)
            now = await listed(page)
            assert {*before, books} <= set(now)
            assert (now[books]["total"], now[books]["processed"]) == (2, False)
            assert now["Decisions"] == before["Decisions"]
            where = f"/collections/{page.user_id}/view"
            asked = {"page_size": 50, "page_number": 1, "query": "", "sort_on": None}
            asked |= {"ascending": True, "filter_config": {"type": "all", "filters": []}}
            for name, title in ((books, "Middlemarch"), ("Decisions", "Encrypt data in transit")):
                shown = (await page.http.post(f"{where}/{name}", json=asked)).json()
                assert title in json.dumps(shown["items"])
            about = await page.http.get(f"/collections/{page.user_id}/metadata/Decisions")
            assert about.json()["metadata"]["length"] == now["Decisions"]["total"]


async def test_d2_what_is_selected_there_leaves_ours_reached(
    house: House, books: str, leads: Lines
) -> None:
    """The tree answers from the same documents as before; ours can be switched off."""
    with house.chat() as chat:
        async with opened(chat) as page:
            ours = [name for name, item in (await listed(page)).items() if name]
            await connect(page, leads)
            for names in ([], ours, [*ours, books]):
                assert "canonical data model" in await ask(page, "What does ADR.12 decide?", names)
            assert "not among the collections" in await ask(
                page, "What does ADR.12 decide?", [books]
            )


async def test_d2_a_conversation_is_saved_there_and_goes_on_after_a_restart(
    house: House, books: str, leads: Lines
) -> None:
    """Listed, shown, asked on, renamed and deleted there; the settings are found again, too."""
    with house.chat() as chat:
        async with opened(chat) as page:
            saves = await connect(page, leads)
            assert saves["frontend_config"]["save_trees_to_weaviate"]
            await page.ask("What is CIM?")
            await until_saved(page, 1)
            who = {"user_id": page.user_id, "conversation_id": page.conversation_id}
    with house.chat() as chat:
        async with opened(chat, **who) as page:
            assert books in await listed(page), "the Weaviate is forgotten"
            assert (await saved(page))[page.conversation_id]["title"] == "What is CIM?"
            assert "means more than one thing" in json.dumps(await rebuilt(page))
            assert "chose this meaning" in text_of(await page.ask("the second"))
            await until_saved(page, 2)
            where = f"/db/{page.user_id}"
            new = {"title": "Models"}
            renamed = await page.http.post(f"{where}/rename_tree/{page.conversation_id}", json=new)
            assert renamed.json() == {"error": ""}
            assert (await saved(page))[page.conversation_id]["title"] == "Models"
            gone = await page.http.delete(f"{where}/delete_tree/{page.conversation_id}")
            assert gone.json() == {"error": ""}
            assert page.conversation_id not in await saved(page)


async def test_d2_thumbs_are_kept_there_without_a_model_or_a_key(
    house: House, books: str, leads: Lines
) -> None:
    """Counted, listed with their conversation, shown again, changed and taken back."""
    with house.chat() as chat:
        async with opened(chat) as page:
            await connect(page, leads)
            first, second = [
                (await page.ask(question))[0]["query_id"]
                for question in ("What is CIMXML?", "What is FooBarBaz?")
            ]
            assert await thumb(page, first, 1) == ""
            assert await thumb(page, first, 2) == ""
            assert await thumb(page, second, -1) == ""
            assert await thumb(page, "another", 1) != ""
            counts = (await page.http.get(f"/feedback/metadata/{page.user_id}")).json()
            assert counts["feedback_by_value"] == {
                "negative": 1, "positive": 0, "superpositive": 1,
            }  # fmt: skip
            own = {"field": "user_id", "operator": "equal", "value": page.user_id}
            asked = {"page_size": 500, "filter_config": {"type": "all", "filters": [own]}}
            where = f"/collections/{page.user_id}/view/ELYSIA_FEEDBACK__"
            items = (await page.http.post(where, json=asked)).json()["items"]
            assert {item["user_prompt"] for item in items} == {
                "What is CIMXML?",
                "What is FooBarBaz?",
            }
            assert "Format, laid down" in json.dumps(items[0]["conversation_history"])
            await until_saved(page, 2)
            shown = [item["payload"].get("feedback") for item in await rebuilt(page)]
            assert [value for value in shown if value is not None] == [2, -1]
            assert await thumb(page, second, None) == ""
            gone = f"/db/{page.user_id}/delete_tree/{page.conversation_id}"
            assert (await page.http.delete(gone)).json() == {"error": ""}
            counts = (await page.http.get(f"/feedback/metadata/{page.user_id}")).json()
            assert counts["total_feedback"] == 0


async def test_d2_settings_are_saved_listed_loaded_and_deleted(
    house: House, books: str, leads: Lines
) -> None:
    with house.chat() as chat:
        async with opened(chat) as page:
            config_id = (await connect(page, leads))["config"]["id"]
            where = f"/user/config/{page.user_id}"
            found = (await page.http.get(f"{where}/list")).json()["configs"]
            assert [(item["config_id"], item["name"]) for item in found] == [
                (config_id, "With books")
            ]
            loaded = (await page.http.get(f"{where}/{config_id}/load")).json()
            assert (loaded["error"], loaded["config"]["name"]) == ("", "With books")
            assert loaded["config"]["settings"]["LOCAL_WEAVIATE_PORT"] == leads[0].port
            assert (await page.http.delete(f"{where}/{config_id}")).json()["error"] == ""
            assert (await page.http.get(f"{where}/list")).json()["configs"] == []


async def test_d2_one_that_goes_away_costs_no_answer_and_is_found_again(
    house: House, books: str, leads: Lines
) -> None:
    """In mid-conversation; what was said meanwhile is saved once it is back."""
    with house.chat() as chat:
        async with opened(chat) as page:
            await connect(page, leads)
            await page.ask("What is CIMXML?")
            await until_saved(page, 1)
            for line in leads:
                line.cut()
            assert "canonical data model" in text_of(await page.ask("What does ADR.12 decide?"))
            assert len([it for it in await rebuilt(page) if it["type"] == "user_prompt"]) == 2
            away = await listed(page)
            assert "Weaviate" in away[""]["error"]
            assert "Decisions" in away
            assert page.conversation_id in await saved(page)
            assert await thumb(page, "another", 1) != ""
            where = f"/db/{page.user_id}/rename_tree/{page.conversation_id}"
            assert (await page.http.post(where, json={"title": "Lost"})).json()["error"]
            for line in leads:
                line.mend()
            assert "Format" in text_of(await page.ask("What is CIMXML?"))
            await until_saved(page, 3)
            assert books in await listed(page)


async def test_d2_a_start_while_it_is_away_loses_nothing(
    house: House, books: str, leads: Lines
) -> None:
    """What could not be loaded is not saved over; when it is back, all is there again."""
    with house.chat() as chat:
        async with opened(chat) as page:
            await connect(page, leads)
            await page.ask("What is CIMXML?")
            await until_saved(page, 1)
            who = {"user_id": page.user_id, "conversation_id": page.conversation_id}
    for line in leads:
        line.cut()
    with house.chat() as chat:
        async with opened(chat, **who) as page:
            assert "canonical data model" in text_of(await page.ask("What does ADR.12 decide?"))
            assert "Decisions" in await listed(page)
            for line in leads:
                line.mend()
            assert books in await listed(page), "its settings are forgotten"
            await page.ask("What is CIM?")
            await until_saved(page, 1)
            shown = json.dumps(await rebuilt(page))
            assert "Format, laid down" in shown
            await page.ask("What is a transformer?")
            await until_saved(page, 2)
