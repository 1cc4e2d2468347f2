"""The store of conversations over SQLAlchemy: one thread waits for the disk, and nobody else."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from pathlib import Path
from typing import Any, Self, TypeVar

from sqlalchemy import URL
from sqlalchemy.exc import SQLAlchemyError

from elysia_guard.adapters import sql
from elysia_guard.adapters.conversations.database import ConversationTables
from elysia_guard.domain.errors import ConversationStoreError
from elysia_guard.domain.saved import (
    ConversationKey,
    ListedConversation,
    SavedConversation,
    SavedSettings,
    Standing,
    Thumb,
    Turn,
)

Found = TypeVar("Found")


class SqlConversations:
    """Conversations in a database that SQLAlchemy knows.

    Calls are done in the order they are made, by one thread, so that a list asked for after a
    deletion does not hold what was deleted. Several processes may share a file or a server.

    Example:
        >>> store = SqlConversations.in_file(Path("conversations.sqlite"))
    """

    def __init__(self, url: URL, *, wait_s: float = 2.0, deadline_s: float = 5.0) -> None:
        """Take an address; nothing is opened before it is needed.

        Args:
            url: of the database.
            wait_s: how long to wait for another that writes.
            deadline_s: after how long a call fails, whatever the disk does.

        Raises:
            ConfigError: its driver is not installed.
        """
        self._tables = ConversationTables(url, wait_s=wait_s)
        self._deadline_s = deadline_s
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="conversations")

    @classmethod
    def in_file(cls, path: Path, *, wait_s: float = 2.0, deadline_s: float = 5.0) -> Self:
        """Keep them in an SQLite file, made for its owner alone."""
        url = URL.create("sqlite", database=str(path.absolute()))
        return cls(url, wait_s=wait_s, deadline_s=deadline_s)

    @property
    def place(self) -> str:
        """Where they are kept, as a person may be told."""
        return self._tables.place

    async def add_turn(
        self, key: ConversationKey, turn: Turn, standing: Standing, *, at: datetime
    ) -> None:
        """Add a turn to a conversation, which begins with its first."""
        await self._run(lambda: self._tables.add_turn(key, turn, standing, at))

    async def load(self, key: ConversationKey) -> SavedConversation | None:
        """Return a conversation, None where it is not there."""
        return await self._run(lambda: self._tables.load(key))

    async def listed(self, user_id: str | None = None) -> Sequence[ListedConversation]:
        """Return a user's conversations, or everybody's, the last changed first."""
        return await self._run(lambda: self._tables.listed(user_id))

    async def rename(self, key: ConversationKey, title: str) -> bool:
        """Give a conversation another title; tell whether it is there."""
        return await self._run(lambda: self._tables.rename(key, title))

    async def delete(self, key: ConversationKey) -> bool:
        """Delete a conversation; nothing of it remains in an SQLite file."""
        return await self._run(lambda: self._tables.delete(key))

    async def give_thumb(self, key: ConversationKey, query_id: str, thumb: Thumb) -> bool:
        """Keep what was said of a reply; tell whether it is there."""
        return await self._run(lambda: self._tables.give_thumb(key, query_id, thumb))

    async def take_thumb(self, key: ConversationKey, query_id: str) -> bool:
        """Forget what was said of a reply; tell whether the reply is there."""
        return await self._run(lambda: self._tables.take_thumb(key, query_id))

    async def thumbs(self, user_id: str) -> Sequence[Thumb]:
        """Return all that a user has said of replies, in the order of time."""
        return await self._run(lambda: self._tables.thumbs(user_id))

    async def purge(self, before: datetime, *, dry_run: bool = False) -> int:
        """Delete what has not changed since; return how many conversations that is."""
        return await self._run(lambda: self._tables.purge(before, dry_run=dry_run))

    async def settings(self, user_id: str) -> SavedSettings | None:
        """Return what a user has set on the page, None where that is nothing."""
        return await self._run(lambda: self._tables.settings(user_id))

    async def keep_settings(self, user_id: str, values: Mapping[str, Any], *, at: datetime) -> int:
        """Keep what a user has set, in place of what was; return its version."""
        return await self._run(lambda: self._tables.keep_settings(user_id, values, at))

    def close(self) -> None:
        """Do what is under way, and close the database."""
        self._thread.shutdown(wait=True)
        self._tables.close()

    async def _run(self, work: Callable[[], Found]) -> Found:
        try:
            running = asyncio.get_running_loop().run_in_executor(self._thread, work)
        except RuntimeError as err:
            raise ConversationStoreError(f"{self.place} is closed") from err
        try:
            # Shielded: what is given up here is still done in its turn, or fails unseen.
            async with asyncio.timeout(self._deadline_s):
                return await asyncio.shield(running)
        except TimeoutError as err:
            running.add_done_callback(_unseen)
            raise ConversationStoreError(
                f"{self.place}: no answer within {self._deadline_s:g} s"
            ) from err
        # A value that no JSON or column takes is as lost as one that no disk takes.
        except (SQLAlchemyError, sqlite3.Error, OSError, TypeError, ValueError) as err:
            raise ConversationStoreError(f"{self.place}: {sql.reason_of(err)}") from err


def _unseen(done: asyncio.Future[Found]) -> None:
    if not done.cancelled():
        done.exception()
