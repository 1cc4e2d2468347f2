"""What users have set on the page, in the database of their conversations."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, insert, select, update

from elysia_guard.adapters.conversations.schema import settings
from elysia_guard.adapters.sql import key
from elysia_guard.domain.saved import SavedSettings


def read(connection: Connection, user_id: str) -> SavedSettings | None:
    """Return what a user has set, None where that is nothing."""
    own = settings.c.user_id == key(user_id)
    found = connection.execute(select(settings).where(own)).one_or_none()
    return SavedSettings(values=found.chosen, version=found.version) if found else None


def write(connection: Connection, user_id: str, values: Mapping[str, Any], at: datetime) -> int:
    """Keep what a user has set, in place of what was; return its version."""
    own, row = settings.c.user_id == key(user_id), {"chosen": dict(values), "changed_at": at}
    changing = update(settings).where(own).values(version=settings.c.version + 1, **row)
    if not connection.execute(changing).rowcount:
        connection.execute(insert(settings).values(user_id=key(user_id), version=1, **row))
    kept: int = connection.execute(select(settings.c.version).where(own)).scalar_one()
    return kept
