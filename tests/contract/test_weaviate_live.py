"""A real Weaviate: ingest by generations, and what happens when it, or a part of it, goes away."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.contract.weaviate_server import GRPC_PORT, LIVE, lines, own_names, server
from tests.unit.small_world import World

from elysia_guard.adapters.ingest import IngestReport, ingest
from elysia_guard.adapters.origins import DocumentFiles, IndexOrigins, LiveVocabulary
from elysia_guard.adapters.weaviate_index import (
    Connection,
    Names,
    Server,
    WeaviateIndex,
    WeaviateStore,
)
from elysia_guard.adapters.weaviate_index.writer import HELD_FOR
from elysia_guard.domain.document import DocumentKind, Filters, Hit
from elysia_guard.domain.errors import (
    PassageIndexError,
    SourceTimeoutError,
    SourceUnavailableError,
)
from elysia_guard.domain.origin import Against
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


def objects(connection: Connection, name: str) -> int:
    """How many objects a collection holds, whoever may read them."""

    async def count(client: Any) -> int:
        found = await client.collections.use(name).aggregate.over_all(total_count=True)
        return int(found.total_count)

    return asyncio.run(connection.ask(count))


class CutOffError(Exception):
    """What ends an ingest in the middle."""


def cut_off(connection: Connection, names: Names, folder: Path, *, after: int) -> None:
    """Ingest until some documents are written."""

    def stop(progress: Any) -> None:
        if progress.done >= after:
            raise CutOffError

    with pytest.raises(CutOffError):
        asyncio.run(
            ingest([folder], WeaviateStore(connection, names), HashEmbedder(), observe=stop)
        )


class TestIngest:
    def test_only_what_changed(self, connection: Connection, names: Names, folder: Path) -> None:
        """An update embeds the changed documents alone, and those whose file is gone leave."""
        assert len(fill(connection, names, folder).added) == 5
        write(folder, 2, "Rule 2 is new.")
        write(folder, 6, "Rule 6 holds.")
        (folder / "0005-rule.md").unlink()
        embedder = HashEmbedder()
        report = fill(connection, names, folder, embedder)
        assert (report.added, report.updated, report.removed) == (
            ("ADR-0006",), ("ADR-0002",), ("ADR-0005",),
        )  # fmt: skip
        assert embedder.calls == 6
        found = asyncio.run(texts(reader(connection, names)))
        assert found["ADR-0002"] == {"Rule 2 is new."}
        assert sorted(found) == ["ADR-0001", "ADR-0002", "ADR-0003", "ADR-0004", "ADR-0006"]
        assert objects(connection, names.passages[DocumentKind.DECISION]) == 15
        assert objects(connection, names.documents) == 5

    def test_nothing_to_do(self, connection: Connection, names: Names, folder: Path) -> None:
        """An ingest without a change embeds nothing."""
        fill(connection, names, folder)
        embedder = HashEmbedder()
        assert len(fill(connection, names, folder, embedder).unchanged) == 5
        assert embedder.calls == 0

    def test_one_that_is_cut_off(self, connection: Connection, names: Names, folder: Path) -> None:
        """Nobody sees what it wrote; the next goes on where it stopped, and leaves nothing over."""
        fill(connection, names, folder)
        index = reader(connection, names)
        before = asyncio.run(texts(index))
        for number in range(1, 5):
            write(folder, number, f"Rule {number} is another.")
        (folder / "0005-rule.md").unlink()
        cut_off(connection, names, folder, after=2)
        assert asyncio.run(texts(index)) == before
        assert {hit.passage.text for hit in search(index)} <= set.union(*before.values())
        assert objects(connection, names.passages[DocumentKind.DECISION]) == 21
        embedder = HashEmbedder()
        fill(connection, names, folder, embedder)
        assert embedder.calls == 6
        after = asyncio.run(texts(index))
        assert after == {f"ADR-000{n}": {f"Rule {n} is another."} for n in range(1, 5)}
        assert objects(connection, names.passages[DocumentKind.DECISION]) == 12
        assert objects(connection, names.documents) == 4

    def test_a_first_one_that_is_cut_off(
        self, connection: Connection, names: Names, folder: Path
    ) -> None:
        """Until the first ingest has come to its end, there is no index."""
        cut_off(connection, names, folder, after=2)
        with pytest.raises(PassageIndexError, match="no complete index yet; fill it with"):
            search(reader(connection, names))
        fill(connection, names, folder)
        assert len(asyncio.run(texts(reader(connection, names)))) == 5

    def test_another_model(self, connection: Connection, names: Names, folder: Path) -> None:
        """Vectors of two models are never compared; another model embeds everything anew."""
        fill(connection, names, folder)
        other = {"model_id": "hash@2", "dimension": 32}
        with pytest.raises(PassageIndexError, match=r"the model hash@1 was replaced by hash@2"):
            asyncio.run(reader(connection, names, **other).info())
        report = fill(connection, names, folder, HashEmbedder(**other))
        assert (len(report.added), report.rebuilt) == (5, "the model hash@1 was replaced by hash@2")
        assert asyncio.run(reader(connection, names, **other).info()).passages == 15

    def test_two_at_once(self, connection: Connection, names: Names, folder: Path) -> None:
        """One process writes; the right of one that fell silent goes to the next, for good."""

        async def two() -> None:
            first = WeaviateStore(connection, names)
            async with first.writing(model_id="hash@1", dimension=64):
                with pytest.raises(PassageIndexError, match="another process is writing it"):
                    await ingest([folder], WeaviateStore(connection, names), HashEmbedder())
                later = WeaviateStore(
                    connection, names, now=lambda: datetime.now(UTC) + HELD_FOR + timedelta(1)
                )
                await ingest([folder], later, HashEmbedder())

        with pytest.raises(PassageIndexError, match="another may be writing"):
            asyncio.run(two())
        assert len(asyncio.run(texts(reader(connection, names)))) == 5

    def test_somebody_elses_collection(
        self, connection: Connection, names: Names, folder: Path
    ) -> None:
        """A collection that we did not make is left as it is."""
        name = names.passages[DocumentKind.POLICY]
        asyncio.run(connection.ask(lambda client: client.collections.create(name)))
        with pytest.raises(
            PassageIndexError, match=f"{name} in Weaviate was not made by this index"
        ):
            fill(connection, names, folder)

    def test_another_indexs_collection(
        self, connection: Connection, names: Names, folder: Path
    ) -> None:
        """Nor does an index of another prefix sweep away what this one holds."""
        fill(connection, names, folder)
        other = replace(names, prefix=f"{names.prefix}_Other")
        with pytest.raises(PassageIndexError, match="was not made by this index"):
            fill(connection, other, folder)
        asyncio.run(connection.ask(lambda client: client.collections.delete(list(other.beside))))
        assert len(asyncio.run(texts(reader(connection, names)))) == 5

    def test_one_that_stood_still(self, connection: Connection, names: Names) -> None:
        """An ingest that was silent for longer than its right lasts does not go on."""
        moments = [datetime.now(UTC)]

        async def late() -> None:
            store = WeaviateStore(connection, names, now=lambda: moments[-1])
            async with store.writing(model_id="hash@1", dimension=64) as writer:
                moments.append(moments[0] + 2 * HELD_FOR)
                await writer.remove("ADR-0001")

        with pytest.raises(PassageIndexError, match="stood still"):
            asyncio.run(late())

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
    def test_a_collection_is_missing(
        self, connection: Connection, names: Names, folder: Path
    ) -> None:
        """It is named, and so is the way out."""
        fill(connection, names, folder)
        name = names.passages[DocumentKind.DECISION]
        asyncio.run(connection.ask(lambda client: client.collections.delete(name)))
        with pytest.raises(PassageIndexError, match=f"{name} is not in Weaviate; fill it with"):
            search(reader(connection, names))

    def test_nothing_was_ever_ingested(self, connection: Connection, names: Names) -> None:
        """An empty Weaviate is not an empty index."""
        with pytest.raises(PassageIndexError, match="fill it with 'elysia-guard ingest'"):
            search(reader(connection, names))

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

    def test_what_others_put_beside_is_not_ours(
        self, connection: Connection, names: Names, folder: Path
    ) -> None:
        """An object that no ingest brought is never shown."""
        fill(connection, names, folder)
        name = names.passages[DocumentKind.DECISION]
        planted = {
            "document_id": "ADR-0666", "passage_id": "ADR-0666#000", "generation": 1,
            "approval": False, "content": "Rule 666 holds.", "stems": "rule 666", "position": 0,
        }  # fmt: skip
        asyncio.run(
            connection.ask(
                lambda client: client.collections.use(name).data.insert(planted, vector=[0.1] * 64)
            )
        )
        assert "ADR-0666" not in {
            hit.passage.document.id for hit in search(reader(connection, names))
        }

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

    def test_it_was_away_from_the_start(
        self, connection: Connection, names: Names, folder: Path
    ) -> None:
        """An index asked before its server was up needs no restart either."""
        fill(connection, names, folder)
        with lines() as (http, grpc):
            http.cut()
            ours = Server(
                url=f"http://127.0.0.1:{http.port}", grpc_port=grpc.port, deadline_s=DEADLINE_S
            )
            with closing(Connection(ours)) as through:
                index = reader(through, names)
                with pytest.raises(SourceUnavailableError, match="cannot be reached"):
                    search(index)
                http.mend()
                assert _in_the_end(index)

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


class TestSources:
    """The objects of a Weaviate are the sources of what is quoted from it."""

    def ask(self, connection: Connection, names: Names, *, trusted: tuple[Path, ...] = ()) -> Any:
        world = World(made_index=reader(connection, names))
        files = DocumentFiles(trusted, only_trusted=True, otherwise=Against.STORE, within_s=5)
        world.pipeline = replace(world.pipeline, origins=IndexOrigins(files, LiveVocabulary()))
        return world.ask("What does ADR-0003 decide?")

    def test_a6_an_unchanged_object_verifies_its_quotes(
        self, connection: Connection, names: Names, folder: Path
    ) -> None:
        """A quote from a Weaviate says that it was checked against the store."""
        fill(connection, names, folder)
        reply = self.ask(connection, names)
        assert "Rule 3 holds." in reply.answer
        assert (reply.validation.against, reply.warnings) == (("store",), ())

    def test_a6_an_object_that_somebody_changed_is_told(
        self, connection: Connection, names: Names, folder: Path
    ) -> None:
        """Where an object no longer has the text of the ingest, STALE_INDEX says so."""
        fill(connection, names, folder)

        async def edit(client: Any) -> None:
            collection = client.collections.use(names.passages[DocumentKind.DECISION])
            found = await collection.query.fetch_objects(limit=100)
            for item in found.objects:
                await collection.data.update(item.uuid, properties={"content": "Rule 0 holds."})

        asyncio.run(connection.ask(edit))
        reply = self.ask(connection, names)
        assert [warning.type for warning in reply.warnings] == ["STALE_INDEX"]
        assert "Rule 0 holds." in reply.answer

    def test_a6_a_configured_folder_is_looked_at_too(
        self, connection: Connection, names: Names, folder: Path
    ) -> None:
        """The file counts where the configuration names its folder."""
        fill(connection, names, folder)
        write(folder, 3, "Rule 3 is another.")
        assert self.ask(connection, names).warnings == ()
        reply = self.ask(connection, names, trusted=(folder,))
        assert (reply.refused, reply.refusal_reason) == (True, "unverified_answer")
        assert "STALE_INDEX" in [warning.type for warning in reply.warnings]

    def test_a6_moving_a_folder_embeds_nothing_again(
        self, connection: Connection, names: Names, folder: Path, tmp_path: Path
    ) -> None:
        """An ingest of the same documents from elsewhere only notes where they now lie."""
        fill(connection, names, folder)
        moved = tmp_path / "moved" / "decisions"
        moved.parent.mkdir()
        folder.rename(moved)
        embedder = HashEmbedder()
        assert len(fill(connection, names, moved, embedder).unchanged) == 5
        assert embedder.calls == 0
        documents = asyncio.run(reader(connection, names).documents(Filters(approval=None)))
        assert {document.root for document in documents} == {str(moved)}
        assert objects(connection, names.passages[DocumentKind.DECISION]) == 15
