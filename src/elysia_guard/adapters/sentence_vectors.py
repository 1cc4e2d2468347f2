"""The vectors of a passage's sentences: kept small, and compared only where it may matter.

A question is often answered by one sentence, which the vector of a whole passage blurs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from elysia_guard.ports import Vector

FloatArray = npt.NDArray[np.float32]

_LARGEST = 127


def pack(vectors: Sequence[Vector | FloatArray]) -> bytes:
    """Write vectors in one byte a dimension, the largest of each at 127.

    What a vector is scaled by is not kept: it says nothing of its direction.
    """
    if not len(vectors):
        return b""
    numbers = np.asarray(vectors, dtype=np.float32)
    largest = np.abs(numbers).max(axis=1, keepdims=True)
    scaled = numbers * (_LARGEST / np.where(largest > 0, largest, 1.0))
    return np.rint(scaled).astype(np.int8).tobytes()


@dataclass(frozen=True, slots=True)
class Likenesses:
    """The cosine similarities of the sentences of some passages, one after the other.

    ``starts[i]`` is where those of the i-th passage begin, ``starts[i + 1]`` where they end.
    """

    near: FloatArray
    starts: npt.NDArray[np.int64]

    def nearest(self, otherwise: Sequence[float] | FloatArray) -> FloatArray:
        """The similarity of each passage's nearest sentence.

        ``otherwise`` is that of the passage as a whole, which stands for one without sentences.
        """
        best = np.array(otherwise, dtype=np.float32)
        held = np.flatnonzero(np.diff(self.starts))
        if len(held):
            best[held] = np.maximum.reduceat(self.near, self.starts[held])
        return best

    def distances(self, place: int) -> tuple[float, ...]:
        """The distance, 0 to 2, of each sentence of a passage, in order."""
        near = self.near[self.starts[place] : self.starts[place + 1]]
        return tuple(np.clip(1.0 - near, 0.0, 2.0).tolist())


def compared(packed: Sequence[bytes], query: Vector) -> Likenesses:
    """Compare the sentences of some passages with a question; of a single one there are none."""
    asked = np.asarray(query, dtype=np.float32)
    counts = np.array([len(each) // len(asked) for each in packed], dtype=np.int64)
    vectors = np.frombuffer(b"".join(packed), dtype=np.int8).reshape(-1, len(asked))
    numbers = vectors.astype(np.float32)
    lengths = np.linalg.norm(numbers, axis=1) * (np.linalg.norm(asked) or 1.0)
    near = (numbers @ asked) / np.where(lengths > 0, lengths, 1.0)
    return Likenesses(near.astype(np.float32), np.concatenate(([0], np.cumsum(counts))))
