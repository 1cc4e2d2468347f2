"""What Elysia's pages are answered over HTTP, without a Weaviate."""

from __future__ import annotations

import logging
from typing import Any

import pytest
from tests.host.test_webapp import Chat, Page, opened, running, text_of

from elysia_guard.domain.errors import SourceUnavailableError
from elysia_guard.edge.elysia.webapp import front_end, page_mends, server
from elysia_guard.edge.elysia.webapp.pages.viewing import COLLECTION
from elysia_guard.testing.fake_conversations import MemoryConversations
from elysia_guard.wiring import Wiring

pytestmark = pytest.mark.slow

ASKED = {"page_size": 50, "page_number": 1, "sort_on": None, "ascending": True, "query": ""}
NO_FILTER = {"filter_config": {"type": "and", "filters": []}}


async def listed(page: Page) -> dict[str, dict[str, Any]]:
    said = (await page.http.get(f"/collections/{page.user_id}/list")).json()
    assert said["error"] == ""
    return {item["name"]: item for item in said["collections"]}


async def viewed(page: Page, name: str, **asked: object) -> dict[str, Any]:
    where = f"/collections/{page.user_id}/view/{name}"
    answer = await page.http.post(where, json=ASKED | NO_FILTER | asked)
    said: dict[str, Any] = answer.json() | {"status": answer.status_code}
    return said


async def test_d1_data_lists_views_and_opens(page: Page) -> None:
    """The counts are those of the rows; a row opens alone as it is in the table."""
    for name, entry in (await listed(page)).items():
        rows = (await viewed(page, name, page_size=500))["items"]
        assert len(rows) == entry["total"] > 0
        assert {"uuid"} <= set(rows[0])
        where = f"/collections/{page.user_id}/get_object/{name}/{rows[-1]['uuid']}"
        assert (await page.http.get(where)).json()["items"] == [rows[-1]]
        about = await page.http.get(f"/collections/{page.user_id}/metadata/{name}")
        assert about.json()["metadata"]["length"] == entry["total"]


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("get_object/Decisions/none", 404),
        ("get_object/Nothing/none", 404),
        ("get_object/ELYSIA_CONFIG__/none", 404),
    ],
)
async def test_d1_what_is_not_there_is_said(page: Page, path: str, status: int) -> None:
    answer = await page.http.get(f"/collections/{page.user_id}/{path}")
    assert answer.status_code == status
    assert answer.json()["error"]


@pytest.mark.parametrize(
    "asked",
    [
        {"page_number": 0},
        {"sort_on": "salary"},
        {"filter_config": {"filters": [{"field": "status", "operator": "like", "value": "x"}]}},
        {"filter_config": {"filters": "none"}},
    ],
)
async def test_d1_what_cannot_be_asked_of_a_table_is_said(page: Page, asked: object) -> None:
    said = await viewed(page, "Decisions", **asked)  # type: ignore[arg-type]
    assert said["status"] == 422
    assert said["error"]
    assert "Traceback" not in said["error"]


async def test_d1_nothing_of_ours_is_changed_from_the_page(page: Page) -> None:
    where = f"/collections/{page.user_id}/metadata"
    changed = await page.http.patch(f"{where}/Decisions", json={"summary": "All is well."})
    cleared = await page.http.delete(f"{where}/Decisions")
    every = await page.http.delete(f"{where}/delete/all")
    assert {answer.status_code for answer in (changed, cleared, every)} == {409}
    assert "All is well." not in (await page.http.get(f"{where}/Decisions")).text


async def test_d1_an_index_that_is_down_is_said_without_its_reason(
    page: Page, chat: Chat, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def down() -> None:
        raise SourceUnavailableError("secret.host.example refused", source="index")

    monkeypatch.setattr(chat.users.holdings, "refresh", down)
    said = (await page.http.get(f"/collections/{page.user_id}/list")).json()
    assert said["collections"] == []
    assert "Try again later" in said["error"]
    assert "secret" not in said["error"] + (await viewed(page, "Decisions"))["error"]
    assert "Format, laid down" in text_of(await page.ask("What is CIMXML?"))


async def test_d1_the_start_page_offers_questions_of_each_kind(page: Page) -> None:
    """And a click on one is answered."""
    kinds: dict[str, str] = {}
    for entry in (await listed(page)).values():
        assert set(entry["prompts"]) == set(entry["prompt_kinds"])
        kinds |= {asked: told["kind"] for asked, told in entry["prompt_kinds"].items()}
    assert {"term", "decision", "principle", "policy", "list"} == set(kinds.values())
    for asked in list(kinds)[::7]:
        (reply,) = (item for item in await page.ask(asked) if item["type"] == "rag_response")
        assert reply["payload"]["outcome"] == "asserted", asked


async def test_d1_a_collection_that_is_switched_off_is_not_asked(page: Page) -> None:
    """The page sends the names that it was given; all of them are everything."""
    names = list(await listed(page))
    page.message = lambda asked, id_: {  # type: ignore[method-assign]
        **Page.message(page, asked, id_),
        "collection_names": names,
    }
    assert "Chosen option" in text_of(await page.ask("What does ADR-0012 decide?"))
    names.remove("Decisions")
    assert "Chosen option" not in text_of(await page.ask("What does ADR-0012 decide, then?"))
    assert "Format, laid down" in text_of(await page.ask("What is CIMXML?"))


async def test_d1_a_thumb_is_listed_with_its_conversation(
    wiring: Wiring, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For who gave it, and nobody else."""
    from elysia_guard.adapters.conversations import Keeper

    keeper = Keeper(MemoryConversations(), place="memory", keep_for=None)
    monkeypatch.setitem(wiring.__dict__, "conversations", keeper)
    with running(server._settings(wiring)) as address:
        chat = Chat(address)
        async with opened(chat) as mine, opened(chat) as theirs:
            (first, *_) = await mine.ask("What is CIMXML?")
            (second, *_) = await mine.ask("What is FooBarBaz?")
            for item, value in ((first, 2), (second, 0)):
                said = {"user_id": mine.user_id, "conversation_id": mine.conversation_id}
                given = {**said, "query_id": item["query_id"], "feedback": value}
                assert (await mine.http.post("/feedback/add", json=given)).json()["error"] == ""
            found = (await viewed(mine, COLLECTION, sort_on="feedback_date"))["items"]
            assert [item["user_prompt"] for item in found] == [
                "What is CIMXML?",
                "What is FooBarBaz?",
            ]
            roles = [item["role"] for item in found[0]["conversation_history"]]
            assert roles[:2] == ["user", "assistant"]
            assert "router" in found[0]["route"]
            good = {"field": "feedback", "operator": "equal", "value": 2}
            whose = {"field": "user_id", "operator": "equal", "value": theirs.user_id}
            config = {"filter_config": {"type": "all", "filters": [good, whose]}}
            assert len((await viewed(mine, COLLECTION, **config))["items"]) == 1
            assert (await viewed(theirs, COLLECTION, **config))["items"] == []


def test_d1_the_page_is_the_one_that_is_mended() -> None:
    """Each change is made, in one script; an Elysia with another page would say so here."""
    scripts = [file.read_text("utf-8") for file in front_end.SCRIPTS.rglob("*.js")]
    for mends in page_mends.EVERY:
        assert len([1 for each in scripts if front_end.mended(each, mends)]) == 1, mends.without
    assert page_mends.PRELOADED in (front_end.STATIC / "index.html").read_text("utf-8")


BRANCH = {
    "id": "b", "description": "d", "instruction": "i", "from_branch_id": "nowhere",
    "from_tool_ids": [], "status": "s", "root": False,
}  # fmt: skip
NAMED: dict[str, Any] = {"tool_name": "NoSuchTool", "branch_id": "base", "from_tool_ids": []}


@pytest.mark.parametrize(
    ("change", "body", "status"),
    [
        ("add", NAMED, 404),
        ("remove", NAMED, 404),
        ("add", {**NAMED, "tool_name": "Query", "branch_id": "nowhere"}, 422),
        ("remove", {**NAMED, "tool_name": "Query", "branch_id": "nowhere"}, 422),
        ("add", {**NAMED, "tool_name": "Query", "from_tool_ids": ["nothing"]}, 422),
        ("add_branch", BRANCH, 422),
    ],
)
async def test_a_tool_or_branch_that_is_not_there_is_the_askers_mistake(
    page: Page, change: str, body: dict[str, Any], status: int
) -> None:
    """It is said which, with 404 or 422, and the conversation goes on."""
    answer = await page.http.post(f"/tools/{page.user_id}/{change}", json=body)
    assert answer.status_code == status, answer.text
    assert answer.json()["error"]
    assert "CIMXML" in str(await page.ask("What is CIMXML?"))


async def test_without_a_conversation_there_is_no_tool_to_change(page: Page) -> None:
    body = {**NAMED, "tool_name": "Query"}
    for change in ("add", "remove"):
        answer = await page.http.post(f"/tools/somebody-new/{change}", json=body)
        assert answer.status_code == 404


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [("GET", "/nowhere/at/all", 404), ("PUT", "/guard/ask", 405), ("GET", "/guard/ask", 405)],
)
async def test_what_is_not_there_is_logged_with_its_address_and_is_no_error(
    page: Page, caplog: pytest.LogCaptureFixture, method: str, path: str, status: int
) -> None:
    """The line says method, path and status; an operator is not woken by it."""
    with caplog.at_level(logging.INFO):
        answer = await page.http.request(method, path)
    assert answer.status_code == status
    ours = [
        item for item in caplog.records if item.getMessage() == f"{method} {path} answered {status}"
    ]
    assert [item.levelno for item in ours] == [logging.INFO]
    assert not [item for item in caplog.records if item.levelno >= logging.WARNING]
