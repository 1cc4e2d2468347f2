"""An answer that is kept over a Weaviate: held against its objects, as over a file."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from itertools import groupby

import pytest
from tests.contract.memory_weaviate import MemoryConnection, MemoryWeaviate
from tests.unit.made_guides import FALLBACK, TLS, pointing
from tests.unit.small_world import KNOWLEDGE
from tests.unit.test_answer_cache import Remembering, asked

from elysia_guard.adapters.weaviate_index import Names, WeaviateIndex, WeaviateStore
from elysia_guard.domain.document import DocumentKind
from elysia_guard.domain.kinds import STANDING_KINDS
from elysia_guard.domain.origin import Against
from elysia_guard.testing.fake_index import HashEmbedder

NAMES = Names(passages={kind: f"Test_{kind.value}" for kind in STANDING_KINDS})
DECISIONS = NAMES.passages[DocumentKind.DECISION]


@pytest.fixture
def server() -> MemoryWeaviate:
    return MemoryWeaviate()


@pytest.fixture
def connection(server: MemoryWeaviate) -> Iterator[MemoryConnection]:
    with closing(MemoryConnection(server)) as made:
        yield made


async def filled(connection: MemoryConnection, *, without: str = "") -> Remembering:
    embedder = HashEmbedder()
    store = WeaviateStore(connection, NAMES)
    async with store.writing(model_id=embedder.model_id, dimension=embedder.dimension) as writer:
        for document, group in groupby(KNOWLEDGE, key=lambda item: item.document):
            passages = list(group)
            if document.id != without:
                vectors = await embedder.embed([item.in_context for item in passages])
                await writer.put(document, passages, vectors, fingerprint="1")
    index = WeaviateIndex(
        connection, NAMES, model_id=embedder.model_id, dimension=embedder.dimension
    )
    world = Remembering(made_index=index, embedder=embedder)
    world.origins.against = Against.STORE
    return world


async def test_an_object_that_somebody_altered(
    server: MemoryWeaviate, connection: MemoryConnection
) -> None:
    """The index is of the same generation; what its object says now is not what was quoted."""
    world = await filled(connection)
    first = await asked(world)
    assert (await asked(world)).answer == first.answer
    assert world.outcomes == ["miss", "hit"]
    collection = server.use(DECISIONS)
    (found,) = [
        item async for item in collection.iterator() if TLS in str(item.properties["content"])
    ]
    said = str(found.properties["content"]).replace("1.3", "1.4")
    await collection.update(found.uuid, {"content": said})
    world.guide.point_with = pointing(FALLBACK)
    assert "1.3" not in (await asked(world)).answer
    assert world.outcomes == ["miss", "hit", "stale"]


async def test_an_index_that_was_filled_anew(connection: MemoryConnection) -> None:
    """It is of another generation."""
    world = await filled(connection)
    await asked(world)
    other = await filled(connection, without="ADR-0003")
    world.change(index=other.index)
    await asked(world)
    assert world.outcomes == ["miss", "miss"]
    assert len(world.store) == 1
