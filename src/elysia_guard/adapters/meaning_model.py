"""Hears whether a text asks what a term in it means, however it is said.

A sentence model reads the text with a placeholder in the place of the term. Of its vector one
logistic model tells whether the text asks for a meaning at all, and another, which also sees what
stands around, whether for that of this very term and not of a longer one.
`scripts/fit_meanings.py` fits both on the tuning questions.
"""

from __future__ import annotations

import json
import math
from functools import cached_property
from importlib.resources import files
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from elysia_guard.domain.question import Lang
from elysia_guard.language.mentions import mention
from elysia_guard.ports import Embedder

FITTED = files("elysia_guard.adapters") / "meaning_model.json"

_Vector = NDArray[np.float64]


class Weights(NamedTuple):
    """The two models, each with its intercept first, and the sentence model they were fitted on."""

    asked: _Vector
    whole: _Vector
    model: str


class MeaningModel:
    """A ``MeaningCue`` by the bundled sentence model; 2 ms a term."""

    def __init__(self, embedder: Embedder) -> None:
        """Take the model whose vectors the weights were fitted on."""
        self._embedder = embedder

    async def __call__(self, text: str, term: str, /, *, lang: Lang, others: int) -> float:
        """Return the chance that the text asks what the term means; 0 where it is not in it."""
        found = mention(text, term, lang=lang, others=others)
        if found is None or self._fitted.model != self._embedder.model_id:
            return 0.0
        vector = np.asarray(await self._embedder.embed_question(found.masked, kinds=None))
        return _chance(self._fitted.asked, vector) * _chance(
            self._fitted.whole, np.concatenate([vector, found.traits.values])
        )

    @cached_property
    def _fitted(self) -> Weights:
        read = json.loads(FITTED.read_text(encoding="utf-8"))
        return Weights(np.array(read["asked"]), np.array(read["whole"]), read["model"])


def _chance(weights: _Vector, inputs: _Vector) -> float:
    return 1.0 / (1.0 + math.exp(-float(weights[0] + weights[1:] @ inputs)))
