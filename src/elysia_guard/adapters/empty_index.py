"""A passage index of no documents: where none are configured."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from elysia_guard.domain.document import Document, Filters, Hit, IndexInfo, Passage
from elysia_guard.domain.question import Lang
from elysia_guard.ports import SecondVector, Vector


class EmptyIndex:
    """A ``PassageIndex`` that holds nothing."""

    async def search(
        self,
        query: str,
        vector: Vector | None,
        *,
        filters: Filters,
        limit: int = 10,
        second: SecondVector | None = None,
    ) -> Sequence[Hit]:
        """Find nothing."""
        return []

    async def rarity(self, words: Sequence[str], *, lang: Lang) -> Mapping[str, float]:
        """Every word is in no passage."""
        return dict.fromkeys(words, 1.0)

    async def spelt_like(self, words: Sequence[str]) -> Mapping[str, Mapping[str, int]]:
        """No word is like any."""
        return {word: {} for word in words}

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
