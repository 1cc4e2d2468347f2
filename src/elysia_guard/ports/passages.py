"""What the stages need of the knowledge base."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from elysia_guard.domain.document import Document, Filters, Hit, IndexInfo, Passage
from elysia_guard.domain.question import Lang
from elysia_guard.ports.embedding import Vector


@dataclass(frozen=True, kw_only=True, slots=True)
class SecondVector:
    """What is asked as a second model embeds it, and the language it is asked in."""

    vector: Vector
    lang: Lang


class PassageIndex(Protocol):
    """The knowledge base, cut into passages."""

    async def search(
        self,
        query: str,
        vector: Vector | None,
        *,
        filters: Filters,
        limit: int = 10,
        second: SecondVector | None = None,
    ) -> Sequence[Hit]:
        """Search by words and, where a vector is given, by meaning; return the best, fused by rank.

        With a vector every hit carries its true cosine distance, also those found by words alone.
        The three best by words alone and the three nearest by meaning alone are always among
        them, so that a passage in another language is not crowded out by shared words. An index
        may count what a word is called in another language (``language.glossary``) as shared.

        ``second`` adds, beside a vector, the ranking of a second model that the index was filled
        with too, and the three nearest by it; distances stay those of the first.

        Raises:
            PassageIndexError: a vector is not one of the index's models.
            SourceUnavailableError: the index could not be asked.
        """

    async def rarity(self, words: Sequence[str], *, lang: Lang) -> Mapping[str, float]:
        """Tell how rare each word (or its stem) is among the passages.

        From 0 (in every passage) to 1 (in none): log((n + 1) / (df + 1)) / log(n + 1), with n
        passages, of which df hold the word.

        Raises:
            SourceUnavailableError: the index could not be asked.
        """

    async def spelt_like(self, words: Sequence[str]) -> Mapping[str, Mapping[str, int]]:
        """Tell, for each word that stands in no passage, those written nearly alike that do.

        A word that a passage or a title holds, or whose stem in any language one holds, is left
        out. Each near word comes with the number of passages that hold it, the nearest first; an
        index may know it without its diacritics.

        Raises:
            SourceUnavailableError: the index could not be asked.
        """

    async def documents(self, filters: Filters) -> Sequence[Document]:
        """Return the documents that pass the filters, ordered by kind, number, approval, path."""

    async def passages(self, document_id: str) -> Sequence[Passage]:
        """Return a document's passages in reading order."""

    async def info(self) -> IndexInfo:
        """Describe the index."""

    async def version(self) -> str:
        """Name what is held now: another name whenever a document may be another, and cheap to ask.

        Raises:
            SourceUnavailableError: the index could not be asked.
        """
