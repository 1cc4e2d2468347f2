"""The decision log: entries go in, are found, judged and deleted. One for each database."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Self

from sqlalchemy import (
    URL,
    Connection,
    Engine,
    delete,
    func,
    insert,
    select,
)
from sqlalchemy.exc import IntegrityError, ProgrammingError, SQLAlchemyError

from elysia_guard.adapters.decision_log import database, rows
from elysia_guard.adapters.decision_log.contents import read_entries, write_entries
from elysia_guard.adapters.decision_log.entry import Entry, Feedback, Judgement
from elysia_guard.adapters.decision_log.errors import DecisionLogError, JudgementError
from elysia_guard.adapters.decision_log.schema import (
    PARTS,
    VERSION,
    bring_up_to_date,
    decisions,
    feedback,
    version_of,
)
from elysia_guard.adapters.decision_log.selection import EVERYTHING, Selection
from elysia_guard.domain.refusal import Outcome

PAGE = 200
"""How many entries are read at a time."""


class DecisionLog:
    """A database of decisions. Nothing is opened before it is needed.

    Example:
        >>> log = DecisionLog.at("sqlite:////data/decisions.sqlite")
        >>> log.find("req-1")
    """

    def __init__(self, url: URL, *, wait_s: float = 5.0) -> None:
        """Take an address.

        Args:
            url: of the database; see ``at`` for one that is still text.
            wait_s: how long to wait for another that writes.

        Raises:
            ConfigError: its driver is not installed.
        """
        self._url = url
        self._engine: Engine = database.engine_of(url, wait_s=wait_s)
        self._ready = False

    @classmethod
    def at(cls, url: str, *, wait_s: float = 5.0) -> Self:
        """Take an address as it stands in the configuration.

        Raises:
            ConfigError: it is none, or its driver is not installed.
        """
        return cls(database.address(url), wait_s=wait_s)

    @property
    def place(self) -> str:
        """Where it is: a file, or an address without its password."""
        return database.name_of(self._url)

    @property
    def exists(self) -> bool:
        """Whether there is anything to read; of a server that is not known."""
        file = database.file_of(self._url)
        return file is None or file.exists()

    def prepare(self) -> None:
        """Make what is missing, or bring an older log up to date.

        Raises:
            DecisionLogError: it is of a newer version, or something else.
            OSError, SQLAlchemyError: it cannot be written.
        """
        if self._ready:
            return
        database.make_file(self._url)
        try:
            self._upgrade()
        except (ProgrammingError, IntegrityError):
            # Another process made the tables at the same moment.
            self._upgrade()
        self._ready = True

    def add(self, entries: Sequence[Entry]) -> None:
        """Write entries, all or none.

        Raises:
            DecisionLogError, OSError, SQLAlchemyError: as ``prepare``.
        """
        self.prepare()
        with self._writing() as connection:
            write_entries(connection, entries)

    def find(self, request_id: str) -> Entry | None:
        """Return the entry of a request, the last where the id was used more than once.

        Raises:
            DecisionLogError: the log cannot be read.
        """
        return next(iter(self.latest(Selection(request_id=request_id), limit=1)), None)

    def latest(self, selection: Selection = EVERYTHING, *, limit: int) -> list[Entry]:
        """Return the last entries of a selection, the newest first.

        Raises:
            DecisionLogError: the log cannot be read.
        """
        newest = (
            select(decisions)
            .where(selection.condition)
            .order_by(decisions.c.asked_at.desc(), decisions.c.id.desc())
            .limit(limit)
        )
        with self._reading() as connection:
            return [entry for _, entry in read_entries(connection, newest)]

    def entries(self, selection: Selection = EVERYTHING) -> Iterator[Entry]:
        """Return every entry of a selection, in the order they were written.

        Raises:
            DecisionLogError: the log cannot be read.
        """
        last = 0
        while True:
            page = (
                select(decisions)
                .where(selection.condition, decisions.c.id > last)
                .order_by(decisions.c.id)
                .limit(PAGE)
            )
            with self._reading() as connection:
                found = list(read_entries(connection, page))
            for last, entry in found:  # noqa: B007  the last id is where the next page begins
                yield entry
            if len(found) < PAGE:
                return

    def count(self, selection: Selection = EVERYTHING) -> int:
        """Say how many entries a selection has.

        Raises:
            DecisionLogError: the log cannot be read.
        """
        return self.tally(selection).get((), 0)

    def tally(
        self, selection: Selection = EVERYTHING, *columns: str
    ) -> dict[tuple[str | None, ...], int]:
        """Count the entries of a selection for each combination of values in columns.

        Raises:
            DecisionLogError: the log cannot be read.
        """
        by = [decisions.c[name] for name in columns]
        counted = select(func.count(), *by).where(selection.condition).group_by(*by)
        with self._reading() as connection:
            return {tuple(values): count for count, *values in connection.execute(counted)}

    def judge(self, request_id: str, judgement: Feedback) -> None:
        """Add a judgement to the entry of a request.

        Raises:
            JudgementError: it cannot be said of this decision.
            DecisionLogError: there is no such entry, or the log cannot be written.
        """
        with self._changing() as connection:
            id_ = self._id_of(connection, request_id)
            outcome = connection.execute(
                select(decisions.c.outcome).where(decisions.c.id == id_)
            ).scalar_one()
            if not judgement.judgement.fits(Outcome(outcome)):
                allowed = [item for item in Judgement if item.fits(Outcome(outcome))]
                raise JudgementError(
                    f"'{judgement.judgement}' cannot be said of request '{request_id}', which "
                    f"ended in '{outcome}'; say {' or '.join(allowed)}"
                )
            values = {"decision": id_, **rows.feedback_row(judgement)}
            connection.execute(insert(feedback).values(**values))

    def unjudge(self, request_id: str) -> None:
        """Take back what was said of the entry of a request.

        Raises:
            DecisionLogError: there is no such entry, or the log cannot be written.
        """
        with self._changing() as connection:
            id_ = self._id_of(connection, request_id)
            connection.execute(delete(feedback).where(feedback.c.decision == id_))

    def delete(self, selection: Selection) -> int:
        """Delete entries and all that belongs to them; return how many.

        In an SQLite file nothing of them remains, neither there nor in the journal beside it.

        Raises:
            DecisionLogError: the log cannot be written, or the journal not emptied.
        """
        chosen = select(decisions.c.id).where(selection.condition)
        with self._changing() as connection:
            for part in PARTS:
                connection.execute(delete(part).where(part.c.decision.in_(chosen)))
            deleted = connection.execute(delete(decisions).where(selection.condition)).rowcount
        if deleted:
            with _told(self.place):
                database.compact(self._engine)
        return deleted

    def close(self) -> None:
        """Close what is open."""
        self._engine.dispose()

    def _id_of(self, connection: Connection, request_id: str) -> int:
        wanted = Selection(request_id=request_id).condition
        last = select(func.max(decisions.c.id)).where(wanted)
        found: int | None = connection.execute(last).scalar()
        if found is None:
            raise DecisionLogError(f"{self.place} has no entry for request '{request_id}'")
        return found

    def _upgrade(self) -> None:
        with self._engine.begin() as connection:
            if version_of(connection) == VERSION:
                return
        with self._writing() as connection:
            bring_up_to_date(connection)

    def _writing(self) -> AbstractContextManager[Connection]:
        return self._engine.execution_options(**database.IMMEDIATE).begin()

    @contextmanager
    def _changing(self) -> Iterator[Connection]:
        """Write for a person, who is told what is wrong."""
        self._must_exist()
        with _told(self.place):
            self.prepare()
            with self._writing() as connection:
                yield connection

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        self._must_exist()
        with _told(self.place):
            self.prepare()
            with self._engine.begin() as connection:
                yield connection

    def _must_exist(self) -> None:
        if not self.exists:
            raise DecisionLogError(f"{self.place} is not there: no decision was written yet")


@contextmanager
def _told(place: str) -> Iterator[None]:
    """Turn what a database raises into one line."""
    try:
        yield
    except (SQLAlchemyError, sqlite3.Error, OSError) as err:
        raise DecisionLogError(f"{place}: {database.reason_of(err)}") from err
