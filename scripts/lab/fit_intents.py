"""Fit the small model of wordings on the tuning questions, and say what it is worth.

    python -m scripts.lab fit_intents           # prints: each corpus by a model of the others
    python -m scripts.lab fit_intents --write   # and updates the weights that the guard reads

The held-out questions are never looked at. Exit codes: 0 done, 2 wrong use, 3 could not run.
"""

from __future__ import annotations

import argparse
import asyncio
import json
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scripts.lab import intents, readings
from scripts.lab.corpora import DONE, GOLDEN, ROOT, table
from scripts.lab.intent_examples import (
    OWN,
    IntentExample,
    Spot,
    Spots,
    digest,
    of_golden,
    of_intents,
    of_readings,
)

from elysia_guard.adapters.embedders import BundledEmbedder
from elysia_guard.domain.document import Filters
from elysia_guard.domain.errors import GuardError
from elysia_guard.domain.reading import ReadKind
from elysia_guard.evaluation import golden, logistic
from elysia_guard.evaluation.golden import Split
from elysia_guard.evaluation.logistic import Array
from elysia_guard.ports import Embedder
from elysia_guard.reading.intents import KINDS, in_words, traits
from elysia_guard.reading.spans import Spotter
from elysia_guard.wiring import Wiring

WEIGHTS = ROOT / "src" / "elysia_guard" / "adapters" / "intent_model.json"
OF_OWN_VOCABULARY = frozenset({OWN, "esa"})
"""Corpora whose questions are asked beside the vocabulary of our own."""
PENALTY: Final = 0.1
"""On coefficients of vectors of length 1: chosen among 0.05 to 1 on corpora left out."""
TRAITS_PENALTY: Final = 0.5
TERM_PENALTY: Final = 0.16
TERM_TRAITS_PENALTY: Final = 1.0
FEWEST: Final = 2
"""Corpora, and questions of each kind, that a fit needs at least."""
DIGITS: Final = 4
STEPS = 600
TOLERANCE = 1e-6
_FREE = 1e-6
"""Of the intercepts: enough to tell one solution from those that differ by a constant."""
_COOLEST, _HOTTEST, _HALVINGS = 0.2, 5.0, 40


@dataclass(frozen=True, kw_only=True, slots=True)
class IntentModels:
    """The coefficients, intercepts first: of the kinds, and of whether the masked term is meant."""

    kinds: Array
    term: Array

    def chances(self, vectors: Array, traits: Array) -> Array:
        """Return the chance of each kind, whichever term is meant."""
        return probabilities(np.hstack([vectors, traits]), self.kinds)


@dataclass(frozen=True, kw_only=True, slots=True)
class JudgedQuestion:
    """A question by a model that has seen none of what it is ``without``.

    ``of_term`` is the chance that a meaning that is asked is that of the masked term.
    """

    without: str
    example: IntentExample
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

    models: IntentModels
    judged: tuple[JudgedQuestion, ...]
    temperature: float
    examples: int
    training_hash: str


async def fit(embedder: Embedder, examples: Sequence[IntentExample]) -> Fitted:
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
    judged: list[JudgedQuestion] = []
    for name in left_out(examples):
        inside = np.array([name in names_of(item) for item in examples])
        models = _models(vectors, looks, examples, kept=~inside)
        chances = models.chances(vectors[inside], looks[inside])
        of_term = logistic.probabilities(np.hstack([vectors, looks])[inside], models.term)
        judged += [
            JudgedQuestion(
                without=name, example=examples[int(place)], chances=each, of_term=float(meant)
            )
            for place, each, meant in zip(np.flatnonzero(inside), chances, of_term, strict=True)
        ]
    heat = _heat(judged)
    everything = _models(vectors, looks, examples, kept=np.ones(len(examples), dtype=bool))
    return Fitted(
        models=IntentModels(kinds=everything.kinds / heat, term=everything.term),
        judged=tuple(_cooled(item, heat) for item in judged if item.example.is_whole),
        temperature=heat,
        examples=len(examples),
        training_hash=digest(examples),
    )


def names_of(item: IntentExample) -> tuple[str, ...]:
    """Name what an example belongs to: its corpus, and its set of questions over it."""
    return item.corpus, f"{item.corpus}, {item.source}"


def left_out(examples: Sequence[IntentExample]) -> list[str]:
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


def _traits(item: IntentExample) -> Sequence[float]:
    return traits(item.text, lang=item.lang, terms=item.terms, documents=item.documents)


def _models(
    vectors: Array, traits: Array, examples: Sequence[IntentExample], *, kept: NDArray[np.bool_]
) -> IntentModels:
    both = np.hstack([vectors, traits])
    width, more = vectors.shape[1], traits.shape[1]
    labels = np.array([KINDS.index(item.kind) for item in examples])
    weights = np.array([item.weight for item in examples])
    meant = np.array([item.of_term is True for item in examples], dtype=float)
    told = kept & np.array([item.of_term is not None for item in examples])
    kinds = fit_softmax(
        both[kept],
        labels[kept],
        penalties=[PENALTY] * width + [TRAITS_PENALTY] * more,
        weights=weights[kept],
        kinds=len(KINDS),
    )
    term = logistic.fit_signed(
        both[told], meant[told], penalty=[TERM_PENALTY] * width + [TERM_TRAITS_PENALTY] * more
    )
    return IntentModels(kinds=kinds, term=term)


def _heat(judged: Sequence[JudgedQuestion]) -> float:
    """Each of what was left out counts the same, however many questions it has."""
    whole = [item for item in judged if item.example.is_whole]
    sizes = Counter(item.without for item in whole)
    chances = np.array([item.chances for item in whole])
    labels = np.array([KINDS.index(item.example.kind) for item in whole])
    weights = np.array([1.0 / sizes[item.without] for item in whole])
    return temperature(chances, labels, weights=weights)


def _cooled(item: JudgedQuestion, heat: float) -> JudgedQuestion:
    raised = item.chances ** (1.0 / heat)
    return replace(item, chances=raised / raised.sum())


def main() -> int:
    """Fit, print, and write when asked to."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--weights", type=Path, default=WEIGHTS, help="the file to write")
    parser.add_argument("--write", action="store_true", help="write the weights")
    options = parser.parse_args()
    spots = asyncio.run(_spots())
    labelled = [case for case in intents.load(intents.INTENTS) if case.split is Split.TUNING]
    read = [case for case in readings.load(readings.READINGS) if case.split is Split.TUNING]
    found = [
        *of_golden(golden.load(GOLDEN).select(Split.TUNING), spots(OWN)),
        *of_intents(labelled, spots(OWN)),
        *of_readings(read, spots),
    ]
    embedder = BundledEmbedder()
    fitted = asyncio.run(fit(embedder, found))
    print(f"{fitted.examples} examples, log-odds divided by {fitted.temperature:.2f}")
    print(worth(fitted.judged))
    if options.write:
        files = (GOLDEN, intents.INTENTS, readings.READINGS)
        sets = {path.name: golden.blob_hash(path.read_bytes()) for path in files}
        text = written(fitted, model=embedder.model_id, sets=sets)
        options.weights.write_text(text, encoding="utf-8")
        print(f"wrote {options.weights}")
    return DONE


def worth(judged: Sequence[JudgedQuestion]) -> str:
    """Write how often the likeliest kind is right, of what a model has not seen."""
    rows: list[Sequence[object]] = [("not seen", "questions", "right", "wrong and no search")]
    for name in dict.fromkeys(item.without for item in judged):
        read = [(item.example.kind, item.best) for item in judged if item.without == name]
        wrong = [best for kind, best in read if best is not kind]
        at_risk = sum(best is not ReadKind.SEARCH for best in wrong)
        rows.append((name, len(read), len(read) - len(wrong), at_risk))
    return table(rows)


async def _spots() -> Spots:
    """What finds spans: of our own corpus all; elsewhere what is not labelled is known here alone.

    The documents of the other corpora are labelled in every question that mentions them.
    """
    with closing(Wiring.load()) as wiring:
        labels = (await wiring.terminology.labels()).all if wiring.terminology else ()
        own = Spotter.of(labels, await wiring.index.documents(Filters(approval=None)))
    beside, none = Spotter.of(labels, ()), Spotter.of((), ())

    def of(corpus: str) -> Spot:
        if corpus == OWN:
            return own.spot
        return (beside if corpus in OF_OWN_VOCABULARY else none).spot

    return of


def fit_softmax(
    inputs: Array,
    labels: Array,
    *,
    penalties: float | Sequence[float] | Array,
    weights: Array | None = None,
    kinds: int | None = None,
) -> Array:
    """Return the intercepts (first row) and one row per column, one column per kind.

    The curvature of the loss is bounded by a matrix that does not change (Böhning, 1992): it is
    solved once, and each step down, quickened by the one before it (Nesterov), is a product of
    matrices.

    Args:
        inputs: one row per observation.
        labels: the kind of each as a place, 0 to the highest that occurs.
        penalties: how strongly the coefficients are drawn to 0, one or one per column.
        weights: how much each observation counts; 1 each without.
        kinds: how many kinds there are; without it, as many as occur.
    """
    design = np.column_stack([np.ones(len(inputs)), inputs])
    counted = np.ones(len(inputs)) if weights is None else weights
    kinds = int(labels.max()) + 1 if kinds is None else kinds
    right = np.eye(kinds)[labels.astype(int)]
    strength = np.full(design.shape[1], _FREE)
    strength[1:] = penalties
    bound = 0.5 * (design.T * counted) @ design + np.diag(strength)
    down = np.linalg.inv(bound)
    found = np.zeros((design.shape[1], kinds))
    ahead, pace = found, 1.0
    for _ in range(STEPS):
        wrong = counted[:, None] * (_softmax(design @ ahead) - right)
        new = ahead - down @ (design.T @ wrong + strength[:, None] * ahead)
        quicker = (1.0 + np.sqrt(1.0 + 4.0 * pace * pace)) / 2.0
        ahead = new + (pace - 1.0) / quicker * (new - found)
        moved = float(np.abs(new - found).max())
        found, pace = new, quicker
        if moved < TOLERANCE:
            break
    return found


def probabilities(inputs: Array, coefficients: Array) -> Array:
    """Return the probability of each kind, one row per observation."""
    return _softmax(coefficients[0] + inputs @ coefficients[1:])


def temperature(chances: Array, labels: Array, *, weights: Array | None = None) -> float:
    """Return what log-odds must be divided by for chances that are as often right as they say.

    0.2 to 5; the loss has one minimum in it, which is found by thirds.
    """
    logs = np.log(np.clip(chances, 1e-12, 1.0))
    counted = np.ones(len(labels)) if weights is None else weights
    rows, low, high = np.arange(len(labels)), np.log(_COOLEST), np.log(_HOTTEST)

    def loss(log_heat: float) -> float:
        spread = _softmax(logs / np.exp(log_heat))[rows, labels.astype(int)]
        return float(-(counted * np.log(np.clip(spread, 1e-12, 1.0))).sum())

    for _ in range(_HALVINGS):
        third = (high - low) / 3
        if loss(low + third) < loss(high - third):
            high -= third
        else:
            low += third
    return float(np.exp((low + high) / 2))


def _softmax(log_odds: Array) -> Array:
    raised = np.exp(log_odds - log_odds.max(axis=1, keepdims=True))
    shares: Array = raised / raised.sum(axis=1, keepdims=True)
    return shares
