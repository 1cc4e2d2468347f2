"""Words that mean alike, by the vectors of a sentence model that reads each word as a sentence."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import repeat
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from elysia_guard.adapters.sentence_vectors import pack
from elysia_guard.adapters.word_file import WordFile
from elysia_guard.ports import Embedder

UNLIKE, THE_SAME = 0.45, 0.85
"""Cosine similarities of the bundled model: unrelated words stay below the one, 'invoice' and
'factuur' come near the other."""
REMEMBERED = 100_000
"""Words; 50 MB of the bundled model's vectors, of one byte a dimension."""

_Packed = NDArray[np.int8]
"""One row a word."""
_Floats = NDArray[np.float32]


class WordVectors:
    """A ``WordLikeness`` that remembers the vector of each word it has seen; for many threads.

    A word that was not learnt costs the bundled model a quarter of a millisecond, once.
    """

    def __init__(
        self, embedder: Embedder, *, file: WordFile | None = None, remembered: int = REMEMBERED
    ) -> None:
        """Take the model, and a file of words that were learnt.

        Beyond ``remembered`` words the memory begins anew.
        """
        self._embedder = embedder
        self._file = file
        self._remembered = remembered
        self._rows: dict[str, int] = {}
        self._vectors: _Packed = np.empty((0, embedder.dimension), dtype=np.int8)
        self._lock = Lock()
        self._lengths: _Floats = np.empty(0, dtype=np.float32)
        self._begun = False

    async def __call__(
        self, words: Sequence[str], others: Sequence[str]
    ) -> Mapping[str, Mapping[str, float]]:
        """Compare each word with each of the others by the cosine of their vectors."""
        if not words or not others:
            return {}
        vectors, lengths = await self._of([*words, *others])
        degrees = vectors[: len(words)] @ vectors[len(words) :].T
        degrees /= np.outer(lengths[: len(words)], lengths[len(words) :])
        degrees = np.clip((degrees - UNLIKE) / (THE_SAME - UNLIKE), 0.0, 1.0)
        return {word: _named(others, row) for word, row in zip(words, degrees, strict=True)}

    @property
    def has_learnt(self) -> bool:
        """Whether words were learnt before."""
        return self._file is not None and not self._file.is_new

    async def learn(self, words: Iterable[str]) -> None:
        """Put the vectors of words into the file, so that no question has to wait for them.

        Raises:
            OSError: the file cannot be written.
            SourceUnavailableError: the model could not be asked.
        """
        if self._file and (new := self._file.missing(words)):
            self._file.add(await self._packed(new))

    async def _of(self, words: Sequence[str]) -> tuple[_Floats, _Floats]:
        """Return the vectors of words, and how long each is: what packs them does not keep it 1."""
        while True:
            with self._lock:
                self._begin()
                rows = list(map(self._rows.get, words, repeat(-1)))
                if -1 not in rows:
                    return self._vectors[rows].astype(np.float32), self._lengths[rows]
                new = [word for word in dict.fromkeys(words) if word not in self._rows]
            packed = self._file.read(new) if self._file else {}
            packed |= await self._packed([word for word in new if word not in packed])
            with self._lock:
                self._remember(packed, beside=words)

    def _begin(self) -> None:
        """Remember what was learnt, with the first question."""
        if self._file and not self._begun:
            self._remember(self._file.first(self._remembered), beside=())
        self._begun = True

    async def _packed(self, words: Sequence[str]) -> dict[str, bytes]:
        made = await self._embedder.embed(words)
        return {word: pack([vector]) for word, vector in zip(words, made, strict=True)}

    def _remember(self, packed: Mapping[str, bytes], *, beside: Sequence[str]) -> None:
        """Take new words in; what is over the limit goes, but for those asked beside them."""
        if len(self._rows) + len(packed) > self._remembered:
            kept = [word for word in dict.fromkeys(beside) if word in self._rows]
            rows = [self._rows[word] for word in kept]
            self._vectors, self._lengths = self._vectors[rows], self._lengths[rows]
            self._rows = {word: row for row, word in enumerate(kept)}
        added = {word: vector for word, vector in packed.items() if word not in self._rows}
        self._rows.update({word: row for row, word in enumerate(added, start=len(self._rows))})
        made = np.frombuffer(b"".join(added.values()), dtype=np.int8)
        made = made.reshape(-1, self._vectors.shape[1])
        lengths = np.linalg.norm(made.astype(np.float32), axis=1)
        self._vectors = np.concatenate([self._vectors, made])
        self._lengths = np.concatenate([self._lengths, np.where(lengths > 0, lengths, 1.0)])


def _named(others: Sequence[str], degrees: _Floats) -> dict[str, float]:
    """Name the others that are alike at all."""
    places = np.flatnonzero(degrees)
    alike = zip(places.tolist(), degrees[places].tolist(), strict=True)
    return {others[at]: degree for at, degree in alike}
