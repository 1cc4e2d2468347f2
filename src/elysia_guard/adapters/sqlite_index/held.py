"""What an index file holds, for whoever is to write it: what built it, and which documents."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from elysia_guard.adapters.sqlite_index.schema import Meta, read_meta
from elysia_guard.domain.errors import PassageIndexError

# A file is written in transactions; what another program has done to it since, it does not tell.
_DAMAGED = """
SELECT DISTINCT d.id FROM documents d
LEFT JOIN passages p ON p.document = d.pk LEFT JOIN words w ON w.rowid = p.pk
WHERE p.pk IS NULL OR w.rowid IS NULL OR length(p.vector) != 4 * (SELECT dimension FROM meta)
    OR length(p.second) != 4 * (SELECT second_dimension FROM meta)
"""


def built_by(path: Path) -> Meta | None:
    """What built the index at a path; None if there is none.

    Raises:
        PassageIndexError: the file is no index, or is damaged.
    """
    if not path.exists():
        return None
    with _reading(path) as connection:
        return read_meta(connection, path)


def stored_fingerprints(path: Path) -> dict[str, str]:
    """What the index at a path holds, see ``IndexWriter.fingerprints``.

    Raises:
        PassageIndexError: the file is damaged.
    """
    with _reading(path) as connection:
        return fingerprints_of(connection)


def damaged_documents(path: Path) -> list[str]:
    """The ids of documents in the index at a path that lack passages, words or vectors.

    Raises:
        PassageIndexError: the file is damaged.
    """
    with _reading(path) as connection:
        return [id_ for (id_,) in connection.execute(_DAMAGED)]


def fingerprints_of(connection: sqlite3.Connection) -> dict[str, str]:
    """Document id to the fingerprint it was put with."""
    return dict(connection.execute("SELECT id, fingerprint FROM documents"))


@contextmanager
def _reading(path: Path) -> Iterator[sqlite3.Connection]:
    try:
        with closing(connect(path, mode="ro")) as connection:
            yield connection
    except sqlite3.Error as err:
        message = f"{path} cannot be read ({err}); remove it and run 'elysia-guard ingest' again"
        raise PassageIndexError(message) from err


def connect(path: Path, *, mode: str) -> sqlite3.Connection:
    """Open an index file; ``mode`` is that of SQLite: ``ro`` to read, ``rwc`` to make or change."""
    uri = f"{path.resolve().as_uri()}?mode={mode}"
    return sqlite3.connect(uri, uri=True, isolation_level=None)
