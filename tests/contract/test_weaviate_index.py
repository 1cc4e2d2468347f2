"""The passage index's contract over a real Weaviate, which WEAVIATE_URL names, and in memory."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import closing
from itertools import groupby

import pytest
from tests.contract.memory_weaviate import MemoryConnection, MemoryWeaviate
from tests.contract.weaviate_server import LIVE, own_names, server

from elysia_guard.adapters.weaviate_index import Connection, Names, WeaviateIndex, WeaviateStore
from elysia_guard.domain.document import DocumentKind, Passage
from elysia_guard.ports import PassageIndex, Vector
from elysia_guard.testing.fake_index import HashEmbedder
from elysia_guard.testing.index_contract import PassageIndexContract


@pytest.fixture(scope="module")
def real() -> Iterator[tuple[Connection, Names]]:
    with own_names() as names, closing(Connection(server())) as connection:
        yield connection, names


@pytest.fixture(scope="module")
def memory() -> Iterator[tuple[Connection, Names]]:
    names = Names(passages={kind: f"Test_{kind.value}" for kind in DocumentKind})
    with closing(MemoryConnection(MemoryWeaviate())) as connection:
        yield connection, names


class _InWeaviate(PassageIndexContract):
    connection: Connection
    names: Names

    def make(
        self, passages: Sequence[Passage], vectors: Sequence[Vector], embedder: HashEmbedder
    ) -> PassageIndex:
        asyncio.run(self.fill(list(zip(passages, vectors, strict=True)), embedder))
        return WeaviateIndex(
            self.connection, self.names, model_id=embedder.model_id, dimension=embedder.dimension
        )

    async def fill(self, pairs: Sequence[tuple[Passage, Vector]], embedder: HashEmbedder) -> None:
        """Fill it once: all tests ask the same."""
        store = WeaviateStore(self.connection, self.names)
        if await store.fingerprints():
            return
        async with store.writing(
            model_id=embedder.model_id, dimension=embedder.dimension
        ) as writer:
            for document, group in groupby(pairs, key=lambda pair: pair[0].document):
                held, vectors = zip(*group, strict=True)
                await writer.put(document, held, vectors, fingerprint="1")


@pytest.mark.usefixtures("_real")
class TestWeaviateIndex(_InWeaviate):
    pytestmark = LIVE

    @pytest.fixture
    def _real(self, real: tuple[Connection, Names]) -> None:
        self.connection, self.names = real


@pytest.mark.usefixtures("_memory")
class TestMemoryWeaviateIndex(_InWeaviate):
    @pytest.fixture
    def _memory(self, memory: tuple[Connection, Names]) -> None:
        self.connection, self.names = memory
