"""Logistic regression over several kinds, small and deterministic.

The curvature of the loss is bounded by a matrix that does not change (Böhning, 1992): it is solved
once, and each step down, quickened by the one before it (Nesterov), is a product of matrices.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from elysia_guard.evaluation.logistic import Array

STEPS = 600
TOLERANCE = 1e-6
_FREE = 1e-6
"""Of the intercepts: enough to tell one solution from those that differ by a constant."""
_COOLEST, _HOTTEST, _HALVINGS = 0.2, 5.0, 40


def fit(
    inputs: Array,
    labels: Array,
    *,
    penalties: float | Sequence[float] | Array,
    weights: Array | None = None,
    kinds: int | None = None,
) -> Array:
    """Return the intercepts (first row) and one row per column, one column per kind.

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


def calibration_error(chances: Array, labels: Array, *, bins: int = 10) -> float:
    """Return by how much the highest chances differ from how often they are right, 0 to 1.

    It is the mean over bins of equal width, weighted by what falls into them.
    """
    best, right = chances.max(axis=1), chances.argmax(axis=1) == labels
    place = np.minimum((best * bins).astype(int), bins - 1)
    gaps = (
        abs(best[place == number].mean() - right[place == number].mean()) * (place == number).mean()
        for number in range(bins)
        if (place == number).any()
    )
    return float(sum(gaps))


def _softmax(log_odds: Array) -> Array:
    raised = np.exp(log_odds - log_odds.max(axis=1, keepdims=True))
    shares: Array = raised / raised.sum(axis=1, keepdims=True)
    return shares
