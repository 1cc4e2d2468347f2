"""Documents and concepts, each looked at where they are from."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

from elysia_guard.domain.document import Document
from elysia_guard.domain.origin import Origin
from elysia_guard.ports import Lines


class _Documents(Protocol):
    async def documents(
        self, documents: Sequence[Document], *, read: Collection[str] = ()
    ) -> Mapping[str, Origin]: ...

    async def lines(self, quoted: Sequence[tuple[Document, str]]) -> Sequence[Lines | None]: ...


class _Concepts(Protocol):
    async def concepts(self, uris: Sequence[str]) -> Mapping[str, Origin]: ...


class Sources:
    """The ``Origins`` of an index and a vocabulary."""

    def __init__(self, documents: _Documents, concepts: _Concepts) -> None:
        self._documents, self._concepts = documents, concepts

    async def documents(
        self, documents: Sequence[Document], *, read: Collection[str] = ()
    ) -> Mapping[str, Origin]:
        return await self._documents.documents(documents, read=read)

    async def lines(self, quoted: Sequence[tuple[Document, str]]) -> Sequence[Lines | None]:
        return await self._documents.lines(quoted)

    async def concepts(self, uris: Sequence[str]) -> Mapping[str, Origin]:
        return await self._concepts.concepts(uris)
