"""Kinds of documents of a house's own, in both stores: held, found, and told as stale."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from tests.contract.memory_weaviate import MemoryConnection, MemoryWeaviate

from elysia_guard.adapters.index_store import IndexStore
from elysia_guard.adapters.sqlite_index import SqliteIndex, SqliteStore
from elysia_guard.adapters.weaviate_index import Names, WeaviateIndex, WeaviateStore
from elysia_guard.domain.document import Document, DocumentKind, Filters, Passage
from elysia_guard.domain.errors import PassageIndexError
from elysia_guard.domain.own_kinds import STANDING, Called, FurtherKind, OwnKind, OwnKinds
from elysia_guard.ports import PassageIndex
from elysia_guard.testing.fake_index import HashEmbedder

RFC = DocumentKind.own("rfc", like=DocumentKind.DECISION, form="RFC-{number:04d}", rank=3)
SAYS = OwnKind(form=RFC.form, everywhere=Called(prefixes=("RFC",)))
HOUSE = OwnKinds(further=(FurtherKind(kind=RFC, says=SAYS, collection="RFC"),))
OTHER = OwnKinds(
    further=(FurtherKind(kind=RFC, says=replace(SAYS, form="RFC {number}"), collection="RFC"),)
)
MODEL = HashEmbedder()
KNOWN = {"model_id": MODEL.model_id, "dimension": MODEL.dimension}

Store = Callable[[OwnKinds], IndexStore]
Index = Callable[[OwnKinds], PassageIndex]


def names(kinds: OwnKinds) -> Names:
    return Names(passages={kind: f"Test_{kind.value}" for kind in HOUSE.every}, kinds=kinds)


@pytest.fixture(params=["sqlite", "weaviate"])
def stores(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Store, Index]:
    """A store to be filled, and the index that it is read by, under some kinds."""
    path = tmp_path / "index.sqlite"
    if request.param == "sqlite":
        return (
            lambda kinds: SqliteStore(path, kinds=kinds),
            lambda kinds: SqliteIndex.open(path, kinds=kinds, **KNOWN),
        )
    connection = MemoryConnection(MemoryWeaviate())
    return (
        lambda kinds: WeaviateStore(connection, names(kinds)),
        lambda kinds: WeaviateIndex(connection, names(kinds), **KNOWN),
    )


def passage(kind: DocumentKind, number: int, text: str) -> Passage:
    name = kind.written(number)
    document = Document(
        id=name, kind=kind, number=number, title=name, path=f"{name}.md", sha256="0", lang="en"
    )
    return Passage(id=f"{name}#0", document=document, section="Decision", text=text, position=0)


HELD = [
    passage(DocumentKind.DECISION, 12, "Roofs are covered with slate."),
    passage(RFC, 12, "Closures of roads are announced by letter."),
    passage(DocumentKind.POLICY, 12, "Building work makes noise by day."),
]


async def filled(store: IndexStore) -> None:
    async with store.writing(**KNOWN) as writer:
        for each in HELD:
            vectors = await MODEL.embed([each.in_context])
            await writer.put(each.document, [each], vectors, fingerprint="1")


async def test_equal_numbers_of_several_kinds_stand_beside_each_other(
    stores: tuple[Store, Index],
) -> None:
    """Each found by its kind and number, in lists and in searches, in the order of the kinds."""
    store, index = stores
    await filled(store(HOUSE))
    held = index(HOUSE)
    every = await held.documents(Filters(number=12))
    assert [item.id for item in every] == ["ADR-0012", "POL-0012", "RFC-0012"]
    (found,) = await held.documents(Filters(kinds=(RFC,), number=12))
    assert (found.kind, found.kind.form, found.kind.like) == (RFC, RFC.form, DocumentKind.DECISION)
    assert (found.doc_type, found.name) == ("RFC", "RFC-0012")
    hits = await held.search("closures of roads", None, filters=Filters(kinds=(RFC,)))
    assert [hit.passage.document.id for hit in hits] == ["RFC-0012"]
    hits = await held.search(
        "closures of roads", None, filters=Filters(kinds=(DocumentKind.POLICY,))
    )
    assert not hits
    assert (await held.info()).by_type == {"ADR": 1, "Policy": 1, "RFC": 1}


@pytest.mark.parametrize(("built", "now"), [(HOUSE, OTHER), (HOUSE, STANDING), (STANDING, HOUSE)])
async def test_an_index_of_another_house_is_stale(
    stores: tuple[Store, Index], built: OwnKinds, now: OwnKinds
) -> None:
    """It is not answered from; an ingest says why it builds anew, and then has it right."""
    store, index = stores
    if built is STANDING:
        async with store(built).writing(**KNOWN) as writer:
            vectors = await MODEL.embed([HELD[0].in_context])
            await writer.put(HELD[0].document, HELD[:1], vectors, fingerprint="1")
    else:
        await filled(store(built))
    assert await store(built).why_rebuild(**KNOWN) == ""
    assert await store(now).why_rebuild(**KNOWN) == "kinds.toml says other kinds"
    with pytest.raises(PassageIndexError, match="kinds"):
        await index(now).documents(Filters())
    async with store(now).writing(**KNOWN) as writer:
        assert await writer.fingerprints() == {}
        vectors = await MODEL.embed([HELD[0].in_context])
        await writer.put(HELD[0].document, HELD[:1], vectors, fingerprint="2")
    assert [item.id for item in await index(now).documents(Filters())] == ["ADR-0012"]
