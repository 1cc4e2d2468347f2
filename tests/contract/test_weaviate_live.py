"""A real Weaviate: ingest by generations, and what happens when it, or a part of it, goes away."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from tests.contract.weaviate_server import GRPC_PORT, LIVE, lines, own_names, server

from elysia_guard.adapters.ingest import IngestReport, ingest
from elysia_guard.adapters.weaviate_index import (
    Connection,
    Names,
    Server,
    WeaviateIndex,
    WeaviateStore,
)
from elysia_guard.domain.document import DocumentKind, Filters, Hit
from elysia_guard.domain.errors import (
    SourceTimeoutError,
    SourceUnavailableError,
)
from elysia_guard.testing.fake_index import HashEmbedder

pytestmark = LIVE

DEADLINE_S = 1.0
SLACK_S = 1.0


@pytest.fixture
def names() -> Iterator[Names]:
    with own_names() as names:
        yield names


@pytest.fixture
def connection() -> Iterator[Connection]:
    with closing(Connection(server())) as connection:
        yield connection


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "knowledge" / "decisions"
    folder.mkdir(parents=True)
    for number in range(1, 6):
        write(folder, number, f"Rule {number} holds.")
    return folder


def write(folder: Path, number: int, text: str) -> None:
    """Write a decision of three sections, each with the same text."""
    sections = "".join(f"## Part {part}\n\n{text}\n\n" for part in range(3))
    (folder / f"{number:04d}-rule.md").write_text(
        f"---\nidentifier: ADR-{number:04d}\n---\n# Rule {number}\n\n{sections}"
    )


def fill(
    connection: Connection, names: Names, folder: Path, embedder: HashEmbedder | None = None
) -> IngestReport:
    store = WeaviateStore(connection, names)
    return asyncio.run(ingest([folder], store, embedder or HashEmbedder()))


def reader(connection: Connection, names: Names, **model: Any) -> WeaviateIndex:
    return WeaviateIndex(connection, names, **{"model_id": "hash@1", "dimension": 64} | model)


async def texts(index: WeaviateIndex) -> dict[str, set[str]]:
    """All documents, with the texts of their passages."""
    return {
        document.id: {passage.text for passage in await index.passages(document.id)}
        for document in await index.documents(Filters(approval=None))
    }


def search(index: WeaviateIndex, query: str = "Which rule holds?") -> list[Hit]:
    (vector,) = asyncio.run(HashEmbedder().embed([query]))
    return list(asyncio.run(index.search(query, vector, filters=Filters())))


class TestIngest:
    def test_a_reader_sees_the_old_or_the_new(
        self, connection: Connection, names: Names, folder: Path
    ) -> None:
        """While documents are replaced, no answer mixes two generations."""
        fill(connection, names, folder)

        async def both() -> set[frozenset[str]]:
            index = reader(connection, names)
            (vector,) = await HashEmbedder().embed(["Rule"])
            writing = [True]
            seen = set()

            async def rewrite() -> None:
                for turn in range(3):
                    for number in range(1, 6):
                        write(folder, number, f"Rule of turn {turn}.")
                    await ingest([folder], WeaviateStore(connection, names), HashEmbedder())
                writing.clear()

            async def read() -> None:
                while writing:
                    hits = await index.search("Rule", vector, filters=Filters(), limit=15)
                    assert len(hits) == 15
                    seen.add(frozenset(hit.passage.text[-7:] for hit in hits))

            async with asyncio.TaskGroup() as group:
                group.create_task(rewrite())
                group.create_task(read())
            return seen

        seen = asyncio.run(both())
        assert frozenset({"turn 2."}) in seen or len(seen) > 1
        assert all(len(texts) == 1 or not any("turn" in text for text in texts) for texts in seen)


class TestFaults:
    def test_a_passage_lost_its_vector(
        self, connection: Connection, names: Names, folder: Path
    ) -> None:
        """Its hit has no distance, for a gate to refuse; none is made up."""
        fill(connection, names, folder)
        name = names.passages[DocumentKind.DECISION]

        async def strip(client: Any) -> None:
            collection = client.collections.use(name)
            async for item in collection.iterator():
                if item.properties["document_id"] == "ADR-0003":
                    await collection.data.delete_by_id(item.uuid)
                    await collection.data.insert(item.properties, uuid=item.uuid)

        asyncio.run(connection.ask(strip))
        hits = search(reader(connection, names), "Rule 3")
        lost = [hit.distance for hit in hits if hit.passage.document.id == "ADR-0003"]
        assert lost == [None] * 3
        assert all(
            hit.distance is not None for hit in hits if hit.passage.document.id != "ADR-0003"
        )

    def test_it_goes_away_and_comes_back(
        self, connection: Connection, names: Names, folder: Path
    ) -> None:
        """A named error in time while it is away; an answer soon after it is back."""
        fill(connection, names, folder)
        with lines() as (http, grpc):
            ours = Server(
                url=f"http://127.0.0.1:{http.port}", grpc_port=grpc.port, deadline_s=DEADLINE_S
            )
            with closing(Connection(ours)) as through:
                index = reader(through, names)
                expected = search(index)
                for line in (http, grpc):
                    line.cut()
                for _ in range(2):
                    started = time.perf_counter()
                    with pytest.raises(SourceUnavailableError) as raised:
                        search(index)
                    assert time.perf_counter() - started < DEADLINE_S + SLACK_S
                    assert "127.0.0.1" not in str(raised.value)
                for line in (http, grpc):
                    line.mend()
                assert _in_the_end(index) == expected

    def test_it_is_too_slow(self, connection: Connection, names: Names, folder: Path) -> None:
        """A deadline that cannot be kept is a timeout, and the next call is not harmed."""
        fill(connection, names, folder)
        hasty = Server(url=server().url, grpc_port=GRPC_PORT, deadline_s=0.001)
        late = pytest.raises(SourceTimeoutError, match=r"did not answer in 0.001 s")
        with closing(Connection(hasty)) as through, late:
            search(reader(through, names))
        assert search(reader(connection, names))


def _in_the_end(index: WeaviateIndex, *, within_s: float = 10.0) -> list[Hit]:
    """What a search finds as soon as it succeeds."""
    until = time.monotonic() + within_s
    while True:
        try:
            return search(index)
        except SourceUnavailableError:
            if time.monotonic() > until:
                raise
