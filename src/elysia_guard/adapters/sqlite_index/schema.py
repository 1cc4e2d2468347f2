"""The tables of an index file, what built it, which documents it holds, and how it is damaged."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from elysia_guard.domain.document import Document
from elysia_guard.domain.errors import PassageIndexError
from elysia_guard.domain.own_kinds import OwnKinds

SCHEMA_VERSION = 10
APPLICATION_ID = 0x454C4744  # 'ELGD': tells an index from any other SQLite file

TABLES = f"""
PRAGMA application_id = {APPLICATION_ID};
CREATE TABLE meta (
    schema_version INTEGER NOT NULL, model_id TEXT NOT NULL, dimension INTEGER NOT NULL
);
CREATE TABLE documents (
    pk INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, number INTEGER,
    approval INTEGER NOT NULL, identifier TEXT NOT NULL, title TEXT NOT NULL, status TEXT NOT NULL,
    date TEXT NOT NULL, owner TEXT NOT NULL, lang TEXT NOT NULL, superseded_by TEXT NOT NULL,
    supersedes TEXT NOT NULL, path TEXT NOT NULL, sha256 TEXT NOT NULL,
    root TEXT NOT NULL, stamp TEXT NOT NULL, fingerprint TEXT NOT NULL,
    version TEXT NOT NULL, record TEXT NOT NULL, own_status TEXT NOT NULL, own_date TEXT NOT NULL,
    approvals TEXT NOT NULL, apart TEXT NOT NULL, links TEXT NOT NULL
);
CREATE TABLE passages (
    pk INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE,
    document INTEGER NOT NULL REFERENCES documents (pk), section TEXT NOT NULL,
    text TEXT NOT NULL, position INTEGER NOT NULL, role TEXT NOT NULL, vector BLOB NOT NULL,
    sentences BLOB NOT NULL, digest BLOB NOT NULL
);
CREATE INDEX passages_of_document ON passages (document, position);
CREATE VIRTUAL TABLE words USING fts5(
    text, stems, tokenize = 'unicode61 remove_diacritics 2'
);
"""

_HOUSE = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'house'"
DOCUMENT_COLUMNS = tuple(field.name for field in fields(Document))
_IN_JSON = ("approvals", "links")

# A file is written in transactions; what another program has done to it since, it does not tell.
_DAMAGED = """
SELECT DISTINCT d.id FROM documents d
LEFT JOIN passages p ON p.document = d.pk LEFT JOIN words w ON w.rowid = p.pk
WHERE p.pk IS NULL OR w.rowid IS NULL OR length(p.vector) != 4 * (SELECT dimension FROM meta)
"""
_TERMS = "CREATE VIRTUAL TABLE temp.every_term USING fts5vocab(main, words, row)"


@dataclass(frozen=True, kw_only=True, slots=True)
class Meta:
    """What built an index."""

    schema_version: int
    model_id: str
    dimension: int
    kinds: str = ""
    """The digest of the kinds of documents that a house has of its own; empty of none."""

    @property
    def row(self) -> tuple[int, str, int]:
        """The row of ``meta``."""
        return self.schema_version, self.model_id, self.dimension


def read_meta(connection: sqlite3.Connection, path: Path) -> Meta:
    """Read what built an index.

    Raises:
        PassageIndexError: the file is no index, or is damaged.
    """
    wrong = f"{path} is not a passage index; give another path, or remove it and run 'ingest'"
    try:
        application_id = connection.execute("PRAGMA application_id").fetchone()[0]
        if application_id != APPLICATION_ID:
            raise PassageIndexError(wrong)
        wrong = f"{path} is damaged; build it again with 'elysia-guard ingest'"
        # An older schema has more columns; its version is told apart by who reads this.
        version, model_id, dimension, *_ = connection.execute("SELECT * FROM meta").fetchone()
        house = connection.execute(_HOUSE).fetchone()
        kinds = connection.execute("SELECT kinds FROM house").fetchone()[0] if house else ""
    except sqlite3.OperationalError as err:
        raise PassageIndexError(f"{path} cannot be read: {err}") from err
    except (sqlite3.DatabaseError, TypeError, ValueError) as err:
        raise PassageIndexError(wrong) from err
    return Meta(schema_version=version, model_id=model_id, dimension=dimension, kinds=kinds)


def write_meta(connection: sqlite3.Connection, meta: Meta) -> None:
    """Note what builds an index; of the house only where that has kinds of its own."""
    connection.execute("INSERT INTO meta VALUES (?, ?, ?)", meta.row)
    if meta.kinds:
        connection.execute("CREATE TABLE house (kinds TEXT NOT NULL)")
        connection.execute("INSERT INTO house VALUES (?)", (meta.kinds,))


def document_of(row: sqlite3.Row, kinds: OwnKinds) -> Document:
    """Make a document of its row, in the house that it is of."""
    values = {name: row[name] for name in DOCUMENT_COLUMNS}
    values |= {name: json.loads(row[name]) for name in _IN_JSON}
    return Document.of(values | {"approval": bool(row["approval"])}, kinds)


def row_of(document: Document) -> dict[str, Any]:
    """Write a document as a row; its approvals and links as JSON."""
    values = asdict(document)
    return values | {name: json.dumps(values[name], ensure_ascii=False) for name in _IN_JSON}


def expressions(found: Iterable[str], stemmed: Iterable[str]) -> list[str]:
    """Write terms as FTS5 expressions: each of the words in a text, each of the stems.

    Everything is quoted, so that no character of a query is syntax.
    """
    return [f'text : "{word}"' for word in found] + [f'stems : "{word}"' for word in stemmed]


def broken(path: Path) -> str:
    """Say how the file of an index is damaged; empty where it is sound, or no index of ours.

    All of it is read once, its words too.
    """
    try:
        with closing(connect(path, mode="ro")) as connection:
            return _broken(connection)
    except sqlite3.Error:
        return ""  # not a database, or not to be read: said where it is opened


def _broken(connection: sqlite3.Connection) -> str:
    if connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
        return ""
    try:
        (found,) = connection.execute("PRAGMA quick_check(1)").fetchone()
        connection.execute(_TERMS)
        connection.execute("SELECT sum(doc) FROM temp.every_term").fetchone()
    except sqlite3.DatabaseError as err:
        return str(err)
    return "" if found == "ok" else str(found).splitlines()[-1]


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


def connect(path: Path, *, mode: str, shared: bool = False) -> sqlite3.Connection:
    """Open an index file.

    Args:
        path: of the file.
        mode: that of SQLite: ``ro`` to read, ``rwc`` to make or change.
        shared: whether several threads use it; its rows are then read by their columns' names.
    """
    uri = f"{path.resolve().as_uri()}?mode={mode}"
    connection = sqlite3.connect(uri, uri=True, isolation_level=None, check_same_thread=not shared)
    if shared:
        connection.row_factory = sqlite3.Row
    return connection
