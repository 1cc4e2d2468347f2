"""The index in a Weaviate, as ``adapters.ingest`` fills it."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import asdict, replace
from typing import TYPE_CHECKING

from elysia_guard.adapters.weaviate_index.connection import Connection, Result, Work
from elysia_guard.adapters.weaviate_index.lease import Lease, Now, utc_now
from elysia_guard.adapters.weaviate_index.objects import is_there, upsert
from elysia_guard.adapters.weaviate_index.register import (
    fingerprints,
    read_records,
    read_state,
    why_not,
)
from elysia_guard.adapters.weaviate_index.schema import (
    SCHEMA_VERSION,
    STATE_ID,
    Names,
    State,
    create_register,
)
from elysia_guard.adapters.weaviate_index.writer import WRITING_S, WeaviateWriter

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
        """Say why everything is to be embedded anew; empty if that is not necessary."""
        state = await self._ask(self._state)
        if state is None:
            return ""
        return why_not(state, model_id=model_id, dimension=dimension, names=self._names)

    async def fingerprints(self) -> Mapping[str, str]:
        """What the index holds: document id to the fingerprint it was put with."""

        async def read(client: WeaviateAsyncClient) -> Mapping[str, str]:
            state = await self._state(client)
            if state is None or not state.generation:
                return {}
            return fingerprints(await read_records(client, self._names), state.generation)

        return await self._ask(read)

    @asynccontextmanager
    async def writing(self, *, model_id: str, dimension: int) -> AsyncIterator[WeaviateWriter]:
        """Give a writer of the next generation, and make it the current one at the end.

        A reader sees all of the old index or all of the new. Work that was cut off stays, unseen,
        for the next writer to go on with. An index of another model is emptied first.

        Raises:
            PassageIndexError: another process writes, or a collection is somebody else's.
            SourceUnavailableError: Weaviate could not be asked.
        """
        lease = Lease(self._names, now=self._now)
        wanted = State(
            schema_version=SCHEMA_VERSION,
            model_id=model_id,
            dimension=dimension,
            collections=self._names.written(),
        )

        async def begun(client: WeaviateAsyncClient) -> None:
            await create_register(client, self._names)
            await lease.acquire(client)

        async def opened(client: WeaviateAsyncClient) -> State:
            return await self._opened(client, wanted)

        await self._ask(begun)
        try:
            state = await self._ask(opened)
            writer = WeaviateWriter(self._connection, self._names, state, lease)
            yield writer
            await writer.commit()
        finally:
            await self._ask(lease.release)

    async def _opened(self, client: WeaviateAsyncClient, wanted: State) -> State:
        """Make the collections, after dropping those of an index that cannot be gone on with."""
        state = await read_state(client, self._names)
        if state and replace(state, generation=0) != wanted:
            old = [*json.loads(state.collections).values(), *self._names.beside[1:]]
            for name in dict.fromkeys(old):
                await client.collections.delete(name)
            state = None
        await create_register(client, self._names)
        for kind in self._names.passages:
            await is_there(client, self._names, kind)
        if state is None:
            state = wanted
            await upsert(client, self._names.index, STATE_ID, asdict(wanted))
        return state

    async def _state(self, client: WeaviateAsyncClient) -> State | None:
        if not await client.collections.exists(self._names.index):
            return None
        return await read_state(client, self._names)

    async def _ask(self, work: Work[Result]) -> Result:
        return await self._connection.ask(work, seconds=WRITING_S)
