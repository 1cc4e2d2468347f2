"""Tells from its wording what a question asks, where no form of it does.

A sentence model reads the question with its terms and documents masked. Of its vector and a few
traits a logistic model gives the chance of each kind of reading; where one term is masked, another
tells whether a meaning that is asked is that of this very term and not of a longer one.
`scripts/lab/fit_intents.py` fits both on the tuning questions.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cached_property
from importlib.resources import files
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from elysia_guard.domain.question import Lang
from elysia_guard.domain.reading import ReadKind
from elysia_guard.ports import Embedder
from elysia_guard.reading.intents import KINDS, TERM, in_words, traits

FITTED: Final = files("elysia_guard.adapters") / "intent_model.json"

_Array = NDArray[np.float64]


class IntentWeights(NamedTuple):
    """The coefficients, each with its intercepts first, and the sentence model of their vectors."""

    kinds: _Array
    term: _Array
    model: str


class LogisticIntents:
    """An ``IntentModel`` over the bundled sentence model; 2 ms a question."""

    def __init__(self, embedder: Embedder) -> None:
        """Take the model whose vectors the weights were fitted on."""
        self._embedder = embedder

    async def __call__(
        self, masked: str, /, *, lang: Lang, terms: int, documents: int
    ) -> Mapping[ReadKind, float]:
        """Return the chance of each kind; nothing where the weights are of another model."""
        if self._fitted.model != self._embedder.model_id:
            return {}
        vector = await self._embedder.embed_question(in_words(masked), kinds=None)
        looks = traits(masked, lang=lang, terms=terms, documents=documents)
        found = np.concatenate([np.asarray(vector, dtype=float), looks])
        chances = dict(zip(KINDS, map(float, _softmax(found, self._fitted.kinds)), strict=True))
        if masked.count(TERM) == 1:
            beside = chances[ReadKind.DEFINITION] * (1.0 - _chance(found, self._fitted.term))
            chances[ReadKind.DEFINITION] -= beside
            chances[ReadKind.SEARCH] += beside
        return chances

    @cached_property
    def _fitted(self) -> IntentWeights:
        read = json.loads(FITTED.read_text(encoding="utf-8"))
        return IntentWeights(np.array(read["kinds"]), np.array(read["term"]), read["model"])


def _softmax(found: _Array, weights: _Array) -> _Array:
    log_odds = weights[0] + found @ weights[1:]
    raised = np.exp(log_odds - log_odds.max())
    shares: _Array = raised / raised.sum()
    return shares


def _chance(found: _Array, weights: _Array) -> float:
    return float(1.0 / (1.0 + np.exp(-(weights[0] + weights[1:] @ found))))
