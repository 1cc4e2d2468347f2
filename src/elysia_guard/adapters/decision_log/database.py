"""The database of the log: what its address means, and how deleting ends."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import URL, Engine, make_url
from sqlalchemy.exc import ArgumentError

from elysia_guard.adapters import sql
from elysia_guard.adapters.decision_log.errors import DecisionLogError
from elysia_guard.adapters.sql import IMMEDIATE, file_of, make_file, name_of, reason_of
from elysia_guard.domain.errors import ConfigError

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
    try:
        read = make_url(url)
    except (ArgumentError, ValueError) as err:
        raise ConfigError(
            "decision_log.url is no address of a database (not shown: it may hold a password); "
            "write for example sqlite:////data/decisions.sqlite or postgresql+psycopg://host/name"
        ) from err
    if file_of(read) == Path():
        raise ConfigError("decision_log.url names no file, and so would keep nothing")
    return read


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
