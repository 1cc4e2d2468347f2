"""Settings that people make on the page: kept over a restart, shared, and without their keys."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from tests.host.test_keeping import House
from tests.host.test_webapp import Page, opened

from elysia_guard.adapters.conversations import SqlConversations
from elysia_guard.config import ServerSection
from elysia_guard.domain.errors import ConversationStoreError
from elysia_guard.testing.conversations_contract import NOON
from elysia_guard.wiring import Wiring

pytestmark = [
    pytest.mark.host,
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
]

KEY = "canary-entered-77aa31"


@pytest.fixture
def house(wiring: Wiring, tmp_path: Path) -> House:
    return House(wiring, tmp_path / "kept" / "conversations.sqlite")


@pytest.fixture
def shared(wiring: Wiring, tmp_path: Path) -> House:
    return House(wiring, tmp_path / "kept" / "conversations.sqlite", shared=True)


async def current(page: Page) -> dict[str, Any]:
    return dict((await page.http.get(f"/user/config/{page.user_id}")).json()["config"])


async def save(page: Page, keys: dict[str, str] | None = None, **settings: Any) -> dict[str, Any]:
    """Save as the page does: all that it was shown, with what was changed."""
    config = await current(page)
    style = settings.pop("style", config["style"])
    config["settings"] |= settings
    config["settings"]["API_KEYS"] |= keys or {}
    config |= {"style": style}
    frontend = {"save_configs_to_weaviate": False}
    said = {"name": "Mine", "config": config, "frontend_config": frontend, "default": True}
    address = f"/user/config/{page.user_id}/{config['id']}"
    return dict((await page.http.post(address, json=said)).json())


MODEL = {
    "BASE_MODEL": "small",
    "BASE_PROVIDER": "ollama",
    "MODEL_API_BASE": "http://127.0.0.1:9",
}


async def test_what_was_set_outlives_a_restart(house: House) -> None:
    """With its name, and for its user alone."""
    with house.chat() as chat:
        async with opened(chat) as page:
            said = await save(page, **MODEL, style="brief")
            assert (said["error"], said["warnings"]) == ("", [])
            user = page.user_id
    with house.chat() as chat:
        async with opened(chat, user_id=user) as page:
            found = await current(page)
            assert found["settings"]["BASE_MODEL"] == "small"
            assert (found["name"], found["style"]) == ("Mine", "brief")
            assert chat.tree(page).settings.MODEL_API_BASE == "http://127.0.0.1:9"
        async with opened(chat) as other:
            assert (await current(other))["settings"]["BASE_MODEL"] != "small"


async def test_a_key_is_kept_nowhere_and_the_page_says_so(house: House) -> None:
    """Nor a password within an address."""
    where = f"http://me:{KEY}@127.0.0.1:9"
    with house.chat() as chat:
        async with opened(chat) as page:
            keys = {"MODEL_API_BASE": where, "WCD_API_KEY": KEY}
            said = await save(page, {"openai_api_key": KEY}, **keys)
            assert said["error"] == ""
            assert [text for text in said["warnings"] if "keys are not" in text]
            assert KEY not in json.dumps(said)
            user = page.user_id
    assert all(KEY.encode() not in file.read_bytes() for file in house.file.parent.iterdir())
    with house.chat() as chat:
        async with opened(chat, user_id=user) as page:
            found = await current(page)
            assert found["settings"]["API_KEYS"].get("openai_api_key", "") == ""
            assert not found["settings"]["MODEL_API_BASE"]


async def test_what_a_user_never_touched_follows_the_environment(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only what differs is kept."""
    with house.chat() as chat:
        async with opened(chat) as page:
            await save(page, style="brief")
            user = page.user_id
    with sqlite3.connect(house.file) as opened_file:
        (kept,) = opened_file.execute("SELECT chosen FROM guard_settings").fetchone()
    opened_file.close()
    assert set(json.loads(kept)) == {"name", "style"}
    monkeypatch.setenv("LOCAL_WEAVIATE_PORT", "9876")
    with house.chat() as chat:
        async with opened(chat, user_id=user) as page:
            assert str((await current(page))["settings"]["LOCAL_WEAVIATE_PORT"]) == "9876"


async def test_another_server_has_it_at_the_next_request(shared: House) -> None:
    """Also at the next question over a page that stays open."""
    elsewhere = SqlConversations.in_file(shared.file)
    with shared.chat() as chat:
        async with opened(chat) as page:
            await save(page, style="brief")
            kept = await elsewhere.settings(page.user_id)
            assert kept is not None
            await elsewhere.keep_settings(page.user_id, {"style": "long"}, at=NOON)
            assert (await current(page))["style"] == "long"
            await elsewhere.keep_settings(page.user_id, dict(MODEL), at=NOON)
            await page.ask("What is CIMXML?")
            mine = chat.users.users[page.user_id]["tree_manager"]
            assert mine.settings.BASE_MODEL == "small"
            await elsewhere.keep_settings(page.user_id, {}, at=NOON)
            assert (await current(page))["settings"]["BASE_MODEL"] != "small"
    elsewhere.close()


async def test_where_several_servers_answer_no_key_can_be_entered(shared: House) -> None:
    """One of them alone would know it; the message says what to do."""
    with shared.chat() as chat:
        async with opened(chat) as page:
            said = await save(page, {"openai_api_key": KEY})
            assert "OPENAI_API_KEY in the environment" in said["error"]
            assert KEY not in said["error"]
            assert "WCD_API_KEY" in (await save(page, WCD_API_KEY=KEY))["error"]
            assert (await save(page, style="brief"))["error"] == ""


async def test_a_key_of_the_environment_needs_not_be_entered(
    shared: House, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The page posts what it was shown of it; where another server lacks it, its log says so."""
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    model = {"BASE_MODEL": "m", "BASE_PROVIDER": "openai"}
    with shared.chat() as chat:
        async with opened(chat) as page:
            assert (await save(page, **model))["error"] == ""
            user = page.user_id
    monkeypatch.delenv("OPENAI_API_KEY")
    with shared.chat() as chat:
        async with opened(chat, user_id=user) as page:
            assert (await current(page))["settings"]["BASE_MODEL"] == "m"
            assert await page.ask("What is CIMXML?")
    assert "this process holds no openai_api_key" in caplog.text


async def test_what_could_not_be_written_is_told(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They hold until the server stops, as they do where nothing is kept."""

    async def gone(*_args: Any, **_named: Any) -> int:
        raise ConversationStoreError("the disk is gone")

    with house.chat() as chat:
        async with opened(chat) as page:
            store = chat.users.keeper.store  # type: ignore[attr-defined]
            monkeypatch.setattr(store, "keep_settings", gone)
            said = await save(page, style="brief")
            assert (said["error"], len(said["warnings"])) == ("", 1)
            assert "could not be written" in said["warnings"][0]
            assert (await current(page))["style"] == "brief"


async def test_without_a_store_the_page_says_until_when(wiring: Wiring, tmp_path: Path) -> None:
    house = House(wiring, tmp_path / "c.sqlite", enabled=False)
    with house.chat() as chat:
        async with opened(chat) as page:
            (warning,) = (await save(page, style="brief"))["warnings"]
            assert "until the server stops" in warning


async def test_an_address_that_is_allowed_no_more_is_not_taken_up(
    house: House, caplog: pytest.LogCaptureFixture
) -> None:
    """What was kept is held to what may be set today."""
    with house.chat() as chat:
        async with opened(chat) as page:
            await save(page, **MODEL)
            user = page.user_id
    server = ServerSection(allowed_addresses=["models.example.org"])
    house.config = house.config.model_copy(update={"server": server})
    with house.chat() as chat:
        async with opened(chat, user_id=user) as page:
            assert (await current(page))["settings"]["BASE_MODEL"] != "small"
    assert "do not hold any more" in caplog.text
