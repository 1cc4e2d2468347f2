"""The decision log: entries go in, are found, judged and deleted. One for each database."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Self

from pydantic import TypeAdapter
from sqlalchemy import (
    JSON,
    URL,
    Column,
    ColumnElement,
    Connection,
    Float,
    ForeignKey,
    Integer,
    MetaData,
    Row,
    Select,
    String,
    Table,
    Text,
    and_,
    delete,
    func,
    insert,
    select,
    true,
)
from sqlalchemy.exc import SQLAlchemyError

from elysia_guard.adapters import sql
from elysia_guard.adapters.decision_log.entry import (
    DecisionLogError,
    Feedback,
    JudgementError,
    LoggedDecision,
    ReplyJudgement,
)
from elysia_guard.adapters.sql import KEY_LENGTH, Moment, Versioned
from elysia_guard.domain.refusal import GateReading, Outcome, RefusalReason

metadata = MetaData()

versions = Table("guard_log_schema", metadata, Column("version", Integer, nullable=False))

decisions = Table(
    "guard_decisions",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("request_id", String(KEY_LENGTH), nullable=False, index=True),
    Column("conversation_id", String(KEY_LENGTH), nullable=False, index=True),
    Column("asked_at", Moment, nullable=False, index=True),
    Column("route", String(20), nullable=False),
    Column("lang", String(10), nullable=False),
    Column("question", Text, nullable=False),
    Column("question_length", Integer, nullable=False),
    Column("intent", String(40), nullable=False),
    Column("intent_reason", Text, nullable=False),
    Column("subject", Text, nullable=False),
    Column("outcome", String(20), nullable=False),
    Column("reason", String(40)),
    Column("confidence", Float(53), nullable=False),
    Column("confidence_score", Float(53), nullable=False),
    Column("passages", JSON, nullable=False),
    Column("fallbacks", JSON, nullable=False),
    Column("mode", String(20)),
    Column("written_by", Text),
    Column("total_ms", Float(53), nullable=False),
    Column("config_hash", String(64), nullable=False),
    Column("index_name", Text, nullable=False),
    Column("model", Text, nullable=False),
    Column("program", String(40), nullable=False),
    Column("readings", JSON),
    Column("sources", JSON),
    Column("stages", JSON),
)

feedback = Table(
    "guard_feedback",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("decision", Integer, ForeignKey(decisions.c.id), nullable=False, index=True),
    Column("judgement", String(40), nullable=False),
    Column("given_at", Moment, nullable=False),
    Column("note", Text, nullable=False),
)


TABLES = Versioned(
    what="the decision log",
    setting="decision_log.url",
    versions=versions,
    version=3,
    steps={},
    application_id=0x454C474C,  # 'ELGL'
    error=DecisionLogError,
)


_ENTRY = TypeAdapter(LoggedDecision)

_LAST_JUDGEMENT = (
    select(feedback.c.judgement)
    .where(feedback.c.decision == decisions.c.id)
    .order_by(feedback.c.id.desc())
    .limit(1)
    .correlate(decisions)
    .scalar_subquery()
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Selection:
    """Entries for which all of this holds; what is None or False does not restrict."""

    request_id: str | None = None
    conversation_id: str | None = None
    since: datetime | None = None
    before: datetime | None = None
    outcome: Outcome | None = None
    reason: RefusalReason | None = None
    judged: ReplyJudgement | None = None
    any_judgement: bool = False
    config_hash: str | None = None

    @property
    def condition(self) -> ColumnElement[bool]:
        """The condition, as the database understands it."""
        table = decisions.c
        same = {
            table.request_id: self.request_id,
            table.conversation_id: self.conversation_id,
            table.outcome: self.outcome,
            table.reason: self.reason,
            table.config_hash: self.config_hash,
            _LAST_JUDGEMENT: self.judged,
        }
        found = [item == sql.key(value) for item, value in same.items() if value is not None]
        if self.since is not None:
            found.append(table.asked_at >= self.since)
        if self.before is not None:
            found.append(table.asked_at < self.before)
        if self.any_judgement:
            found.append(_LAST_JUDGEMENT.is_not(None))
        return and_(true(), *found)


EVERYTHING = Selection()


class DecisionLog:
    """A database of decisions. Nothing is opened before it is needed.

    Whoever reads, judges or deletes is told of what goes wrong in a ``DecisionLogError``.

    Example:
        >>> log = DecisionLog.at("sqlite:////data/decisions.sqlite")
        >>> log.find("req-1")
    """

    def __init__(self, url: URL, *, wait_s: float = 5.0) -> None:
        """Take an address, and how long to wait for another that writes.

        Raises:
            ConfigError: its driver is not installed.
        """
        self._database = sql.Database(url, TABLES, wait_s=wait_s)

    @classmethod
    def at(cls, url: str, *, wait_s: float = 5.0) -> Self:
        """Take an address as it stands in the configuration.

        Raises:
            ConfigError: it is none, or its driver is not installed.
        """
        return cls(sql.address(url, setting=TABLES.setting), wait_s=wait_s)

    @property
    def place(self) -> str:
        """Where it is: a file, or an address without its password."""
        return self._database.place

    @property
    def exists(self) -> bool:
        """Whether there is anything to read; of a server that is not known."""
        return self._database.exists

    def add(self, entries: Sequence[LoggedDecision]) -> None:
        """Write entries, all or none; judgements come afterwards.

        Raises:
            DecisionLogError: the log is of a newer version, or something else.
            OSError, SQLAlchemyError: it cannot be written.
        """
        with self._database.opened(writing=True) as connection:
            connection.execute(insert(decisions), [_row(entry) for entry in entries])

    def find(self, request_id: str) -> LoggedDecision | None:
        """Return the entry of a request, the last where the id was used more than once."""
        return next(iter(self.latest(Selection(request_id=request_id), limit=1)), None)

    def latest(
        self, selection: Selection = EVERYTHING, *, limit: int | None
    ) -> list[LoggedDecision]:
        """Return the last entries of a selection, the newest first."""
        order = decisions.c.asked_at.desc(), decisions.c.id.desc()
        newest = select(decisions).where(selection.condition).order_by(*order).limit(limit)
        with self._opened() as connection:
            said = _feedback_of(connection, newest)
            found = connection.execute(newest).mappings()
            return [_entry(dict(row), said.get(row["id"], [])) for row in found]

    def count(self, selection: Selection = EVERYTHING) -> int:
        """Say how many entries a selection has."""
        return self.tally(selection).get((), 0)

    def tally(
        self, selection: Selection = EVERYTHING, *columns: str
    ) -> dict[tuple[str | None, ...], int]:
        """Count the entries of a selection for each combination of values in columns."""
        by = [decisions.c[name] for name in columns]
        counted = select(func.count(), *by).select_from(decisions).group_by(*by)
        with self._opened() as connection:
            found = connection.execute(counted.where(selection.condition))
            return {tuple(values): count for count, *values in found}

    def judge(self, request_id: str, judgement: Feedback) -> None:
        """Add a judgement to the entry of a request.

        Raises:
            JudgementError: it cannot be said of this decision.
        """
        with self._opened(writing=True) as connection:
            id_, outcome = self._decided(connection, request_id)
            if not judgement.judgement.fits(outcome):
                allowed = [item for item in ReplyJudgement if item.fits(outcome)]
                raise JudgementError(
                    f"'{judgement.judgement}' cannot be said of request '{request_id}', which "
                    f"ended in '{outcome}'; say {' or '.join(allowed)}"
                )
            said = {"judgement": judgement.judgement.value, "note": sql.plain(judgement.note)}
            connection.execute(
                insert(feedback).values(decision=id_, given_at=judgement.given_at, **said)
            )

    def unjudge(self, request_id: str) -> None:
        """Take back what was said of the entry of a request."""
        with self._opened(writing=True) as connection:
            id_, _ = self._decided(connection, request_id)
            connection.execute(delete(feedback).where(feedback.c.decision == id_))

    def delete(self, selection: Selection) -> int:
        """Delete entries and what was said of them; return how many.

        In an SQLite file nothing of them remains, neither there nor in the journal beside it.
        """
        chosen = select(decisions.c.id).where(selection.condition)
        with self._opened(writing=True) as connection:
            connection.execute(delete(feedback).where(feedback.c.decision.in_(chosen)))
            deleted = connection.execute(delete(decisions).where(selection.condition)).rowcount
        if deleted:
            with _told(self.place):
                emptied = sql.compact(self._database.engine)
            if not emptied:
                raise DecisionLogError(
                    f"{self.place} is being read: what was deleted may still stand in the "
                    "journal beside it; run the same command again"
                )
        return deleted

    def close(self) -> None:
        """Close what is open."""
        self._database.close()

    def _decided(self, connection: Connection, request_id: str) -> tuple[int, Outcome]:
        wanted = select(decisions.c.id, decisions.c.outcome).where(
            Selection(request_id=request_id).condition
        )
        found = connection.execute(wanted.order_by(decisions.c.id.desc()).limit(1)).first()
        if found is None:
            raise DecisionLogError(f"{self.place} has no entry for request '{request_id}'")
        return found.id, Outcome(found.outcome)

    @contextmanager
    def _opened(self, *, writing: bool = False) -> Iterator[Connection]:
        """Read or write for a person, who is told what is wrong."""
        if not self.exists:
            raise DecisionLogError(f"{self.place} is not there: no decision was written yet")
        with _told(self.place), self._database.opened(writing=writing) as connection:
            yield connection


@contextmanager
def _told(place: str) -> Iterator[None]:
    """Turn what a database raises into one line."""
    try:
        yield
    except (SQLAlchemyError, sqlite3.Error, OSError) as err:
        raise DecisionLogError(f"{place}: {sql.reason_of(err)}") from err


def as_record(entry: LoggedDecision) -> dict[str, Any]:
    """Return an entry as plain values, ready for JSON."""
    # Of a whole number among the measures it would say that it is no fraction.
    return {**_ENTRY.dump_python(entry, mode="json", warnings="none"), "judged": entry.judged}


def _row(entry: LoggedDecision) -> dict[str, Any]:
    said = _storable(as_record(entry))
    said |= {**said["ruling"], **said["settings"], "asked_at": entry.asked_at}
    said["index_name"] = said.pop("index")
    said |= {name: sql.key(said[name]) for name in ("request_id", "conversation_id")}
    return {column.name: said[column.name] for column in decisions.c if column.name != "id"}


def _entry(row: dict[str, Any], said: Sequence[Row[Any]]) -> LoggedDecision:
    row["index"] = row["index_name"]
    # Validated, a count among the measures would become a fraction.
    row["readings"] = [
        GateReading(**item | {"reason": RefusalReason(item["reason"]) if item["reason"] else None})
        for item in row["readings"]
    ]
    heard = [item._asdict() for item in said]
    return _ENTRY.validate_python({**row, "ruling": row, "settings": row, "feedback": heard})


def _storable(value: Any) -> Any:
    """Return plain values with only such texts as any database can hold."""
    if isinstance(value, dict):
        return {name: _storable(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_storable(item) for item in value]
    return sql.plain(value) if isinstance(value, str) else value


def _feedback_of(
    connection: Connection, chosen: Select[tuple[Any, ...]]
) -> dict[int, list[Row[Any]]]:
    """Return what was said of chosen decisions, by their ids, in the order it came."""
    ids = chosen.with_only_columns(decisions.c.id).subquery()
    said = select(feedback).join(ids, feedback.c.decision == ids.c.id).order_by(feedback.c.id)
    by_decision: dict[int, list[Row[Any]]] = {}
    for row in connection.execute(said):
        by_decision.setdefault(row.decision, []).append(row)
    return by_decision
