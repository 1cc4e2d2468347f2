"""Writing an index: beside the old one, document by document, moved into place when done.

It is written where it is awaited: a document takes less than it costs to hand it to a thread.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import AsyncIterator, Collection, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, closing, contextmanager, suppress
from pathlib import Path

import numpy as np
import numpy.typing as npt

from elysia_guard.adapters.hybrid import stems_of
from elysia_guard.adapters.index_store import Damage, FindEmbedded, Key, digest
from elysia_guard.adapters.sentence_vectors import pack
from elysia_guard.adapters.sqlite_index.reuse import embedded_in
from elysia_guard.adapters.sqlite_index.schema import (
    DOCUMENT_COLUMNS,
    SCHEMA_VERSION,
    TABLES,
    Meta,
    broken,
    built_by,
    connect,
    damaged_documents,
    fingerprints_of,
    row_of,
    stored_fingerprints,
    write_meta,
)
from elysia_guard.domain.document import Document, Passage
from elysia_guard.domain.errors import IndexBusyError, PassageIndexError
from elysia_guard.domain.own_kinds import STANDING, OwnKinds
from elysia_guard.ports import Vector

_COLUMNS = (*DOCUMENT_COLUMNS, "fingerprint")
_INSERT_DOCUMENT = (
    f"INSERT INTO documents ({', '.join(_COLUMNS)}) "  # noqa: S608
    f"VALUES ({', '.join(f':{name}' for name in _COLUMNS)})"
)
_INSERT_PASSAGE = """
INSERT INTO passages (
    id, document, section, text, position, role, vector, sentences, digest
) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
_LOCATE = "UPDATE documents SET root = ?, stamp = ?, fingerprint = ? WHERE id = ?"
_INSERT_WORDS = "INSERT INTO words (rowid, text, stems) VALUES (?, ?, ?)"
_DELETE = (
    """DELETE FROM words WHERE rowid IN (
        SELECT p.pk FROM passages p JOIN documents d ON d.pk = p.document WHERE d.id = ?)""",
    "DELETE FROM passages WHERE document IN (SELECT pk FROM documents WHERE id = ?)",
    "DELETE FROM documents WHERE id = ?",
)


class SqliteWriter:
    """Puts whole documents into an index file, each in one transaction."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        path: Path,
        *,
        dimension: int,
    ) -> None:
        self._connection = connection
        self._path = path
        self._dimension = dimension

    async def fingerprints(self) -> dict[str, str]:
        """What the index holds: document id to the fingerprint it was put with."""
        return fingerprints_of(self._connection)

    async def put(
        self,
        document: Document,
        passages: Sequence[Passage],
        vectors: Sequence[Vector],
        *,
        sentences: Sequence[Sequence[Vector]] = (),
        fingerprint: str = "",
    ) -> None:
        """Add a document, or replace the one with its id; ``sentences``: those of each passage."""
        with self._transaction():
            self._delete(document.id)
            row = row_of(document) | {"fingerprint": fingerprint}
            pk = self._connection.execute(_INSERT_DOCUMENT, row).lastrowid
            held = sentences or [()] * len(passages)
            for passage, vector, parts in zip(passages, vectors, held, strict=True):
                self._insert(passage, (vector, *parts), document_pk=pk)

    async def locate(self, document: Document, *, fingerprint: str) -> None:
        """Note that a document that is held, and has not changed, now lies elsewhere."""
        with self._transaction():
            row = (document.root, document.stamp, fingerprint, document.id)
            self._connection.execute(_LOCATE, row)

    async def remove(self, document_id: str) -> None:
        """Take a document out."""
        with self._transaction():
            self._delete(document_id)

    def _insert(
        self, passage: Passage, vectors: Sequence[Vector], *, document_pk: int | None
    ) -> None:
        numbers, *parts = (self._checked(each, passage, self._dimension) for each in vectors)
        row = (passage.id, document_pk, passage.section, passage.text, passage.position)
        kept = (numbers.tobytes(), pack(parts), digest(passage.text))
        values = (*row, passage.role, *kept)
        pk = self._connection.execute(_INSERT_PASSAGE, values).lastrowid
        document = passage.document
        stems = stems_of(f"{document.title} {passage.section} {passage.text}", document.lang)
        self._connection.execute(_INSERT_WORDS, (pk, passage.text, stems))

    @staticmethod
    def _checked(vector: Vector, passage: Passage, wanted: int) -> npt.NDArray[np.float32]:
        numbers = np.asarray(vector, dtype="<f4")
        if numbers.shape != (wanted,) or not np.isfinite(numbers).all():
            raise PassageIndexError(
                f"{passage.id}: its vector has {len(vector)} dimensions, not {wanted}, "
                "or is not finite; check the embedder"
            )
        return numbers

    def _delete(self, document_id: str) -> None:
        for statement in _DELETE:
            self._connection.execute(statement, (document_id,))

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with _storing(self._path), self._connection:
            self._connection.execute("BEGIN IMMEDIATE")
            yield


@contextmanager
def writing(
    path: Path,
    *,
    model_id: str,
    dimension: int,
    kinds: str = "",
) -> Iterator[SqliteWriter]:
    """Give a writer over a copy of the index, and move the copy into place at the end.

    A reader sees all of the old index or all of the new. Work that was cut off, by a kill or a
    failing embedder, stays beside the index for the next writer to go on with. An index of
    another model or schema, or of a house with other ``kinds``, is not copied.

    Raises:
        PassageIndexError: another process writes, the place is read-only, or the disk is full.
    """
    meta = Meta(
        schema_version=SCHEMA_VERSION,
        model_id=model_id,
        dimension=dimension,
        kinds=kinds,
    )
    draft = path.with_name(path.name + ".building")
    with _storing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
    if path.exists() and not path.stat().st_mode & 0o222:
        raise PassageIndexError(f"{path} is read-only; make it writable, or give another path")
    with _locked(path):
        try:
            with _storing(path):
                connection = _open_draft(draft, path, meta)
            with closing(connection):
                yield SqliteWriter(connection, path, dimension=dimension)
                with _storing(path):
                    # Back to one plain file, which a reader can open on a read-only disk too.
                    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
                    connection.execute("PRAGMA journal_mode = DELETE")
            with _storing(path):
                draft.replace(path)
        except PassageIndexError:
            _discard(draft)  # a full disk is not left full
            raise


class SqliteStore:
    """The index at a path (``adapters.index_store.IndexStore``)."""

    def __init__(self, path: Path | str, *, kinds: OwnKinds = STANDING) -> None:
        """Take a path, where there need not be a file yet, and the kinds of documents there are."""
        self._path = Path(path)
        self._kinds = kinds.digest

    async def why_rebuild(self, *, model_id: str, dimension: int) -> str:
        if damage := broken(self._path):
            return f"its file was damaged ({damage})"
        built = built_by(self._path)
        if built is None:
            return ""
        if built.schema_version != SCHEMA_VERSION:
            return f"schema version {built.schema_version} became {SCHEMA_VERSION}"
        if (built.model_id, built.dimension) != (model_id, dimension):
            return f"the model {built.model_id} was replaced by {model_id}"
        if built.kinds != self._kinds:
            return "kinds.toml says other kinds"
        return ""

    async def fingerprints(self) -> Mapping[str, str]:
        return stored_fingerprints(self._path) if self._path.exists() else {}

    async def damage(self) -> Damage:
        broken = damaged_documents(self._path) if self._path.exists() else ()
        if not broken:
            return Damage()
        finding = f"{self._path} lacks words or vectors of {len(broken)} documents"
        return Damage(documents=frozenset(broken), findings=(finding,))

    async def embedded(
        self, key: Key, *, model_id: str, dimension: int, of: Collection[str] | None
    ) -> FindEmbedded:
        with suppress(PassageIndexError):  # why it is built anew, then
            built = built_by(self._path)
            if built and (built.model_id, built.dimension) == (model_id, dimension):
                return embedded_in(self._path, key, dimension=dimension, of=of)
        return lambda _: None

    async def drops(self, *, model_id: str, dimension: int) -> Sequence[str]:
        return ()  # written beside, and moved over the old when it is complete

    @asynccontextmanager
    async def writing(self, *, model_id: str, dimension: int) -> AsyncIterator[SqliteWriter]:
        with writing(
            self._path, model_id=model_id, dimension=dimension, kinds=self._kinds
        ) as writer:
            yield writer


@contextmanager
def _storing(path: Path) -> Iterator[None]:
    """Say in our words what keeps an index from being written."""
    try:
        yield
    except (sqlite3.Error, OSError) as err:
        message = f"{path} cannot be written ({err}); the index is as it was before"
        raise PassageIndexError(message) from err


def wait_until_written(path: Path, *, timeout_s: float) -> None:
    """Come back when nobody writes the index at ``path``, now or any more.

    Raises:
        IndexBusyError: somebody still did after ``timeout_s`` seconds.
        PassageIndexError: the place is read-only, or the disk is full.
    """
    with _locked(path, timeout_s=timeout_s):
        pass


@contextmanager
def _locked(path: Path, *, timeout_s: float = 0) -> Iterator[None]:
    """Hold the right to write; the system gives it back when the process dies, however it dies."""
    beside = path.with_name(path.name + ".lock")
    with _storing(path):
        lock = sqlite3.connect(beside, timeout=timeout_s, isolation_level=None)
    with closing(lock):
        try:
            lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as err:
            if "locked" not in str(err):
                raise PassageIndexError(f"{path} cannot be written: {err}") from err
            reason = "another process is writing it; wait until it is done"
            raise IndexBusyError(f"{path} cannot be written: {reason}") from err
        yield


def _open_draft(draft: Path, path: Path, meta: Meta) -> sqlite3.Connection:
    """Open the unfinished work of an earlier run, or a copy of the index, or an empty index."""
    if not _is_of(draft, meta):
        _discard(draft)
        if _is_of(path, meta):
            copy = path.with_name(path.name + ".copy")
            shutil.copyfile(path, copy)
            copy.replace(draft)
    connection = connect(draft, mode="rwc")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    if not connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
        connection.executescript(f"BEGIN; {TABLES}")
        write_meta(connection, meta)
        connection.execute("COMMIT")
    return connection


def _is_of(path: Path, meta: Meta) -> bool:
    try:
        return built_by(path) == meta
    except PassageIndexError:
        return False


def _discard(draft: Path) -> None:
    for suffix in ("", "-wal", "-shm", "-journal"):
        draft.with_name(draft.name + suffix).unlink(missing_ok=True)
