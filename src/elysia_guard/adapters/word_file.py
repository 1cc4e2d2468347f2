"""The vectors of a knowledge base's words, in a file beside its index.

It holds nothing that could not be made again: where it is missing, damaged or of another model, the
words are embedded as they are met.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping
from pathlib import Path
from threading import Lock
from typing import Any

_SCHEMA = """
CREATE TABLE IF NOT EXISTS model (id TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS words (word TEXT PRIMARY KEY, vector BLOB NOT NULL) WITHOUT ROWID;
"""
_READ = "SELECT word, vector FROM words WHERE word IN (SELECT value FROM json_each(?))"
_FIRST = "SELECT word, vector FROM words LIMIT ?"
_HELD = "SELECT word FROM words WHERE word IN (SELECT value FROM json_each(?))"


class WordFile:
    """Words and their packed vectors, of one model; for many threads, and one writer at a time."""

    def __init__(self, path: Path, *, model_id: str) -> None:
        """Name the file; it is opened when it is first needed."""
        self._path = path
        self._model_id = model_id
        self._lock = Lock()
        self._reading: sqlite3.Connection | None = None

    @property
    def is_new(self) -> bool:
        """Whether it holds nothing yet that this model could use."""
        with self._lock:
            return self._opened() is None

    def read(self, words: Iterable[str]) -> dict[str, bytes]:
        """Return the vectors of those words that it holds; none of a file that cannot be read."""
        return dict(self._rows(_READ, json.dumps(list(words))))

    def first(self, count: int) -> dict[str, bytes]:
        """Return the vectors of as many words; none of a file that cannot be read."""
        return dict(self._rows(_FIRST, count))

    def missing(self, words: Iterable[str]) -> list[str]:
        """Return those words that it does not hold, each once."""
        wanted = list(dict.fromkeys(words))
        held = {word for (word,) in self._rows(_HELD, json.dumps(wanted))}
        return [word for word in wanted if word not in held]

    def _rows(self, query: str, asked: str | int) -> list[Any]:
        with self._lock:
            connection = self._opened()
            try:
                return connection.execute(query, (asked,)).fetchall() if connection else []
            except sqlite3.Error:
                return []

    def add(self, vectors: Mapping[str, bytes]) -> None:
        """Keep vectors; those of another model go.

        Raises:
            OSError: it cannot be written.
        """
        with self._lock:
            self.close()
            try:
                connection = sqlite3.connect(self._path, isolation_level=None)
            except sqlite3.Error as err:
                raise OSError(f"{self._path} cannot be written: {err}") from err
            try:
                self._write(connection, vectors)
            except sqlite3.DatabaseError as err:
                raise OSError(f"{self._path} cannot be written: {err}") from err
            finally:
                connection.close()

    def _write(self, connection: sqlite3.Connection, vectors: Mapping[str, bytes]) -> None:
        connection.execute("PRAGMA busy_timeout = 5000")
        connection.executescript(_SCHEMA)
        connection.execute("BEGIN IMMEDIATE")
        if connection.execute("SELECT id FROM model").fetchall() != [(self._model_id,)]:
            connection.execute("DELETE FROM model")
            connection.execute("DELETE FROM words")
            connection.execute("INSERT INTO model VALUES (?)", (self._model_id,))
        connection.executemany("INSERT OR IGNORE INTO words VALUES (?, ?)", vectors.items())
        connection.execute("COMMIT")

    def close(self) -> None:
        """Close it; it opens again when it is needed."""
        if self._reading:
            self._reading.close()
        self._reading = None

    def _opened(self) -> sqlite3.Connection | None:
        if self._reading is None and self._path.is_file():
            uri = f"{self._path.resolve().as_uri()}?mode=ro"
            try:
                connection = sqlite3.connect(uri, uri=True, check_same_thread=False)
            except sqlite3.Error:
                return None
            if self._is_ours(connection):
                self._reading = connection
            else:
                connection.close()
        return self._reading

    def _is_ours(self, connection: sqlite3.Connection) -> bool:
        try:
            return connection.execute("SELECT id FROM model").fetchall() == [(self._model_id,)]
        except sqlite3.Error:
            return False
