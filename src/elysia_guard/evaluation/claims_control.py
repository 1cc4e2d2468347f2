"""Does a sentence alone tell what its source does to it? A control of the labelled sentences.

Logistic regression over the words of the sentence, for each label, on sources left out. What it
tells, nobody has to read a source for, and a set on which it tells much measures little.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from elysia_guard.evaluation import logistic
from elysia_guard.evaluation.claims import ClaimCase, Label, auc
from elysia_guard.evaluation.logistic import Array
from elysia_guard.language.stems import stem
from elysia_guard.language.text import words

FOLDS = 5
FEWEST = 2
"""A word that stands in fewer sentences says nothing of others."""
PENALTY = 3.0
SEED = 15


def words_alone(cases: Sequence[ClaimCase]) -> dict[Label, float]:
    """Return for each label the AUC of the words of the sentence alone, on sources left out."""
    inputs = _reduced(_bags(cases))
    folds = _folds(cases)
    return {label: _auc(inputs, folds, cases, label) for label in Label}


def _bags(cases: Sequence[ClaimCase]) -> Array:
    bags = [
        {stem(word, case.lang_sentence) for word in words(case.sentence)} | {case.lang_sentence}
        for case in cases
    ]
    counts = Counter(word for bag in bags for word in bag)
    known = sorted(word for word, count in counts.items() if count >= FEWEST)
    places = {word: at for at, word in enumerate(known)}
    found: Array = np.zeros((len(cases), max(len(known), 1)))
    for row, bag in enumerate(bags):
        found[row, [places[word] for word in bag if word in places]] = 1.0
    return found


def _reduced(bags: Array) -> Array:
    """Turn the columns into as many as there are rows: a fit with an L2 penalty is the same."""
    left, sizes, _ = np.linalg.svd(bags - bags.mean(axis=0), full_matrices=False)
    found: Array = left * sizes
    return found


def _folds(cases: Sequence[ClaimCase]) -> Array:
    groups = sorted({case.group for case in cases})
    ranks = np.random.default_rng(SEED).permutation(len(groups))
    fold = {group: int(rank) % FOLDS for group, rank in zip(groups, ranks, strict=True)}
    return np.array([float(fold[case.group]) for case in cases])


def _auc(inputs: Array, folds: Array, cases: Sequence[ClaimCase], label: Label) -> float:
    labels = np.array([float(case.label is label) for case in cases])
    chances = np.zeros(len(cases))
    for fold in range(FOLDS):
        seen = folds != fold
        if seen.all() or not seen.any():
            continue
        weights = logistic.fit_signed(inputs[seen], labels[seen], penalty=PENALTY)
        chances[~seen] = logistic.probabilities(inputs[~seen], weights)
    return auc(chances[labels == 1].tolist(), chances[labels == 0].tolist())
