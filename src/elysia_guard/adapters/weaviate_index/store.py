"""The index in a Weaviate, as ``adapters.ingest`` fills it."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict, replace
from typing import TYPE_CHECKING

from elysia_guard.adapters.index_store import Damage, Embedded, FindEmbedded, Key
from elysia_guard.adapters.weaviate_index.connection import Connection, Result, Work
from elysia_guard.adapters.weaviate_index.inspection import differs, inspect
from elysia_guard.adapters.weaviate_index.register import (
    fingerprints,
    is_counted,
    is_ours,
    is_there,
    read_records,
    read_state,
    standing,
    upsert,
    why_not,
)
from elysia_guard.adapters.weaviate_index.reuse import embedded_in
from elysia_guard.adapters.weaviate_index.schema import (
    HOUSE,
    SCHEMA_VERSION,
    STATE_ID,
    BuildState,
    Names,
    create_register,
)
from elysia_guard.adapters.weaviate_index.writer import (
    ENDING_S,
    WRITING_S,
    Lease,
    Now,
    WeaviateWriter,
    utc_now,
)

if TYPE_CHECKING:
    from weaviate import WeaviateAsyncClient


class WeaviateStore:
    """The index in a Weaviate, to be written (``adapters.index_store.IndexStore``)."""

    def __init__(self, connection: Connection, names: Names, *, now: Now = utc_now) -> None:
        """Take a connection; nothing is asked yet."""
        self._connection = connection
        self._names = names
        self._now = now

    async def why_rebuild(self, *, model_id: str, dimension: int) -> str:
        """Say why everything is to be written anew; empty if that is not necessary."""

        async def reason(client: WeaviateAsyncClient) -> str:
            state = await self._state(client)
            if state is None:
                return "the register of the index is missing" if await self._ours(client) else ""
            found = why_not(state, model_id=model_id, dimension=dimension, names=self._names)
            return found or await self._lost(client)

        return await self._ask(reason)

    async def fingerprints(self) -> Mapping[str, str]:
        """What the index holds: document id to the fingerprint it was put with."""

        async def read(client: WeaviateAsyncClient) -> Mapping[str, str]:
            state = await self._state(client)
            if state is None or not state.generation:
                return {}
            return fingerprints(await read_records(client, self._names), state.generation)

        return await self._ask(read)

    async def damage(self) -> Damage:
        """Hold every object against the register, and every collection against its schema.

        Raises:
            PassageIndexError: a collection is somebody else's; the message names the way out.
        """

        async def read(client: WeaviateAsyncClient) -> Damage:
            for kind in self._names.passages:
                await is_there(client, self._names, kind)
            state = await self._state(client)
            if state is None or not state.generation or await self._lost(client):
                return Damage()
            records = standing(await read_records(client, self._names), state.generation)
            found = await inspect(client, self._names, records)
            if await is_counted(client, self._names, records):
                return found
            finding = "the register lacks documents, or its counts of words"
            return replace(found, findings=(*found.findings, finding))

        return await self._connection.ask(read, seconds=ENDING_S)

    async def embedded(
        self, key: Key, *, model_id: str, dimension: int, of: Collection[str] | None
    ) -> FindEmbedded:
        """Read the vectors of what stands there, since a collection may be dropped before long."""

        async def read(client: WeaviateAsyncClient) -> Mapping[bytes, Embedded]:
            state = await self._state(client)
            if state is None or (state.model_id, state.dimension) != (model_id, dimension):
                return {}
            names = [
                name
                for name in _collections(state)
                if await is_ours(client, self._names, name) and not await self._odd(client, name)
            ]
            if await self._odd(client, self._names.sentences):
                return {}
            return await embedded_in(client, names, self._names.sentences, key, state, of)

        return (await self._connection.ask(read, seconds=ENDING_S)).get

    async def drops(self, *, model_id: str, dimension: int) -> Sequence[str]:
        """Name the collections, all of ours, that are deleted before anything is written."""
        wanted = self._wanted(model_id, dimension)

        async def read(client: WeaviateAsyncClient) -> Sequence[str]:
            return (await self._doomed(client, wanted))[0]

        return await self._ask(read)

    @asynccontextmanager
    async def writing(self, *, model_id: str, dimension: int) -> AsyncIterator[WeaviateWriter]:
        """Give a writer of the next generation, and make it the current one at the end.

        A reader sees all of the old index or all of the new. Work that was cut off stays, unseen,
        for the next writer to go on with. An index of another model is emptied first, and so is a
        collection of another schema; never one that is not ours.

        Raises:
            PassageIndexError: another process writes, a collection is somebody else's.
            SourceUnavailableError: Weaviate could not be asked.
        """
        lease, wanted = Lease(self._names, now=self._now), self._wanted(model_id, dimension)

        async def begun(client: WeaviateAsyncClient) -> None:
            if await differs(client, self._names, self._names.index):
                await client.collections.delete(self._names.index)
            await create_register(client, self._names)
            await lease.acquire(client)

        async def opened(client: WeaviateAsyncClient) -> BuildState:
            return await self._opened(client, wanted)

        await self._ask(begun)
        try:
            state = await self._ask(opened)
            begins = replace(state, generation=self._next(state))
            writer = WeaviateWriter(self._connection, self._names, begins, lease)
            yield writer
            await writer.commit()
        finally:
            await self._ask(lease.release)

    def _wanted(self, model_id: str, dimension: int) -> BuildState:
        return BuildState(
            schema_version=SCHEMA_VERSION,
            model_id=model_id,
            dimension=dimension,
            collections=self._names.written(),
        )

    def _next(self, state: BuildState) -> int:
        """A generation that no index has had: a rebuilt one begins anew, its readers do not."""
        return max(state.generation + 1, int(self._now().timestamp() * 1000))

    async def _opened(self, client: WeaviateAsyncClient, wanted: BuildState) -> BuildState:
        """Make the collections, after dropping those of an index that cannot be gone on with."""
        for kind in self._names.passages:
            await is_there(client, self._names, kind)
        doomed, state = await self._doomed(client, wanted)
        for name in doomed:
            await client.collections.delete(name)
        await create_register(client, self._names)
        if state is None:
            state = wanted
            await upsert(client, self._names.index, STATE_ID, asdict(wanted))
        return state

    async def _doomed(
        self, client: WeaviateAsyncClient, wanted: BuildState
    ) -> tuple[list[str], BuildState | None]:
        """The collections of ours that cannot be gone on with, and the state that then holds."""
        objects = [*self._names.passages.values(), self._names.sentences]
        state = await self._state(client)
        if state and replace(state, generation=0) == wanted and not await self._lost(client):
            return [name for name in objects if await self._odd(client, name)], state
        old = dict.fromkeys([*_collections(state), *objects, self._names.documents])
        return [name for name in old if await is_ours(client, self._names, name)], None

    async def _odd(self, client: WeaviateAsyncClient, name: str) -> bool:
        return bool(await differs(client, self._names, name))

    async def _ours(self, client: WeaviateAsyncClient) -> bool:
        """Whether anything of this index is there, whatever became of the rest."""
        everything = [*self._names.passages.values(), *self._names.beside[1:]]
        return any([await is_ours(client, self._names, name) for name in everything])

    async def _lost(self, client: WeaviateAsyncClient) -> str:
        """Say why the documents' records cannot be read; empty if they can."""
        name = self._names.documents
        if not await client.collections.exists(name):
            return f"the collection {name} is not there"
        found = await differs(client, self._names, name)
        return f"the collection {name} has another schema: {found}" if found else ""

    async def _state(self, client: WeaviateAsyncClient) -> BuildState | None:
        """What built the index; None where nothing says so any more."""
        name = self._names.index
        if not await client.collections.exists(name) or await self._odd(client, name):
            return None
        return await read_state(client, self._names)

    async def _ask(self, work: Work[Result]) -> Result:
        return await self._connection.ask(work, seconds=WRITING_S)


def _collections(state: BuildState | None) -> list[str]:
    """The names that an index gave to its collections."""
    try:
        held = json.loads(state.collections) if state else {}
        return [name for kind, name in held.items() if kind != HOUSE]
    except (AttributeError, TypeError, ValueError):
        return []
