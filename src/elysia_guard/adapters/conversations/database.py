"""Conversations in a database: what each call of the store does there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from datetime import datetime
from typing import Any

from sqlalchemy import (
    URL,
    Connection,
    Row,
    Select,
    delete,
    func,
    insert,
    select,
    update,
)
from sqlalchemy.exc import IntegrityError, ProgrammingError

from elysia_guard.adapters import sql
from elysia_guard.adapters.conversations import user_settings
from elysia_guard.adapters.conversations.schema import (
    SETTING,
    STEPS,
    TABLES,
    VERSION,
    conversations,
    thumbs,
    turns,
)
from elysia_guard.adapters.sql import key, plain
from elysia_guard.domain.saved import (
    ConversationKey,
    ListedConversation,
    SavedConversation,
    SavedSettings,
    Standing,
    Thumb,
    Turn,
)


class ConversationTables:
    """The tables, opened when they are first needed. Everything here waits for the disk."""

    def __init__(self, url: URL, *, wait_s: float) -> None:
        """Take an address, and how long to wait for another that writes."""
        self._url = url
        self._engine = sql.engine_of(url, wait_s=wait_s, setting=SETTING)
        self._ready = False

    @property
    def place(self) -> str:
        """Where they are."""
        return sql.name_of(self._url)

    @property
    def there(self) -> bool:
        """Whether anything was ever kept; of a server that is not known."""
        file = sql.file_of(self._url)
        return file is None or file.exists()

    def add_turn(
        self, whose: ConversationKey, turn: Turn, standing: Standing, at: datetime
    ) -> None:
        """Add a turn; the conversation begins with its first."""
        try:
            self._add_turn(whose, turn, standing, at)
        except IntegrityError:
            # Another process has begun, or deleted, the conversation at the same moment.
            self._add_turn(whose, turn, standing, at)

    def _add_turn(
        self, whose: ConversationKey, turn: Turn, standing: Standing, at: datetime
    ) -> None:
        values = {"title": plain(standing.title), "state": dict(standing.state), "changed_at": at}
        with self._writing() as connection:
            id_ = self._id_of(connection, whose)
            if id_ is None:
                new = insert(conversations).values(**_named(whose), **values)
                id_ = connection.execute(new).inserted_primary_key[0]  # type: ignore[index]
            else:
                at_ = conversations.c.id == id_
                connection.execute(update(conversations).where(at_).values(**values))
            payloads = [dict(payload) for payload in turn.payloads]
            connection.execute(
                insert(turns).values(
                    conversation=id_, query_id=key(turn.query_id), payloads=payloads
                )
            )

    def load(self, whose: ConversationKey) -> SavedConversation | None:
        """Return a conversation."""
        if not self.there:
            return None
        with self._reading() as connection:
            found = connection.execute(select(conversations).where(_is(whose))).one_or_none()
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

    def listed(self, user_id: str | None) -> list[ListedConversation]:
        """Return conversations, the last changed first."""
        if not self.there:
            return []
        with self._reading() as connection:
            return [_listed(row) for row in connection.execute(_list_of(user_id))]

    def rename(self, whose: ConversationKey, title: str) -> bool:
        """Change a title."""
        return self._change(update(conversations).where(_is(whose)).values(title=plain(title)))

    def delete(self, whose: ConversationKey) -> bool:
        """Delete a conversation."""
        gone = self._change(delete(conversations).where(_is(whose)))
        if gone:
            sql.compact(self._engine)
        return gone

    def give_thumb(self, whose: ConversationKey, query_id: str, thumb: Thumb) -> bool:
        """Keep what was said of a reply."""
        return self._set_thumb(whose, query_id, thumb)

    def take_thumb(self, whose: ConversationKey, query_id: str) -> bool:
        """Forget what was said of a reply."""
        return self._set_thumb(whose, query_id, None)

    def thumbs(self, user_id: str) -> list[Thumb]:
        """Return what a user has said of replies."""
        if not self.there:
            return []
        given = (
            select(
                thumbs.c.value,
                thumbs.c.given_at,
                thumbs.c.query_id,
                conversations.c.conversation_id,
            )
            .join(conversations)
            .where(conversations.c.user_id == key(user_id))
            .order_by(thumbs.c.given_at, thumbs.c.id)
        )
        with self._reading() as connection:
            return [
                Thumb(
                    value=row.value,
                    given_at=row.given_at,
                    conversation_id=row.conversation_id,
                    query_id=row.query_id,
                )
                for row in connection.execute(given)
            ]

    def purge(self, before: datetime, *, dry_run: bool) -> int:
        """Delete what has not changed since."""
        if not self.there:
            return 0
        old = conversations.c.changed_at < before
        if dry_run:
            with self._reading() as connection:
                counted = select(func.count()).select_from(conversations).where(old)
                return connection.execute(counted).scalar_one()
        with self._writing() as connection:
            purged = connection.execute(delete(conversations).where(old)).rowcount
        if purged:
            sql.compact(self._engine)
        return purged

    def settings(self, user_id: str) -> SavedSettings | None:
        """Return what a user has set."""
        if not self.there:
            return None
        with self._reading() as connection:
            return user_settings.read(connection, user_id)

    def keep_settings(self, user_id: str, values: Mapping[str, Any], at: datetime) -> int:
        """Keep what a user has set; return its version."""
        try:
            with self._writing() as connection:
                return user_settings.write(connection, user_id, values, at)
        except IntegrityError:
            # Another process has kept this user's first settings at the same moment.
            with self._writing() as connection:
                return user_settings.write(connection, user_id, values, at)

    def close(self) -> None:
        """Close what is open."""
        self._engine.dispose()

    def _change(self, statement: object) -> bool:
        if not self.there:
            return False
        with self._writing() as connection:
            return bool(connection.execute(statement).rowcount)  # type: ignore[call-overload]

    def _set_thumb(self, whose: ConversationKey, query_id: str, thumb: Thumb | None) -> bool:
        if not self.there:
            return False
        with self._writing() as connection:
            id_ = self._id_of(connection, whose)
            reply = {"conversation": id_, "query_id": key(query_id)}
            said = select(turns.c.id).filter_by(**reply).limit(1)
            if id_ is None or connection.execute(said).first() is None:
                return False
            connection.execute(delete(thumbs).filter_by(**reply))
            if thumb:
                row = {"value": thumb.value, "given_at": thumb.given_at, **reply}
                connection.execute(insert(thumbs).values(**row))
            return True

    def _id_of(self, connection: Connection, whose: ConversationKey) -> int | None:
        found: int | None = connection.execute(
            select(conversations.c.id).where(_is(whose))
        ).scalar()
        return found

    def _prepare(self) -> None:
        if self._ready:
            return
        sql.make_file(self._url)
        try:
            self._upgrade()
        except (ProgrammingError, IntegrityError):
            # Another process made the tables at the same moment.
            self._upgrade()
        self._ready = True

    def _upgrade(self) -> None:
        with self._engine.begin() as connection:
            if TABLES.version_of(connection) == VERSION:
                return
        with self._immediate() as connection:
            TABLES.bring_up_to_date(connection, version=VERSION, steps=STEPS)

    def _immediate(self) -> AbstractContextManager[Connection]:
        return self._engine.execution_options(**sql.IMMEDIATE).begin()

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        self._prepare()
        with self._immediate() as connection:
            yield connection

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        self._prepare()
        with self._engine.begin() as connection:
            yield connection


def _named(whose: ConversationKey) -> dict[str, str]:
    return {"user_id": key(whose.user_id), "conversation_id": key(whose.conversation_id)}


def _is(whose: ConversationKey):  # type: ignore[no-untyped-def]
    return (conversations.c.user_id == key(whose.user_id)) & (
        conversations.c.conversation_id == key(whose.conversation_id)
    )


def _list_of(user_id: str | None) -> Select[tuple[object, ...]]:
    counted = (
        select(func.count()).where(turns.c.conversation == conversations.c.id).scalar_subquery()
    )
    listed = select(
        conversations.c.user_id,
        conversations.c.conversation_id,
        conversations.c.title,
        conversations.c.changed_at,
        counted.label("turns"),
    ).order_by(conversations.c.changed_at.desc(), conversations.c.id.desc())
    return listed if user_id is None else listed.where(conversations.c.user_id == key(user_id))


def _listed(row: Row[tuple[object, ...]]) -> ListedConversation:
    return ListedConversation(
        key=ConversationKey(user_id=row.user_id, conversation_id=row.conversation_id),
        title=row.title,
        turns=row.turns,
        changed_at=row.changed_at,
    )
