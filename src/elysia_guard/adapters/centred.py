"""Vectors of several languages brought to one middle, so that likeness is not that of language.

Vectors of one language lie together, whatever is said: a question is then nearer to anything in
its own language than to its answer in another. The mean of a language is what they share.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from elysia_guard.domain.question import Lang
from elysia_guard.ports import Vector

FloatArray = npt.NDArray[np.float32]

STEADY = 10
"""The mean of all counts in that of each language as so many passages do: few have no middle."""


class Centred:
    """The vectors of passages, each without the mean of its language."""

    def __init__(self, vectors: FloatArray, langs: Sequence[Lang]) -> None:
        """Take a vector of each passage, and the language of each."""
        overall: FloatArray = vectors.sum(axis=0) / np.float32(max(len(vectors), 1))
        self._otherwise = overall
        self._means: dict[Lang, FloatArray] = {}
        self._vectors = np.array(vectors, dtype=np.float32)
        spoken = np.asarray(langs)
        for lang in sorted(set(langs)):
            own = spoken == lang
            summed = vectors[own].sum(axis=0) + STEADY * overall
            self._means[lang] = summed / (own.sum() + STEADY)
            self._vectors[own] -= self._means[lang]
        self._vectors /= _lengths(self._vectors)

    def distances(self, vector: Vector, lang: Lang) -> FloatArray:
        """How far each passage is from a question in a language, from 0 to 2.

        A language that no passage is in has the mean of all.
        """
        return _away(self._vectors, self._asked(vector, lang))

    def distances_of(
        self, vectors: FloatArray, spoken: Lang, vector: Vector, lang: Lang
    ) -> tuple[float, ...]:
        """How far other vectors are, such as those of the sentences of a passage, from 0 to 2.

        Args:
            vectors: one a row, of any length.
            spoken: the language of their texts.
            vector: what is asked.
            lang: the language that it is asked in.
        """
        own = vectors / _lengths(vectors) - self._means.get(spoken, self._otherwise)
        return tuple(_away(own / _lengths(own), self._asked(vector, lang)).tolist())

    def _asked(self, vector: Vector, lang: Lang) -> FloatArray:
        asked = np.asarray(vector, dtype=np.float32) - self._means.get(lang, self._otherwise)
        unit: FloatArray = asked / _lengths(asked[None])[0]
        return unit


def _away(vectors: FloatArray, asked: FloatArray) -> FloatArray:
    away: FloatArray = np.clip(1.0 - vectors @ asked, 0.0, 2.0)
    return away


def _lengths(vectors: FloatArray) -> FloatArray:
    lengths: FloatArray = np.linalg.norm(vectors, axis=1, keepdims=True)
    lengths[lengths == 0] = 1.0
    return lengths
