"""The sources as one question sees them: the only way from the stages to vocabulary and index.

A stage that forgets a filter still gets nothing from beyond the question's scope.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from elysia_guard.domain.concept import Concept, Labels, TermMatch
from elysia_guard.domain.document import Document, Filters, Hit, IndexInfo, Passage
from elysia_guard.domain.question import Lang
from elysia_guard.domain.scope import CollectionScope
from elysia_guard.ports import PassageIndex, TerminologySource, Vector


@dataclass(frozen=True, kw_only=True, slots=True)
class ReachableSources:
    """What a question may ask."""

    terminology: TerminologySource
    index: PassageIndex


def sources_in(
    scope: CollectionScope, terminology: TerminologySource | None, index: PassageIndex
) -> ReachableSources:
    """Return the sources as far as a scope reaches; without a vocabulary no term is known."""
    terms = terminology if terminology and scope.defines else ClosedVocabulary(terminology)
    seen = index if scope.kinds is None else ScopedIndex(index, scope)
    return ReachableSources(terminology=terms, index=seen)


class ScopedIndex:
    """A ``PassageIndex`` of the documents that a scope admits.

    How rare a word is, is counted over the whole index, as the calibration was: it names nothing.
    """

    def __init__(self, index: PassageIndex, scope: CollectionScope) -> None:
        """Take the index, and what of it may be seen."""
        self._index = index
        self._scope = scope

    async def search(
        self,
        query: str,
        vector: Vector | None,
        *,
        filters: Filters,
        limit: int = 10,
    ) -> Sequence[Hit]:
        """Search what the scope admits."""
        narrowed = self._scope.narrow(filters)
        if narrowed is None:
            return []
        found = await self._index.search(query, vector, filters=narrowed, limit=limit)
        return [hit for hit in found if self._scope.admits(hit.passage.document)]

    async def rarity(self, words: Sequence[str], *, lang: Lang) -> Mapping[str, float]:
        """Tell how rare words are in the whole index."""
        return await self._index.rarity(words, lang=lang)

    async def spelt_like(self, words: Sequence[str]) -> Mapping[str, Mapping[str, int]]:
        """Tell of words written nearly alike those that the documents admitted hold."""
        found = await self._index.spelt_like(words)
        return {
            word: {other: count for other, count in near.items() if await self._holds(other)}
            for word, near in found.items()
        }

    async def _holds(self, word: str) -> bool:
        found = await self.search(word, None, filters=Filters(approval=None))
        return any(word in hit.passage.in_context.casefold() for hit in found)

    async def holding(self, words: Sequence[str], *, filters: Filters) -> Sequence[Passage]:
        """Return every passage that holds all of some words, of what the scope admits."""
        narrowed = self._scope.narrow(filters)
        found = await self._index.holding(words, filters=narrowed) if narrowed else ()
        return [item for item in found if self._scope.admits(item.document)]

    async def documents(self, filters: Filters) -> Sequence[Document]:
        """Return the documents that pass filters and scope."""
        narrowed = self._scope.narrow(filters)
        if narrowed is None:
            return []
        return [item for item in await self._index.documents(narrowed) if self._scope.admits(item)]

    async def passages(self, document_id: str) -> Sequence[Passage]:
        """Return a document's passages; none where the scope does not admit it."""
        found = await self._index.passages(document_id)
        return [item for item in found if self._scope.admits(item.document)]

    async def info(self) -> IndexInfo:
        """Describe the index as if it held nothing else."""
        documents = await self.documents(Filters(approval=None))
        held = [len(await self.passages(item.id)) for item in documents]
        return replace(
            await self._index.info(),
            documents=len(documents),
            passages=sum(held),
            by_type=dict(Counter(item.doc_type for item in documents)),
        )

    async def version(self) -> str:
        """Name what the scope shows: the index's own version, and the kinds."""
        shown = ",".join(sorted(self._scope.kinds or ()))
        return f"{await self._index.version()} {shown}"


class ClosedVocabulary:
    """A ``TerminologySource`` that defines and suggests nothing: outside the scope, or not there.

    Of one that is there, the synonyms still serve the search: they name no concept to a reader.
    """

    def __init__(self, source: TerminologySource | None) -> None:
        """Take the vocabulary that is not asked, if there is one."""
        self._source = source

    @property
    def name(self) -> str:
        """How the vocabulary is called; empty where there is none."""
        return self._source.name if self._source else ""

    async def lookup(self, term: str, *, lang: Lang) -> Sequence[TermMatch]:
        """Know no term."""
        return []

    async def concepts(self, uris: Sequence[str]) -> Sequence[Concept]:
        """Know no concept."""
        return []

    async def suggest(self, term: str, *, lang: Lang, limit: int = 3) -> Sequence[Concept]:
        """Suggest nothing."""
        return []

    async def synonyms(self, text: str, *, lang: Lang) -> Sequence[Sequence[str]]:
        """Return the vocabulary's synonyms, for the search."""
        return await self._source.synonyms(text, lang=lang) if self._source else []

    async def labels(self) -> Labels:
        """Know no label."""
        return Labels()
