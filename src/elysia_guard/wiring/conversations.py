"""The conversations of a configuration: where they are kept, and for how long."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from elysia_guard.config import Config

# SQLAlchemy takes a quarter of a second to import, and only the chat keeps conversations.
if TYPE_CHECKING:
    from elysia_guard.adapters.conversations import Keeper

FILE = "conversations.sqlite"


def file_of(config: Config) -> Path:
    """Return the file that conversations are kept in, whether or not they are."""
    return config.conversations.path or config.index.path.with_name(FILE)


def keeper_of(config: Config) -> Keeper | None:
    """Return who keeps conversations; None where nobody does, or an evaluation asks."""
    section = config.conversations
    if not section.enabled or config.test_triggers:
        return None
    from elysia_guard.adapters.conversations import Keeper, SqlConversations, Turnstile

    file, days = file_of(config), section.keep_days
    store = SqlConversations.in_file(file)
    return Keeper(
        store,
        place=store.place,
        keep_for=None if days is None else timedelta(days=days),
        turnstile=Turnstile(file.with_name(f"{file.name}.turns") if section.shared else None),
    )
