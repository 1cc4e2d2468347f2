"""Words that mean alike, by the vectors of a sentence model that reads each word as a sentence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from elysia_guard.ports import Embedder

UNLIKE, THE_SAME = 0.45, 0.85
"""Cosine similarities of the bundled model: unrelated words stay below the one, 'invoice' and
'factuur' come near the other."""
REMEMBERED = 20_000
"""Words; 40 MB of the bundled model's vectors."""


_Vectors = NDArray[np.float32]
"""One row a word."""


class WordVectors:
    """A ``WordLikeness`` that remembers the vector of each word it has seen; for many threads.

    A new word costs the bundled model a quarter of a millisecond, once.
    """

    def __init__(self, embedder: Embedder, *, remembered: int = REMEMBERED) -> None:
        """Take the model; beyond ``remembered`` words the memory begins anew."""
        self._embedder = embedder
        self._remembered = remembered
        self._rows: dict[str, int] = {}
        self._vectors: _Vectors = np.empty((0, embedder.dimension), dtype=np.float32)
        self._lock = Lock()

    async def __call__(
        self, words: Sequence[str], others: Sequence[str]
    ) -> Mapping[str, Mapping[str, float]]:
        """Compare each word with each of the others by the cosine of their vectors."""
        if not words or not others:
            return {}
        vectors = await self._of([*words, *others])
        degrees = vectors[: len(words)] @ vectors[len(words) :].T
        degrees = np.clip((degrees - UNLIKE) / (THE_SAME - UNLIKE), 0.0, 1.0)
        return {
            word: {others[int(at)]: float(row[at]) for at in np.flatnonzero(row)}
            for word, row in zip(words, degrees, strict=True)
        }

    async def _of(self, words: Sequence[str]) -> _Vectors:
        while True:
            with self._lock:
                new = [word for word in dict.fromkeys(words) if word not in self._rows]
                if not new:
                    return self._vectors[[self._rows[word] for word in words]]
            made = np.asarray(await self._embedder.embed(new), dtype=np.float32)
            with self._lock:
                self._learn(new, made, beside=words)

    def _learn(self, new: Sequence[str], made: _Vectors, *, beside: Sequence[str]) -> None:
        """Remember new words; what is over the limit goes, but for those asked beside them."""
        if len(self._rows) + len(new) > self._remembered:
            kept = [word for word in dict.fromkeys(beside) if word in self._rows]
            self._vectors = self._vectors[[self._rows[word] for word in kept]]
            self._rows = {word: row for row, word in enumerate(kept)}
        added = [at for at, word in enumerate(new) if word not in self._rows]
        self._rows.update({new[at]: row for row, at in enumerate(added, start=len(self._rows))})
        self._vectors = np.concatenate([self._vectors, made[added]])
