"""How near passages are to a question: as a whole, and by the nearest of their sentences."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from elysia_guard.adapters.sentence_vectors import compared
from elysia_guard.adapters.weaviate_index.schema import VECTOR, Names
from elysia_guard.domain.document import Passage
from elysia_guard.ports import Vector
from elysia_guard.resilience.together import together

if TYPE_CHECKING:
    from uuid import UUID

    from weaviate import WeaviateAsyncClient

FARTHEST = 2.0


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
class Nearness:
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
