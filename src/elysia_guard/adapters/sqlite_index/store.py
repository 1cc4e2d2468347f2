"""An index file, as ``adapters.ingest`` fills it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from elysia_guard.adapters.index_store import Damage, ModelSpace
from elysia_guard.adapters.sqlite_index.held import (
    built_by,
    damaged_documents,
    stored_fingerprints,
)
from elysia_guard.adapters.sqlite_index.schema import SCHEMA_VERSION
from elysia_guard.adapters.sqlite_index.writer import IndexWriter, writing
from elysia_guard.domain.document import Document, Passage
from elysia_guard.domain.own_kinds import STANDING, OwnKinds
from elysia_guard.ports import Vector


class SqliteStore:
    """The index at a path (``adapters.index_store.IndexStore``)."""

    def __init__(self, path: Path | str, *, kinds: OwnKinds = STANDING) -> None:
        """Take a path, where there need not be a file yet, and the kinds of documents there are."""
        self._path = Path(path)
        self._kinds = kinds.digest

    async def why_rebuild(
        self, *, model_id: str, dimension: int, second: ModelSpace | None = None
    ) -> str:
        built = built_by(self._path)
        if built is None:
            return ""
        if built.schema_version != SCHEMA_VERSION:
            return f"schema version {built.schema_version} became {SCHEMA_VERSION}"
        if (built.model_id, built.dimension) != (model_id, dimension):
            return f"the model {built.model_id} was replaced by {model_id}"
        # One that is switched off does no harm: its vectors go with the next document that changes.
        if second is not None and built.second != second:
            was = built.second.model_id if built.second else "none"
            return f"the second model was {was}, and is {second.model_id}"
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

    async def drops(self, *, model_id: str, dimension: int) -> Sequence[str]:
        return ()  # written beside, and moved over the old when it is complete

    @asynccontextmanager
    async def writing(
        self, *, model_id: str, dimension: int, second: ModelSpace | None = None
    ) -> AsyncIterator[_AsyncWriter]:
        with writing(
            self._path, model_id=model_id, dimension=dimension, second=second, kinds=self._kinds
        ) as writer:
            yield _AsyncWriter(writer)


class _AsyncWriter:
    """Writes where it is awaited: a document takes less than it costs to hand it to a thread."""

    def __init__(self, writer: IndexWriter) -> None:
        self._writer = writer

    async def fingerprints(self) -> Mapping[str, str]:
        return self._writer.fingerprints()

    async def put(
        self,
        document: Document,
        passages: Sequence[Passage],
        vectors: Sequence[Vector],
        *,
        sentences: Sequence[Sequence[Vector]] = (),
        second: Sequence[Sequence[Vector]] = (),
        fingerprint: str = "",
    ) -> None:
        self._writer.put(
            document,
            passages,
            vectors,
            sentences=sentences,
            second=second,
            fingerprint=fingerprint,
        )

    async def locate(self, document: Document, *, fingerprint: str) -> None:
        self._writer.locate(document, fingerprint=fingerprint)

    async def remove(self, document_id: str) -> None:
        self._writer.remove(document_id)
