"""A passage index in memory and a toy embedder, which behave as the real ones do."""

from __future__ import annotations

import math
import re
import zlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches

from elysia_guard.domain.document import Document, DocumentKind, Filters, Hit, IndexInfo, Passage
from elysia_guard.domain.errors import PassageIndexError, SourceUnavailableError
from elysia_guard.domain.question import Lang
from elysia_guard.ports import Embedder, Vector

_RANK_CONSTANT = 60
_RESERVED = 3
_STEM = 6
_ALIKE = 0.8
_STOP = frozenset(
    """a about an and are as at by do does for from how in is it of on or our that the this to
    use used we what when where which who why with de een en er het hoe op te van voor wat welk
    welke wie zijn als auf das dem den der des die ein eine für im ist mit und von was wer wie
    zu""".split()
)


class HashEmbedder:
    """Hashes beginnings of words and letter triples: texts that share words lie near each other.

    ``calls`` counts the texts that were embedded; ``down`` makes it fail as a model server would.
    """

    def __init__(self, *, model_id: str = "hash@1", dimension: int = 64) -> None:
        self.model_id = model_id
        self.dimension = dimension
        self.calls = 0
        self.down = False

    async def embed(self, texts: Sequence[str]) -> Sequence[Vector]:
        """Embed texts, in order."""
        if self.down:
            raise SourceUnavailableError("the embedder is down", source="embedder")
        self.calls += len(texts)
        return [self._vector(text) for text in texts]

    async def embed_question(
        self, text: str, *, kinds: Sequence[DocumentKind] | None = None
    ) -> Vector:
        """Embed a question as any other text."""
        (vector,) = await self.embed([text])
        return vector

    def _vector(self, text: str) -> Vector:
        vector = [0.0] * self.dimension
        for word in _words(text):
            padded = f"^{word}$"
            triples = [padded[i : i + 3] for i in range(len(padded) - 2)]
            for feature, weight in [(word[:_STEM], 1.0), *((triple, 0.3) for triple in triples)]:
                code = zlib.crc32(feature.encode())
                vector[code % self.dimension] += weight if code & 0x10000 else -weight
        length = math.sqrt(sum(x * x for x in vector))
        return [x / length for x in vector] if length else vector


class FakeIndex:
    """A ``PassageIndex`` over a list of passages; ``down`` makes every call fail."""

    def __init__(
        self,
        passages: Sequence[Passage],
        vectors: Mapping[str, Vector] | None = None,
        *,
        model_id: str = "hash@1",
        dimension: int = 64,
    ) -> None:
        self._passages = sorted(passages, key=lambda passage: passage.id)
        self._vectors = vectors or {}
        self._model_id = model_id
        self._dimension = dimension
        self.down = False

    @classmethod
    async def build(cls, passages: Sequence[Passage], embedder: Embedder) -> FakeIndex:
        """Embed passages and index them."""
        texts = [f"{p.document.title}\n{p.section}\n{p.text}" for p in passages]
        vectors = await embedder.embed(texts)
        by_id = {passage.id: vector for passage, vector in zip(passages, vectors, strict=True)}
        return cls(passages, by_id, model_id=embedder.model_id, dimension=embedder.dimension)

    async def search(
        self,
        query: str,
        vector: Vector | None,
        *,
        filters: Filters,
        limit: int = 10,
    ) -> Sequence[Hit]:
        """Search by shared stems and by cosine, fused by rank."""
        self._refuse_if_down()
        if vector is not None and (
            len(vector) != self._dimension or not all(map(math.isfinite, vector))
        ):
            raise PassageIndexError(
                f"the vector has {len(vector)} dimensions, the index {self._dimension}"
            )
        found = [passage for passage in self._passages if filters.admit(passage.document)]
        lexical = {p.id: score for p in found if (score := self._lexical(query, p))}
        distances = (
            {p.id: _distance(vector, self._vectors[p.id]) for p in found}
            if vector is not None
            else {}
        )
        by_words = sorted(lexical, key=lambda id_: (-lexical[id_], id_))
        by_meaning = sorted(distances, key=lambda id_: (distances[id_], id_))
        scores = _fuse(by_words, by_meaning)
        by_id = {passage.id: passage for passage in found}
        ranked = sorted(scores, key=lambda id_: (-scores[id_], id_))
        first = [*by_words[:_RESERVED], *by_meaning[:_RESERVED]]
        others = [id_ for id_ in ranked if id_ not in first]
        chosen = {*first[:limit], *others[: max(limit - len(set(first)), 0)]}
        best = [id_ for id_ in ranked if id_ in chosen][:limit]
        return [
            Hit(
                passage=by_id[i], score=scores[i], distance=distances.get(i), lexical=lexical.get(i)
            )
            for i in best
        ]

    async def rarity(self, words: Sequence[str], *, lang: Lang) -> Mapping[str, float]:
        """Return how rare each word's beginning is among the passages."""
        self._refuse_if_down()
        n = len(self._passages)
        held = {word: sum(word[:_STEM] in _stems(p) for p in self._passages) for word in words}
        return {
            word: math.log((n + 1) / (count + 1)) / math.log(n + 1) if n else 1.0
            for word, count in held.items()
        }

    async def spelt_like(self, words: Sequence[str]) -> Mapping[str, Mapping[str, int]]:
        """Compare words with those of the passages."""
        self._refuse_if_down()
        held = Counter(word for passage in self._passages for word in set(_written(passage)))
        stems = {word[:_STEM] for word in held}
        return {
            word: {other: held[other] for other in get_close_matches(word, held, cutoff=_ALIKE)}
            for word in words
            if word[:_STEM] not in stems
        }

    async def holding(self, words: Sequence[str], *, filters: Filters) -> Sequence[Passage]:
        """Return every passage that has the beginnings of all of some words."""
        self._refuse_if_down()
        wanted = {word.casefold()[:_STEM] for word in words}
        admitted = (item for item in self._passages if filters.admit(item.document))
        return [item for item in admitted if wanted and wanted <= _stems(item)]

    async def documents(self, filters: Filters) -> Sequence[Document]:
        """Return the documents that pass the filters, by kind, number, approval and path."""
        self._refuse_if_down()
        every = {passage.document.id: passage.document for passage in self._passages}
        admitted = (item for item in every.values() if filters.admit(item))
        return sorted(admitted, key=lambda item: item.place)

    async def passages(self, document_id: str) -> Sequence[Passage]:
        """Return a document's passages in reading order."""
        self._refuse_if_down()
        return sorted(
            (p for p in self._passages if p.document.id == document_id), key=lambda p: p.position
        )

    async def info(self) -> IndexInfo:
        """Describe the index."""
        documents = await self.documents(Filters(approval=None))
        return IndexInfo(
            location="memory",
            documents=len(documents),
            passages=len(self._passages),
            model_id=self._model_id,
            dimension=self._dimension,
            schema_version=1,
            by_type=dict(Counter(document.doc_type for document in documents)),
        )

    async def version(self) -> str:
        """Name the passages by their sum."""
        self._refuse_if_down()
        return str(hash(tuple(map(repr, self._passages))))

    def _refuse_if_down(self) -> None:
        if self.down:
            raise SourceUnavailableError("the index is down", source="index")

    def _lexical(self, query: str, passage: Passage) -> float | None:
        shared = {word[:_STEM] for word in _words(query)} & _stems(passage)
        rarity = (
            1 + len(self._passages) / sum(s in _stems(p) for p in self._passages) for s in shared
        )
        return sum(map(math.log, rarity)) if shared else None


def _words(text: str) -> list[str]:
    found = re.findall(r"[^\W_]+", text.casefold())
    return list(dict.fromkeys(word for word in found if word not in _STOP))


def _written(passage: Passage) -> list[str]:
    return _words(f"{passage.document.title} {passage.section} {passage.text}")


def _stems(passage: Passage) -> set[str]:
    """The beginnings of a passage's words: a toy's stems, the same in every language."""
    text = f"{passage.document.title} {passage.section} {passage.text}"
    return {word[:_STEM] for word in _words(text)}


def _distance(a: Vector, b: Vector) -> float:
    length = math.hypot(*a) or 1.0
    return min(max(1.0 - sum(x * y for x, y in zip(a, b, strict=True)) / length, 0.0), 2.0)


def _fuse(*rankings: Iterable[str]) -> dict[str, float]:
    scores: dict[str, float] = {}
    for ranking in rankings:
        for rank, id_ in enumerate(ranking, start=1):
            scores[id_] = scores.get(id_, 0.0) + 1.0 / (_RANK_CONSTANT + rank)
    return scores
