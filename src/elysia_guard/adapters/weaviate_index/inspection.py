"""Does what stands in a Weaviate agree with its register? Collections, their schema, every object.

Anybody may delete a collection or an object in a Weaviate that others use too. What is then left
is no index: a search would find less, and would not say so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import UUID

from elysia_guard.adapters.index_store import Damage
from elysia_guard.adapters.weaviate_index.register import GenerationSnapshot, is_ours
from elysia_guard.adapters.weaviate_index.schema import (
    VECTOR,
    Names,
    Record,
    passage_properties,
    register_properties,
)
from elysia_guard.resilience.together import together

if TYPE_CHECKING:
    from weaviate import WeaviateAsyncClient
    from weaviate.classes.config import Property

OWNER_FIELDS = ("document_id", "generation")
SHOWN = 3
NAMED = 200
"""Generations that a count names one by one; of more it counts all up to the last."""
REPAIR = "repair it with 'elysia-guard ingest'"


class Version(NamedTuple):
    """Which version of which document an object belongs to."""

    document_id: str
    generation: int


@dataclass(slots=True)
class Stock:
    """What stands in a collection: how many objects of each version held, and the other objects."""

    held: Counter[Version] = field(default_factory=Counter)
    others: list[UUID] = field(default_factory=list)

    def take(self, item: Any, records: Mapping[str, Record]) -> bool:
        """Count an object; tell whether it belongs to a document as it is held."""
        version = Version(str(item.properties["document_id"]), item.properties["generation"])
        record = records.get(version.document_id)
        ours = record is not None and record.generation == version.generation
        if ours:
            self.held[version] += 1
        else:
            self.others.append(item.uuid)
        return ours

    def lacking(self, records: Iterable[Record], wanted: Mapping[str, int]) -> dict[str, int]:
        """How many objects each document has not, or has too many (then it counts 0)."""
        found = {}
        for record in records:
            id_ = record.document.id
            if (there := self.held[Version(id_, record.generation)]) != wanted[id_]:
                found[id_] = max(wanted[id_] - there, 0)
        return found


async def objects_of(
    client: WeaviateAsyncClient, name: str, fields: Sequence[str] = OWNER_FIELDS
) -> AsyncIterator[Any]:
    """Give every object of a collection; none if the collection is not there."""
    if await client.collections.exists(name):
        async for item in client.collections.use(name).iterator(return_properties=list(fields)):
            yield item


def wanted(
    names: Names, name: str, records: Mapping[str, Record]
) -> tuple[list[Record], dict[str, int]]:
    """The records whose objects stand in a collection, and how many each has there."""
    if name == names.sentences:
        held = list(records.values())
        return held, {record.document.id: record.sentences for record in held}
    kind = next(kind for kind, own in names.passages.items() if own == name)
    held = [record for record in records.values() if record.document.kind == kind]
    return held, {record.document.id: record.passages for record in held}


async def differs(client: WeaviateAsyncClient, names: Names, name: str) -> str:
    """Say in what a collection has another schema than ours; empty if in nothing, or not there."""
    if not await client.collections.exists(name):
        return ""
    config = await client.collections.use(name).config.get()
    beside = register_properties(names)
    if reason := _property_differs(config.properties, beside.get(name) or passage_properties()):
        return reason
    return "" if name in beside else _vector_differs(config)


def _property_differs(there: Iterable[Any], wanted: Iterable[Property]) -> str:
    held = {item.name: item for item in there}
    for item in wanted:
        found = held.get(item.name)
        if found is None:
            return f"it has no property '{item.name}'"
        spoken = item.tokenization in {None, found.tokenization}
        if found.data_type != item.dataType or not spoken:
            return f"its property '{item.name}' is of another kind"
        if item.indexFilterable is None and not found.index_filterable:
            return f"its property '{item.name}' cannot be filtered by"
    return ""


def _vector_differs(config: Any) -> str:
    from weaviate.classes.config import VectorDistances

    vectors = (config.vector_config or {}).get(VECTOR)
    index = vectors and vectors.vector_index_config
    if index is None:
        return f"it has no vectors called '{VECTOR}'"
    if getattr(index, "distance_metric", None) != VectorDistances.COSINE:
        return "its vectors are not compared by cosine"
    return "its vectors are shortened" if getattr(index, "quantizer", None) else ""


async def inspect(
    client: WeaviateAsyncClient, names: Names, records: Mapping[str, Record]
) -> Damage:
    """Hold every object against the register.

    Raises:
        PassageIndexError: a collection is somebody else's.
    """
    findings: list[str] = []
    broken: set[str] = set()
    others = 0
    for name in (*names.passages.values(), names.sentences):
        found, counts = Stock(), wanted(names, name, records)
        reason = await differs(client, names, name)
        if not reason:
            async for item in objects_of(client, name):
                found.take(item, records)
        lacking = found.lacking(*counts)
        if reason or lacking:
            gone = not await client.collections.exists(name)
            findings.append(_found(name, reason, {} if gone else lacking))
        broken |= lacking.keys()
        others += len(found.others)
    return Damage(documents=frozenset(broken), findings=tuple(findings), leftover=others)


def _found(name: str, reason: str, lacking: Mapping[str, int]) -> str:
    if reason:
        return f"the collection {name} has another schema: {reason}"
    if not lacking:
        return f"the collection {name} is not there"
    ids = sorted(lacking)
    some = ", ".join(ids[:SHOWN]) + (", \u2026" if len(ids) > SHOWN else "")
    count = sum(lacking.values())
    said = f"lacks {count} objects" if count else "holds objects more than once"
    return f"the collection {name} {said} of {len(ids)} documents ({some})"


async def amiss(client: WeaviateAsyncClient, names: Names) -> str:
    """Say which collection that is there is not as ours are; empty if none is.

    For a query that Weaviate refuses: the words that it does so in say too little.
    """
    for name in (*names.beside, *names.passages.values()):
        if not await client.collections.exists(name):
            continue
        if not await is_ours(client, names, name):
            return f"the collection {name} in Weaviate was not made by this index"
        if reason := await differs(client, names, name):
            return f"the collection {name} in Weaviate has another schema: {reason}"
    return ""


async def shortage(client: WeaviateAsyncClient, names: Names, snapshot: GenerationSnapshot) -> str:
    """Say whether fewer objects stand there than the register says; empty if not.

    One count for each collection, which an answer can afford. What is there twice, or is of a
    document that is not held, only ``inspect`` sees.
    """
    wanted = [(names.passages[kind], snapshot.passages_of(kind)) for kind in sorted(snapshot.kinds)]
    wanted.append((names.sentences, snapshot.sentences))
    asked = [(name, count) for name, count in wanted if count]
    found = await together(*(_count(client, name, snapshot) for name, _ in asked))
    lacking = [
        f"{name} lacks {count - there} of {count} objects"
        for (name, count), there in zip(asked, found, strict=True)
        if there < count
    ]
    return f"the index in Weaviate is not whole: {'; '.join(lacking)}" if lacking else ""


async def _count(client: WeaviateAsyncClient, name: str, snapshot: GenerationSnapshot) -> int:
    from weaviate.classes.query import Filter

    # Those of our generations: what somebody else has put there does not count for ours.
    named, generation = snapshot.generations, Filter.by_property("generation")
    few = len(named) <= NAMED
    ours = generation.contains_any(named) if few else generation.less_or_equal(named[-1])
    found = await client.collections.use(name).aggregate.over_all(filters=ours, total_count=True)
    return found.total_count or 0
