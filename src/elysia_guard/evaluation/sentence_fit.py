"""Fitting what each measure of a sentence is worth, and what that is worth where it was not seen.

A conditional logistic model: of the sentences found for a question, which is one that answers.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from elysia_guard.domain.errors import GuardError
from elysia_guard.evaluation.logistic import Array
from elysia_guard.evaluation.sentence_examples import Example
from elysia_guard.stages.answering.measures import NAMES, NEARNESS, SECOND

PENALTY: Final = 20.0
"""On coefficients of measures scaled to a deviation of 1; 10 to 100 differ little."""
FOLDS: Final = 5
SEED: Final = 14
STEPS: Final = 30
FEWEST: Final = 10
RANKS: Final = (1, 4)
DIGITS: Final = 4


@dataclass(frozen=True, kw_only=True, slots=True)
class Models:
    """The weights in the order of ``NAMES``: with what was compared by meaning, and without."""

    compared: Array
    words_alone: Array

    def scores(self, example: Example) -> Array:
        """Return the log-odds of each sentence."""
        found: Array = example.rows @ (self.compared if example.compared else self.words_alone)
        return found


@dataclass(frozen=True, kw_only=True, slots=True)
class Worth:
    """How many questions have a sentence that answers first, and among four, in its document."""

    questions: int
    first: int
    among: int

    @property
    def shares(self) -> tuple[float, float]:
        """The two as shares; 0 of none."""
        count = max(self.questions, 1)
        return self.first / count, self.among / count


def fit(examples: Sequence[Example], without: frozenset[str] = frozenset()) -> Models:
    """Fit both models, without some of the measures.

    Raises:
        GuardError: there is too little to learn from.
    """
    compared = [item for item in examples if item.compared]
    if len(compared) < FEWEST:
        raise GuardError(f"{len(compared)} question(s) are too few; a fit needs {FEWEST}")
    return Models(
        compared=_fitted(compared, without),
        words_alone=_fitted(examples, without | {*NEARNESS, SECOND}),
    )


def left_out(
    examples: Sequence[Example], without: frozenset[str] = frozenset()
) -> dict[str, list[tuple[Example, Array]]]:
    """Score each question by models that have not seen its corpus, or not its documents.

    A corpus that is alone, or all that there is to learn from but a little, is cut into folds of
    whole documents too: those are under its name and 'documents left out'.
    """
    found: dict[str, list[tuple[Example, Array]]] = {}
    corpora = sorted({item.corpus for item in examples})
    for corpus in corpora:
        inside = [item for item in examples if item.corpus == corpus]
        others = [item for item in examples if item.corpus != corpus]
        if sum(item.compared for item in others) >= FEWEST:
            models = fit(others, without)
            found[corpus] = [(item, models.scores(item)) for item in inside]
        if len(inside) >= FOLDS * FEWEST:
            found[f"{corpus}, documents left out"] = list(_folded(inside, others, without))
    return found


def worth(scored: Sequence[tuple[Example, Array]]) -> Worth:
    """Count where a sentence that answers comes among those of the documents that answer."""
    ranks = [rank(item.answers[item.right], scores[item.right]) for item, scores in scored]
    first, among = (sum(each <= most for each in ranks) for most in RANKS)
    return Worth(questions=len(ranks), first=first, among=among)


def rank(answers: NDArray[np.bool_], scores: Array) -> int:
    """Return the place, from 1, of the first sentence that answers; ties keep their order."""
    return 1 + int(answers[np.argsort(-scores, kind="stable")].argmax())


def written(
    models: Models, examples: Sequence[Example], *, model: str, sets: Mapping[str, str], held: str
) -> str:
    """Return the text of the file that the guard reads the weights from.

    ``model`` made the vectors; ``sets`` holds the blob hash of each set of questions by its name.
    What ``held``, the file so far, says of a second model stays.
    """
    read = json.loads(held)
    content = {
        **_fitted_on(examples, model, sets),
        "compared": _named(models.compared),
        "words_alone": _named(models.words_alone),
    }
    return _text(content | {name: read[name] for name in (SECOND, "by_both")})


def written_for_both(
    models: Models, examples: Sequence[Example], *, model: str, sets: Mapping[str, str], held: str
) -> str:
    """Return the text of the file with what counts where a second ``model`` compared too.

    The rest stays as the file so far, ``held``, says it.
    """
    fitted = {SECOND: _fitted_on(examples, model, sets), "by_both": _named(models.compared)}
    return _text(json.loads(held) | fitted)


def _fitted_on(
    examples: Sequence[Example], model: str, sets: Mapping[str, str]
) -> dict[str, object]:
    corpora = sorted({item.corpus for item in examples})
    counts = {name: sum(item.corpus == name for item in examples) for name in corpora}
    return {"model": model, "sets": dict(sets), "questions": counts}


def _text(content: Mapping[str, object]) -> str:
    return json.dumps(content, indent=2) + "\n"


def _named(weights: Array) -> dict[str, float]:
    return {
        name: round(float(weight), DIGITS)
        for name, weight in zip(NAMES, weights, strict=True)
        if weight
    }


def _folded(
    inside: Sequence[Example], others: Sequence[Example], without: frozenset[str]
) -> Iterator[tuple[Example, Array]]:
    groups = sorted({item.group for item in inside})
    fold = dict(zip(groups, np.random.default_rng(SEED).permutation(len(groups)), strict=True))
    for each in range(FOLDS):
        seen = [item for item in inside if fold[item.group] % FOLDS != each]
        models = fit([*seen, *others], without)
        for item in inside:
            if fold[item.group] % FOLDS == each:
                yield item, models.scores(item)


def _fitted(examples: Sequence[Example], without: frozenset[str]) -> Array:
    """Minimise the penalised loss by Newton's method, on what its curvature is at most."""
    kept = [place for place, name in enumerate(NAMES) if name not in without]
    rows = np.vstack([item.rows[:, kept] for item in examples])
    scale = rows.std(axis=0)
    scale[scale == 0] = 1.0
    rows = rows / scale
    answers = np.concatenate([item.answers for item in examples])
    starts = np.cumsum([0, *(len(item.rows) for item in examples)])
    of = np.repeat(np.arange(len(examples)), np.diff(starts))
    weights = np.zeros(len(kept))
    for _ in range(STEPS):
        chances = _shares(rows @ weights, starts, of)
        told = _shares(np.where(answers, rows @ weights, -np.inf), starts, of)
        gradient = rows.T @ (chances - told) + PENALTY * weights
        means = np.add.reduceat(rows * chances[:, None], starts[:-1])
        curvature = rows.T @ (rows * chances[:, None]) - means.T @ means
        weights = weights - np.linalg.solve(curvature + PENALTY * np.eye(len(kept)), gradient)
    full = np.zeros(len(NAMES))
    full[kept] = weights / scale
    return full


def _shares(log_odds: Array, starts: NDArray[np.int_], of: NDArray[np.int_]) -> Array:
    """The chance of each sentence among those of its question."""
    raised = np.exp(log_odds - np.maximum.reduceat(log_odds, starts[:-1])[of])
    shares: Array = raised / np.add.reduceat(raised, starts[:-1])[of]
    return shares
