"""A switch for evaluations: a term whose look-up behaves as if the vocabulary did not answer."""

from __future__ import annotations

from collections.abc import Sequence

from elysia_guard.domain.concept import Concept, TermMatch
from elysia_guard.domain.errors import SourceTimeoutError
from elysia_guard.domain.question import Lang
from elysia_guard.ports import TerminologySource

TIMEOUT_TRIGGER = "__TEST_SKOSMOS_TIMEOUT__"


class WithTestTriggers:
    """A terminology source in which looking up ``__TEST_SKOSMOS_TIMEOUT__`` times out (IR0003).

    Wiring wraps the source in this only where ``test_triggers`` is on, so that nobody can degrade
    a live service by asking for the word.
    """

    def __init__(self, source: TerminologySource) -> None:
        """Wrap a source."""
        self._source = source

    @property
    def name(self) -> str:
        return self._source.name

    async def lookup(self, term: str, *, lang: Lang) -> Sequence[TermMatch]:
        if TIMEOUT_TRIGGER in term:
            raise SourceTimeoutError(f"{TIMEOUT_TRIGGER} stands for a timeout", source="skosmos")
        return await self._source.lookup(term, lang=lang)

    async def concepts(self, uris: Sequence[str]) -> Sequence[Concept]:
        return await self._source.concepts(uris)

    async def suggest(self, term: str, *, lang: Lang, limit: int = 3) -> Sequence[Concept]:
        return await self._source.suggest(term, lang=lang, limit=limit)

    async def synonyms(self, text: str, *, lang: Lang) -> Sequence[Sequence[str]]:
        return await self._source.synonyms(text, lang=lang)
