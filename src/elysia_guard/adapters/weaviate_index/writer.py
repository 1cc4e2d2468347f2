"""Filling a Weaviate, as the next generation of its index, by one process at a time."""

from __future__ import annotations

import base64
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING
from uuid import UUID

from elysia_guard.adapters.sentence_vectors import pack
from elysia_guard.adapters.weaviate_index.connection import Connection, Result, Work
from elysia_guard.adapters.weaviate_index.inspection import OWNER_FIELDS, Stock, objects_of, wanted
from elysia_guard.adapters.weaviate_index.register import (
    delete,
    fetched,
    fingerprints,
    insert,
    is_there,
    read_records,
    standing,
    upsert,
)
from elysia_guard.adapters.weaviate_index.schema import (
    LEASE_ID,
    STATE_ID,
    VECTOR,
    BuildState,
    Names,
    Record,
    create_passages,
    passage_uuid,
    properties_of,
    record_properties,
    record_uuid,
)
from elysia_guard.adapters.weaviate_index.statistics import Statistics
from elysia_guard.domain.document import Document, DocumentKind, Passage
from elysia_guard.domain.errors import PassageIndexError
from elysia_guard.ports import Vector

if TYPE_CHECKING:
    from weaviate import WeaviateAsyncClient

WRITING_S = 120.0
"""For one document."""
ENDING_S = 3_600.0
"""For the end of an ingest, which reads every passage."""
HELD_FOR = timedelta(minutes=2)
Now = Callable[[], datetime]


def utc_now() -> datetime:
    """Tell the time, as all processes that write tell it."""
    return datetime.now(UTC)


class Lease:
    """One object, whose id only one process can create."""

    def __init__(self, names: Names, *, now: Now = utc_now) -> None:
        self._names = names
        self._now = now
        self._until = now()
        self._written = ""

    async def acquire(self, client: WeaviateAsyncClient) -> None:
        """Take the right to write; from a process that has fallen silent too.

        Raises:
            PassageIndexError: another process writes.
        """
        held = await fetched(client, self._names.index, LEASE_ID, ["held_until"])
        if held:
            left = datetime.fromisoformat(held["held_until"]) - self._now()
            if left > timedelta(0):
                raise _busy(left)
            await self._delete(client)
        if not await self._created(client):
            raise _busy(HELD_FOR)

    async def renew(self, client: WeaviateAsyncClient) -> None:
        """Say that we still write, when half of the time is over.

        Raises:
            PassageIndexError: we were silent for too long, and somebody else may write now.
        """
        if self._until - self._now() < HELD_FOR / 2:
            await self.confirm(client)
            await client.collections.use(self._names.index).data.update(
                LEASE_ID, properties={"held_until": self._next()}
            )

    async def confirm(self, client: WeaviateAsyncClient) -> None:
        """See that the right is still ours, whatever other clocks say.

        Raises:
            PassageIndexError: we were silent for too long, or somebody else has taken it.
        """
        if self._until < self._now() or not await self._is_ours(client):
            raise PassageIndexError(
                "this ingest stood still for so long that another may be writing; run it again"
            )

    async def release(self, client: WeaviateAsyncClient) -> None:
        """Give the right back, if it is still ours."""
        if await client.collections.exists(self._names.index) and await self._is_ours(client):
            await self._delete(client)

    async def _is_ours(self, client: WeaviateAsyncClient) -> bool:
        held = await fetched(client, self._names.index, LEASE_ID, ["held_until"])
        return held is not None and held["held_until"] == self._written

    async def _delete(self, client: WeaviateAsyncClient) -> None:
        await client.collections.use(self._names.index).data.delete_by_id(LEASE_ID)

    async def _created(self, client: WeaviateAsyncClient) -> bool:
        from weaviate.exceptions import UnexpectedStatusCodeError

        try:
            await client.collections.use(self._names.index).data.insert(
                {"held_until": self._next()}, uuid=LEASE_ID
            )
        except UnexpectedStatusCodeError as err:
            if err.status_code == 422:  # noqa: PLR2004  the id is there already
                return False
            raise
        return True

    def _next(self) -> str:
        self._until = self._now() + HELD_FOR
        self._written = self._until.isoformat()
        return self._written


def _busy(left: timedelta) -> PassageIndexError:
    return PassageIndexError(
        "the index in Weaviate cannot be written: another process is writing it; wait until it is "
        f"done (if it was killed, for {left.total_seconds():.0f} s)"
    )


class WeaviateWriter:
    """Puts whole documents into the next generation: the passages first, then the record."""

    def __init__(
        self, connection: Connection, names: Names, state: BuildState, lease: Lease
    ) -> None:
        """Take the state as it will be once this generation is the current one."""
        self._connection = connection
        self._names = names
        self._state = state
        self._lease = lease
        self._known: dict[UUID, Record] | None = None
        self._made: set[DocumentKind] = set()

    async def fingerprints(self) -> Mapping[str, str]:
        """What the next generation holds so far."""
        records = await self._ask(self._records)
        return fingerprints(list(records.values()), self._generation)

    async def put(
        self,
        document: Document,
        passages: Sequence[Passage],
        vectors: Sequence[Vector],
        *,
        sentences: Sequence[Sequence[Vector]] = (),
        fingerprint: str = "",
    ) -> None:
        """Add a document, or replace the one with its id."""
        held = sentences or [()] * len(passages)
        for passage, vector, own in zip(passages, vectors, held, strict=True):
            for each in (vector, *own):
                self._check(passage, each)

        async def write(client: WeaviateAsyncClient) -> None:
            await self._lease.confirm(client)
            await self._lease.renew(client)
            await self._make(client, document.kind)
            await self._forget(client, document)
            await self._insert(client, document.kind, list(zip(passages, vectors, strict=True)))
            await self._insert_sentences(client, passages, held)
            record = Record(
                document=document,
                fingerprint=fingerprint,
                generation=self._generation,
                passages=len(passages),
                sentences=sum(bool(own) for own in held),
            )
            await self._keep(client, record)

        await self._ask(write)

    async def locate(self, document: Document, *, fingerprint: str) -> None:
        """Note where a document that is held now lies; readers may see it at once."""

        async def write(client: WeaviateAsyncClient) -> None:
            await self._lease.renew(client)
            if record := await self._held(client, document.id):
                moved = replace(record.document, root=document.root, stamp=document.stamp)
                await self._keep(client, replace(record, document=moved, fingerprint=fingerprint))

        await self._ask(write)

    async def remove(self, document_id: str) -> None:
        """Take a document out."""

        async def write(client: WeaviateAsyncClient) -> None:
            await self._lease.confirm(client)
            await self._lease.renew(client)
            if record := await self._held(client, document_id):
                await self._keep(client, replace(record, removed=self._generation))

        await self._ask(write)

    async def _held(self, client: WeaviateAsyncClient, document_id: str) -> Record | None:
        records = await self._records(client)
        return standing(records.values(), self._generation).get(document_id)

    async def commit(self) -> None:
        """Make this generation the one that is read, and clear away what it does not hold."""

        async def write(client: WeaviateAsyncClient) -> None:
            written = await self._records(client)
            self._known = None
            if (records := await self._records(client)) != written:
                raise _lost(self._names.documents)
            held = standing(records.values(), self._generation)
            statistics, others = await self._counted(client, held)
            await self._lease.confirm(client)
            state = {**asdict(self._state), "statistics": statistics.packed()}
            await upsert(client, self._names.index, STATE_ID, state)
            for name, ids in others.items():
                await delete(client, name, ids)
            old = [id_ for id_, each in records.items() if held.get(each.document.id) != each]
            await delete(client, self._names.documents, old)

        await self._connection.ask(write, seconds=ENDING_S)

    @property
    def _generation(self) -> int:
        return self._state.generation

    def _check(self, passage: Passage, vector: Vector) -> None:
        dimension = self._state.dimension
        if len(vector) != dimension or not all(map(math.isfinite, vector)):
            raise PassageIndexError(
                f"{passage.id}: its vector has {len(vector)} dimensions, not {dimension}, "
                "or is not finite; check the embedder"
            )

    async def _make(self, client: WeaviateAsyncClient, kind: DocumentKind) -> None:
        """Make the collection of a kind, when its first document comes."""
        if kind not in self._made:
            if not await is_there(client, self._names, kind):
                await create_passages(client, self._names, kind)
            self._made.add(kind)

    async def _forget(self, client: WeaviateAsyncClient, document: Document) -> None:
        """Drop what an ingest that was cut off has left of a document."""
        from weaviate.classes.query import Filter

        for name in (self._names.passages[document.kind], self._names.sentences):
            await client.collections.use(name).data.delete_many(
                Filter.by_property("document_id").equal(document.id)
                & Filter.by_property("generation").equal(self._generation)
            )

    async def _insert(
        self,
        client: WeaviateAsyncClient,
        kind: DocumentKind,
        pairs: Sequence[tuple[Passage, Vector]],
    ) -> None:
        from weaviate.classes.data import DataObject

        objects = [
            DataObject(
                properties=properties_of(passage, self._generation),
                uuid=passage_uuid(passage.id, self._generation),
                vector={VECTOR: [float(number) for number in vector]},
            )
            for passage, vector in pairs
        ]
        await insert(client, self._names.passages[kind], objects)

    async def _insert_sentences(
        self,
        client: WeaviateAsyncClient,
        passages: Sequence[Passage],
        sentences: Sequence[Sequence[Vector]],
    ) -> None:
        from weaviate.classes.data import DataObject

        objects = [
            DataObject(
                properties={
                    "packed": base64.b64encode(pack(vectors)).decode(),
                    "document_id": passage.document.id,
                    "generation": self._generation,
                },
                uuid=passage_uuid(passage.id, self._generation),
            )
            for passage, vectors in zip(passages, sentences, strict=True)
            if vectors
        ]
        await insert(client, self._names.sentences, objects)

    async def _keep(self, client: WeaviateAsyncClient, record: Record) -> None:
        records = await self._records(client)
        id_ = record_uuid(record.document.id, record.generation)
        await upsert(client, self._names.documents, id_, record_properties(record))
        records[id_] = record

    async def _records(self, client: WeaviateAsyncClient) -> dict[UUID, Record]:
        """Every version of every document; read once, since nobody else writes."""
        if self._known is None:
            self._known = {
                record_uuid(record.document.id, record.generation): record
                for record in await read_records(client, self._names)
            }
        return self._known

    async def _counted(
        self, client: WeaviateAsyncClient, held: Mapping[str, Record]
    ) -> tuple[Statistics, dict[str, list[UUID]]]:
        """Read every object: count the words of what is held, list what is not.

        Raises:
            PassageIndexError: not all that was written is there; the old generation stays.
        """
        texts: list[tuple[str, str]] = []
        others: dict[str, list[UUID]] = {}
        for name in (*self._names.passages.values(), self._names.sentences):
            sentences = name == self._names.sentences
            fields = OWNER_FIELDS if sentences else [*OWNER_FIELDS, "content", "stems"]
            found = Stock()
            async for item in objects_of(client, name, fields):
                if found.take(item, held) and not sentences:
                    values = item.properties
                    texts.append((str(values["content"] or ""), str(values["stems"] or "")))
                await self._lease.renew(client)
            if found.lacking(*wanted(self._names, name, held)):
                raise _lost(name)
            others[name] = found.others
        return Statistics.count(texts), others

    async def _ask(self, work: Work[Result]) -> Result:
        return await self._connection.ask(work, seconds=WRITING_S)


def _lost(name: str) -> PassageIndexError:
    return PassageIndexError(
        f"the collection {name} in Weaviate does not hold all that was written into it; has "
        "somebody deleted it meanwhile? The index is as it was; run 'elysia-guard ingest' again"
    )
