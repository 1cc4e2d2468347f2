"""One contract for every store of conversations: the fake, and an SQLite file."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from sqlalchemy import URL, create_engine, text
from tests.contract.conversations_contract import (
    MINE,
    NOON,
    ConversationStoreContract,
    turn,
)
from tests.contract.postgres_server import LIVE, own_schema

from elysia_guard.adapters.conversations import SqlConversations
from elysia_guard.domain.saved import Standing
from elysia_guard.ports import ConversationStore
from elysia_guard.testing.fake_conversations import MemoryConversations


class TestC6Memory(ConversationStoreContract):
    """C6: the fake keeps conversations as the file does."""

    @contextmanager
    def opened(self) -> Iterator[ConversationStore]:
        yield MemoryConversations()


class TestC6SqliteFile(ConversationStoreContract):
    """C6: what is kept in a file comes back as it was."""

    @contextmanager
    def opened(self) -> Iterator[ConversationStore]:
        with TemporaryDirectory() as folder:
            store = SqlConversations.in_file(Path(folder) / "c.sqlite", deadline_s=60)
            yield store
            store.close()


class TestC6PostgreSql(ConversationStoreContract):
    """C6: a server keeps conversations as the file does."""

    pytestmark = LIVE

    @contextmanager
    def opened(self) -> Iterator[ConversationStore]:
        with own_schema() as url:
            store = SqlConversations(url, deadline_s=60)
            yield store
            store.close()


@pytest.fixture(params=["file", pytest.param("server", marks=LIVE)])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[URL]:
    """Where nothing was kept yet."""
    if request.param == "file":
        yield URL.create("sqlite", database=str(tmp_path / "c.sqlite"))
        return
    with own_schema() as url:
        yield url


async def test_c6_what_an_older_version_kept_is_still_there(place: URL) -> None:
    """And its settings of people are not; several that start at once bring it up to date once."""
    old = SqlConversations(place, deadline_s=60)
    await old.add_turn(MINE, turn(), Standing(title="Old"), at=NOON)
    old.close()
    engine = create_engine(place)
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE guard_settings (chosen TEXT)"))
        connection.execute(text("UPDATE guard_conversations_schema SET version = 2"))
    engine.dispose()
    stores = [SqlConversations(place, wait_s=30, deadline_s=60) for _ in range(4)]
    await asyncio.gather(*(store.rename(MINE, "Old, still") for store in stores))
    for store in stores:
        assert [item.title for item in await store.listed("mine")] == ["Old, still"]
        store.close()
