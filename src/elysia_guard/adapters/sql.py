"""What the databases of this package have in common: addresses, how SQLite behaves, versions."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import (
    URL,
    Connection,
    DateTime,
    Dialect,
    Engine,
    Table,
    TypeDecorator,
    create_engine,
    event,
    insert,
    inspect,
    make_url,
    select,
    text,
    update,
)
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import (
    ArgumentError,
    IntegrityError,
    NoSuchModuleError,
    ProgrammingError,
)
from sqlalchemy.pool import ConnectionPoolEntry

from elysia_guard.domain.errors import ConfigError, GuardError

_IMMEDIATE = "elysia_guard_immediate"
"""Marks a connection that is going to write: in SQLite it then waits for its turn at the start."""

KEY_LENGTH = 255
"""Of ids that are searched for: an index of some databases holds no longer ones."""

Step = Callable[[Connection], None]


class Moment(TypeDecorator[datetime]):
    """A moment, kept in UTC, whether or not the database knows time zones."""

    impl = DateTime
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        return value.astimezone(UTC).replace(tzinfo=None) if value else None

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        return value.replace(tzinfo=UTC) if value else None


@dataclass(frozen=True, kw_only=True, slots=True)
class Versioned:
    """Tables with a version: ``versions`` holds it, and stands among them.

    ``setting`` is the key that names the database, ``steps`` say how the tables of a version become
    those of the next (one without a step is an error), and ``application_id`` tells the file from
    any other SQLite file.
    """

    what: str
    setting: str
    versions: Table
    version: int
    steps: Mapping[int, Step]
    application_id: int
    error: type[GuardError]


class Database:
    """Versioned tables at an address, made or brought up to date when they are first needed."""

    def __init__(self, url: URL, tables: Versioned, *, wait_s: float, setting: str = "") -> None:
        """Take an address, and how long to wait for another that writes; nothing is opened yet.

        Raises:
            ConfigError: its driver is not installed, or is for asyncio.
        """
        self._url = url
        self._tables = tables
        self.engine = engine_of(url, wait_s=wait_s, setting=setting or tables.setting)
        self._ready = False

    @property
    def place(self) -> str:
        """Where it is: a file, or an address without its password."""
        return name_of(self._url)

    @property
    def exists(self) -> bool:
        """Whether there is anything to read; of a server that is not known."""
        file = file_of(self._url)
        return file is None or file.exists()

    @contextmanager
    def opened(self, *, writing: bool = False) -> Iterator[Connection]:
        """Give a connection, in one transaction; to write, an SQLite file waits for its turn first.

        Raises:
            GuardError: the tables are newer or too old, or the file is something else.
            OSError, sqlite3.Error, SQLAlchemyError: it cannot be read or written.
        """
        if not self._ready:
            self._make_file()
            try:
                self._bring_up_to_date()
            except (ProgrammingError, IntegrityError):
                # Another process has made the tables at the same moment.
                self._bring_up_to_date()
            self._ready = True
        with self._begun(writing=writing) as connection:
            yield connection

    def close(self) -> None:
        """Close what is open."""
        self.engine.dispose()

    def _begun(self, *, writing: bool) -> AbstractContextManager[Connection]:
        options = {_IMMEDIATE: True} if writing else {}
        return self.engine.execution_options(**options).begin()

    def _make_file(self) -> None:
        """Make the file of an SQLite address, for its owner alone: it holds what people asked."""
        if (file := file_of(self._url)) and "mode" not in self._url.query:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.touch(mode=0o600)

    def _bring_up_to_date(self) -> None:
        """Make the tables, or take those of an older version to this one, in one transaction."""
        wanted, tables = self._tables.version, self._tables
        with self._begun(writing=False) as connection:
            if self._version(connection) == wanted:
                return
        with self._begun(writing=True) as connection:
            if connection.dialect.name == "postgresql":
                # An SQLite file keeps others out by itself.
                lock = text("SELECT pg_advisory_xact_lock(:number)")
                connection.execute(lock, {"number": tables.application_id})
            found = self._version(connection)
            if found is None:
                self._begin(connection)
            elif found > wanted:
                raise tables.error(
                    f"{tables.what} was written by a newer elysia-guard (its schema is {found}, "
                    f"this one knows {wanted}); upgrade, or name another {tables.setting}"
                )
            for step in range(found or wanted, wanted):
                if step not in tables.steps:
                    raise tables.error(
                        f"{tables.what} was written by an older elysia-guard (its schema is "
                        f"{found}, this one needs {wanted}): take it away, or name another "
                        f"{tables.setting}"
                    )
                tables.steps[step](connection)
                connection.execute(update(tables.versions).values(version=step + 1))

    def _version(self, connection: Connection) -> int | None:
        """Return the version of the tables, None where there are none."""
        versions = self._tables.versions
        if not inspect(connection).has_table(versions.name):
            return None
        found: int = connection.execute(select(versions.c.version)).scalar_one()
        return found

    def _begin(self, connection: Connection) -> None:
        tables = self._tables
        if connection.dialect.name == "sqlite":
            if inspect(connection).get_table_names():
                raise tables.error(
                    f"{self._url.database} is a database of something else; "
                    f"name another file in {tables.setting}"
                )
            connection.exec_driver_sql(f"PRAGMA application_id = {tables.application_id}")
        tables.versions.metadata.create_all(connection)
        connection.execute(insert(tables.versions).values(version=tables.version))


def utc_now() -> datetime:
    """Return the moment, to the millisecond: databases differ beyond."""
    moment = datetime.now(UTC)
    return moment.replace(microsecond=moment.microsecond // 1000 * 1000)


def plain(text: str) -> str:
    """Return what any database can hold: no zero bytes, no halves of characters."""
    return text.replace("\x00", "").encode("utf-8", "backslashreplace").decode("utf-8")


def key(text: str) -> str:
    """Return an id as it is kept and searched for."""
    return plain(text)[:KEY_LENGTH]


def address(url: str, *, setting: str) -> URL:
    """Read the address of a database.

    Raises:
        ConfigError: it is none, or keeps nothing. It is not shown: it may hold a password.
    """
    try:
        read = make_url(url)
    except (ArgumentError, ValueError) as err:
        raise ConfigError(
            f"{setting} is no address of a database (not shown: it may hold a password); "
            "write for example sqlite:////data/guard.sqlite or postgresql+psycopg://host/name"
        ) from err
    if file_of(read) == Path():
        raise ConfigError(f"{setting} names no file, and so would keep nothing")
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
    # What follows a question mark may hold a password too.
    return str(file) if file else url.set(query={}).render_as_string(hide_password=True)


def engine_of(url: URL, *, wait_s: float, setting: str) -> Engine:
    """Return the engine of an address; nothing is opened yet.

    Args:
        url: the address.
        wait_s: how long to wait for another that writes, and for a server to be reached.
        setting: the key that names it.

    Raises:
        ConfigError: the driver it names is not installed, or is for asyncio.
    """
    file, server = file_of(url), url.get_backend_name() == "postgresql"
    options = {"timeout": wait_s} if file else _patience(url, wait_s) if server else {}
    try:
        # Without hide_parameters, an error would repeat the question that could not be written.
        engine = create_engine(url, hide_parameters=True, connect_args=options, pool_pre_ping=True)
    except (ImportError, NoSuchModuleError) as err:
        extra = "; pip install 'elysia-guard[postgres]'" if _is_libpq(url) else ""
        raise ConfigError(
            f"{setting} needs a driver for {url.drivername} that is not installed ({err}){extra}"
        ) from err
    if engine.dialect.is_async:
        raise ConfigError(f"{setting}: {url.drivername} is a driver for asyncio; name another")
    if file:
        _teach_sqlite(engine)
    elif server:
        _teach_postgresql(engine, wait_s)
    return engine


def compact(engine: Engine) -> bool:
    """Take what was deleted out of an SQLite file, and out of the journal beside it.

    Other databases see to it themselves. False: another process holds on to the journal.
    """
    if engine.dialect.name != "sqlite":
        return True
    # Not with a connection of SQLAlchemy's: it would begin a transaction first.
    with closing(engine.raw_connection()) as connection:
        cursor = connection.cursor()
        cursor.execute("VACUUM")
        cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        busy, *_ = cursor.fetchone() or (0,)
        return not busy


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
        immediate = connection.get_execution_options().get(_IMMEDIATE)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if immediate else "BEGIN")


def _is_libpq(url: URL) -> bool:
    return url.drivername in {"postgresql+psycopg", "postgresql+psycopg2", "postgresql"}


def _patience(url: URL, wait_s: float) -> dict[str, object]:
    """Say when a server that does not answer is given up, unless the address says it."""
    if not _is_libpq(url):
        return {}
    options = {
        "application_name": "elysia-guard",
        # Two seconds is the least that the client library takes.
        "connect_timeout": max(2, round(wait_s)),
        "tcp_user_timeout": max(2_000, round(wait_s * 1000)),
        "keepalives_idle": 10,
        "keepalives_interval": 5,
        "keepalives_count": 3,
    }
    return {name: value for name, value in options.items() if name not in url.query}


def _teach_postgresql(engine: Engine, wait_s: float) -> None:
    """Let the server give up what waits for another, and notice machines that have gone away."""
    wanted = {
        "lock_timeout": f"{max(1, round(wait_s * 1000))}",
        "idle_session_timeout": "0",
        "tcp_keepalives_idle": "10",
        "tcp_keepalives_interval": "5",
        "tcp_keepalives_count": "3",
    }
    rows = ", ".join(f"('{name}', '{value}')" for name, value in wanted.items())

    @event.listens_for(engine, "connect")
    def prepare(connection: DBAPIConnection, _entry: ConnectionPoolEntry) -> None:
        cursor = connection.cursor()
        # An older server does not know all of them.
        cursor.execute(
            f"SELECT set_config(name, value, false) FROM (VALUES {rows}) AS wanted (name, value) "  # noqa: S608
            "WHERE name IN (SELECT name FROM pg_settings)"
        )
        cursor.close()
        connection.commit()
