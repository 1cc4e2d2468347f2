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
from elysia_guard.resilience.calls import instead

Collections = Mapping[DocumentKind, str]


class Lookups:
    """Tells the observer one ``LookupEnded`` for each look-up.

    Args:
        observe: is told.
        backend: names the kind of source in the metrics.
        clock: tells the time.
    """

    def __init__(
        self, observe: Observer, *, backend: str = "skosmos", clock: Clock = time.monotonic
    ) -> None:
        self._observe = observe
        self._backend = backend
        self._clock = clock

    def of(self, source: TerminologySource) -> TerminologySource:
        """Return the source, its look-ups told.

        One that is cancelled, or that an open circuit breaker turned away, tells nothing: the
        source was not heard.
        """

        async def lookup(term: str, *, lang: Lang) -> Sequence[TermMatch]:
            started = self._clock()
            try:
                matches = await source.lookup(term, lang=lang)
            except CircuitOpenError:
                raise
            except SourceUnavailableError as err:
                late = isinstance(err, SourceTimeoutError)
                self._tell(term, "timeout" if late else "error", started, cause=str(err))
                raise
            self._tell(term, "hit" if matches else "miss", started)
            return matches

        return instead(source, lookup=lookup)

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


def observed_embedder(
    embedder: Embedder,
    observe: Observer,
    *,
    collections: Collections,
    clock: Clock = time.monotonic,
) -> Embedder:
    """Tell the observer one ``EmbeddingEnded`` for each question that is searched for.

    One that is cancelled tells nothing, and neither do passages: they belong to no search.
    """

    async def embed_question(text: str, *, kinds: Sequence[DocumentKind] | None = None) -> Vector:
        def tell(outcome: EmbeddingOutcome) -> None:
            if kinds is not None:
                names, elapsed_ms = _named(kinds, collections), (clock() - started) * 1000
                observe(EmbeddingEnded(collections=names, outcome=outcome, elapsed_ms=elapsed_ms))

        started = clock()
        try:
            vector = await embedder.embed_question(text, kinds=kinds)
        except SourceUnavailableError as err:
            tell(_outcome(err))
            raise
        tell("done")
        return vector

    return instead(embedder, embed_question=embed_question)


def _outcome(err: SourceUnavailableError) -> EmbeddingOutcome:
    if isinstance(err, CircuitOpenError):
        return "circuit_open"
    return "timeout" if isinstance(err, SourceTimeoutError) else "error"


def observed_index(
    index: PassageIndex,
    observe: Observer,
    *,
    collections: Collections,
    clock: Clock = time.monotonic,
) -> PassageIndex:
    """Tell the observer one ``SearchEnded`` for each search, also one that failed."""

    async def search(
        query: str, vector: Vector | None, *, filters: Filters, limit: int = 10
    ) -> Sequence[Hit]:
        started = clock()
        try:
            return await index.search(query, vector, filters=filters, limit=limit)
        finally:
            observe(
                SearchEnded(
                    collections=_named(filters.kinds, collections),
                    by_words_alone=vector is None,
                    elapsed_ms=(clock() - started) * 1000,
                )
            )

    return instead(index, search=search)


def _named(kinds: Sequence[DocumentKind], collections: Collections) -> tuple[str, ...]:
    """Name the collections of some kinds of documents, or all where none is named."""
    return tuple(dict.fromkeys(collections[kind] for kind in kinds or collections))
