"""The embedded hybrid index: words (FTS5) and vectors of the passages, in one SQLite file."""

from elysia_guard.adapters.sqlite_index.reader import SqliteIndex
from elysia_guard.adapters.sqlite_index.schema import SCHEMA_VERSION
from elysia_guard.adapters.sqlite_index.writer import (
    SqliteStore,
    SqliteWriter,
    wait_until_written,
    writing,
)

__all__ = [
    "SCHEMA_VERSION",
    "SqliteIndex",
    "SqliteStore",
    "SqliteWriter",
    "wait_until_written",
    "writing",
]
