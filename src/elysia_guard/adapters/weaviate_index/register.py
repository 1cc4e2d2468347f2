"""Which documents an index holds, by generation; and how its objects are fetched and written.

An ingest writes its documents as the next generation, which nobody reads; one change of the state
makes it the current one. A reader sees all of the old index or all of the new. A generation is
called by the moment it was begun, so that no other index, earlier or rebuilt, has one of its name.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any
from uuid import UUID

from elysia_guard.adapters.hybrid import holds, near_spellings
from elysia_guard.adapters.weaviate_index.schema import (
    HOUSE,
    SCHEMA_VERSION,
    STATE_FIELDS,
    STATE_ID,
    BuildState,
    Names,
    Properties,
    Record,
    record_of,
)
from elysia_guard.adapters.weaviate_index.statistics import Statistics
from elysia_guard.domain.document import Document, DocumentKind, Filters
from elysia_guard.domain.errors import PassageIndexError, SourceUnavailableError
from elysia_guard.language.spelling import NearSpellings

if TYPE_CHECKING:
    from weaviate import WeaviateAsyncClient


AT_A_TIME = 200
"""Objects that one request takes."""


@dataclass(frozen=True)
class GenerationSnapshot:
    """What one generation holds."""

    state: BuildState
    records: Mapping[str, Record]
    """By the document's id."""
    statistics: Statistics

    def document(self, values: Properties) -> Document | None:
        """The document of a passage's object; None if the object is not of this generation."""
        record = self.records.get(values["document_id"])
        if record is None or record.generation != values["generation"]:
            return None
        return record.document

    @cached_property
    def generations(self) -> list[int]:
        """The generations that the documents were brought by."""
        return sorted({record.generation for record in self.records.values()})

    @cached_property
    def sentences(self) -> int:
        """How many passages have vectors of their sentences."""
        return sum(record.sentences for record in self.records.values())

    def passages_of(self, kind: DocumentKind) -> int:
        """How many passages the documents of a kind have."""
        held = self.records.values()
        return sum(record.passages for record in held if record.document.kind == kind)

    @cached_property
    def kinds(self) -> frozenset[DocumentKind]:
        """The kinds of document that there are: a collection is made when it is needed."""
        return frozenset(record.document.kind for record in self.records.values())

    @cached_property
    def languages(self) -> list[str]:
        """The languages of the documents."""
        return sorted({record.document.lang for record in self.records.values()})

    def spelt_like(self, words: Sequence[str]) -> dict[str, dict[str, int]]:
        """For each word that no passage holds, those that one does and are written nearly alike."""
        return {word: self._near.of(word) for word in words if not holds(word, self.statistics)}

    @cached_property
    def _near(self) -> NearSpellings:
        held = (record.document for record in self.records.values())
        return near_spellings(held, self.statistics)

    def select(self, filters: Filters) -> list[Document]:
        """The documents that pass the filters, in order."""
        found = (record.document for record in self.records.values())
        admitted = (document for document in found if filters.admit(document))
        return sorted(admitted, key=lambda document: document.place)


async def read_state(client: WeaviateAsyncClient, names: Names) -> BuildState | None:
    """Read what built the index; None if nothing did.

    Raises:
        PassageIndexError: the register's collection is missing.
    """
    values = await fetched(client, names.index, STATE_ID, STATE_FIELDS)
    return BuildState(**values) if values else None


async def read_snapshot(
    client: WeaviateAsyncClient, names: Names, state: BuildState
) -> GenerationSnapshot:
    """Read what a generation holds.

    If an ingest ends meanwhile, some may be missing; the state tells, when it is asked again.

    Raises:
        PassageIndexError: documents, or the counts of words, are missing.
    """
    records = standing(await read_records(client, names), state.generation)
    counted = await _counted(client, names)
    if counted is None or not _agree(counted, records):
        raise PassageIndexError(
            "the register of the index in Weaviate is not whole; repair it with 'elysia-guard "
            "ingest'"
        )
    return GenerationSnapshot(state, records, counted)


async def is_counted(
    client: WeaviateAsyncClient, names: Names, records: Mapping[str, Record]
) -> bool:
    """Tell whether the counts of words are there, and are of as many passages as the records."""
    counted = await _counted(client, names)
    return counted is not None and _agree(counted, records)


def _agree(counted: Statistics, records: Mapping[str, Record]) -> bool:
    return counted.passages == sum(record.passages for record in records.values())


async def _counted(client: WeaviateAsyncClient, names: Names) -> Statistics | None:
    values = await fetched(client, names.index, STATE_ID, ["statistics"])
    try:
        return Statistics.unpacked(values["statistics"]) if values else None
    except (TypeError, ValueError, zlib.error):
        return None


async def read_records(client: WeaviateAsyncClient, names: Names) -> list[Record]:
    """Read every version of every document; one that cannot be read is left out."""
    collection = client.collections.use(names.documents)
    found = [_record(item.properties, names) async for item in collection.iterator()]
    return [record for record in found if record]


def _record(values: Properties, names: Names) -> Record | None:
    try:
        return record_of(values, names.kinds)
    except (KeyError, TypeError, ValueError):
        return None


def standing(records: Iterable[Record], generation: int) -> dict[str, Record]:
    """The newest version of each document, as of a generation; without those removed by then."""
    newest: dict[str, Record] = {}
    for record in records:
        held = newest.get(record.document.id)
        if record.generation <= generation and not (held and held.generation > record.generation):
            newest[record.document.id] = record
    return {
        id_: record
        for id_, record in newest.items()
        if not record.removed or record.removed > generation
    }


def why_not(state: BuildState, *, model_id: str, dimension: int, names: Names) -> str:
    """Say why an index cannot be used with these; empty if it can."""
    if state.schema_version != SCHEMA_VERSION:
        return f"schema version {state.schema_version} became {SCHEMA_VERSION}"
    if (state.model_id, state.dimension) != (model_id, dimension):
        return f"the model {state.model_id} was replaced by {model_id}"
    if state.collections != names.written():
        of_house = f'"{HOUSE}": "{names.kinds.digest}"' in state.collections
        same = of_house if names.kinds.digest else HOUSE not in state.collections
        return "the collections have other names" if same else "kinds.toml says other kinds"
    return ""


def fingerprints(records: Iterable[Record], generation: int) -> dict[str, str]:
    """Document id to the fingerprint it was put with, as of a generation."""
    held = standing(records, generation)
    return {id_: record.fingerprint for id_, record in held.items()}


async def fetched(
    client: WeaviateAsyncClient, collection: str, id_: UUID, fields: Sequence[str]
) -> dict[str, Any] | None:
    """Fetch some properties of one object; None if it is not there."""
    # Its annotation does not tell that it may be None.
    found: Any = await client.collections.use(collection).query.fetch_object_by_id(
        id_, return_properties=list(fields)
    )
    return {name: found.properties[name] for name in fields} if found else None


async def is_there(client: WeaviateAsyncClient, names: Names, kind: DocumentKind) -> bool:
    """Tell whether the collection of a kind is there; it must be of this index's making.

    Raises:
        PassageIndexError: it is somebody else's, or another index's.
    """
    name = names.passages[kind]
    if not await client.collections.exists(name):
        return False
    if not await is_ours(client, names, name):
        raise PassageIndexError(
            f"the collection {name} in Weaviate was not made by this index; give another name "
            f"under collections.{kind.value} in guard.yaml"
        )
    return True


async def is_ours(client: WeaviateAsyncClient, names: Names, name: str) -> bool:
    """Tell whether a collection is there, and is of this index's making."""
    if not await client.collections.exists(name):
        return False
    config = await client.collections.use(name).config.get(simple=True)
    return name in names.beside or (config.description or "").endswith(names.mark)


async def upsert(
    client: WeaviateAsyncClient, name: str, id_: UUID, values: Mapping[str, Any]
) -> None:
    """Write an object, whether it is there or not, in one request."""
    from weaviate.classes.data import DataObject

    await insert(client, name, [DataObject(properties=dict(values), uuid=id_)])


async def insert(client: WeaviateAsyncClient, name: str, objects: Sequence[Any]) -> None:
    """Write objects; those that are there are replaced."""
    collection = client.collections.use(name)
    for part in parts(objects):
        done = await collection.data.insert_many(part)
        if done.has_errors:
            raise SourceUnavailableError(
                f"Weaviate did not take {len(done.errors)} of {len(part)} objects", source="index"
            )


async def delete(client: WeaviateAsyncClient, name: str, ids: Sequence[UUID]) -> None:
    """Delete objects by their ids."""
    from weaviate.classes.query import Filter

    for part in parts(ids):
        await client.collections.use(name).data.delete_many(Filter.by_id().contains_any(part))


def parts(items: Sequence[Any]) -> Iterator[list[Any]]:
    """Cut a list into what one request takes."""
    for start in range(0, len(items), AT_A_TIME):
        yield list(items[start : start + AT_A_TIME])
