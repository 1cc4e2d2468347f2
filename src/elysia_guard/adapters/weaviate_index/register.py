"""Which documents an index holds, by generation.

An ingest writes its documents as the next generation, which nobody reads; one change of the state
makes it the current one. A reader sees all of the old index or all of the new. A generation is
called by the moment it was begun, so that no other index, earlier or rebuilt, has one of its name.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from elysia_guard.adapters.weaviate_index.objects import fetched
from elysia_guard.adapters.weaviate_index.schema import (
    HOUSE,
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
from elysia_guard.domain.errors import PassageIndexError
from elysia_guard.language.near_spellings import NearSpellings, counted
from elysia_guard.language.text import without_marks
from elysia_guard.language.text import words as words_of

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
        return {word: self._near.of(word) for word in words if not self.statistics.holds(word)}

    @cached_property
    def _near(self) -> NearSpellings:
        held = (record.document.title for record in self.records.values())
        titles = (word for title in held for word in words_of(without_marks(title)))
        return NearSpellings(counted(titles, self.statistics.counts()))

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
    return Snapshot(state, records, counted)


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


def why_not(state: State, *, model_id: str, dimension: int, names: Names) -> str:
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
