"""Fitting the small model of wordings, and what it is worth on corpora that it has not seen."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from elysia_guard.domain.errors import GuardError
from elysia_guard.domain.reading import ReadKind
from elysia_guard.evaluation import logistic, softmax
from elysia_guard.evaluation.intent_examples import Example, digest
from elysia_guard.evaluation.logistic import Array
from elysia_guard.ports import Embedder
from elysia_guard.reading.masks import KINDS, in_words, traits

PENALTY: Final = 0.1
"""On coefficients of vectors of length 1: chosen among 0.05 to 1 on corpora left out."""
TRAITS_PENALTY: Final = 0.5
TERM_PENALTY: Final = 0.16
TERM_TRAITS_PENALTY: Final = 1.0
FEWEST: Final = 2
"""Corpora, and questions of each kind, that a fit needs at least."""
DIGITS: Final = 4


@dataclass(frozen=True, kw_only=True, slots=True)
class Models:
    """The coefficients, intercepts first: of the kinds, and of whether the masked term is meant."""

    kinds: Array
    term: Array

    def chances(self, vectors: Array, traits: Array) -> Array:
        """Return the chance of each kind, whichever term is meant."""
        return softmax.probabilities(np.hstack([vectors, traits]), self.kinds)


@dataclass(frozen=True, kw_only=True, slots=True)
class Judged:
    """A question by a model that has seen none of what it is ``without``.

    ``of_term`` is the chance that a meaning that is asked is that of the masked term.
    """

    without: str
    example: Example
    chances: Array
    of_term: float

    @property
    def best(self) -> ReadKind:
        """The likeliest kind."""
        return KINDS[int(self.chances.argmax())]

    @property
    def chance(self) -> float:
        """That of the likeliest kind."""
        return float(self.chances.max())


@dataclass(frozen=True, kw_only=True, slots=True)
class Fitted:
    """The models on everything, and each question by those that have not seen its like."""

    models: Models
    judged: tuple[Judged, ...]
    temperature: float
    examples: int
    training_hash: str


async def fit(embedder: Embedder, examples: Sequence[Example]) -> Fitted:
    """Fit the coefficients, leaving out corpora and sets in turn to say what they are worth.

    What the kinds' log-odds are divided by is fitted on those left out, so that a chance is what
    it is worth on a corpus that is new.

    Raises:
        GuardError: there is too little to learn from.
    """
    corpora = {item.corpus for item in examples}
    labels = np.array([KINDS.index(item.kind) for item in examples])
    rarest = min(np.bincount(labels, minlength=len(KINDS)))
    if len(corpora) < FEWEST or rarest < FEWEST:
        raise GuardError(
            f"{len(examples)} example(s) of {len(corpora)} corpora are too few; a fit needs"
            f" questions of {FEWEST} corpora at least, and {FEWEST} of each kind"
        )
    texts = [in_words(item.text) for item in examples]
    vectors = np.asarray(await embedder.embed(texts), dtype=float)
    looks = np.array([_traits(item) for item in examples])
    judged: list[Judged] = []
    for name in left_out(examples):
        inside = np.array([name in names_of(item) for item in examples])
        models = _models(vectors, looks, examples, kept=~inside)
        chances = models.chances(vectors[inside], looks[inside])
        of_term = logistic.probabilities(np.hstack([vectors, looks])[inside], models.term)
        judged += [
            Judged(without=name, example=examples[int(place)], chances=each, of_term=float(meant))
            for place, each, meant in zip(np.flatnonzero(inside), chances, of_term, strict=True)
        ]
    heat = _heat(judged)
    everything = _models(vectors, looks, examples, kept=np.ones(len(examples), dtype=bool))
    return Fitted(
        models=Models(kinds=everything.kinds / heat, term=everything.term),
        judged=tuple(_cooled(item, heat) for item in judged if item.example.is_whole),
        temperature=heat,
        examples=len(examples),
        training_hash=digest(examples),
    )


def names_of(item: Example) -> tuple[str, ...]:
    """Name what an example belongs to: its corpus, and its set of questions over it."""
    return item.corpus, f"{item.corpus}, {item.source}"


def left_out(examples: Sequence[Example]) -> list[str]:
    """Name every corpus and every set over one, each once; of two that are the same, the first."""
    members: dict[tuple[int, ...], str] = {}
    for name in sorted({name for item in examples for name in names_of(item)}):
        inside = (place for place, item in enumerate(examples) if name in names_of(item))
        members.setdefault(tuple(inside), name)
    return list(members.values())


def written(fitted: Fitted, *, model: str, sets: dict[str, str]) -> str:
    """Return the text of the file that the guard reads the coefficients from.

    ``sets`` holds the blob hash of each labelled set by its file name.
    """
    content = {
        "model": model,
        "sets": sets,
        "training_hash": fitted.training_hash,
        "examples": fitted.examples,
        "kinds": fitted.models.kinds.round(DIGITS).tolist(),
        "term": fitted.models.term.round(DIGITS).tolist(),
    }
    return json.dumps(content) + "\n"


def _traits(item: Example) -> Sequence[float]:
    return traits(item.text, lang=item.lang, terms=item.terms, documents=item.documents)


def _models(
    vectors: Array, traits: Array, examples: Sequence[Example], *, kept: NDArray[np.bool_]
) -> Models:
    both = np.hstack([vectors, traits])
    width, more = vectors.shape[1], traits.shape[1]
    labels = np.array([KINDS.index(item.kind) for item in examples])
    weights = np.array([item.weight for item in examples])
    meant = np.array([item.of_term is True for item in examples], dtype=float)
    told = kept & np.array([item.of_term is not None for item in examples])
    kinds = softmax.fit(
        both[kept],
        labels[kept],
        penalties=[PENALTY] * width + [TRAITS_PENALTY] * more,
        weights=weights[kept],
        kinds=len(KINDS),
    )
    term = logistic.fit_signed(
        both[told], meant[told], penalty=[TERM_PENALTY] * width + [TERM_TRAITS_PENALTY] * more
    )
    return Models(kinds=kinds, term=term)


def _heat(judged: Sequence[Judged]) -> float:
    """Each of what was left out counts the same, however many questions it has."""
    whole = [item for item in judged if item.example.is_whole]
    sizes = Counter(item.without for item in whole)
    chances = np.array([item.chances for item in whole])
    labels = np.array([KINDS.index(item.example.kind) for item in whole])
    weights = np.array([1.0 / sizes[item.without] for item in whole])
    return softmax.temperature(chances, labels, weights=weights)


def _cooled(item: Judged, heat: float) -> Judged:
    raised = item.chances ** (1.0 / heat)
    return replace(item, chances=raised / raised.sum())
