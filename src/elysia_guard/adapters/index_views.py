"""Passage indexes that stand for another one: asked once while it is down, or not there at all."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from elysia_guard.domain.context import current_request
from elysia_guard.domain.document import Document, Filters, Hit, IndexInfo, Passage
from elysia_guard.domain.errors import SourceUnavailableError
from elysia_guard.domain.question import Lang
from elysia_guard.ports import PassageIndex, Vector
from elysia_guard.resilience.calls import instead

SOURCE = "index"
ASKS = "search rarity spelt_like holding documents passages info version".split()


def asked_once(index: PassageIndex) -> PassageIndex:
    """Return an index whose failure is remembered for as long as a question is under way.

    Otherwise every stage that needs it waits for its deadline again: the search, the ways on of the
    refusal, the example of a help text. Outside of any question it is asked every time.
    """

    def once(name: str) -> Callable[..., Awaitable[Any]]:
        async def ask(*args: Any, **kwargs: Any) -> Any:
            request = current_request()
            if request and (failed := request.unavailable.get(SOURCE)):
                raise failed
            try:
                return await getattr(index, name)(*args, **kwargs)
            except SourceUnavailableError as err:
                if request:
                    request.unavailable[SOURCE] = err
                raise

        return ask

    return instead(index, **{name: once(name) for name in ASKS})


class EmptyIndex:
    """A ``PassageIndex`` of no documents: where none are configured."""

    async def search(
        self,
        query: str,
        vector: Vector | None,
        *,
        filters: Filters,
        limit: int = 10,
    ) -> Sequence[Hit]:
        """Find nothing."""
        return []

    async def rarity(self, words: Sequence[str], *, lang: Lang) -> Mapping[str, float]:
        """Every word is in no passage."""
        return dict.fromkeys(words, 1.0)

    async def spelt_like(self, words: Sequence[str]) -> Mapping[str, Mapping[str, int]]:
        """No word is like any."""
        return {word: {} for word in words}

    async def holding(self, words: Sequence[str], *, filters: Filters) -> Sequence[Passage]:
        """None holds any."""
        return []

    async def documents(self, filters: Filters) -> Sequence[Document]:
        """Return none."""
        return []

    async def passages(self, document_id: str) -> Sequence[Passage]:
        """Return none."""
        return []

    async def info(self) -> IndexInfo:
        """Describe nothing."""
        return IndexInfo(
            location="nowhere",
            documents=0,
            passages=0,
            model_id="",
            dimension=0,
            schema_version=0,
            by_type={},
        )

    async def version(self) -> str:
        """Stay as it is."""
        return ""
