"""The passage index's contract over a real Weaviate, which WEAVIATE_URL names, and in memory."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import closing
from itertools import groupby
from pathlib import Path

import pytest
from tests.contract.index_contract import (
    EVERYTHING,
    PassageIndexContract,
    run,
    sample_passages,
)
from tests.contract.memory_weaviate import MemoryConnection, MemoryWeaviate
from tests.contract.weaviate_server import LIVE, own_names, server

from elysia_guard.adapters.sqlite_index import SqliteIndex, writing
from elysia_guard.adapters.weaviate_index import Connection, Names, WeaviateIndex, WeaviateStore
from elysia_guard.domain.document import DocumentKind, Passage
from elysia_guard.domain.kinds import STANDING_KINDS
from elysia_guard.domain.search_weights import SearchWeights, WeightsByKind
from elysia_guard.ports import PassageIndex, Vector
from elysia_guard.testing.fake_index import HashEmbedder

WORDS = ["cim", "tls", "connection", "zebra", "löschung"]


@pytest.fixture(scope="module")
def real() -> Iterator[tuple[Connection, Names]]:
    with own_names() as names, closing(Connection(server())) as connection:
        yield connection, names


@pytest.fixture(scope="module")
def memory() -> Iterator[tuple[Connection, Names]]:
    names = Names(passages={kind: f"Test_{kind.value}" for kind in STANDING_KINDS})
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

    @pytest.mark.parametrize(
        "weights",
        [
            SearchWeights(),
            SearchWeights(alpha=0.0),
            SearchWeights(alpha=1.0),
            SearchWeights(alpha=0.3, title=4.0, section=0.0),
        ],
    )
    @pytest.mark.parametrize(
        "query", ["domain language CIM", "notes on TLS", "eigenaar van gelöschte Daten", "CIM's"]
    )
    def test_it_ranks_as_the_embedded_index_does_by_any_weights(
        self, weights: SearchWeights, query: str, tmp_path: Path
    ) -> None:
        """Decisions by these weights, the others as ever; one calibration serves both stores."""
        embedder, passages = HashEmbedder(), sample_passages()
        vectors = run(embedder.embed([item.in_context for item in passages]))
        by_kind = {DocumentKind.DECISION: weights}
        self.make(passages, vectors, embedder)
        held = WeaviateIndex(
            self.connection, self.names, model_id="hash@1", dimension=64, weights=by_kind
        )
        (vector,) = run(embedder.embed([query]))
        asked = {"filters": EVERYTHING, "limit": 10}
        file = tmp_path / "x.sqlite"
        with closing(_embedded(file, passages, vectors, by_kind)) as embedded:
            expected = run(embedded.search(query, vector, **asked))
            rare = run(embedded.rarity(WORDS, lang="en"))
        found = run(held.search(query, vector, **asked))
        assert run(held.rarity(WORDS, lang="en")) == pytest.approx(rare)
        assert [each.passage.id for each in found] == [each.passage.id for each in expected]
        assert [each.score for each in found] == pytest.approx([each.score for each in expected])
        lexical = [each.lexical or 0.0 for each in expected]
        assert [each.lexical or 0.0 for each in found] == pytest.approx(lexical)


def _embedded(
    path: Path, passages: Sequence[Passage], vectors: Sequence[Vector], weights: WeightsByKind
) -> SqliteIndex:
    pairs = list(zip(passages, vectors, strict=True))
    with writing(path, model_id="hash@1", dimension=64) as writer:
        for document, group in groupby(pairs, key=lambda pair: pair[0].document):
            run(writer.put(document, *zip(*group, strict=True)))
    return SqliteIndex.open(path, weights=weights)


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
