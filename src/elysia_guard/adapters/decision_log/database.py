"""Opening the database of the log: what an address means, and how SQLite is to behave."""

from __future__ import annotations

import sqlite3
from contextlib import closing, suppress
from pathlib import Path

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import ArgumentError, NoSuchModuleError
from sqlalchemy.pool import ConnectionPoolEntry

from elysia_guard.adapters.decision_log.errors import DecisionLogError
from elysia_guard.domain.errors import ConfigError

IMMEDIATE = {"elysia_guard_immediate": True}
"""Marks a connection that is going to write: in SQLite it then waits for its turn at the start."""


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


def file_of(url: URL) -> Path | None:
    """Return the file of an SQLite address, empty for one in memory; None for other databases."""
    if url.get_backend_name() != "sqlite":
        return None
    name = (url.database or "").removeprefix("file:")
    return Path() if name in {"", ":memory:"} else Path(name)


def name_of(url: URL) -> str:
    """Return how a person may be told of the database: a path, or an address without password."""
    file = file_of(url)
    return str(file) if file else url.render_as_string(hide_password=True)


def engine_of(url: URL, *, wait_s: float) -> Engine:
    """Return the engine of an address; nothing is opened yet.

    Args:
        url: the address.
        wait_s: how long to wait for another that writes (SQLite).

    Raises:
        ConfigError: the driver it names is not installed.
    """
    options = {"timeout": wait_s} if file_of(url) else {}
    try:
        # Without hide_parameters, an error would repeat the question that could not be written.
        engine = create_engine(url, hide_parameters=True, connect_args=options, pool_pre_ping=True)
    except (ImportError, NoSuchModuleError) as err:
        raise ConfigError(
            f"decision_log.url needs a driver for {url.drivername} that is not installed ({err})"
        ) from err
    if file_of(url):
        _teach_sqlite(engine)
    return engine


def make_file(url: URL) -> None:
    """Make the file of an SQLite address, for its owner alone: it holds what people asked."""
    if (file := file_of(url)) and "mode" not in url.query:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch(mode=0o600)


def compact(engine: Engine) -> None:
    """Take what was deleted out of an SQLite file, and out of the journal beside it.

    Other databases see to it themselves.

    Raises:
        DecisionLogError: another process holds on to the journal.
    """
    if engine.dialect.name != "sqlite":
        return
    # Not with a connection of SQLAlchemy's: it would begin a transaction first.
    with closing(engine.raw_connection()) as connection:
        cursor = connection.cursor()
        cursor.execute("VACUUM")
        cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        busy, *_ = cursor.fetchone() or (0,)
        if busy:
            raise DecisionLogError(
                f"{name_of(engine.url)} is being read: what was deleted may still stand in the "
                "journal beside it; run the same command again"
            )


def reason_of(err: BaseException) -> str:
    """Say what was wrong, without the statement and its values."""
    plain = getattr(err, "orig", None) or err
    said = " ".join(str(plain).split())
    return said or type(plain).__name__


def _teach_sqlite(engine: Engine) -> None:
    @event.listens_for(engine, "connect")
    def prepare(connection: DBAPIConnection, _entry: ConnectionPoolEntry) -> None:
        # Transactions are begun below; the driver's own way leaves changes of tables out of them.
        connection.isolation_level = None
        cursor = connection.cursor()
        for pragma in ("secure_delete = ON", "synchronous = NORMAL", "foreign_keys = ON"):
            cursor.execute(f"PRAGMA {pragma}")
        # On a read-only file it is what it is.
        with suppress(sqlite3.OperationalError):
            cursor.execute("PRAGMA journal_mode = WAL")
        cursor.close()

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        immediate = connection.get_execution_options().get(*IMMEDIATE)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if immediate else "BEGIN")
