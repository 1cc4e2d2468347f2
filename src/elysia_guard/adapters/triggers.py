"""A switch for evaluations: a term whose look-up behaves as if the vocabulary did not answer."""

from __future__ import annotations

from collections.abc import Sequence

from elysia_guard.domain.concept import Concept, Labels, TermMatch
from elysia_guard.domain.errors import SourceTimeoutError
from elysia_guard.domain.question import Lang
from elysia_guard.ports import TerminologySource

TIMEOUT_TRIGGERS = ("__TEST_SKOSMOS_TIMEOUT__", "TEST_TIMEOUT_TRIGGER")
"""The words of IR0003: that of its golden set, and that of its table of categories."""


class WithTestTriggers:
    """A terminology source in which looking up one of the trigger words times out (IR0003).

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
        for trigger in TIMEOUT_TRIGGERS:
            if trigger.casefold() in term.casefold():
                raise SourceTimeoutError(f"{trigger} stands for a timeout", source="skosmos")
        return await self._source.lookup(term, lang=lang)

    async def concepts(self, uris: Sequence[str]) -> Sequence[Concept]:
        return await self._source.concepts(uris)

    async def suggest(self, term: str, *, lang: Lang, limit: int = 3) -> Sequence[Concept]:
        return await self._source.suggest(term, lang=lang, limit=limit)

    async def synonyms(self, text: str, *, lang: Lang) -> Sequence[Sequence[str]]:
        return await self._source.synonyms(text, lang=lang)

    async def labels(self) -> Labels:
        return await self._source.labels()
