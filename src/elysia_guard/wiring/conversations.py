"""The conversations of a configuration: where they are kept, and for how long."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from elysia_guard.config import Config
from elysia_guard.domain.errors import ConfigError

# SQLAlchemy takes a quarter of a second to import, and only the chat keeps conversations.
if TYPE_CHECKING:
    from sqlalchemy import URL

    from elysia_guard.adapters.conversations import Keeper
    from elysia_guard.ports import ConversationLocks

FILE = "conversations.sqlite"
DATABASES = frozenset({"sqlite", "postgresql"})
"""Held against the contract. Others compare ids without case, or round numbers in what they keep,
and what they lock is let go of after a time, whether or not somebody is still in."""


def file_of(config: Config) -> Path:
    """Return the file that conversations are kept in where no address is named, or would be."""
    return config.conversations.path or config.index.path.with_name(FILE)


def keeper_of(config: Config) -> Keeper | None:
    """Return who keeps conversations; None where nobody does, or an evaluation asks.

    Raises:
        ConfigError: the address is none, or of a database that conversations are not kept in.
    """
    section = config.conversations
    if not section.enabled or config.test_triggers:
        return None
    from elysia_guard.adapters.conversations import Keeper, SqlConversations, Turnstile

    url, days = _address(config), section.keep_days
    store = SqlConversations(url)
    return Keeper(
        store,
        place=store.place,
        keep_for=None if days is None else timedelta(days=days),
        turnstile=Turnstile(_locks(url) if section.shared else None),
    )


def _address(config: Config) -> URL:
    from sqlalchemy import URL

    from elysia_guard.adapters import sql
    from elysia_guard.adapters.conversations.schema import SETTING

    named = config.conversations.url
    if not named:
        return URL.create("sqlite", database=str(file_of(config).absolute()))
    url = sql.address(named, setting=SETTING)
    if url.get_backend_name() not in DATABASES:
        raise ConfigError(
            f"{SETTING} names {url.get_backend_name()}; conversations are kept in SQLite "
            "(sqlite:////data/conversations.sqlite) or PostgreSQL (postgresql+psycopg://host/name)"
        )
    return url


def _locks(url: URL) -> ConversationLocks:
    from elysia_guard.adapters import sql
    from elysia_guard.adapters.conversations import AdvisoryLocks, FileLocks

    if file := sql.file_of(url):
        return FileLocks(Path(f"{file.absolute()}.turns"))
    return AdvisoryLocks(url)
