"""The vectors of an index: how far its passages are from what is asked, and their sentences.

A row is a passage's place in the order of passage ids.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from elysia_guard.adapters.sentence_vectors import Likenesses, compared
from elysia_guard.ports import Vector

_READ_AT_ONCE = 1_000
_VECTORS = "SELECT pk, document, vector FROM passages ORDER BY id"
_SENTENCES = "SELECT pk, sentences FROM passages WHERE pk IN (SELECT value FROM json_each(?))"

FloatArray = npt.NDArray[np.float32]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class NearRows:
    """Rows whose sentences were compared, the nearest first, and how far the nearest of each is.

    Those of each sentence are told of the few rows that a search returns.
    """

    rows: list[int] = field(default_factory=list)
    nearest: dict[int, float] = field(default_factory=dict)
    places: dict[int, int] = field(default_factory=dict)
    found: Likenesses | None = None

    def distances(self, row: int) -> tuple[float, ...]:
        """The distance, 0 to 2, of each sentence of a row, in order; none where not compared."""
        place = self.places.get(row)
        return () if self.found is None or place is None else self.found.distances(place)


@dataclass(frozen=True, slots=True)
class Rows:
    """Of each row: the key of its passage, the key of its document, its vector.

    Distances are those of cosine, 0 to 2.
    """

    connection: sqlite3.Connection
    pks: IntArray
    documents: IntArray
    vectors: FloatArray
    row_of_pk: IntArray

    @classmethod
    def read(cls, connection: sqlite3.Connection, count: int, dimension: int) -> Rows:
        """Read the rows of ``count`` passages, with vectors of this dimension."""
        keys = np.zeros((count, 2), dtype=np.int64)
        vectors = np.zeros((count, dimension), dtype="<f4", order="F")
        cursor = connection.execute(_VECTORS)
        # In parts: all blobs of a large index beside the array would double the memory.
        for start in range(0, count, _READ_AT_ONCE):
            read = cursor.fetchmany(_READ_AT_ONCE)
            rows = slice(start, start + len(read))
            keys[rows] = [(row["pk"], row["document"]) for row in read]
            blobs = b"".join(row["vector"] for row in read)
            vectors[rows] = np.frombuffer(blobs, dtype="<f4").reshape(-1, dimension)
        pks, documents = np.ascontiguousarray(keys.T)
        row_of_pk = np.zeros(pks.max(initial=0) + 1, dtype=np.int64)
        row_of_pk[pks] = np.arange(count)
        return cls(connection, pks, documents, vectors, row_of_pk)

    def distances(self, vector: Vector) -> FloatArray:
        """Return how far each row is."""
        query = np.asarray(vector, dtype=np.float32)
        length = float(np.linalg.norm(query))
        similarity = self.vectors @ (query / length if length else query)
        distances = np.subtract(1.0, similarity, dtype=np.float32)
        return np.clip(distances, 0.0, 2.0, out=distances)

    def by_sentence(
        self, vector: Vector, distances: FloatArray, rankings: Sequence[Sequence[int]]
    ) -> NearRows:
        """Return how far the sentences are of what words or meaning have found."""
        rows = np.array(sorted({row for ranking in rankings for row in ranking}), dtype=np.int64)
        packed = self._packed(rows)
        found = compared([packed[row] for row in rows.tolist()], vector)
        near = found.nearest(1.0 - distances[rows])
        order = np.argsort(-near, kind="stable")
        away = np.clip(1.0 - near[order], 0.0, 2.0)
        nearest = rows[order].tolist()
        return NearRows(
            rows=nearest,
            nearest=dict(zip(nearest, away.tolist(), strict=True)),
            places=dict(zip(nearest, order.tolist(), strict=True)),
            found=found,
        )

    def _packed(self, rows: IntArray) -> dict[int, bytes]:
        """Read the packed vectors of the sentences of some rows."""
        pks = json.dumps(self.pks[rows].tolist())
        found = self.connection.execute(_SENTENCES, (pks,)).fetchall()
        return {int(self.row_of_pk[pk]): blob for pk, blob in found}


def lowest(values: npt.NDArray[Any], candidates: BoolArray, depth: int) -> list[int]:
    """Return the candidate rows with the lowest values, in order."""
    rows = np.flatnonzero(candidates)
    if len(rows) > depth:
        bound = np.partition(values[rows], depth - 1)[depth - 1]
        rows = rows[values[rows] <= bound]
    best = rows[np.argsort(values[rows], kind="stable")][:depth]
    return [int(row) for row in best]
