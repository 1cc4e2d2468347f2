"""Searching a Weaviate: BM25 and cosine, fused by rank."""

from __future__ import annotations

import asyncio
import math
import weakref
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from elysia_guard.adapters.hybrid import rarity_of
from elysia_guard.adapters.weaviate_index.connection import Connection
from elysia_guard.adapters.weaviate_index.inspection import REPAIR, amiss, shortage
from elysia_guard.adapters.weaviate_index.register import (
    GenerationSnapshot,
    read_snapshot,
    read_state,
    why_not,
)
from elysia_guard.adapters.weaviate_index.schema import (
    PASSAGE_FIELDS,
    BuildState,
    Names,
    passage_of,
)
from elysia_guard.adapters.weaviate_index.search import MOST, GenerationSearch
from elysia_guard.domain.context import RequestContext, current_request
from elysia_guard.domain.document import Document, Filters, Hit, IndexInfo, Passage
from elysia_guard.domain.errors import PassageIndexError
from elysia_guard.domain.question import Lang
from elysia_guard.domain.search_weights import WeightsByKind
from elysia_guard.ports import Vector
from elysia_guard.resilience.together import together

if TYPE_CHECKING:
    from weaviate import WeaviateAsyncClient

LOADING_S = 60.0

Result = TypeVar("Result")
Read = Callable[["WeaviateAsyncClient", GenerationSnapshot], Awaitable[Result]]


class WeaviateIndex:
    """The ``PassageIndex`` in a Weaviate.

    What it holds is read once for each generation and kept: the documents, and how often words
    occur. Each call asks first whether there is a new one. May be called from any event loop.
    """

    def __init__(
        self,
        connection: Connection,
        names: Names,
        *,
        model_id: str,
        dimension: int,
        weights: WeightsByKind | None = None,
    ) -> None:
        """Take a connection; nothing is asked yet.

        Args:
            connection: to the server.
            names: of the collections.
            model_id: the model whose vectors are compared; an index of another is refused.
            dimension: of its vectors.
            weights: what the rankings of a search count, by the kind of document.
        """
        self._connection = connection
        self._names = names
        self._model_id = model_id
        self._dimension = dimension
        self._weights = weights or {}
        self._current: GenerationSnapshot | None = None
        self._loading: asyncio.Task[GenerationSnapshot] | None = None
        self._counted: tuple[weakref.ref[RequestContext], GenerationSnapshot] | None = None

    def close(self) -> None:
        """Close the connections."""
        self._connection.close()

    async def search(
        self,
        query: str,
        vector: Vector | None,
        *,
        filters: Filters,
        limit: int = 10,
    ) -> Sequence[Hit]:
        """Search by words and, where a vector is given, by meaning (see ``PassageIndex``).

        Raises:
            PassageIndexError: the vector is not of the index's model, or there is no index.
            SourceUnavailableError: it could not be asked, or did not answer within the deadline.
        """
        self._check_vector(vector)
        return await self._reading(
            lambda *held: self._search(*held).hits(query, vector, filters=filters, limit=limit)
        )

    async def rarity(self, words: Sequence[str], *, lang: Lang) -> Mapping[str, float]:
        counts = (await self._whole()).statistics
        return rarity_of(words, lang, counts, counts.passages)

    async def spelt_like(self, words: Sequence[str]) -> Mapping[str, Mapping[str, int]]:
        # What was read last is good enough to mend a word by, and saves asking the server.
        return (self._current or await self._whole()).spelt_like(words)

    async def holding(self, words: Sequence[str], *, filters: Filters) -> Sequence[Passage]:
        return await self._reading(lambda *held: self._search(*held).holding(words, filters))

    async def documents(self, filters: Filters) -> Sequence[Document]:
        """Return the documents that pass the filters, by kind, number, approval and path."""
        return (await self._whole()).select(filters)

    async def passages(self, document_id: str) -> Sequence[Passage]:
        """Return a document's passages in reading order; none if it is not there."""
        return await self._reading(lambda client, held: self._passages(client, held, document_id))

    async def info(self) -> IndexInfo:
        """Describe the index."""
        snapshot = await self._whole()
        documents = snapshot.select(Filters(approval=None))
        return IndexInfo(
            location=f"Weaviate ({', '.join(self._names.passages.values())})",
            documents=len(documents),
            passages=snapshot.statistics.passages,
            model_id=snapshot.state.model_id,
            dimension=snapshot.state.dimension,
            schema_version=snapshot.state.schema_version,
            by_type=dict(Counter(document.doc_type for document in documents)),
        )

    async def version(self) -> str:
        """Name the generation that is there now."""
        return repr(await self._connection.ask(self._state))

    def _search(
        self, client: WeaviateAsyncClient, snapshot: GenerationSnapshot
    ) -> GenerationSearch:
        return GenerationSearch(client, self._names, snapshot, self._weights)

    def _check_vector(self, vector: Vector | None) -> None:
        if vector is None:
            return
        if len(vector) != self._dimension or not all(map(math.isfinite, vector)):
            raise PassageIndexError(
                f"the query's vector has {len(vector)} dimensions, or is not finite; the index "
                f"has {self._dimension}: embed with {self._model_id}"
            )

    async def _whole(self) -> GenerationSnapshot:
        """Return the current generation, of which nothing is missing."""

        async def itself(
            _: WeaviateAsyncClient, snapshot: GenerationSnapshot
        ) -> GenerationSnapshot:
            return snapshot

        return await self._reading(itself)

    async def _reading(self, read: Read[Result]) -> Result:
        async def with_snapshot(client: WeaviateAsyncClient) -> Result:
            # Until nothing changes meanwhile: what is read while an ingest comes to its end may be
            # of the old and the new. The deadline ends it, if nothing else does.
            while True:
                before = await self._snapshot(client)
                result = await read(client, before)
                lacking = await self._lacking(client, before)
                if lacking is not None:
                    if lacking:
                        raise PassageIndexError(f"{lacking}; {REPAIR}")
                    return result

        async def explained(client: WeaviateAsyncClient) -> Result:
            from weaviate.exceptions import WeaviateQueryError

            try:
                return await with_snapshot(client)
            except WeaviateQueryError:
                if reason := await amiss(client, self._names):
                    raise PassageIndexError(f"{reason}; {REPAIR}") from None
                raise

        return await self._connection.ask(explained)

    async def _lacking(
        self, client: WeaviateAsyncClient, snapshot: GenerationSnapshot
    ) -> str | None:
        """Say what of a generation is missing; None if it is no longer the one to be read."""
        request = current_request()
        if request and self._counted_for(request, snapshot):
            return "" if await self._state(client) == snapshot.state else None
        works: list[Coroutine[Any, Any, Any]] = [
            self._state(client),
            shortage(client, self._names, snapshot),
        ]
        state, lacking = await together(*works)
        if lacking:
            # An ingest that has just ended takes away what the old generation still counts on.
            state = await self._state(client)
        elif request:
            self._counted = weakref.ref(request), snapshot
        return str(lacking) if state == snapshot.state else None

    def _counted_for(self, request: RequestContext, snapshot: GenerationSnapshot) -> bool:
        """Whether the objects were counted for this question already: once is enough."""
        if self._counted is None:
            return False
        counted_for, counted = self._counted
        return counted_for() is request and counted is snapshot

    async def _snapshot(self, client: WeaviateAsyncClient) -> GenerationSnapshot:
        state = await self._state(client)
        if self._current is None or self._current.state != state:
            self._current = await asyncio.shield(self._load(client))
        return self._current

    def _load(self, client: WeaviateAsyncClient) -> asyncio.Task[GenerationSnapshot]:
        """Load the generation; a caller whose time is up leaves the work to those after it."""
        if self._loading is None or self._loading.done():
            self._loading = asyncio.create_task(self._loaded(client))
            self._loading.add_done_callback(_retrieved)
        return self._loading

    async def _loaded(self, client: WeaviateAsyncClient) -> GenerationSnapshot:
        async with asyncio.timeout(LOADING_S):
            while True:
                state = await self._state(client)
                try:
                    return await read_snapshot(client, self._names, state)
                except PassageIndexError:
                    # An ingest that ends meanwhile leaves nothing whole of what was before.
                    if await self._state(client) == state:
                        raise

    async def _state(self, client: WeaviateAsyncClient) -> BuildState:
        return self._check(await read_state(client, self._names))

    def _check(self, state: BuildState | None) -> BuildState:
        if state is None or not state.generation:
            raise PassageIndexError(
                "Weaviate holds no complete index yet; fill it with 'elysia-guard ingest'"
            )
        reason = why_not(
            state, model_id=self._model_id, dimension=self._dimension, names=self._names
        )
        if reason:
            raise PassageIndexError(
                f"the index in Weaviate cannot be used: {reason}; run 'elysia-guard ingest' again"
            )
        return state

    async def _passages(
        self, client: WeaviateAsyncClient, snapshot: GenerationSnapshot, document_id: str
    ) -> list[Passage]:
        from weaviate.classes.query import Filter

        record = snapshot.records.get(document_id)
        if record is None:
            return []
        found = await client.collections.use(
            self._names.passages[record.document.kind]
        ).query.fetch_objects(
            filters=Filter.by_property("document_id").equal(document_id)
            & Filter.by_property("generation").equal(record.generation),
            limit=MOST,
            return_properties=PASSAGE_FIELDS,
        )
        passages = [passage_of(item.properties, record.document) for item in found.objects]
        return sorted(passages, key=lambda passage: passage.position)


def _retrieved(task: asyncio.Task[GenerationSnapshot]) -> None:
    """Take note of an error that nobody waited for."""
    if not task.cancelled():
        task.exception()
