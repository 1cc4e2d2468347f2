"""How far the passages of an index are from what is asked, as a whole and sentence by sentence."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from elysia_guard.adapters.centred import Centred
from elysia_guard.adapters.sentence_vectors import NearRows, compared, unpacked
from elysia_guard.adapters.sqlite_index.rows import FloatArray, Rows
from elysia_guard.domain.document import Document, Passage
from elysia_guard.ports import SecondVector, Vector

_SENTENCES = "SELECT pk, sentences FROM passages WHERE pk IN (SELECT value FROM json_each(?))"
_BY_SECOND = (
    "SELECT pk, second_sentences FROM passages WHERE pk IN (SELECT value FROM json_each(?))"
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Nearness:
    """Cosine distances, 0 to 2, by the first model."""

    connection: sqlite3.Connection
    rows: Rows

    def distances(self, vector: Vector) -> FloatArray:
        """Return how far each row is."""
        query = np.asarray(vector, dtype=np.float32)
        length = float(np.linalg.norm(query))
        similarity = self.rows.vectors @ (query / length if length else query)
        distances = np.subtract(1.0, similarity, dtype=np.float32)
        return np.clip(distances, 0.0, 2.0, out=distances)

    def by_sentence(
        self, vector: Vector, distances: FloatArray, rankings: Sequence[Sequence[int]]
    ) -> NearRows:
        """Return how far the sentences are of what words or meaning have found."""
        rows = np.array(sorted({row for ranking in rankings for row in ranking}), dtype=np.int64)
        pks = json.dumps(self.rows.pks[rows].tolist())
        packed = dict(self.connection.execute(_SENTENCES, (pks,)).fetchall())
        found = compared([packed[pk] for pk in self.rows.pks[rows].tolist()], vector)
        near = found.nearest(1.0 - distances[rows])
        order = np.argsort(-near, kind="stable")
        away = np.clip(1.0 - near[order], 0.0, 2.0)
        sorted_rows = rows[order].tolist()
        return NearRows(
            rows=sorted_rows,
            nearest=dict(zip(sorted_rows, away.tolist(), strict=True)),
            places=dict(zip(sorted_rows, order.tolist(), strict=True)),
            found=found,
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class SecondNearness:
    """Distances by the second model, each vector without the mean of its language."""

    connection: sqlite3.Connection
    rows: Rows
    dimension: int
    centred: Centred

    @classmethod
    def read(
        cls,
        connection: sqlite3.Connection,
        rows: Rows,
        documents: Mapping[int, Document],
        dimension: int,
    ) -> SecondNearness:
        """Read the vectors of the rows, of this dimension; ``documents`` tell the languages."""
        vectors = np.zeros((len(rows.pks), dimension), dtype="<f4")
        cursor = connection.execute("SELECT second FROM passages ORDER BY id")
        for row, (blob,) in enumerate(cursor):
            vectors[row] = np.frombuffer(blob, dtype="<f4")
        langs = [documents[pk].lang for pk in rows.documents.tolist()]
        centred = Centred(vectors, langs)
        return cls(connection=connection, rows=rows, dimension=dimension, centred=centred)

    def distances(self, second: SecondVector) -> FloatArray:
        """Return how far each row is."""
        return self.centred.distances(second.vector, second.lang)

    def by_sentence(
        self, passages: Mapping[int, Passage], second: SecondVector
    ) -> dict[int, tuple[float, ...]]:
        """Return how far the sentences of passages are, by row."""
        pks = json.dumps([int(self.rows.pks[row]) for row in passages])
        found = {}
        for pk, packed in self.connection.execute(_BY_SECOND, (pks,)).fetchall():
            row = int(self.rows.row_of_pk[pk])
            vectors = unpacked(packed, self.dimension)
            spoken = passages[row].document.lang
            found[row] = self.centred.distances_of(vectors, spoken, second.vector, second.lang)
        return found
