"""The tables of the conversations, their version, and the way from an older one."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from sqlalchemy import (
    JSON,
    Column,
    Connection,
    ForeignKey,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

from elysia_guard.adapters.sql import KEY_LENGTH, Moment, Step, Versioned
from elysia_guard.domain.errors import ConversationStoreError

SETTING = "conversations.url"
VERSION = 2

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
    return Column(
        "conversation",
        Integer,
        ForeignKey(conversations.c.id, ondelete="CASCADE"),
        nullable=False,
        index=True,
    )


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

settings = Table(
    "guard_settings",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("user_id", String(KEY_LENGTH), nullable=False, unique=True),
    Column("chosen", JSON, nullable=False),
    Column("version", Integer, nullable=False),
    Column("changed_at", Moment, nullable=False),
)

TABLES = Versioned(
    what="the store of the conversations",
    setting="conversations.path or conversations.url",
    versions=Table(
        "guard_conversations_schema", metadata, Column("version", Integer, nullable=False)
    ),
    application_id=0x454C4743,  # 'ELGC'
    error=ConversationStoreError,
)


def _settings_kept(connection: Connection) -> None:
    settings.create(connection)


STEPS: Mapping[int, Step] = MappingProxyType({1: _settings_kept})
"""How the tables of a version become those of the next."""
