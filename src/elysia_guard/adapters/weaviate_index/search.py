"""One search of one generation: a leg of words and a leg of meaning in each collection.

Not Weaviate's hybrid search: its score is stretched to fill 0 to 1 for every question, and its
hits have no distance that a gate could measure.
"""

from __future__ import annotations

import base64
import functools
from collections.abc import Coroutine, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from elysia_guard.adapters.field_shares import shares_of
from elysia_guard.adapters.hybrid import Legs, Shares, by_fields, ranked, weights_of
from elysia_guard.adapters.sentence_vectors import compared
from elysia_guard.adapters.weaviate_index.register import GenerationSnapshot
from elysia_guard.adapters.weaviate_index.schema import (
    PASSAGE_FIELDS,
    VECTOR,
    Names,
    passage_of,
)
from elysia_guard.adapters.weaviate_index.statistics import Terms, stored_stems
from elysia_guard.domain.document import Filters, Hit, Passage
from elysia_guard.domain.search_weights import WeightsByKind
from elysia_guard.ports import Vector
from elysia_guard.resilience.together import together

if TYPE_CHECKING:
    from uuid import UUID

    from weaviate import WeaviateAsyncClient
    from weaviate.collections.classes.filters import _Filters

FARTHEST = 2.0
MOST = 10_000
"""Objects that one request of a Weaviate returns at most."""
LEG_DEPTH = 50
WORDS_DEPTH = 100
"""More than is ranked: Weaviate chooses by counts of each collection, we rank by those of all."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A passage that a search has found."""

    uuid: UUID
    collection: str
    passage: Passage
    stems: str
    distance: float | None
    lexical: float | None = None
    sentence_distance: float | None = None
    sentence_distances: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class VectorDistance:
    """Measures candidates against the vector of a question."""

    client: WeaviateAsyncClient
    names: Names
    vector: Vector

    async def measured(self, found: Mapping[str, Candidate]) -> dict[str, Candidate]:
        """Give a distance to those that words alone have found, from their own vectors.

        One without a vector stays without a distance, and no gate lets it pass.
        """
        lacking: dict[str, list[UUID]] = {}
        for each in found.values():
            if each.distance is None:
                lacking.setdefault(each.collection, []).append(each.uuid)
        fetched = await together(*(self._vectors(name, ids) for name, ids in lacking.items()))
        vectors = {uuid: held for part in fetched for uuid, held in part.items()}
        return {
            id_: replace(each, distance=distance(self.vector, vectors[each.uuid]))
            if each.distance is None and each.uuid in vectors
            else each
            for id_, each in found.items()
        }

    async def packed(self, found: Iterable[Candidate]) -> dict[UUID, bytes]:
        """Fetch the vectors of the sentences of candidates; of a single sentence there are none."""
        ids = [each.uuid for each in found]
        if not ids:
            return {}
        held = await self.client.collections.use(self.names.sentences).query.fetch_objects_by_ids(
            ids, limit=len(ids), return_properties=["packed"]
        )
        return {
            item.uuid: base64.b64decode(str(item.properties["packed"])) for item in held.objects
        }

    def by_sentence(
        self, found: Mapping[str, Candidate], packed: Mapping[UUID, bytes]
    ) -> dict[str, Candidate]:
        """Measure by the nearest sentence (one of one sentence as a whole), the nearest first."""
        ids = sorted(found)
        distances = [found[id_].distance for id_ in ids]
        told = compared([packed.get(found[id_].uuid, b"") for id_ in ids], self.vector)
        near = told.nearest([1.0 - (FARTHEST if held is None else held) for held in distances])
        away = np.clip(1.0 - near, 0.0, FARTHEST)
        return {
            ids[place]: replace(
                found[ids[place]],
                sentence_distance=float(away[place]),
                sentence_distances=told.distances(place),
            )
            for place in np.argsort(-near, kind="stable")
        }

    async def _vectors(self, collection: str, ids: list[UUID]) -> dict[UUID, Vector]:
        found = await self.client.collections.use(collection).query.fetch_objects_by_ids(
            ids, limit=len(ids), include_vector=[VECTOR], return_properties=["passage_id"]
        )
        held: dict[UUID, Any] = {item.uuid: item.vector.get(VECTOR) for item in found.objects}
        return {uuid: vector for uuid, vector in held.items() if vector}


class GenerationSearch:
    """Searches one generation."""

    def __init__(
        self,
        client: WeaviateAsyncClient,
        names: Names,
        snapshot: GenerationSnapshot,
        weights: WeightsByKind,
    ) -> None:
        self._client = client
        self._names = names
        self._snapshot = snapshot
        self._weights = weights

    async def hits(
        self, query: str, vector: Vector | None, *, filters: Filters, limit: int
    ) -> list[Hit]:
        """Rank by words and by meaning, and fuse the rankings."""
        terms, depth = Terms.of(query, self._snapshot.languages), max(LEG_DEPTH, limit)
        found, rankings = await self._found(terms, vector, filters, depth=depth)
        words, *meaning = rankings
        legs = Legs(
            words={id_: found[id_].lexical or 0.0 for id_ in words},
            meaning=meaning,
            documents={id_: each.passage.document for id_, each in found.items()},
            shares=self._shares(terms, [found[id_].passage for id_ in words]),
        )
        return [
            Hit(
                passage=found[id_].passage,
                score=score,
                distance=found[id_].distance,
                lexical=found[id_].lexical,
                sentence_distance=found[id_].sentence_distance,
                sentence_distances=found[id_].sentence_distances,
            )
            for id_, score in ranked(legs, self._weights, limit)
        ]

    async def holding(self, words: Sequence[str], filters: Filters) -> list[Passage]:
        """Every passage that holds all of some words; document by document, where they are many."""
        from weaviate.classes.query import Filter

        where = self._where(filters)
        if where is None or not words:
            return []
        for word in words:
            stems = stored_stems(word, self._snapshot.languages)
            where &= Filter.by_property("stems").contains_any(stems)
        found = await together(*(self._fetched(at, where) for at in self._collections(filters)))
        if any(len(objects) >= MOST for objects in found):
            found = []
            for each in self._snapshot.select(filters):
                of_it = where & Filter.by_property("document_id").equal(each.id)
                found.append(await self._fetched(self._names.passages[each.kind], of_it))
        known = self._snapshot.document
        values = (item.properties for objects in found for item in objects)
        return [passage_of(held, document) for held in values if (document := known(held))]

    async def _fetched(self, collection: str, where: _Filters) -> list[Any]:
        found = await self._client.collections.use(collection).query.fetch_objects(
            filters=where, limit=MOST, return_properties=PASSAGE_FIELDS
        )
        return list(found.objects)

    async def _found(
        self, terms: Terms, vector: Vector | None, filters: Filters, *, depth: int
    ) -> tuple[dict[str, Candidate], list[list[str]]]:
        """What is found, and the rankings by words and, with a vector, by passage and sentence."""
        where = self._where(filters)
        if where is None:
            return {}, [[]]
        legs: list[Coroutine[Any, Any, list[Candidate]]] = []
        for collection in self._collections(filters):
            if terms.stems:
                legs.append(self._by_words(collection, terms, where, max(WORDS_DEPTH, depth)))
            if vector is not None:
                legs.append(self._by_meaning(collection, vector, where, depth))
        found = self._scored(terms, await together(*legs)) if legs else {}
        scores = {id_: -each.lexical for id_, each in found.items() if each.lexical is not None}
        rankings = [_ranked(scores)[:depth]]
        if vector is None:
            return found, rankings
        far = {id_: each.distance for id_, each in found.items() if each.distance is not None}
        rankings.append(_ranked(far)[:depth])
        near = await self._nearer(
            {id_: found[id_] for ranking in rankings for id_ in ranking}, vector
        )
        return near, [*rankings, list(near)[:LEG_DEPTH]]

    def _shares(self, terms: Terms, found: Iterable[Passage]) -> dict[str, Shares]:
        """In which fields of passages the words of a query stand, where that counts."""
        if not by_fields(self._weights):
            return {}
        counts = self._snapshot.statistics
        rarity = weights_of(terms.stems, counts, counts.passages)
        return {each.id: shares_of(each, rarity) for each in found}

    async def _nearer(self, found: dict[str, Candidate], vector: Vector) -> dict[str, Candidate]:
        """Measure what the legs have found; the one with the nearest sentence first."""
        nearness = VectorDistance(self._client, self._names, vector)
        works: list[Coroutine[Any, Any, Any]] = [
            nearness.measured(found),
            nearness.packed(found.values()),
        ]
        measured, packed = await together(*works)
        return nearness.by_sentence(measured, packed)

    def _collections(self, filters: Filters) -> list[str]:
        wanted = self._snapshot.kinds.intersection(filters.kinds or self._snapshot.kinds)
        return [name for kind, name in self._names.passages.items() if kind in wanted]

    def _where(self, filters: Filters) -> _Filters | None:
        """Write filters for Weaviate; None if no document can pass them."""
        from weaviate.classes.query import Filter

        parts = [Filter.by_property("generation").less_or_equal(self._snapshot.state.generation)]
        if filters.approval is not None:
            parts.append(Filter.by_property("approval").equal(filters.approval))
        if filters.number is not None:
            parts.append(Filter.by_property("number").equal(filters.number))
        if filters.status:
            ids = [document.id for document in self._snapshot.select(filters)]
            if not ids:
                return None
            parts.append(Filter.by_property("document_id").contains_any(ids))
        return functools.reduce(lambda left, right: left & right, parts)

    async def _by_words(
        self, collection: str, terms: Terms, where: _Filters, depth: int
    ) -> list[Candidate]:
        found = await self._client.collections.use(collection).query.bm25(
            " ".join(dict.fromkeys(terms.stems)),
            query_properties=["stems"],
            filters=where,
            limit=depth,
            return_properties=PASSAGE_FIELDS,
        )
        return self._candidates(collection, found.objects)

    async def _by_meaning(
        self, collection: str, vector: Vector, where: _Filters, depth: int
    ) -> list[Candidate]:
        from weaviate.classes.query import MetadataQuery

        found = await self._client.collections.use(collection).query.near_vector(
            list(vector),
            target_vector=VECTOR,
            filters=where,
            limit=depth,
            return_metadata=MetadataQuery(distance=True),
            return_properties=PASSAGE_FIELDS,
        )
        return self._candidates(collection, found.objects)

    def _candidates(self, collection: str, objects: Iterable[Any]) -> list[Candidate]:
        """The passages of objects, without what is not of this generation."""
        return [
            Candidate(
                uuid=item.uuid,
                collection=collection,
                passage=passage_of(item.properties, document),
                stems=item.properties["stems"] or "",
                distance=within(item.metadata.distance),
            )
            for item in objects
            if (document := self._snapshot.document(item.properties))
        ]

    def _scored(self, terms: Terms, legs: Iterable[Iterable[Candidate]]) -> dict[str, Candidate]:
        """Each passage once, with its score, and its distance if one of the legs knows it."""
        score = self._snapshot.statistics.score
        found: dict[str, Candidate] = {}
        for each in (each for leg in legs for each in leg):
            if each.passage.id not in found or each.distance is not None:
                found[each.passage.id] = each
        return {
            id_: replace(each, lexical=score(terms, each.passage.text, each.stems))
            for id_, each in found.items()
        }


def _ranked(values: dict[str, float]) -> list[str]:
    """The ids by value, the lowest first; ties go by id."""
    return sorted(values, key=lambda id_: (values[id_], id_))


def within(distance: float | None) -> float | None:
    """A distance without what rounding adds to it."""
    return None if distance is None else min(max(distance, 0.0), FARTHEST)


def distance(asked: Vector, held: Vector) -> float | None:
    """The cosine distance of two vectors; None where they cannot be compared."""
    left, right = np.asarray(asked, dtype=np.float32), np.asarray(held, dtype=np.float32)
    length = float(np.linalg.norm(left) * np.linalg.norm(right))
    if left.shape != right.shape or not length:
        return None
    return within(1.0 - float(left @ right) / length)
