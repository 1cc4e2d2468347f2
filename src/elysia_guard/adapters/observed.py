"""A terminology source that tells what becomes of each look-up: for IR0003's counters and logs."""

from __future__ import annotations

import time
from collections.abc import Sequence

from elysia_guard.domain.concept import Concept, TermMatch
from elysia_guard.domain.errors import (
    CircuitOpenError,
    SourceTimeoutError,
    SourceUnavailableError,
)
from elysia_guard.domain.events import LookupEnded, LookupOutcome
from elysia_guard.domain.question import Lang
from elysia_guard.ports import Clock, Observer, TerminologySource


class Observed:
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
        self._source = source
        self._observe = observe
        self._backend = backend
        self._clock = clock

    @property
    def name(self) -> str:
        return self._source.name

    async def lookup(self, term: str, *, lang: Lang) -> Sequence[TermMatch]:
        started = self._clock()
        try:
            matches = await self._source.lookup(term, lang=lang)
        except CircuitOpenError:
            raise
        except SourceUnavailableError as err:
            late = isinstance(err, SourceTimeoutError)
            self._tell(term, "timeout" if late else "error", started)
            raise
        self._tell(term, "hit" if matches else "miss", started)
        return matches

    def kept(self, term: str, matches: Sequence[TermMatch]) -> None:
        """Take note of a look-up that was answered without asking the source."""
        self._tell(term, "hit" if matches else "miss", self._clock(), cached=True)

    async def concepts(self, uris: Sequence[str]) -> Sequence[Concept]:
        return await self._source.concepts(uris)

    async def suggest(self, term: str, *, lang: Lang, limit: int = 3) -> Sequence[Concept]:
        return await self._source.suggest(term, lang=lang, limit=limit)

    async def synonyms(self, text: str, *, lang: Lang) -> Sequence[Sequence[str]]:
        return await self._source.synonyms(text, lang=lang)

    def _tell(
        self, term: str, outcome: LookupOutcome, started: float, *, cached: bool = False
    ) -> None:
        self._observe(
            LookupEnded(
                term=term,
                outcome=outcome,
                backend=self._backend,
                cached=cached,
                elapsed_ms=(self._clock() - started) * 1000,
            )
        )
