"""A terminology source behind a circuit breaker."""

from __future__ import annotations

from collections.abc import Sequence

from elysia_guard.domain.concept import Concept, Labels, TermMatch
from elysia_guard.domain.question import Lang
from elysia_guard.ports import TerminologySource
from elysia_guard.resilience.breaker import Breaker


class Guarded:
    """Leaves a source alone while its breaker is open.

    What a source suggests comes from labels kept beside, and works while the server is away.
    """

    def __init__(self, source: TerminologySource, breaker: Breaker) -> None:
        """Wrap a source; every call that reaches the server passes the breaker."""
        self._source = source
        self._breaker = breaker

    @property
    def name(self) -> str:
        return self._source.name

    async def lookup(self, term: str, *, lang: Lang) -> Sequence[TermMatch]:
        with self._breaker.attempt():
            return await self._source.lookup(term, lang=lang)

    async def concepts(self, uris: Sequence[str]) -> Sequence[Concept]:
        with self._breaker.attempt():
            return await self._source.concepts(uris)

    async def suggest(self, term: str, *, lang: Lang, limit: int = 3) -> Sequence[Concept]:
        return await self._source.suggest(term, lang=lang, limit=limit)

    async def synonyms(self, text: str, *, lang: Lang) -> Sequence[Sequence[str]]:
        return await self._source.synonyms(text, lang=lang)

    async def labels(self) -> Labels:
        return await self._source.labels()
