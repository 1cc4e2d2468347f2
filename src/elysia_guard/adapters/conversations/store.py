"""The store of conversations over SQLAlchemy: one thread waits for the disk, and nobody else."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from pathlib import Path
from typing import Any, Self, TypeVar

from sqlalchemy import (
    JSON,
    URL,
    Column,
    ColumnElement,
    Connection,
    Executable,
    ForeignKey,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    delete,
    func,
    insert,
    select,
    text,
    update,
)
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from elysia_guard.adapters import sql
from elysia_guard.adapters.sql import KEY_LENGTH, Moment, plain
from elysia_guard.adapters.sql import key as key_of
from elysia_guard.domain.errors import ConversationStoreError
from elysia_guard.domain.saved import (
    ConversationKey,
    ListedConversation,
    SavedConversation,
    Standing,
    Thumb,
    Turn,
)

Found = TypeVar("Found")

SETTING = "conversations.url"

metadata = MetaData()

conversations = Table(
    "guard_conversations",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("user_id", String(KEY_LENGTH), nullable=False),
    Column("conversation_id", String(KEY_LENGTH), nullable=False),
    Column("title", Text, nullable=False),
    Column("state", JSON, nullable=False),
    Column("changed_at", Moment, nullable=False, index=True),
    UniqueConstraint("user_id", "conversation_id"),
)


def _conversation() -> Column[int]:
    owner = ForeignKey(conversations.c.id, ondelete="CASCADE")
    return Column("conversation", Integer, owner, nullable=False, index=True)


turns = Table(
    "guard_turns",
    metadata,
    Column("id", Integer, primary_key=True),
    _conversation(),
    Column("query_id", String(KEY_LENGTH), nullable=False),
    Column("payloads", JSON, nullable=False),
)

thumbs = Table(
    "guard_thumbs",
    metadata,
    Column("id", Integer, primary_key=True),
    _conversation(),
    Column("query_id", String(KEY_LENGTH), nullable=False),
    Column("value", Integer, nullable=False),
    Column("given_at", Moment, nullable=False),
    UniqueConstraint("conversation", "query_id"),
)


def _no_settings(connection: Connection) -> None:
    # Of what people set on the page, which the second version kept.
    connection.execute(text("DROP TABLE IF EXISTS guard_settings"))


TABLES = sql.Versioned(
    what="the store of the conversations",
    setting="conversations.path or conversations.url",
    versions=Table(
        "guard_conversations_schema", metadata, Column("version", Integer, nullable=False)
    ),
    version=3,
    steps={1: _no_settings, 2: _no_settings},
    application_id=0x454C4743,  # 'ELGC'
    error=ConversationStoreError,
)


class OneThread:
    """A thread that waits for a database, so that nobody else does; calls are done in order.

    Args:
        name: of the thread.
        place: where the database is, as a person may be told.
        deadline_s: after how long a call fails, whatever the database does.
    """

    def __init__(self, name: str, place: str, deadline_s: float) -> None:
        self.place = place
        self.deadline_s = deadline_s
        self.pool = ThreadPoolExecutor(1, thread_name_prefix=name)

    async def run(
        self, work: Callable[[], Found], *, unwanted: Callable[[Found], None] | None = None
    ) -> Found:
        """Return what some work returns; ``unwanted`` is told it where nobody waits any more.

        Raises:
            ConversationStoreError: it failed, or is late; what is late is still done in its turn.
        """
        try:
            running = asyncio.get_running_loop().run_in_executor(self.pool, work)
        except RuntimeError as err:
            raise ConversationStoreError(f"{self.place} is closed") from err

        def unseen(done: asyncio.Future[Found]) -> None:
            if not done.cancelled() and not done.exception() and unwanted:
                unwanted(done.result())

        try:
            async with asyncio.timeout(self.deadline_s):
                return await asyncio.shield(running)
        except TimeoutError as err:
            raise ConversationStoreError(
                f"{self.place}: no answer within {self.deadline_s:g} s"
            ) from err
        # A value that no JSON or column takes is as lost as one that no disk takes.
        except (SQLAlchemyError, sqlite3.Error, OSError, TypeError, ValueError) as err:
            raise ConversationStoreError(f"{self.place}: {sql.reason_of(err)}") from err
        finally:
            if not running.done():
                running.add_done_callback(unseen)


class SqlConversations:
    """Conversations in a database that SQLAlchemy knows.

    Calls are done in the order they are made, so that a list asked for after a deletion does not
    hold what was deleted. Several processes may share a file or a server.

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
        self._database = sql.Database(url, TABLES, wait_s=wait_s, setting=SETTING)
        self._thread = OneThread("conversations", self.place, deadline_s)

    @classmethod
    def in_file(cls, path: Path, *, wait_s: float = 2.0, deadline_s: float = 5.0) -> Self:
        """Keep them in an SQLite file, made for its owner alone."""
        url = URL.create("sqlite", database=str(path.absolute()))
        return cls(url, wait_s=wait_s, deadline_s=deadline_s)

    @property
    def place(self) -> str:
        """Where they are kept, as a person may be told."""
        return self._database.place

    async def add_turn(
        self, key: ConversationKey, turn: Turn, standing: Standing, *, at: datetime
    ) -> None:
        """Add a turn to a conversation, which begins with its first."""

        def add() -> None:
            try:
                self._add_turn(key, turn, standing, at)
            except IntegrityError:
                # Another process has begun, or deleted, the conversation at the same moment.
                self._add_turn(key, turn, standing, at)

        await self._thread.run(add)

    def _add_turn(self, key: ConversationKey, turn: Turn, standing: Standing, at: datetime) -> None:
        values = {"title": plain(standing.title), "state": dict(standing.state), "changed_at": at}
        payloads = [dict(payload) for payload in turn.payloads]
        with self._database.opened(writing=True) as connection:
            id_ = _id_of(connection, key)
            if id_ is None:
                new = insert(conversations).values(**_named(key), **values)
                id_ = connection.execute(new).inserted_primary_key[0]  # type: ignore[index]
            else:
                at_ = conversations.c.id == id_
                connection.execute(update(conversations).where(at_).values(**values))
            connection.execute(
                insert(turns).values(
                    conversation=id_, query_id=key_of(turn.query_id), payloads=payloads
                )
            )

    async def load(self, key: ConversationKey) -> SavedConversation | None:
        """Return a conversation, None where it is not there."""

        def read(connection: Connection) -> SavedConversation | None:
            found = connection.execute(select(conversations).where(_is(key))).one_or_none()
            if found is None:
                return None
            said = select(turns).where(turns.c.conversation == found.id).order_by(turns.c.id)
            given = select(thumbs).where(thumbs.c.conversation == found.id)
            return SavedConversation(
                standing=Standing(title=found.title, state=found.state),
                turns=tuple(
                    Turn(query_id=row.query_id, payloads=tuple(row.payloads))
                    for row in connection.execute(said)
                ),
                thumbs={row.query_id: row.value for row in connection.execute(given)},
            )

        return await self._in_thread(read, None)

    async def listed(self, user_id: str | None = None) -> Sequence[ListedConversation]:
        """Return a user's conversations, or everybody's, the last changed first."""
        table = conversations.c
        said = select(func.count()).where(turns.c.conversation == table.id).scalar_subquery()
        wanted = select(
            table.user_id, table.conversation_id, table.title, table.changed_at, said.label("turns")
        ).order_by(table.changed_at.desc(), table.id.desc())
        if user_id is not None:
            wanted = wanted.where(table.user_id == key_of(user_id))

        def read(connection: Connection) -> list[ListedConversation]:
            return [
                ListedConversation(
                    key=ConversationKey(user_id=row.user_id, conversation_id=row.conversation_id),
                    title=row.title,
                    turns=row.turns,
                    changed_at=row.changed_at,
                )
                for row in connection.execute(wanted)
            ]

        return await self._in_thread(read, [])

    async def rename(self, key: ConversationKey, title: str) -> bool:
        """Give a conversation another title; tell whether it is there."""
        return await self._change(update(conversations).where(_is(key)).values(title=plain(title)))

    async def delete(self, key: ConversationKey) -> bool:
        """Delete a conversation; nothing of it remains in an SQLite file."""
        return bool(await self._delete(_is(key)))

    async def give_thumb(self, key: ConversationKey, query_id: str, thumb: Thumb) -> bool:
        """Keep what was said of a reply; tell whether it is there."""
        return await self._set_thumb(key, query_id, thumb)

    async def take_thumb(self, key: ConversationKey, query_id: str) -> bool:
        """Forget what was said of a reply; tell whether the reply is there."""
        return await self._set_thumb(key, query_id, None)

    async def thumbs(self, user_id: str) -> Sequence[Thumb]:
        """Return all that a user has said of replies, in the order of time."""
        given = thumbs.c
        wanted = (
            select(given.value, given.given_at, given.query_id, conversations.c.conversation_id)
            .join(conversations)
            .where(conversations.c.user_id == key_of(user_id))
            .order_by(given.given_at, given.id)
        )

        def read(connection: Connection) -> list[Thumb]:
            return [Thumb(**row) for row in connection.execute(wanted).mappings()]

        return await self._in_thread(read, [])

    async def purge(self, before: datetime, *, dry_run: bool = False) -> int:
        """Delete what has not changed since; return how many conversations that is."""
        old = conversations.c.changed_at < before
        if not dry_run:
            return await self._delete(old)
        counted = select(func.count()).select_from(conversations).where(old)
        return await self._in_thread(lambda connection: connection.execute(counted).scalar_one(), 0)

    def close(self) -> None:
        """Do what is under way, and close the database."""
        self._thread.pool.shutdown(wait=True)
        self._database.close()

    async def _in_thread(
        self, work: Callable[[Connection], Found], otherwise: Found, *, writing: bool = False
    ) -> Found:
        """Do some work over a connection; where nothing was ever kept there is none to do."""

        def done() -> Found:
            if not self._database.exists:
                return otherwise
            with self._database.opened(writing=writing) as connection:
                return work(connection)

        return await self._thread.run(done)

    async def _change(self, statement: Executable) -> bool:
        def change(connection: Connection) -> bool:
            return bool(_changed(connection, statement))

        return await self._in_thread(change, otherwise=False, writing=True)

    async def _delete(self, which: ColumnElement[bool]) -> int:
        def gone() -> int:
            if not self._database.exists:
                return 0
            with self._database.opened(writing=True) as connection:
                count = _changed(connection, delete(conversations).where(which))
            if count:
                sql.compact(self._database.engine)
            return count

        return await self._thread.run(gone)

    async def _set_thumb(self, key: ConversationKey, query_id: str, thumb: Thumb | None) -> bool:
        def put(connection: Connection) -> bool:
            reply = {"conversation": _id_of(connection, key), "query_id": key_of(query_id)}
            said = select(turns.c.id).filter_by(**reply).limit(1)
            if reply["conversation"] is None or connection.execute(said).first() is None:
                return False
            connection.execute(delete(thumbs).filter_by(**reply))
            if thumb:
                row = {"value": thumb.value, "given_at": thumb.given_at, **reply}
                connection.execute(insert(thumbs).values(**row))
            return True

        return await self._in_thread(put, otherwise=False, writing=True)


def _changed(connection: Connection, statement: Executable) -> int:
    count: int = connection.execute(statement).rowcount
    return count


def _id_of(connection: Connection, key: ConversationKey) -> int | None:
    found: int | None = connection.execute(select(conversations.c.id).where(_is(key))).scalar()
    return found


def _named(key: ConversationKey) -> dict[str, Any]:
    return {"user_id": key_of(key.user_id), "conversation_id": key_of(key.conversation_id)}


def _is(key: ConversationKey) -> ColumnElement[bool]:
    return (conversations.c.user_id == key_of(key.user_id)) & (
        conversations.c.conversation_id == key_of(key.conversation_id)
    )
