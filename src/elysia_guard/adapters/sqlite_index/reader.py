"""Searching an index file: BM25 and cosine, fused by rank."""

from __future__ import annotations

import sqlite3
import threading
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from elysia_guard.adapters.hybrid import Legs
from elysia_guard.adapters.index_store import ModelSpace
from elysia_guard.adapters.sqlite_index.schema import SCHEMA_VERSION, Meta, read_meta
from elysia_guard.adapters.sqlite_index.snapshot import Snapshot
from elysia_guard.domain.document import Document, Filters, Hit, IndexInfo, Passage
from elysia_guard.domain.errors import PassageIndexError, SourceUnavailableError
from elysia_guard.domain.own_kinds import STANDING, OwnKinds
from elysia_guard.domain.question import Lang
from elysia_guard.domain.search_weights import WeightsByKind
from elysia_guard.ports import SecondVector, Vector

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
        second: ModelSpace | None = None,
        weights: WeightsByKind | None = None,
        kinds: OwnKinds = STANDING,
    ) -> None:
        self._path = path
        self._kinds = kinds
        self._weights = weights
        self._expected = (model_id, dimension)
        self._second = second
        self._lock = threading.Lock()
        self._open_file()

    @classmethod
    def open(
        cls,
        path: Path | str,
        *,
        model_id: str | None = None,
        dimension: int | None = None,
        second: ModelSpace | None = None,
        weights: WeightsByKind | None = None,
        kinds: OwnKinds = STANDING,
    ) -> SqliteIndex:
        """Open an index; with a model, or a second, only one that was built with it.

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
            second=second,
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
        second: SecondVector | None = None,
    ) -> Sequence[Hit]:
        """Search by words and, where a vector is given, by meaning (see ``PassageIndex``).

        Raises:
            PassageIndexError: a vector is not one of the index's models.
            SourceUnavailableError: the file cannot be read.
        """
        with self._snapshot() as snapshot:
            self._check_vectors(vector, second)
            return snapshot.search(
                query, vector, filters=filters, limit=limit, second=second, weights=self._weights
            )

    async def legs(
        self,
        query: str,
        vector: Vector | None,
        *,
        filters: Filters,
        limit: int = 10,
        second: SecondVector | None = None,
    ) -> Legs[int]:
        """Return the rankings of a search before they are fused, to weigh them otherwise.

        Raises:
            PassageIndexError, SourceUnavailableError: as ``search``.
        """
        with self._snapshot() as snapshot:
            self._check_vectors(vector, second)
            return snapshot.legs(query, vector, filters=filters, limit=limit, second=second)

    async def rarity(self, words: Sequence[str], *, lang: Lang) -> Mapping[str, float]:
        with self._snapshot() as snapshot:
            return snapshot.rarity(words, lang)

    async def spelt_like(self, words: Sequence[str]) -> Mapping[str, Mapping[str, int]]:
        with self._snapshot() as snapshot:
            return snapshot.spelt_like(words)

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

    def _check_vectors(self, vector: Vector | None, second: SecondVector | None) -> None:
        first = ModelSpace(model_id=self._meta.model_id, dimension=self._meta.dimension)
        self._check_vector(vector, first)
        self._check_vector(second.vector if second else None, self._meta.second)

    def _check_vector(self, vector: Vector | None, model: ModelSpace | None) -> None:
        if vector is None:
            return
        if model is None:
            raise PassageIndexError(f"{self._path} was built without a second model")
        if len(vector) != model.dimension or not np.isfinite(vector).all():
            raise PassageIndexError(
                f"the query's vector has {len(vector)} dimensions, or is not finite; {self._path} "
                f"has {model.dimension}: embed with {model.model_id}"
            )

    @contextmanager
    def _snapshot(self) -> Iterator[Snapshot]:
        with self._lock:
            try:
                if _stamp(self._path) != self._opened:
                    self._reopen()
                yield self._current
            except (sqlite3.Error, OSError) as err:
                raise SourceUnavailableError(
                    f"{self._path} cannot be read: {err}", source="index"
                ) from err

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
        connection = _connect(self._path)
        try:
            meta = read_meta(connection, self._path)
            _check(meta, self._path, *self._expected)
            _check_second(meta, self._path, self._second)
            _check_kinds(meta, self._path, self._kinds)
        except PassageIndexError:
            connection.close()
            raise
        connection.execute("PRAGMA cache_size = -64000")  # kibibytes; BM25 reads all over the file
        self._connection, self._meta, self._opened = connection, meta, opened
        self._current = Snapshot(
            connection,
            dimension=meta.dimension,
            second_dimension=meta.second.dimension if meta.second else 0,
            kinds=self._kinds,
        )


def _check(meta: Meta, path: Path, model_id: str | None, dimension: int | None) -> None:
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


def _check_second(meta: Meta, path: Path, second: ModelSpace | None) -> None:
    """Without a second model its vectors are left alone, if there are any."""
    if second is not None and second != meta.second:
        built = meta.second.model_id if meta.second else "no second model"
        raise PassageIndexError(
            f"{path} was built with {built}, not with {second.model_id}; run 'elysia-guard ingest' "
            "again, or take 'second_embedder' out of the configuration"
        )


def _check_kinds(meta: Meta, path: Path, kinds: OwnKinds) -> None:
    if meta.kinds != kinds.digest:
        raise PassageIndexError(
            f"{path} was built under other kinds of documents than kinds.toml says now; "
            "run 'elysia-guard ingest' again"
        )


def _connect(path: Path) -> sqlite3.Connection:
    uri = f"{path.resolve().as_uri()}?mode=ro"
    try:
        connection = sqlite3.connect(uri, uri=True, isolation_level=None, check_same_thread=False)
    except sqlite3.Error as err:
        raise PassageIndexError(f"{path} cannot be opened: {err}") from err
    connection.row_factory = sqlite3.Row
    return connection


def _stamp(path: Path) -> _Stamp:
    """What changes when a file is written or replaced."""
    stat = path.stat()
    return stat.st_ino, stat.st_mtime_ns, stat.st_size
