"""A source that could not be asked is not asked again within the same question.

Otherwise every stage that needs it waits for its deadline again: the search, the ways on of the
refusal, the example of a help text.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TypeVar

from elysia_guard.domain.context import current_request
from elysia_guard.domain.document import Document, Filters, Hit, IndexInfo, Passage
from elysia_guard.domain.errors import SourceUnavailableError
from elysia_guard.domain.question import Lang
from elysia_guard.ports import PassageIndex, SecondVector, Vector

SOURCE = "index"

Result = TypeVar("Result")


class AskedOnce:
    """A passage index whose failure is remembered for as long as a question is under way."""

    def __init__(self, index: PassageIndex) -> None:
        """Wrap an index; outside of any question it is asked every time."""
        self._index = index

    async def search(
        self,
        query: str,
        vector: Vector | None,
        *,
        filters: Filters,
        limit: int = 10,
        second: SecondVector | None = None,
    ) -> Sequence[Hit]:
        return await _once(
            lambda: self._index.search(query, vector, filters=filters, limit=limit, second=second)
        )

    async def rarity(self, words: Sequence[str], *, lang: Lang) -> Mapping[str, float]:
        return await _once(lambda: self._index.rarity(words, lang=lang))

    async def spelt_like(self, words: Sequence[str]) -> Mapping[str, Mapping[str, int]]:
        return await _once(lambda: self._index.spelt_like(words))

    async def documents(self, filters: Filters) -> Sequence[Document]:
        return await _once(lambda: self._index.documents(filters))

    async def passages(self, document_id: str) -> Sequence[Passage]:
        return await _once(lambda: self._index.passages(document_id))

    async def info(self) -> IndexInfo:
        return await _once(self._index.info)

    async def version(self) -> str:
        return await _once(self._index.version)


async def _once(ask: Callable[[], Awaitable[Result]]) -> Result:
    request = current_request()
    if request and (failed := request.unavailable.get(SOURCE)):
        raise failed
    try:
        return await ask()
    except SourceUnavailableError as err:
        if request:
            request.unavailable[SOURCE] = err
        raise
