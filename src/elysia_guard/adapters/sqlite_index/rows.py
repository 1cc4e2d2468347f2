"""The rows of an index: each passage's place, its document and its vector."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

_READ_AT_ONCE = 1_000
_VECTORS = "SELECT pk, document, vector FROM passages ORDER BY id"

FloatArray = npt.NDArray[np.float32]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Rows:
    """Of each row: the key of its passage, the key of its document, its vector."""

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
        return cls(pks=pks, documents=documents, vectors=vectors, row_of_pk=row_of_pk)


def lowest(values: npt.NDArray[Any], candidates: BoolArray, depth: int) -> list[int]:
    """Return the candidate rows with the lowest values, in order."""
    rows = np.flatnonzero(candidates)
    if len(rows) > depth:
        bound = np.partition(values[rows], depth - 1)[depth - 1]
        rows = rows[values[rows] <= bound]
    best = rows[np.argsort(values[rows], kind="stable")][:depth]
    return [int(row) for row in best]
