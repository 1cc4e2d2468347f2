"""The database of the log: what its address means, and how deleting ends."""

from __future__ import annotations

from sqlalchemy import URL, Engine

from elysia_guard.adapters import sql
from elysia_guard.adapters.decision_log.errors import DecisionLogError
from elysia_guard.adapters.sql import IMMEDIATE, file_of, make_file, name_of, reason_of

__all__ = [
    "IMMEDIATE",
    "address",
    "compact",
    "engine_of",
    "file_of",
    "make_file",
    "name_of",
    "reason_of",
]

SETTING = "decision_log.url"


def address(url: str) -> URL:
    """Read the address of a database.

    Raises:
        ConfigError: it is none. What was given is not shown: it may hold a password.
    """
    return sql.address(url, setting=SETTING)


def engine_of(url: URL, *, wait_s: float) -> Engine:
    """Return the engine of an address; nothing is opened yet.

    Raises:
        ConfigError: the driver it names is not installed.
    """
    return sql.engine_of(url, wait_s=wait_s, setting=SETTING)


def compact(engine: Engine) -> None:
    """Take what was deleted out of an SQLite file, and out of the journal beside it.

    Raises:
        DecisionLogError: another process holds on to the journal.
    """
    if not sql.compact(engine):
        raise DecisionLogError(
            f"{name_of(engine.url)} is being read: what was deleted may still stand in the "
            "journal beside it; run the same command again"
        )
