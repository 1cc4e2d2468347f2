"""Which documents an index holds, by generation.

An ingest writes its documents as the next generation, which nobody reads; one change of the state
makes it the current one. A reader sees all of the old index or all of the new.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from elysia_guard.adapters.weaviate_index.objects import fetched
from elysia_guard.adapters.weaviate_index.schema import (
    SCHEMA_VERSION,
    STATE_FIELDS,
    STATE_ID,
    Names,
    Properties,
    Record,
    State,
    record_of,
)
from elysia_guard.adapters.weaviate_index.statistics import Statistics
from elysia_guard.domain.document import Document, DocumentKind, Filters

if TYPE_CHECKING:
    from weaviate import WeaviateAsyncClient


@dataclass(frozen=True)
class Snapshot:
    """What one generation holds."""

    state: State
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
    def kinds(self) -> frozenset[DocumentKind]:
        """The kinds of document that there are: a collection is made when it is needed."""
        return frozenset(record.document.kind for record in self.records.values())

    def select(self, filters: Filters) -> list[Document]:
        """The documents that pass the filters, in order."""
        found = (record.document for record in self.records.values())
        admitted = (document for document in found if filters.admit(document))
        return sorted(admitted, key=lambda document: document.place)


async def read_state(client: WeaviateAsyncClient, names: Names) -> State | None:
    """Read what built the index; None if nothing did.

    Raises:
        PassageIndexError: the register's collection is missing.
    """
    values = await fetched(client, names.index, STATE_ID, STATE_FIELDS)
    return State(**values) if values else None


async def read_snapshot(client: WeaviateAsyncClient, names: Names, state: State) -> Snapshot:
    """Read what a generation holds.

    If an ingest ends meanwhile, some may be missing; the state tells, when it is asked again.
    """
    values = await fetched(client, names.index, STATE_ID, ["statistics"])
    records = standing(await read_records(client, names), state.generation)
    packed = values and values["statistics"]
    statistics = Statistics.unpacked(packed) if packed else Statistics(0, 0, {})
    return Snapshot(state, records, statistics)


async def read_records(client: WeaviateAsyncClient, names: Names) -> list[Record]:
    """Read every version of every document."""
    collection = client.collections.use(names.documents)
    return [record_of(item.properties) async for item in collection.iterator()]


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


def why_not(state: State, *, model_id: str, dimension: int, names: Names) -> str:
    """Say why an index cannot be used with these; empty if it can."""
    if state.schema_version != SCHEMA_VERSION:
        return f"schema version {state.schema_version} became {SCHEMA_VERSION}"
    if (state.model_id, state.dimension) != (model_id, dimension):
        return f"the model {state.model_id} was replaced by {model_id}"
    if state.collections != names.written():
        return "the collections have other names"
    return ""


def fingerprints(records: Iterable[Record], generation: int) -> dict[str, str]:
    """Document id to the fingerprint it was put with, as of a generation."""
    held = standing(records, generation)
    return {id_: record.fingerprint for id_, record in held.items()}
