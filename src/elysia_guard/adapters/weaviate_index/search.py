"""One search of one generation: a leg of words and a leg of meaning in each collection.

Not Weaviate's hybrid search: its score is stretched to fill 0 to 1 for every question, and its
hits have no distance that a gate could measure.
"""

from __future__ import annotations

import functools
from collections.abc import Coroutine, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from elysia_guard.adapters.field_shares import shares_of
from elysia_guard.adapters.hybrid import Legs, Shares, by_fields, ranked
from elysia_guard.adapters.weaviate_index.nearness import Candidate, Nearness, within
from elysia_guard.adapters.weaviate_index.register import Snapshot
from elysia_guard.adapters.weaviate_index.schema import (
    PASSAGE_FIELDS,
    VECTOR,
    Names,
    passage_of,
)
from elysia_guard.adapters.weaviate_index.statistics import Terms
from elysia_guard.domain.document import Filters, Hit
from elysia_guard.domain.search_weights import WeightsByKind
from elysia_guard.ports import Vector
from elysia_guard.resilience.together import together

if TYPE_CHECKING:
    from weaviate import WeaviateAsyncClient
    from weaviate.collections.classes.filters import _Filters

LEG_DEPTH = 50
WORDS_DEPTH = 100
"""More than is ranked: Weaviate chooses by counts of each collection, we rank by those of all."""


class Search:
    """Searches one generation."""

    def __init__(
        self, client: WeaviateAsyncClient, names: Names, snapshot: Snapshot, weights: WeightsByKind
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
        legs = self._legs(terms, found, rankings, fields=by_fields(self._weights))
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

    async def legs(
        self, query: str, vector: Vector | None, *, filters: Filters, limit: int
    ) -> Legs[str]:
        """The rankings of a search before they are fused, with the fields that hold its words."""
        terms, depth = Terms.of(query, self._snapshot.languages), max(LEG_DEPTH, limit)
        found, rankings = await self._found(terms, vector, filters, depth=depth)
        return self._legs(terms, found, rankings, fields=True)

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

    def _legs(
        self,
        terms: Terms,
        found: dict[str, Candidate],
        rankings: list[list[str]],
        *,
        fields: bool,
    ) -> Legs[str]:
        words, *meaning = rankings
        return Legs(
            words={id_: found[id_].lexical or 0.0 for id_ in words},
            meaning=meaning,
            documents={id_: each.passage.document for id_, each in found.items()},
            shares=self._shares(terms, [found[id_] for id_ in words]) if fields else {},
        )

    def _shares(self, terms: Terms, found: Iterable[Candidate]) -> dict[str, Shares]:
        """In which fields of some passages the words of a query stand."""
        rarity = self._snapshot.statistics.weights(terms.stems)
        return {each.passage.id: shares_of(each.passage, rarity) for each in found}

    async def _nearer(self, found: dict[str, Candidate], vector: Vector) -> dict[str, Candidate]:
        """Measure what the legs have found; the one with the nearest sentence first."""
        nearness = Nearness(self._client, self._names, vector)
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
