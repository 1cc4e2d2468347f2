"""Sources that tell the observer what becomes of each call: for IR0003's counters and logs."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence

from elysia_guard.domain.concept import TermMatch
from elysia_guard.domain.document import DocumentKind, Filters, Hit
from elysia_guard.domain.errors import (
    CircuitOpenError,
    SourceTimeoutError,
    SourceUnavailableError,
)
from elysia_guard.domain.events import (
    EmbeddingEnded,
    EmbeddingOutcome,
    LookupEnded,
    LookupOutcome,
    SearchEnded,
)
from elysia_guard.domain.question import Lang
from elysia_guard.ports import (
    Clock,
    Embedder,
    Observer,
    PassageIndex,
    TerminologySource,
    Vector,
)
from elysia_guard.scoping import IndexView, TerminologyView

Collections = Mapping[DocumentKind, str]


def _named(kinds: Sequence[DocumentKind], collections: Collections) -> tuple[str, ...]:
    """Name the collections of some kinds of documents, or all where none is named."""
    return tuple(dict.fromkeys(collections[kind] for kind in kinds or collections))


class Observed(TerminologyView):
    """Tells the observer one ``LookupEnded`` for each look-up that the source was asked for.

    One that is cancelled, or that an open circuit breaker turned away, tells nothing: the source
    was not heard.

    Args:
        source: is asked.
        observe: is told.
        backend: names the kind of source in the metrics.
        clock: tells the time.
    """

    def __init__(
        self,
        source: TerminologySource,
        observe: Observer,
        *,
        backend: str = "skosmos",
        clock: Clock = time.monotonic,
    ) -> None:
        super().__init__(source)
        self._observe = observe
        self._backend = backend
        self._clock = clock

    async def lookup(self, term: str, *, lang: Lang) -> Sequence[TermMatch]:
        started = self._clock()
        try:
            matches = await self._source.lookup(term, lang=lang)
        except CircuitOpenError:
            raise
        except SourceUnavailableError as err:
            late = isinstance(err, SourceTimeoutError)
            self._tell(term, "timeout" if late else "error", started, cause=str(err))
            raise
        self._tell(term, "hit" if matches else "miss", started)
        return matches

    def kept(self, term: str, matches: Sequence[TermMatch]) -> None:
        """Take note of a look-up that was answered without asking the source."""
        self._tell(term, "hit" if matches else "miss", self._clock(), cached=True)

    def _tell(
        self,
        term: str,
        outcome: LookupOutcome,
        started: float,
        *,
        cached: bool = False,
        cause: str = "",
    ) -> None:
        self._observe(
            LookupEnded(
                term=term,
                outcome=outcome,
                backend=self._backend,
                cached=cached,
                cause=cause,
                elapsed_ms=(self._clock() - started) * 1000,
            )
        )


class ObservedEmbedder:
    """Tells the observer one ``EmbeddingEnded`` for each question that is searched for.

    One that is cancelled tells nothing, and neither do passages: they belong to no search.

    Args:
        embedder: is asked.
        observe: is told.
        collections: the name of the collection of each kind of document.
        clock: tells the time.
    """

    def __init__(
        self,
        embedder: Embedder,
        observe: Observer,
        *,
        collections: Collections,
        clock: Clock = time.monotonic,
    ) -> None:
        self._embedder = embedder
        self._observe = observe
        self._collections = collections
        self._clock = clock

    @property
    def model_id(self) -> str:
        return self._embedder.model_id

    @property
    def dimension(self) -> int:
        return self._embedder.dimension

    async def embed(self, texts: Sequence[str]) -> Sequence[Vector]:
        return await self._embedder.embed(texts)

    async def embed_question(
        self, text: str, *, kinds: Sequence[DocumentKind] | None = None
    ) -> Vector:
        started = self._clock()
        try:
            vector = await self._embedder.embed_question(text, kinds=kinds)
        except SourceUnavailableError as err:
            self._tell(_outcome(err), kinds, started)
            raise
        self._tell("done", kinds, started)
        return vector

    def _tell(
        self, outcome: EmbeddingOutcome, kinds: Sequence[DocumentKind] | None, started: float
    ) -> None:
        if kinds is None:
            return
        self._observe(
            EmbeddingEnded(
                collections=_named(kinds, self._collections),
                outcome=outcome,
                elapsed_ms=(self._clock() - started) * 1000,
            )
        )


def _outcome(err: SourceUnavailableError) -> EmbeddingOutcome:
    if isinstance(err, CircuitOpenError):
        return "circuit_open"
    return "timeout" if isinstance(err, SourceTimeoutError) else "error"


class ObservedIndex(IndexView):
    """Tells the observer one ``SearchEnded`` for each search, also one that failed.

    Args:
        index: is searched.
        observe: is told.
        collections: the name of the collection of each kind of document.
        clock: tells the time.
    """

    def __init__(
        self,
        index: PassageIndex,
        observe: Observer,
        *,
        collections: Collections,
        clock: Clock = time.monotonic,
    ) -> None:
        super().__init__(index)
        self._observe = observe
        self._collections = collections
        self._clock = clock

    async def search(
        self,
        query: str,
        vector: Vector | None,
        *,
        filters: Filters,
        limit: int = 10,
    ) -> Sequence[Hit]:
        started = self._clock()
        try:
            return await super().search(query, vector, filters=filters, limit=limit)
        finally:
            self._observe(
                SearchEnded(
                    collections=_named(filters.kinds, self._collections),
                    by_words_alone=vector is None,
                    elapsed_ms=(self._clock() - started) * 1000,
                )
            )
