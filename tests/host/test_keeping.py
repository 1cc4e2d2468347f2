"""Conversations, titles and thumbs that outlive a restart, over the routes of Elysia's page."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import stat
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import event
from sqlalchemy.exc import OperationalError
from tests.host.test_webapp import (
    PATIENCE_S,
    Chat,
    Page,
    kinds,
    only,
    opened,
    running,
    text_of,
    until,
)

from elysia_guard.adapters import sql
from elysia_guard.adapters.conversations import FileLocks, Keeper, SqlConversations, Turnstile
from elysia_guard.config import ConversationsSection
from elysia_guard.direct import Guard
from elysia_guard.domain.errors import ConversationStoreError
from elysia_guard.domain.saved import ConversationKey
from elysia_guard.edge.elysia.webapp import front_end, server
from elysia_guard.edge.elysia.webapp.page_mends import EVERY
from elysia_guard.edge.elysia.webapp.programs import shown
from elysia_guard.edge.service.service import AskedQuestion, GuardService, Talks
from elysia_guard.language.catalogue import say
from elysia_guard.testing.fake_conversations import MemoryConversations
from elysia_guard.wiring import Wiring

pytestmark = pytest.mark.slow

SECRET = "sk-made-up-0123456789"


class House:
    """A place with one file of conversations, where the chat can be started again and again."""

    def __init__(self, wiring: Wiring, file: Path, **section: Any) -> None:
        self.file = file
        kept = ConversationsSection(path=file, **section)
        self.config = wiring.config.model_copy(update={"conversations": kept})
        self.wiring = wiring

    @contextmanager
    def chat(self) -> Iterator[Chat]:
        """Start the chat; at the end it is stopped, and nothing of it remains in memory."""
        parts = Wiring(self.config)
        vars(parts)["pipeline"] = self.wiring.pipeline
        with running(server._settings(parts)) as address:
            yield Chat(address)
        parts.close()


@pytest.fixture
def house(wiring: Wiring, tmp_path: Path) -> House:
    return House(wiring, tmp_path / "kept" / "conversations.sqlite")


def known(page: Page) -> dict[str, str]:
    return {"user_id": page.user_id, "conversation_id": page.conversation_id}


async def saved(page: Page) -> dict[str, Any]:
    return dict((await page.http.get(f"/db/{page.user_id}/saved_trees")).json()["trees"])


async def rebuilt(page: Page) -> list[dict[str, Any]]:
    found = await page.http.get(f"/db/{page.user_id}/load_tree/{page.conversation_id}")
    assert found.json()["error"] == ""
    return list(found.json()["rebuild"])


async def thumb(page: Page, query_id: str, value: int | None) -> str:
    body = {**known(page), "query_id": query_id}
    if value is None:
        answer = await page.http.post("/feedback/remove", json=body)
    else:
        answer = await page.http.post("/feedback/add", json={**body, "feedback": value})
    assert answer.status_code == httpx.codes.OK
    return str(answer.json()["error"])


async def test_c6_a_conversation_outlives_a_restart(house: House) -> None:
    """After a restart the list, the title and all that was shown are there again."""
    questions = ("What is CIMXML?", "Wat is een transformator?", "What is FooBarBaz?")
    with house.chat() as chat:
        async with opened(chat) as page:
            for question in questions:
                await page.ask(question)
            shown = await rebuilt(page)
            who = known(page)
    with house.chat() as chat:
        async with opened(chat, **who) as page:
            listed = await saved(page)
            assert listed[page.conversation_id]["title"] == questions[0]
            moment = datetime.fromisoformat(listed[page.conversation_id]["last_update_time"])
            assert moment.tzinfo is not None
            assert await rebuilt(page) == shown
            payloads = await page.ask("List all principles")
            assert "PCP-0010" in text_of(payloads)
            assert "title" not in kinds(payloads), "only a new conversation gets a title"
            asked = [
                p["payload"]["prompt"] for p in await rebuilt(page) if "prompt" in p["payload"]
            ]
            assert [item.strip() for item in asked] == [*questions, "List all principles"]


async def test_c6_an_idle_conversation_goes_on(house: House) -> None:
    """What Elysia lets go of after ten idle minutes is taken up where it stood."""
    with house.chat() as chat:
        async with opened(chat) as page:
            await page.ask("What is CIM?")
            manager = chat.users.users[page.user_id]["tree_manager"]
            manager.trees[page.conversation_id]["last_request"] -= timedelta(minutes=11)
            await chat.users.check_all_trees_timeout()
            assert not manager.tree_exists(page.conversation_id)
            assert page.conversation_id in await saved(page)
            picked = only(await page.ask("the second"), "rag_response")
            assert len(picked["sources"]) == 1
            assert len([p for p in await rebuilt(page) if p["type"] == "user_prompt"]) == 2


async def test_c6_a_title_can_be_changed(house: House) -> None:
    """A title that a person gives stays, over questions and restarts."""
    with house.chat() as chat:
        async with opened(chat) as page:
            await page.ask("What is CIMXML?")
            where = f"/db/{page.user_id}/rename_tree/{page.conversation_id}"
            assert (await page.http.post(where, json={"title": " Formats "})).json()["error"] == ""
            await page.http.post("/util/title", json={**known(page), "text": ""})
            await page.ask("What is CIM?")
            who = known(page)
            for wrong in ({"title": "  "}, {"title": "x" * 500}, {}):
                answer = await page.http.post(where, json=wrong)
                assert answer.status_code == httpx.codes.UNPROCESSABLE_ENTITY
            nowhere = f"/db/{page.user_id}/rename_tree/{uuid.uuid4()}"
            missing = await page.http.post(nowhere, json={"title": "x"})
            assert missing.status_code == httpx.codes.NOT_FOUND
    with house.chat() as chat:
        async with opened(chat, **who) as page:
            assert (await saved(page))[page.conversation_id]["title"] == "Formats"


async def test_c6_a_deleted_conversation_is_gone_for_good(house: House) -> None:
    """From the list, from memory, and from the bytes of the file."""
    with house.chat() as chat:
        async with opened(chat) as page:
            await page.ask("What is FooBarBazQuux?")
            await page.ask("What is CIMXML?")
            gone = await page.http.delete(f"/db/{page.user_id}/delete_tree/{page.conversation_id}")
            assert gone.json() == {"error": ""}
            assert await saved(page) == {}
            assert await rebuilt(page) == []
    for file in house.file.parent.iterdir():
        assert b"FooBarBazQuux" not in file.read_bytes()


async def test_c6_thumbs_are_kept_and_shown_again(house: House) -> None:
    """A thumb is kept, changed and taken back, and is there when the conversation is reopened."""
    with house.chat() as chat:
        async with opened(chat) as page:
            first = (await page.ask("What is CIMXML?"))[0]["query_id"]
            second = (await page.ask("What is FooBarBaz?"))[0]["query_id"]
            third = (await page.ask("What is CIM?"))[0]["query_id"]
            assert [await thumb(page, *given) for given in ((first, 0), (second, 2))] == ["", ""]
            assert [await thumb(page, *given) for given in ((first, 1), (third, 0))] == ["", ""]
            assert await thumb(page, third, None) == ""
            who = known(page)
    with house.chat() as chat:
        async with opened(chat, **who) as page:
            prompts = [p for p in await rebuilt(page) if p["type"] == "user_prompt"]
            given = {p["query_id"]: p["payload"].get("feedback") for p in prompts}
            assert given == {first: 1, second: 2, third: None}
            overview = (await page.http.get(f"/feedback/metadata/{page.user_id}")).json()
            counted = {"negative": 0, "positive": 1, "superpositive": 1}
            assert overview["total_feedback"] == 2
            assert overview["feedback_by_value"] == counted
            (day,) = overview["feedback_by_date"].values()
            assert day == {**counted, "mean": 1.5, "count": 2}


async def test_c6_a_thumb_that_is_not_kept_is_told(house: House, wiring: Wiring) -> None:
    """No place, no such reply or a broken place: the page is told so, in the reader's language."""
    with house.chat() as chat:
        async with opened(chat) as page:
            asked = (await page.ask("Wat is een transformator?"))[0]["query_id"]
            assert await thumb(page, "never-asked", 1) == say("en", "feedback.gone")
            chat.users.wiring.conversations.store = down = MemoryConversations()  # type: ignore[union-attr]
            down.down = True
            assert await thumb(page, asked, 1) == say("nl", "feedback.failed")
            wrong = {**known(page), "query_id": asked, "feedback": 17}
            answer = await page.http.post("/feedback/add", json=wrong)
            assert answer.status_code == httpx.codes.UNPROCESSABLE_ENTITY
    off = House(wiring, house.file.with_name("never.sqlite"), enabled=False)
    with off.chat() as chat:
        async with opened(chat) as page:
            asked = (await page.ask("Wat is een transformator?"))[0]["query_id"]
            assert await thumb(page, asked, 1) == say("nl", "feedback.nowhere")
            assert (await saved(page))[page.conversation_id], "in memory, as long as it lasts"
    assert not off.file.exists()


async def test_c6_why_an_answer_was_given_outlives_a_restart(house: House) -> None:
    """The page is made of what is kept; of a conversation that is deleted it is gone."""
    with house.chat() as chat:
        async with opened(chat) as first:
            said = text_of(await first.ask("What does ADR.12 decide?"))
            known = {"user_id": first.user_id, "conversation_id": first.conversation_id}
    place = said.split("](", 1)[1].split()[0]
    with house.chat() as chat:
        async with httpx.AsyncClient(base_url=chat.address) as http:
            why = await http.get(place)
            assert why.status_code == 200
            assert "<h1>What does ADR.12 decide?</h1>" in why.text
            assert "2 of 2 quotes stand word for word" in why.text
            await http.delete("/db/{user_id}/delete_tree/{conversation_id}".format(**known))
            assert (await http.get(place)).status_code == 404


async def test_c6_the_mended_page_is_what_is_served(house: House) -> None:
    """In place of the scripts that ship, and never from a browser's memory."""
    paths = [route.path for route in front_end.router().routes]  # type: ignore[attr-defined]
    with house.chat() as chat:
        async with opened(chat) as page:
            served = [await page.http.get(path) for path in paths]
    text = "".join(each.text for each in served)
    for mends in EVERY:
        assert all(better in text for _, better in mends.pairs)
    assert {each.headers["cache-control"] for each in served} == {"no-cache"}


async def test_c6_nothing_secret_is_kept(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys in the user's settings are in no byte of the file, which its owner alone can read."""
    with house.chat() as chat:
        async with opened(chat) as page:
            settings = chat.users.users[page.user_id]["tree_manager"].settings
            settings.API_KEYS = {"openai_api_key": SECRET}
            settings.WCD_API_KEY = SECRET
            await page.ask("What is CIMXML?")
            await page.ask("What is FooBarBaz?")
            assert page.conversation_id in await saved(page)
            assert SECRET in json.dumps(chat.tree(page).settings.to_json(), default=str)
            files = list(house.file.parent.iterdir())
            assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}
            assert all(SECRET.encode() not in file.read_bytes() for file in files)
    with sqlite3.connect(house.file) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)


@pytest.mark.parametrize("fault", ["locked", "corrupt", "full", "no folder"])
async def test_c6_no_fault_of_the_file_costs_an_answer(
    house: House, fault: str, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A locked, broken, full or missing place: every answer comes, and the log says so once."""
    patient = sql.engine_of
    monkeypatch.setattr(
        sql, "engine_of", lambda url, **named: patient(url, **named | {"wait_s": 0.1})
    )
    house.file.parent.mkdir()
    holder = sqlite3.connect(house.file, isolation_level=None)
    if fault == "corrupt":
        house.file.write_bytes(b"no database at all" * 1_000)
    elif fault == "no folder":
        holder.close()
        house.file.unlink()
        house.file.parent.rmdir()
        house.file.parent.write_text("a file where a folder should be")
    elif fault == "locked":
        holder.execute("PRAGMA locking_mode = EXCLUSIVE")
        holder.execute("BEGIN EXCLUSIVE")
    with house.chat() as chat:
        keeper = chat.users.keeper  # type: ignore[attr-defined]
        if fault == "full":
            keeper.store._database.engine = FullDisk()
        async with opened(chat) as page:
            for _ in range(3):
                assert "Format, laid down" in text_of(await page.ask("What is CIMXML?"))
            await until(lambda: keeper.lost == 3)
            listed = await saved(page)
            assert listed[page.conversation_id]["title"] == "What is CIMXML?", "from memory"
            # Where there is no file, nothing was ever kept that could be judged or deleted.
            never = fault == "no folder"
            assert await thumb(page, "any", 1) == say(
                "en", "feedback.gone" if never else "feedback.failed"
            )
            deleting = f"/db/{page.user_id}/delete_tree/{page.conversation_id}"
            told = (await page.http.delete(deleting)).json()["error"]
            assert told == ("" if never else say("en", "conversation.not_deleted"))
    holder.close()
    assert sum("answers go on without" in record.message for record in caplog.records) == 1


class FullDisk:
    """An engine whose every transaction meets a full disk."""

    url = "sqlite://"

    def begin(self) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    def execution_options(self, **_options: Any) -> FullDisk:
        return self

    def dispose(self) -> None:
        """Nothing is open."""


async def test_c6_what_is_old_goes_at_the_start_and_daily(house: House) -> None:
    """After `keep_days` without a question a conversation is deleted; null keeps it."""

    class Now:
        def __init__(self) -> None:
            self.moment = datetime.now(UTC)

        def __call__(self) -> datetime:
            return self.moment

    with house.chat() as chat:
        async with opened(chat) as page:
            await page.ask("What is CIMXML?")
            who = known(page)
            keeper: Keeper = chat.users.keeper  # type: ignore[attr-defined]
            keeper.now = now = Now()
            now.moment += timedelta(days=29)
            await chat.users.check_all_trees_timeout()
            assert page.conversation_id in await saved(page)
    for keep_days, left in ((None, True), (30, False)):
        later = House(house.wiring, house.file, keep_days=keep_days)
        with sqlite3.connect(house.file) as connection:
            past = (datetime.now(UTC) - timedelta(days=31)).replace(tzinfo=None)
            connection.execute(
                "UPDATE guard_conversations SET changed_at = ?", (past.isoformat(" "),)
            )
        with later.chat() as chat:
            async with opened(chat, **who) as page:
                assert (page.conversation_id in await saved(page)) is left


async def test_c6_a_question_under_way_does_not_bring_a_deleted_conversation_back(
    house: House,
) -> None:
    """Deleted is deleted, also while an answer is being written."""
    with house.chat() as chat:
        async with opened(chat) as page:
            await page.ask("What is CIMXML?")
            manager = chat.users.users[page.user_id]["tree_manager"]
            tree = manager.get_tree(page.conversation_id)
            await page.http.delete(f"/db/{page.user_id}/delete_tree/{page.conversation_id}")
            turn = await asyncio.wait_for(chat.users.keeper.load(_key(page)), PATIENCE_S)  # type: ignore[attr-defined]
            assert turn is None
            from elysia_guard.edge.elysia.webapp.turns import turn_of

            await manager._put_away(tree, turn_of(tree, 0, "late"))
            assert await saved(page) == {}


def _key(page: Page) -> Any:
    from elysia_guard.domain.saved import ConversationKey

    return ConversationKey(**known(page))


async def test_c6_users_are_apart(house: House) -> None:
    """One user's conversation is in no other's list, and no other can open, name or delete it."""
    with house.chat() as chat:
        async with opened(chat) as mine:
            await mine.ask("What is CIMXML?")
            async with opened(chat, conversation_id=mine.conversation_id) as other:
                assert await saved(other) == {}
                assert await rebuilt(other) == []
                where = f"/db/{other.user_id}/rename_tree/{mine.conversation_id}"
                await other.http.post(where, json={"title": "Taken"})
                await other.http.delete(f"/db/{other.user_id}/delete_tree/{mine.conversation_id}")
                await other.ask("What is FooBarBaz?")
            (entry,) = (await saved(mine)).values()
            assert entry["title"] == "What is CIMXML?"
            assert "Format, laid down" in text_of(await rebuilt(mine))


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
def shared_house(wiring: Wiring, tmp_path: Path) -> House:
    return House(wiring, tmp_path / "kept" / "conversations.sqlite", shared=True)


@pytest.fixture
def elsewhere(shared_house: House) -> Iterator[Elsewhere]:
    found = Elsewhere(shared_house.wiring, shared_house.file)
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
    shared_house: House, elsewhere: Elsewhere
) -> None:
    """Also where this one holds the conversation as it was before."""
    with shared_house.chat() as chat:
        async with opened(chat) as page:
            await page.ask("What does ADR-12 decide?")
            asked_back = await elsewhere.ask(page, "What is CIM?")
            picked = only(await page.ask("the second"), "rag_response")
            assert f"2. **{picked['sources'][0]['title']}**" in asked_back
            order = ["What does ADR-12 decide?", "What is CIM?", "the second"]
            assert prompts(await rebuilt(page)) == order
        assert "What does 'CIM' mean" not in picked["answer"]


async def test_an_answer_is_kept_before_it_is_whole(
    shared_house: House, elsewhere: Elsewhere
) -> None:
    """Whoever has read it may be killed at once, and the server too."""
    with shared_house.chat() as chat:
        async with opened(chat) as page:
            await page.ask("What does ADR-12 decide?")
            kept = await elsewhere.store.load(key_of(page))
            assert kept is not None
            assert prompts([dict(item) for item in kept.turns[0].payloads]) == [
                "What does ADR-12 decide?"
            ]


async def test_what_was_deleted_elsewhere_does_not_come_back(
    shared_house: House, elsewhere: Elsewhere
) -> None:
    with shared_house.chat() as chat:
        async with opened(chat) as page:
            asked_back = only(await page.ask("What is CIM?"), "rag_response")
            assert asked_back["outcome"] == "clarified"
            assert await elsewhere.store.delete(key_of(page))
            assert await saved(page) == {}
            reply = only(await page.ask("the second"), "rag_response")
            assert reply["sources"] == []
            assert prompts(await rebuilt(page)) == ["the second"]


async def test_where_the_store_cannot_be_read_nothing_is_taken_for_settled(
    shared_house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A follow-up to what is no longer known is refused, rather than taken for another's."""
    with shared_house.chat() as chat:
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


async def test_where_several_servers_answer_no_key_can_be_entered(shared_house: House) -> None:
    """One of them alone would know it; the message says what to do."""
    key = "canary-entered-77aa31"
    with shared_house.chat() as chat:
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
    shared_house = House(wiring, tmp_path / "kept" / "conversations.sqlite")
    model, key = "canary-model-8812", "canary-entered-77aa31"
    with shared_house.chat() as chat:
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
    with shared_house.chat() as chat:
        async with opened(chat, user_id=user) as page:
            shown = (await page.http.get(f"/user/config/{user}")).json()
            assert shown["config"]["settings"]["BASE_MODEL"] == "of-the-environment"


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
