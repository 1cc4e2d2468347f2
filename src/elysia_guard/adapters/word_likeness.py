"""Words that mean alike, by the vectors of a sentence model that reads each word as a sentence."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import repeat
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import ThreadpoolController

from elysia_guard.adapters.sentence_vectors import pack
from elysia_guard.ports import Embedder

UNLIKE, THE_SAME = 0.45, 0.85
"""Cosine similarities of the bundled model: unrelated words stay below the one, 'invoice' and
'factuur' come near the other."""
REMEMBERED = 100_000
"""Words; 50 MB of the bundled model's vectors, of one byte a dimension."""

_SCHEMA = """
CREATE TABLE IF NOT EXISTS model (id TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS words (word TEXT PRIMARY KEY, vector BLOB NOT NULL) WITHOUT ROWID;
"""
_READ = "SELECT word, vector FROM words WHERE word IN (SELECT value FROM json_each(?))"
_FIRST = "SELECT word, vector FROM words LIMIT ?"
_HELD = "SELECT word FROM words WHERE word IN (SELECT value FROM json_each(?))"

_Packed = NDArray[np.int8]
"""One row a word."""
_Floats = NDArray[np.float32]


class WordFile:
    """Words and their packed vectors, of one model; for many threads, and one writer at a time.

    It holds nothing that could not be made again: where the file is missing, damaged or of another
    model, the words are embedded as they are met.
    """

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


class WordVectors:
    """A ``WordLikeness`` that remembers the vector of each word it has seen; for many threads.

    A word that was not learnt costs the bundled model a quarter of a millisecond, once.
    """

    def __init__(
        self, embedder: Embedder, *, file: WordFile | None = None, remembered: int = REMEMBERED
    ) -> None:
        """Take the model, and a file of words that were learnt.

        Beyond ``remembered`` words the memory begins anew.
        """
        self._embedder = embedder
        self._file = file
        self._remembered = remembered
        self._rows: dict[str, int] = {}
        self._vectors: _Packed = np.empty((0, embedder.dimension), dtype=np.int8)
        self._lock = Lock()
        self._lengths: _Floats = np.empty(0, dtype=np.float32)
        self._begun = False

    async def __call__(
        self, words: Sequence[str], others: Sequence[str]
    ) -> Mapping[str, Mapping[str, float]]:
        """Compare each word with each of the others by the cosine of their vectors."""
        if not words or not others:
            return {}
        vectors, lengths = await self._of([*words, *others])
        # On a busy machine two threads wait for each other ten times as long as one needs.
        with _blas().limit(limits=1, user_api="blas"):
            degrees = vectors[: len(words)] @ vectors[len(words) :].T
        degrees /= np.outer(lengths[: len(words)], lengths[len(words) :])
        degrees = np.clip((degrees - UNLIKE) / (THE_SAME - UNLIKE), 0.0, 1.0)
        return {word: _named(others, row) for word, row in zip(words, degrees, strict=True)}

    @property
    def has_learnt(self) -> bool:
        """Whether words were learnt before."""
        return self._file is not None and not self._file.is_new

    async def learn(self, words: Iterable[str]) -> None:
        """Put the vectors of words into the file, so that no question has to wait for them.

        Raises:
            OSError: the file cannot be written.
            SourceUnavailableError: the model could not be asked.
        """
        if self._file and (new := self._file.missing(words)):
            self._file.add(await self._packed(new))

    async def _of(self, words: Sequence[str]) -> tuple[_Floats, _Floats]:
        """Return the vectors of words, and how long each is: what packs them does not keep it 1."""
        while True:
            with self._lock:
                self._begin()
                rows = list(map(self._rows.get, words, repeat(-1)))
                if -1 not in rows:
                    return self._vectors[rows].astype(np.float32), self._lengths[rows]
                new = [word for word in dict.fromkeys(words) if word not in self._rows]
            packed = self._file.read(new) if self._file else {}
            packed |= await self._packed([word for word in new if word not in packed])
            with self._lock:
                self._remember(packed, beside=words)

    def _begin(self) -> None:
        """Remember what was learnt, with the first question."""
        if self._file and not self._begun:
            self._remember(self._file.first(self._remembered), beside=())
        self._begun = True

    async def _packed(self, words: Sequence[str]) -> dict[str, bytes]:
        made = await self._embedder.embed(words)
        return {word: pack([vector]) for word, vector in zip(words, made, strict=True)}

    def _remember(self, packed: Mapping[str, bytes], *, beside: Sequence[str]) -> None:
        """Take new words in; what is over the limit goes, but for those asked beside them."""
        if len(self._rows) + len(packed) > self._remembered:
            kept = [word for word in dict.fromkeys(beside) if word in self._rows]
            rows = [self._rows[word] for word in kept]
            self._vectors, self._lengths = self._vectors[rows], self._lengths[rows]
            self._rows = {word: row for row, word in enumerate(kept)}
        added = {word: vector for word, vector in packed.items() if word not in self._rows}
        self._rows.update({word: row for row, word in enumerate(added, start=len(self._rows))})
        made = np.frombuffer(b"".join(added.values()), dtype=np.int8)
        made = made.reshape(-1, self._vectors.shape[1])
        lengths = np.linalg.norm(made.astype(np.float32), axis=1)
        self._vectors = np.concatenate([self._vectors, made])
        self._lengths = np.concatenate([self._lengths, np.where(lengths > 0, lengths, 1.0)])


@cache
def _blas() -> ThreadpoolController:
    """Find the libraries that multiply for numpy, once."""
    return ThreadpoolController()


def _named(others: Sequence[str], degrees: _Floats) -> dict[str, float]:
    """Name the others that are alike at all."""
    places = np.flatnonzero(degrees)
    alike = zip(places.tolist(), degrees[places].tolist(), strict=True)
    return {others[at]: degree for at, degree in alike}
