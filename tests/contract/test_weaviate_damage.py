"""An index in a Weaviate: ingested by generations; whatever somebody does to it found and mended.

Each test runs over a Weaviate in memory, and over the real one that WEAVIATE_URL names.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from tests.contract.memory_weaviate import MemoryConnection, MemoryWeaviate
from tests.contract.weaviate_server import LIVE, own_names, server
from weaviate.classes.config import Configure, DataType, Property, VectorDistances
from weaviate.classes.query import Filter

from elysia_guard.adapters.ingest import IngestReport, ingest
from elysia_guard.adapters.weaviate_index import (
    Connection,
    Names,
    WeaviateIndex,
    WeaviateStore,
    inspection,
)
from elysia_guard.adapters.weaviate_index.schema import STATE_ID, VECTOR, passage_properties
from elysia_guard.adapters.weaviate_index.writer import HELD_FOR
from elysia_guard.domain.document import DocumentKind, Filters
from elysia_guard.domain.errors import PassageIndexError
from elysia_guard.domain.kinds import STANDING_KINDS
from elysia_guard.domain.own_kinds import OwnKind, OwnKinds
from elysia_guard.testing.fake_index import HashEmbedder

Texts = dict[str, tuple[str, ...]]
MORE = (
    "Whoever builds something else says why, in writing, and asks those who keep the register. "
    "What is built all the same is taken down again within a year of the day it was found."
)
DECISION, PRINCIPLE = DocumentKind.DECISION, DocumentKind.PRINCIPLE


@dataclass(frozen=True, kw_only=True)
class World:
    """An index of five decisions and two principles, and a reader that has answered from it."""

    connection: Connection
    names: Names
    folder: Path
    reader: WeaviateIndex

    def fill(self, *, dry_run: bool = False) -> IngestReport:
        return asyncio.run(ingest([self.folder], self.store, HashEmbedder(), dry_run=dry_run))

    @property
    def store(self) -> WeaviateStore:
        return WeaviateStore(self.connection, self.names)

    def told(self) -> str:
        """What is wrong with it, as doctor and ingest are told."""
        embedder = HashEmbedder()
        why = asyncio.run(
            self.store.why_rebuild(model_id=embedder.model_id, dimension=embedder.dimension)
        )
        return why or "; ".join(asyncio.run(self.store.damage()).findings)

    def change(self, work: Callable[[Any], Awaitable[object]]) -> None:
        asyncio.run(self.connection.ask(work))

    def holds(self, name: str) -> bool:
        return asyncio.run(self.connection.ask(lambda client: client.collections.exists(name)))

    def another_reader(self) -> WeaviateIndex:
        return reader(self.connection, self.names)


def reader(connection: Connection, names: Names) -> WeaviateIndex:
    return WeaviateIndex(connection, names, model_id="hash@1", dimension=64)


async def _texts(index: WeaviateIndex) -> Texts:
    """All documents with their texts, and that a search by words and meaning finds something."""
    (vector,) = await HashEmbedder().embed(["Which rule holds?"])
    hits = await index.search("Which rule holds?", vector, filters=Filters(), limit=5)
    assert all(hit.distance is not None for hit in hits)
    return {
        document.id: tuple(passage.text for passage in await index.passages(document.id))
        for document in await index.documents(Filters(approval=None))
    }


def texts(index: WeaviateIndex) -> Texts:
    return asyncio.run(_texts(index))


def write(folder: Path, kind: str, number: int, text: str) -> None:
    """Write a document of two sections, each of two sentences."""
    (folder / kind).mkdir(parents=True, exist_ok=True)
    sections = "".join(f"## Part {part}\n\n{text} {MORE}\n\n" for part in range(2))
    (folder / kind / f"{number:04d}-rule.md").write_text(f"# {number}. Rule\n\n{sections}")


@pytest.fixture(params=["memory", pytest.param("real", marks=LIVE)])
def world(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[World]:
    folder = tmp_path / "knowledge"
    for number in range(1, 6):
        write(folder, "decisions", number, f"Rule {number} holds.")
    for number in (1, 2):
        write(folder, "principles", number, f"Principle {number} holds.")
    with ExitStack() as stack:
        if request.param == "memory":
            names = Names(passages={kind: f"Test_{kind.value}" for kind in STANDING_KINDS})
            connection: Connection = MemoryConnection(MemoryWeaviate())
        else:
            names = stack.enter_context(own_names())
            connection = Connection(server())
        stack.enter_context(closing(connection))
        made = World(
            connection=connection, names=names, folder=folder, reader=reader(connection, names)
        )
        made.fill()
        texts(made.reader)
        yield made


def _other_schema(name: str, **made: Any) -> Callable[[Any, Names], Awaitable[None]]:
    """Replace a collection by an empty one of our making, as an older version might have made."""

    async def work(client: Any, names: Names) -> None:
        which = names.passages[DECISION] if name == "passages" else getattr(names, name)
        await client.collections.delete(which)
        await client.collections.create(
            which, description=f"Ours; {names.mark}", **{"vector_config": _vectors()} | made
        )

    return work


def _vectors(distance: VectorDistances = VectorDistances.COSINE) -> Any:
    index = Configure.VectorIndex.hnsw(
        distance_metric=distance, quantizer=Configure.VectorIndex.Quantizer.none()
    )
    return Configure.Vectors.self_provided(name=VECTOR, vector_index_config=index)


def _drop(*which: str) -> Callable[[Any, Names], Awaitable[None]]:
    async def work(client: Any, names: Names) -> None:
        for name in which:
            passages = [names.passages[kind] for kind in STANDING_KINDS if name in {kind, "all"}]
            beside = list(names.beside) if name == "all" else []
            one = [getattr(names, name)] if name in {"index", "documents", "sentences"} else []
            await client.collections.delete([*passages, *beside, *one])

    return work


async def _delete_passages(client: Any, names: Names) -> None:
    await client.collections.use(names.passages[DECISION]).data.delete_many(
        Filter.by_property("passage_id").equal("ADR-0003#000")
    )


async def _delete_sentences(client: Any, names: Names) -> None:
    await client.collections.use(names.sentences).data.delete_many(
        Filter.by_property("document_id").equal("PCP-0002")
    )


async def _delete_record(client: Any, names: Names) -> None:
    collection = client.collections.use(names.documents)
    async for item in collection.iterator():
        if "ADR-0004" in item.properties["document"]:
            await collection.data.delete_by_id(item.uuid)


async def _spoil_record(client: Any, names: Names) -> None:
    collection = client.collections.use(names.documents)
    async for item in collection.iterator():
        if "ADR-0004" in item.properties["document"]:
            await collection.data.update(item.uuid, properties={"document": "nonsense"})


async def _delete_state(client: Any, names: Names) -> None:
    await client.collections.use(names.index).data.delete_by_id(STATE_ID)


async def _forget_words(client: Any, names: Names) -> None:
    await client.collections.use(names.index).data.update(STATE_ID, properties={"statistics": ""})


DAMAGES: dict[str, tuple[Callable[[Any, Names], Awaitable[None]], str]] = {
    "a collection of passages": (_drop("decision"), "_decision is not there"),
    "two collections of passages": (_drop("decision", "principle"), "_principle is not there"),
    "one passage": (_delete_passages, "lacks 1 objects of 1 documents (ADR-0003)"),
    "the collection of sentences": (_drop("sentences"), "_Sentences is not there"),
    "some sentences": (_delete_sentences, "_Sentences lacks 2 objects of 1 documents (PCP-0002)"),
    "the collection of records": (_drop("documents"), "_Documents is not there"),
    "a record": (_delete_record, "the register lacks documents"),
    "a record that cannot be read": (_spoil_record, "the register lacks documents"),
    "the register": (_drop("index"), "the register of the index is missing"),
    "register and records": (_drop("index", "documents"), "the register of the index is missing"),
    "the state": (_delete_state, "the register of the index is missing"),
    "the counts of words": (_forget_words, "or its counts of words"),
    "passages of another schema": (
        _other_schema("passages", properties=passage_properties()[:-1]),
        "has another schema: it has no property 'stems'",
    ),
    "vectors compared otherwise": (
        _other_schema(
            "passages",
            properties=passage_properties(),
            vector_config=_vectors(VectorDistances.DOT),
        ),
        "has another schema: its vectors are not compared by cosine",
    ),
    "a property of another kind": (
        _other_schema(
            "passages",
            properties=[
                *passage_properties()[:-1],
                Property(name="stems", data_type=DataType.INT),
            ],
        ),
        "its property 'stems' is of another kind",
    ),
    "records of another schema": (
        _other_schema("documents", properties=[Property(name="document", data_type=DataType.TEXT)]),
        "_Documents has another schema: it has no property 'fingerprint'",
    ),
    "a register of another schema": (
        _other_schema("index", properties=[Property(name="model_id", data_type=DataType.TEXT)]),
        "the register of the index is missing",
    ),
    "everything": (_drop("all"), ""),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_c5_what_is_missing_is_found_and_mended(world: World, damage: str) -> None:
    """Whatever somebody deletes of an index in a Weaviate, ingest finds it and puts it back.

    Meanwhile no question is answered from what is left: it is refused by name, also by a reader
    that has been answering for long, but for what only concerns records and counts of words.
    """
    spoil, said = DAMAGES[damage]
    before = texts(world.reader)
    world.change(lambda client: spoil(client, world.names))
    unaware = "record" in damage or "words" in damage
    for reader in [world.another_reader(), *([] if unaware else [world.reader])]:
        with pytest.raises(PassageIndexError, match="elysia-guard ingest"):
            texts(reader)
    assert said in world.told()
    planned = world.fill(dry_run=True)
    assert planned.rebuilt or planned.damage or planned.added
    assert said in world.told()  # a dry run changes nothing
    assert all(world.holds(name) for name in planned.dropped)
    done = world.fill()
    assert replace(done, dry_run=True, seconds=0, embedded=0) == replace(planned, seconds=0)
    assert texts(world.reader) == texts(world.another_reader()) == before
    assert world.told() == ""
    again = world.fill()
    assert (len(again.unchanged), again.damage, again.leftover) == (7, (), 0)


def test_only_what_changed_is_embedded(world: World, tmp_path: Path) -> None:
    """New and changed documents are embedded, those whose file is gone leave; nothing else."""
    write(world.folder, "decisions", 2, "Rule 2 is new.")
    write(world.folder, "decisions", 6, "Rule 6 holds.")
    (world.folder / "decisions" / "0005-rule.md").unlink()
    done = world.fill()
    assert (done.added, done.updated, done.removed) == (("ADR-0006",), ("ADR-0002",), ("ADR-0005",))
    found = texts(world.reader)
    assert "Rule 2 is new." in found["ADR-0002"][0]
    assert ("ADR-0005" in found, "ADR-0006" in found) == (False, True)
    world.folder.rename(tmp_path / "moved")
    embedder = HashEmbedder()
    moved = asyncio.run(ingest([tmp_path / "moved"], world.store, embedder))
    assert (len(moved.unchanged), embedder.calls) == (7, 0)
    roots = {item.root for item in asyncio.run(world.reader.documents(Filters()))}
    assert roots == {str(tmp_path / "moved")}


def test_what_is_built_anew_keeps_its_vectors(world: World) -> None:
    """Where other kinds are in force no text is embedded again, and the same is found as near."""
    (vector,) = asyncio.run(HashEmbedder().embed(["Which rule holds?"]))

    def found(index: WeaviateIndex) -> dict[str, tuple[float, ...]]:
        hits = asyncio.run(index.search("rule", vector, filters=Filters(), limit=50))
        return {
            hit.passage.text: tuple(round(each or 0.0, 6) for each in (hit.distance, hit.nearest))
            for hit in hits
        }

    before, embedder = found(world.reader), HashEmbedder()
    names = replace(world.names, kinds=OwnKinds(decision=OwnKind(form="RFC-{number:04d}")))
    store = WeaviateStore(world.connection, names)
    done = asyncio.run(ingest([world.folder], store, embedder))
    assert (bool(done.rebuilt), done.embedded, embedder.calls) == (True, 0, 0)
    assert found(reader(world.connection, names)) == before


class CutOffError(Exception):
    """What ends an ingest in the middle."""


def cut_off(world: World) -> None:
    """Ingest until some documents are written."""

    def stop(progress: Any) -> None:
        if progress.done >= 2:
            raise CutOffError

    with pytest.raises(CutOffError):
        asyncio.run(ingest([world.folder], world.store, HashEmbedder(), observe=stop))


def test_nobody_sees_what_an_ingest_wrote_that_was_cut_off(world: World) -> None:
    """The next one goes on where it stopped, and leaves nothing over."""
    before = texts(world.reader)
    for number in range(1, 5):
        write(world.folder, "decisions", number, f"Rule {number} is another.")
    (world.folder / "decisions" / "0005-rule.md").unlink()
    cut_off(world)
    assert texts(world.reader) == before
    embedder = HashEmbedder()
    done = asyncio.run(ingest([world.folder], world.store, embedder))
    assert 0 < embedder.calls < 16
    after = texts(world.another_reader())
    assert "ADR-0005" not in after
    assert all(f"Rule {n} is another." in after[f"ADR-000{n}"][0] for n in range(1, 5))
    assert (world.fill().leftover, len(done.unchanged) < 7) == (0, True)


def test_until_a_first_ingest_has_ended_there_is_no_index(world: World) -> None:
    """Nor is an empty Weaviate an empty index."""
    world.change(lambda client: _drop("all")(client, world.names))
    with pytest.raises(PassageIndexError, match="fill it with 'elysia-guard ingest'"):
        texts(world.another_reader())
    cut_off(world)
    with pytest.raises(PassageIndexError, match="no complete index yet; fill it with"):
        texts(world.another_reader())
    world.fill()
    assert len(texts(world.another_reader())) == 7


def test_c5_a_rebuilt_index_is_read_as_it_is(world: World) -> None:
    """After a rebuild no running reader serves what stood there before it."""
    before = texts(world.reader)
    world.change(lambda client: _drop("all")(client, world.names))
    for number in range(1, 6):
        write(world.folder, "decisions", number, f"Rule {number} was changed.")
    (world.folder / "principles" / "0002-rule.md").unlink()
    world.fill()
    after = texts(world.reader)
    assert after == texts(world.another_reader())
    assert "PCP-0002" not in after
    assert not set(after["ADR-0001"]) & set(before["ADR-0001"])


def test_c5_another_model_and_back(world: World) -> None:
    """Nor after two rebuilds, of which the second has the model of the first."""
    report = asyncio.run(ingest([world.folder], world.store, HashEmbedder(model_id="hash@2")))
    assert report.rebuilt == "the model hash@1 was replaced by hash@2"
    with pytest.raises(PassageIndexError, match="the model hash@2 was replaced by hash@1"):
        texts(world.another_reader())
    (world.folder / "decisions" / "0005-rule.md").unlink()
    world.fill()
    assert texts(world.reader) == texts(world.another_reader())
    assert "ADR-0005" not in texts(world.reader)


def test_c5_what_belongs_to_nobody_is_cleared_away(world: World) -> None:
    """What an ingest that was cut off left, or others put there, goes with the next ingest."""
    planted = {
        "document_id": "ADR-0666", "passage_id": "ADR-0666#000", "generation": 1,
        "approval": False, "content": "Rule 666 holds.", "stems": "rule 666", "position": 0,
    }  # fmt: skip
    name = world.names.passages[DECISION]
    before = texts(world.reader)

    async def plant(client: Any) -> None:
        for number in range(3):
            own = planted | {"generation": 10**13 + number}
            await client.collections.use(name).data.insert(
                own, uuid=f"00000000-0000-0000-0000-00000000000{number}", vector=[0.1] * 64
            )

    world.change(plant)
    assert texts(world.reader) == before
    assert (world.fill(dry_run=True).leftover, world.fill().leftover) == (3, 3)
    assert world.fill().leftover == 0


def test_c5_a_collection_of_somebody_else(world: World) -> None:
    """Where somebody else has taken the name of a collection, all say so, and leave it alone."""
    name = world.names.passages[DECISION]

    async def take(client: Any) -> None:
        await client.collections.delete(name)
        await client.collections.create(name, description="Theirs", properties=passage_properties())

    world.change(take)
    for ask in (world.fill, lambda: world.fill(dry_run=True), world.told):
        with pytest.raises(PassageIndexError, match=f"{name} in Weaviate was not made by this"):
            ask()
    with pytest.raises(PassageIndexError):
        texts(world.reader)
    assert asyncio.run(world.connection.ask(lambda client: client.collections.exists(name)))


def test_c5_another_indexs_collection(world: World) -> None:
    """Nor does an index of another prefix sweep away what this one holds."""
    other = replace(world, names=replace(world.names, prefix=f"{world.names.prefix}_Other"))
    with pytest.raises(PassageIndexError, match="was not made by this index"):
        other.fill()
    world.change(lambda client: client.collections.delete(list(other.names.beside)))
    assert len(texts(world.reader)) == 7


def test_c5_a_rename_drops_no_collection_of_somebody_else(world: World) -> None:
    """An index whose collections are renamed deletes its own old ones, and no other."""
    old = world.names.passages[DECISION]

    async def take(client: Any) -> None:
        await client.collections.delete(old)
        await client.collections.create(old, description="Theirs")

    world.change(take)
    passages = {kind: f"{name}2" for kind, name in world.names.passages.items()}
    renamed = replace(world, names=replace(world.names, passages=passages))
    mine = {name for kind, name in world.names.passages.items() if kind is PRINCIPLE}
    try:
        assert mine <= set(renamed.fill(dry_run=True).dropped)
        assert old not in renamed.fill().dropped
        assert len(texts(renamed.another_reader())) == 7
    finally:
        world.change(lambda client: client.collections.delete([*passages.values()]))
    assert (world.holds(old), world.holds(world.names.passages[PRINCIPLE])) == (True, False)


def test_c5_a_collection_that_goes_while_it_is_written(world: World) -> None:
    """An ingest whose collection is deleted under its hands fails, and does not say it is done."""
    write(world.folder, "decisions", 6, "Rule 6 holds.")
    write(world.folder, "principles", 3, "Principle 3 holds.")

    async def cut() -> None:
        embedder = HashEmbedder()
        async with world.store.writing(model_id=embedder.model_id, dimension=64):
            await world.connection.ask(
                lambda client: client.collections.delete(world.names.passages[PRINCIPLE])
            )

    with pytest.raises(PassageIndexError, match="does not hold all that was written"):
        asyncio.run(cut())
    world.fill()
    assert len(texts(world.reader)) == 9


def test_c5_a_writer_whose_right_was_taken_changes_nothing(world: World) -> None:
    """Of two ingests the one that lost its right to write does not undo what the other wrote."""

    async def taken() -> None:
        store = WeaviateStore(
            world.connection, world.names, now=lambda: datetime(2001, 1, 1, tzinfo=UTC)
        )
        async with store.writing(model_id="hash@1", dimension=64) as writer:
            write(world.folder, "decisions", 6, "Rule 6 holds.")
            await ingest([world.folder], world.store, HashEmbedder())
            await writer.remove("ADR-0001")

    with pytest.raises(PassageIndexError, match="another may be writing"):
        asyncio.run(taken())
    assert len(texts(world.reader)) == 8


def test_c5_while_one_process_writes_no_other_does(world: World) -> None:
    """And one that was silent for longer than its right lasts does not go on."""
    moments = [datetime.now(UTC)]
    write(world.folder, "decisions", 6, "Rule 6 holds.")

    async def both() -> None:
        store = WeaviateStore(world.connection, world.names, now=lambda: moments[-1])
        async with store.writing(model_id="hash@1", dimension=64) as writer:
            with pytest.raises(PassageIndexError, match="another process is writing it"):
                await ingest([world.folder], world.store, HashEmbedder())
            moments.append(moments[0] + 2 * HELD_FOR)
            await writer.remove("ADR-0001")

    with pytest.raises(PassageIndexError, match="stood still"):
        asyncio.run(both())
    assert len(texts(world.reader)) == 7


def test_c5_an_index_of_many_ingests_is_counted_too(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An index that grew by more ingests than a count can name notices what is deleted."""
    monkeypatch.setattr(inspection, "NAMED", 1)
    write(world.folder, "decisions", 6, "Rule 6 holds.")
    world.fill()
    assert len(texts(world.reader)) == 8
    world.change(lambda client: _delete_passages(client, world.names))
    with pytest.raises(PassageIndexError, match="lacks 1 of 12 objects"):
        texts(world.reader)
