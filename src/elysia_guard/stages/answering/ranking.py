"""Which sentences answer best: a weighted sum of what is measured of each, best first.

The weights are a conditional logistic model of which of all sentences at hand is one that answers,
fitted on questions whose answering sentence is known (`docs/internals/tried.md`).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from operator import mul
from typing import Final, NamedTuple

from elysia_guard.domain.document import Hit
from elysia_guard.stages.answering.measures import NAMES, MeasuredSentence, Sought, measured

FITTED: Final = files("elysia_guard.stages.answering") / "sentence_weights.json"


class SentenceWeights(NamedTuple):
    """What each measure counts, in the order of ``NAMES``.

    ``compared`` is for where sentences were compared by meaning, the other where words
    alone tell.
    """

    compared: tuple[float, ...]
    words_alone: tuple[float, ...]

    def of(self, sought: Sought) -> tuple[float, ...]:
        """Return the weights for what was compared."""
        return self.compared if sought.spread else self.words_alone


class Ranked(NamedTuple):
    """A sentence and its log-odds against the others of its search."""

    score: float
    sentence: MeasuredSentence


def ranked(hits: Iterable[Hit], sought: Sought) -> list[Ranked]:
    """Return the sentences of some hits, the best first; ties keep the order of the hits."""
    weights = fitted().of(sought)
    found = [
        Ranked(sum(map(mul, weights, item.values)), item)
        for hit in hits
        for item in measured(hit, sought)
    ]
    return sorted(found, key=lambda item: -item.score)


@cache
def fitted() -> SentenceWeights:
    """Read the weights that ship with the guard."""
    read = json.loads(FITTED.read_text(encoding="utf-8"))
    return SentenceWeights(*(_ordered(read[name]) for name in SentenceWeights._fields))


def _ordered(weights: Mapping[str, float]) -> tuple[float, ...]:
    return tuple(weights.get(name, 0.0) for name in NAMES)
