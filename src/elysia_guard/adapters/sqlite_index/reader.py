"""Searching an index file: BM25 and cosine, fused by rank."""

from __future__ import annotations

import sqlite3
import threading
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from elysia_guard.adapters.sqlite_index.schema import (
    SCHEMA_VERSION,
    Meta,
    broken,
    connect,
    read_meta,
)
from elysia_guard.adapters.sqlite_index.snapshot import IndexSnapshot
from elysia_guard.domain.document import Document, Filters, Hit, IndexInfo, Passage
from elysia_guard.domain.errors import GuardError, PassageIndexError, SourceUnavailableError
from elysia_guard.domain.own_kinds import STANDING, OwnKinds
from elysia_guard.domain.question import Lang
from elysia_guard.domain.search_weights import WeightsByKind
from elysia_guard.ports import Vector

_Stamp = tuple[int, int, int]


class SqliteIndex:
    """The embedded ``PassageIndex``: one file, read-only.

    A query takes a few milliseconds, less than it costs to hand it to a thread; so the methods
    do their work where they are awaited. They may be called from several threads.

    The file may be replaced at any time, as ``ingest`` does: the next call reads the new one.
    """

    def __init__(
        self,
        path: Path,
        *,
        model_id: str | None,
        dimension: int | None,
        weights: WeightsByKind | None = None,
        kinds: OwnKinds = STANDING,
    ) -> None:
        self._path = path
        self._kinds = kinds
        self._weights = weights
        self._expected = (model_id, dimension)
        self._lock = threading.Lock()
        self._open_file()

    @classmethod
    def open(
        cls,
        path: Path | str,
        *,
        model_id: str | None = None,
        dimension: int | None = None,
        weights: WeightsByKind | None = None,
        kinds: OwnKinds = STANDING,
    ) -> SqliteIndex:
        """Open an index; with a model, only one that was built with it.

        ``weights`` are what the rankings of a search count, by the kind of document; ``kinds``
        those of the house whose documents it holds.

        Raises:
            PassageIndexError: the file is missing, no index, of another version or another model,
                or was built under other kinds of documents.
        """
        return cls(
            Path(path),
            model_id=model_id,
            dimension=dimension,
            weights=weights,
            kinds=kinds,
        )

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()

    async def search(
        self,
        query: str,
        vector: Vector | None,
        *,
        filters: Filters,
        limit: int = 10,
    ) -> Sequence[Hit]:
        """Search by words and, where a vector is given, by meaning (see ``PassageIndex``).

        Raises:
            PassageIndexError: the vector is not of the index's model.
            SourceUnavailableError: the file cannot be read.
        """
        with self._snapshot() as snapshot:
            self._check_vector(vector)
            return snapshot.search(
                query, vector, filters=filters, limit=limit, weights=self._weights
            )

    async def rarity(self, words: Sequence[str], *, lang: Lang) -> Mapping[str, float]:
        with self._snapshot() as snapshot:
            return snapshot.rarity(words, lang)

    async def spelt_like(self, words: Sequence[str]) -> Mapping[str, Mapping[str, int]]:
        with self._snapshot() as snapshot:
            return snapshot.spelt_like(words)

    async def holding(self, words: Sequence[str], *, filters: Filters) -> Sequence[Passage]:
        with self._snapshot() as snapshot:
            return snapshot.holding(words, filters)

    async def documents(self, filters: Filters) -> Sequence[Document]:
        """Return the documents that pass the filters, by kind, number, approval and path."""
        with self._snapshot() as snapshot:
            return snapshot.select(filters)

    async def passages(self, document_id: str) -> Sequence[Passage]:
        """Return a document's passages in reading order; none if it is not there."""
        with self._snapshot() as snapshot:
            return snapshot.passages_of(document_id)

    async def info(self) -> IndexInfo:
        """Describe the index."""
        with self._snapshot() as snapshot:
            everything = snapshot.select(Filters(approval=None))
            return IndexInfo(
                location=str(self._path),
                documents=len(everything),
                passages=snapshot.count_passages(),
                model_id=self._meta.model_id,
                dimension=self._meta.dimension,
                schema_version=self._meta.schema_version,
                by_type=dict(Counter(document.doc_type for document in everything)),
            )

    async def version(self) -> str:
        """Name the file as it is now, by what changes when it is written or replaced."""
        with self._snapshot():
            return ".".join(map(str, self._opened))

    def _check_vector(self, vector: Vector | None) -> None:
        if vector is None:
            return
        if len(vector) != self._meta.dimension or not np.isfinite(vector).all():
            raise PassageIndexError(
                f"the query's vector has {len(vector)} dimensions, or is not finite; {self._path} "
                f"has {self._meta.dimension}: embed with {self._meta.model_id}"
            )

    @contextmanager
    def _snapshot(self) -> Iterator[IndexSnapshot]:
        with self._lock:
            try:
                if _stamp(self._path) != self._opened:
                    self._reopen()
                yield self._current
            except GuardError:
                raise
            except (sqlite3.Error, OSError) as err:
                raise SourceUnavailableError(_unread(self._path, err), source="index") from err
            except Exception as err:
                # What stands in a damaged page may be taken for anything.
                if not broken(self._path):
                    raise
                raise SourceUnavailableError(_damaged(self._path, err), source="index") from err

    def _reopen(self) -> None:
        before = self._connection
        try:
            self._open_file()
        except PassageIndexError as err:
            raise SourceUnavailableError(str(err), source="index") from err
        before.close()

    def _open_file(self) -> None:
        if not self._path.is_file():
            raise PassageIndexError(
                f"{self._path} does not exist; build it with 'elysia-guard ingest'"
            )
        opened = _stamp(self._path)
        try:
            connection = connect(self._path, mode="ro", shared=True)
        except sqlite3.Error as err:
            raise PassageIndexError(f"{self._path} cannot be opened: {err}") from err
        try:
            meta = read_meta(connection, self._path)
            self._check(meta)
            # In kibibytes; BM25 reads all over the file.
            connection.execute("PRAGMA cache_size = -64000")
            current = IndexSnapshot(
                connection,
                dimension=meta.dimension,
                kinds=self._kinds,
            )
        except sqlite3.Error as err:
            connection.close()
            raise PassageIndexError(_unread(self._path, err)) from err
        except PassageIndexError:
            connection.close()
            raise
        self._connection, self._meta, self._opened = connection, meta, opened
        self._current = current

    def _check(self, meta: Meta) -> None:
        path, (model_id, dimension) = self._path, self._expected
        if meta.schema_version != SCHEMA_VERSION:
            raise PassageIndexError(
                f"{path} has schema version {meta.schema_version}, this program reads "
                f"{SCHEMA_VERSION}; run 'elysia-guard ingest' again"
            )
        if model_id not in (None, meta.model_id) or dimension not in (None, meta.dimension):
            raise PassageIndexError(
                f"{path} was built with {meta.model_id} ({meta.dimension} dimensions), not with "
                f"{model_id} ({dimension}); run 'elysia-guard ingest' again, or use that model"
            )
        if meta.kinds != self._kinds.digest:
            raise PassageIndexError(
                f"{path} was built under other kinds of documents than kinds.toml says now; "
                "run 'elysia-guard ingest' again"
            )


def _unread(path: Path, err: Exception) -> str:
    # What keeps a sound file from being read is an OperationalError.
    if isinstance(err, sqlite3.DatabaseError) and not isinstance(err, sqlite3.OperationalError):
        return _damaged(path, err)
    return f"{path} cannot be read: {err}"


def _damaged(path: Path, err: Exception) -> str:
    return f"{path} is damaged ({err}); build it again with 'elysia-guard ingest'"


def _stamp(path: Path) -> _Stamp:
    """What changes when a file is written or replaced."""
    stat = path.stat()
    return stat.st_ino, stat.st_mtime_ns, stat.st_size
