"""A vocabulary on a Skosmos server for callers in any event loop, or in none."""

from __future__ import annotations

from collections.abc import Sequence

from elysia_guard.adapters.background import BackgroundLoop
from elysia_guard.domain.concept import Concept, Labels, TermMatch
from elysia_guard.domain.question import Lang
from elysia_guard.ports import TerminologySource


class FromAnyLoop:
    """A terminology source whose requests run in a loop of its own, for callers in any loop.

    What it suggests needs no requests, and is worked out where the caller is.
    """

    def __init__(self, source: TerminologySource, loop: BackgroundLoop) -> None:
        """Wrap a source that no other loop uses."""
        self._source = source
        self._loop = loop

    @property
    def name(self) -> str:
        return self._source.name

    async def lookup(self, term: str, *, lang: Lang) -> Sequence[TermMatch]:
        return await self._loop.arun(self._source.lookup(term, lang=lang))

    async def concepts(self, uris: Sequence[str]) -> Sequence[Concept]:
        return await self._loop.arun(self._source.concepts(uris))

    async def suggest(self, term: str, *, lang: Lang, limit: int = 3) -> Sequence[Concept]:
        return await self._source.suggest(term, lang=lang, limit=limit)

    async def synonyms(self, text: str, *, lang: Lang) -> Sequence[Sequence[str]]:
        return await self._source.synonyms(text, lang=lang)

    async def labels(self) -> Labels:
        return await self._source.labels()
