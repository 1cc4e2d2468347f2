"""The tables of the log, their version, and the way from an older one."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    Connection,
    Float,
    ForeignKey,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    text,
)

from elysia_guard.adapters.decision_log.errors import DecisionLogError
from elysia_guard.adapters.sql import KEY_LENGTH, Moment, Step, Versioned

VERSION = 2


def _how_it_was_made(connection: Connection) -> None:
    """Make room for the mode of an answer and for who wrote it; of older ones nobody knows."""
    for column in ("mode VARCHAR(20)", "written_by TEXT"):
        connection.execute(text(f"ALTER TABLE guard_decisions ADD COLUMN {column}"))


STEPS: Mapping[int, Step] = MappingProxyType({1: _how_it_was_made})
"""How the tables of a version become those of the next."""


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
    Column("shadow_hash", String(64), nullable=False),
    Column("shadow_outcome", String(20)),
    Column("shadow_reason", String(40)),
    Column("shadow_confidence", Float(53)),
    Column("shadow_passages", JSON(none_as_null=True)),
    Column("difference", String(20), nullable=False),
)


def _decision() -> Column[int]:
    return Column("decision", Integer, ForeignKey(decisions.c.id), nullable=False, index=True)


readings = Table(
    "guard_readings",
    metadata,
    Column("id", Integer, primary_key=True),
    _decision(),
    Column("shadow", Boolean, nullable=False),
    Column("gate", String(40), nullable=False),
    Column("passed", Boolean, nullable=False),
    Column("value", Float(53)),
    Column("value_text", Text),
    Column("threshold", Float(53)),
    Column("threshold_text", Text),
    Column("source", Text, nullable=False),
    Column("reason", String(40)),
)

sources = Table(
    "guard_sources",
    metadata,
    Column("id", Integer, primary_key=True),
    _decision(),
    Column("n", Integer, nullable=False),
    Column("doc_type", String(40), nullable=False),
    Column("doc_id", Text, nullable=False),
    Column("title", Text, nullable=False),
    Column("collection", Text, nullable=False),
    Column("quote", Text, nullable=False),
    Column("section", Text, nullable=False),
    Column("location", Text, nullable=False),
    Column("status", Text, nullable=False),
    Column("lang", String(40), nullable=False),
    Column("distance", Float(53)),
    Column("lexical", Float(53)),
)

stages = Table(
    "guard_stages",
    metadata,
    Column("id", Integer, primary_key=True),
    _decision(),
    Column("stage", String(40), nullable=False),
    Column("elapsed_ms", Float(53), nullable=False),
    Column("note", Text, nullable=False),
)

feedback = Table(
    "guard_feedback",
    metadata,
    Column("id", Integer, primary_key=True),
    _decision(),
    Column("judgement", String(40), nullable=False),
    Column("given_at", Moment, nullable=False),
    Column("note", Text, nullable=False),
)

PARTS = (readings, sources, stages, feedback)
"""The tables whose rows belong to a decision, and go with it."""


_TABLES = Versioned(
    what="the decision log",
    setting="decision_log.url",
    versions=versions,
    application_id=0x454C474C,  # 'ELGL'
    error=DecisionLogError,
)


def bring_up_to_date(
    connection: Connection, *, version: int = VERSION, steps: Mapping[int, Step] = STEPS
) -> None:
    """Make the tables, or take those of an older version to this one, in one transaction.

    Raises:
        DecisionLogError: they are of a newer version, or the file is something else.
    """
    _TABLES.bring_up_to_date(connection, version=version, steps=steps)


def version_of(connection: Connection) -> int | None:
    """Return the version of the tables, None where there are none."""
    return _TABLES.version_of(connection)
