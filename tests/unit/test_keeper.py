"""Keeping conversations whatever the store does, and one question at a time in each."""

from __future__ import annotations

import asyncio
import sqlite3
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from tests.contract.conversations_contract import MINE, NOON, YOURS, turn
from tests.unit.decision_world import Now

from elysia_guard.adapters.conversations import FileLocks, Keeper, SqlConversations, Turnstile
from elysia_guard.domain.errors import ConversationStoreError
from elysia_guard.domain.saved import ConversationKey, Standing, Thumb, Turn
from elysia_guard.testing.fake_conversations import MemoryConversations

TITLED = Standing(title="What is a quuxifier?")


class Counting(MemoryConversations):
    """A store that counts what it is asked for, and can hold writers up."""

    def __init__(self) -> None:
        super().__init__()
        self.loads = 0
        self.purges: list[datetime] = []
        self.open = asyncio.Event()
        self.open.set()

    async def add_turn(
        self, key: ConversationKey, turn: Turn, standing: Standing, *, at: datetime
    ) -> None:
        await self.open.wait()
        await super().add_turn(key, turn, standing, at=at)

    async def load(self, key: ConversationKey):  # type: ignore[no-untyped-def]
        self.loads += 1
        return await super().load(key)

    async def purge(self, before: datetime, *, dry_run: bool = False) -> int:
        self.purges.append(before)
        return await super().purge(before, dry_run=dry_run)


def keeper_of(store: Counting, **options: object) -> Keeper:
    return Keeper(store, **{"place": "memory", "keep_for": timedelta(days=30), **options})  # type: ignore[arg-type]


async def test_c6_an_outage_is_told_once_and_its_end_too(caplog: pytest.LogCaptureFixture) -> None:
    """The log says once that nothing is kept, once that it is again, and never what was asked."""
    store = Counting()
    keeper = keeper_of(store)
    store.down = True
    for _ in range(4):
        keeper.put(MINE, turn(), TITLED)
    await keeper.written()
    assert (await keeper.load(MINE), list(await keeper.listed("mine"))) == (None, [])
    store.down = False
    for _ in range(2):
        keeper.put(MINE, turn(), TITLED)
    await keeper.written()
    told = [record.getMessage() for record in caplog.records]
    assert len(told) == 2
    assert "answers go on without" in told[0]
    assert told[1].endswith("turns lost: 4")
    assert "quuxifier" not in caplog.text


async def test_c6_a_store_that_hangs_holds_no_more_than_so_many_turns() -> None:
    """Memory is bounded: what does not fit is lost and counted, and `put` never waits."""
    store = Counting()
    keeper = keeper_of(store, capacity=3)
    store.open.clear()
    for _ in range(10):
        keeper.put(MINE, turn(), TITLED)
    assert keeper.lost == 7
    store.open.set()
    await keeper.written()
    found = await keeper.load(MINE)
    assert found is not None
    assert len(found.turns) == 3


async def test_c6_a_dead_store_is_not_waited_for_again_and_again() -> None:
    """After two failures conversations are opened without asking it, for a while."""
    store = Counting()
    keeper = keeper_of(store)
    store.down = True
    for _ in range(20):
        assert await keeper.load(MINE) is None
    assert store.loads == 2


async def test_c6_what_a_person_asks_for_is_done_or_told() -> None:
    """A thumb, a title or a deletion that fails raises; one that follows a turn waits for it."""
    store = Counting()
    keeper = keeper_of(store)
    keeper.put(MINE, turn("q1"), TITLED)
    assert await keeper.thumb(MINE, "q1", 1)
    assert not await keeper.thumb(MINE, "q2", 1)
    assert [item.value for item in await keeper.thumbs("mine")] == [1]
    store.down = True
    for asked in (keeper.thumb(MINE, "q1", None), keeper.rename(MINE, "x"), keeper.delete(MINE)):
        with pytest.raises(ConversationStoreError):
            await asked


async def test_c6_old_conversations_go_once_a_day() -> None:
    """At the start and daily, and never where they are kept until somebody deletes them."""
    store, now = Counting(), Now()
    keeper = keeper_of(store, now=now)
    keeper.put(MINE, turn(), TITLED)
    await keeper.written()
    await keeper.purge()
    now.advance(timedelta(hours=23))
    await keeper.purge()
    assert store.purges == [NOON - timedelta(days=30)]
    now.moment = NOON + timedelta(days=30, seconds=1)
    await keeper.purge()
    assert await keeper.load(MINE) is None
    await keeper_of(store, keep_for=None).purge()
    assert len(store.purges) == 2


async def test_c6_a_disk_that_hangs_fails_in_time(tmp_path: Path) -> None:
    """A call ends at its deadline; what it was to do is still done in its turn."""
    file = tmp_path / "c.sqlite"
    store = SqlConversations.in_file(file, wait_s=60, deadline_s=60)
    await store.add_turn(MINE, turn("q1"), TITLED, at=NOON)
    holder = sqlite3.connect(file, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    store._thread.deadline_s = 0.05
    with pytest.raises(ConversationStoreError, match=r"no answer within 0\.05 s"):
        await store.give_thumb(MINE, "q1", Thumb(value=1, given_at=NOON))
    holder.execute("COMMIT")
    holder.close()
    store._thread.deadline_s = 60
    assert [item.value for item in await store.thumbs("mine")] == [1]
    store.close()
    with pytest.raises(ConversationStoreError, match="closed"):
        await store.load(YOURS)


async def test_what_is_kept_now_is_told_or_that_it_cannot_be_known() -> None:
    """Another process may have answered since: an outage must not look like no conversation."""

    class Broken(Counting):
        async def load(self, key: ConversationKey):  # type: ignore[no-untyped-def]
            raise ConversationStoreError("gone")

    store = Counting()
    keeper = keeper_of(store)
    assert await keeper.current(MINE) is None
    await store.add_turn(MINE, turn(1), TITLED, at=NOON)
    kept = await keeper.current(MINE)
    assert kept is not None
    assert [item.query_id for item in kept.turns] == [turn(1).query_id]
    with pytest.raises(ConversationStoreError):
        await keeper_of(Broken()).current(MINE)


def test_conversations_are_shared_where_a_file_keeps_processes_apart(tmp_path: Path) -> None:
    assert not keeper_of(Counting()).shared
    assert keeper_of(Counting(), turnstile=Turnstile(FileLocks(tmp_path / "turns"))).shared


@pytest.fixture(params=["in memory", "in a file"])
def turnstile(request: pytest.FixtureRequest, tmp_path: Path) -> Turnstile:
    return Turnstile(
        FileLocks(tmp_path / "talks" / "turns") if request.param == "in a file" else None
    )


async def test_whoever_comes_second_waits(turnstile: Turnstile) -> None:
    order = []

    async def ask(name: str) -> None:
        async with turnstile.of(MINE):
            order.append(f"{name} in")
            await asyncio.sleep(0)
            order.append(f"{name} out")

    await asyncio.gather(*map(ask, "abc"))
    assert order == ["a in", "a out", "b in", "b out", "c in", "c out"]
    turnstile.close()


async def test_another_conversation_waits_for_nobody(turnstile: Turnstile) -> None:
    async with turnstile.of(MINE), asyncio.timeout(5), turnstile.of(YOURS):
        pass
    turnstile.close()


async def test_who_gives_up_waiting_is_not_waited_for(turnstile: Turnstile) -> None:
    async def ask() -> None:
        async with turnstile.of(MINE):
            pass

    async with turnstile.of(MINE):
        waiting = asyncio.create_task(ask())
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.wait({waiting})
    async with asyncio.timeout(5):
        await ask()
    turnstile.close()


async def test_without_its_file_nobody_waits_and_the_log_says_so_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "taken").write_text("", encoding="utf-8")
    turnstile = Turnstile(FileLocks(tmp_path / "taken" / "turns"))
    for _ in range(2):
        async with turnstile.of(MINE):
            pass
    assert caplog.text.count("questions do not wait for each other") == 1
