"""Conversations that several servers share: what one holds is old when another has answered."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.host.test_keeping import House, known, rebuilt, saved
from tests.host.test_webapp import Chat, Page, only, opened

from elysia_guard.adapters.conversations import FileLocks, Keeper, SqlConversations, Turnstile
from elysia_guard.direct import Guard
from elysia_guard.domain.errors import ConversationStoreError
from elysia_guard.domain.saved import ConversationKey
from elysia_guard.edge.elysia.webapp.programs import shown
from elysia_guard.edge.service.service import AskedQuestion, GuardService, Talks
from elysia_guard.wiring import Wiring

pytestmark = pytest.mark.slow


class Elsewhere:
    """Another server over the same file."""

    def __init__(self, wiring: Wiring, file: Path) -> None:
        self.store = SqlConversations.in_file(file)
        turns = Turnstile(FileLocks(file.with_name(f"{file.name}.turns")))
        keeper = Keeper(self.store, place=str(file), keep_for=None, turnstile=turns)
        self.service = GuardService(Guard(wiring=wiring), Talks(keeper, show=shown))
        self.close = keeper.close

    async def ask(self, page: Page, question: str) -> str:
        asked = AskedQuestion(question=question, conversation_id=page.conversation_id)
        return (await self.service.ask(asked, user_id=page.user_id)).answer


@pytest.fixture
def house(wiring: Wiring, tmp_path: Path) -> House:
    return House(wiring, tmp_path / "kept" / "conversations.sqlite", shared=True)


@pytest.fixture
def elsewhere(house: House) -> Iterator[Elsewhere]:
    found = Elsewhere(house.wiring, house.file)
    yield found
    found.close()


@contextmanager
def unreadable(chat: Chat, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    async def gone(_key: ConversationKey) -> None:
        raise ConversationStoreError("the disk is gone")

    with monkeypatch.context() as patched:
        patched.setattr(chat.users.keeper.store, "load", gone)  # type: ignore[attr-defined]
        yield


def key_of(page: Page) -> ConversationKey:
    return ConversationKey(**known(page))


def prompts(payloads: list[dict[str, Any]]) -> list[str]:
    asked = [item for item in payloads if item["type"] == "user_prompt"]
    return [item["payload"]["prompt"].strip() for item in asked]


async def test_what_another_server_asked_back_is_picked_here(
    house: House, elsewhere: Elsewhere
) -> None:
    """Also where this one holds the conversation as it was before."""
    with house.chat() as chat:
        async with opened(chat) as page:
            await page.ask("What does ADR-12 decide?")
            asked_back = await elsewhere.ask(page, "What is CIM?")
            picked = only(await page.ask("the second"), "rag_response")
            assert f"2. **{picked['sources'][0]['title']}**" in asked_back
            order = ["What does ADR-12 decide?", "What is CIM?", "the second"]
            assert prompts(await rebuilt(page)) == order
        assert "What does 'CIM' mean" not in picked["answer"]


async def test_an_answer_is_kept_before_it_is_whole(house: House, elsewhere: Elsewhere) -> None:
    """Whoever has read it may be killed at once, and the server too."""
    with house.chat() as chat:
        async with opened(chat) as page:
            await page.ask("What does ADR-12 decide?")
            kept = await elsewhere.store.load(key_of(page))
            assert kept is not None
            assert prompts([dict(item) for item in kept.turns[0].payloads]) == [
                "What does ADR-12 decide?"
            ]


async def test_what_was_deleted_elsewhere_does_not_come_back(
    house: House, elsewhere: Elsewhere
) -> None:
    with house.chat() as chat:
        async with opened(chat) as page:
            asked_back = only(await page.ask("What is CIM?"), "rag_response")
            assert asked_back["outcome"] == "clarified"
            assert await elsewhere.store.delete(key_of(page))
            assert await saved(page) == {}
            reply = only(await page.ask("the second"), "rag_response")
            assert reply["sources"] == []
            assert prompts(await rebuilt(page)) == ["the second"]


async def test_where_the_store_cannot_be_read_nothing_is_taken_for_settled(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A follow-up to what is no longer known is refused, rather than taken for another's."""
    with house.chat() as chat:
        async with opened(chat) as page:
            await page.ask("What is CIM?")
            with unreadable(chat, monkeypatch):
                reply = only(await page.ask("the second"), "rag_response")
                assert reply["sources"] == []
                alone = only(await page.ask("What is CIMXML?"), "rag_response")
                assert alone["outcome"] == "asserted"


async def save(page: Page, keys: dict[str, str] | None = None, **settings: Any) -> str:
    """Save as the page does: all that it was shown, with what was changed. Returns the error."""
    where = f"/user/config/{page.user_id}"
    config = (await page.http.get(where)).json()["config"]
    config["settings"] |= settings
    config["settings"]["API_KEYS"] |= keys or {}
    said = {"name": "Mine", "config": config, "frontend_config": {}, "default": True}
    return str((await page.http.post(f"{where}/{config['id']}", json=said)).json()["error"])


async def test_where_several_servers_answer_no_key_can_be_entered(house: House) -> None:
    """One of them alone would know it; the message says what to do."""
    key = "canary-entered-77aa31"
    with house.chat() as chat:
        async with opened(chat) as page:
            error = await save(page, {"openai_api_key": key})
            assert "OPENAI_API_KEY in the environment" in error
            assert key not in error
            assert "WCD_API_KEY" in await save(page, WCD_API_KEY=key)
            assert await save(page, BASE_MODEL="small") == ""


async def test_what_was_set_holds_until_the_server_stops(
    wiring: Wiring, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In memory alone: no byte of it is beside the conversations, and the environment stands."""
    monkeypatch.setenv("BASE_MODEL", "of-the-environment")
    house = House(wiring, tmp_path / "kept" / "conversations.sqlite")
    model, key = "canary-model-8812", "canary-entered-77aa31"
    with house.chat() as chat:
        async with opened(chat) as page:
            assert await save(page, {"openai_api_key": key}, BASE_MODEL=model) == ""
            await page.ask("What is CIMXML?")
            user = page.user_id
            shown = (await page.http.get(f"/user/config/{user}")).json()
            assert shown["config"]["settings"]["BASE_MODEL"] == model
            tree = chat.tree(page)
            # A run that has answered may still be at its end, with settings of its own.
            settings = tree._run.given if tree._run else tree.settings
            assert (settings.BASE_MODEL, settings.API_KEYS["openai_api_key"]) == (model, key)
    written = [file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()]  # noqa: ASYNC240
    assert not [text for text in written if model.encode() in text or key.encode() in text]
    with house.chat() as chat:
        async with opened(chat, user_id=user) as page:
            shown = (await page.http.get(f"/user/config/{user}")).json()
            assert shown["config"]["settings"]["BASE_MODEL"] == "of-the-environment"
