"""Logistic regression, small and deterministic: Newton's method with an L2 penalty."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

PENALTY = 0.1
STEPS = 100
TOLERANCE = 1e-10


def fit(inputs: Array, labels: Array, *, penalty: float = PENALTY) -> Array:
    """Return the intercept and one coefficient per column, none of them negative.

    More likeness must never lower a probability: a column whose coefficient comes out negative is
    left out, the most negative first, and the others are fitted again.

    Args:
        inputs: one row per observation.
        labels: 1 where the observation is positive, else 0.
        penalty: weight of the squared coefficients; the intercept is not penalised.
    """
    kept = list(range(inputs.shape[1]))
    while True:
        weights = newton(inputs[:, kept], labels, penalty=penalty)
        if not kept or weights[1:].min() >= 0:
            break
        del kept[int(weights[1:].argmin())]
    full = np.zeros(inputs.shape[1] + 1)
    full[0] = weights[0]
    full[[column + 1 for column in kept]] = weights[1:]
    return full


def newton(inputs: Array, labels: Array, *, penalty: float) -> Array:
    """Minimise the penalised log loss; the step is halved while it does not help."""
    design = np.column_stack([np.ones(len(inputs)), inputs])
    ridge = np.full(design.shape[1], penalty)
    ridge[0] = 1e-9
    weights = np.zeros(design.shape[1])
    loss = _penalised(design, labels, weights, ridge)
    for _ in range(STEPS):
        chance = _sigmoid(design @ weights)
        gradient = design.T @ (chance - labels) + ridge * weights
        curvature = design.T @ (design * (chance * (1 - chance))[:, None]) + np.diag(ridge)
        step = np.linalg.solve(curvature, gradient)
        while True:
            candidate = weights - step
            improved = _penalised(design, labels, candidate, ridge)
            if improved <= loss or np.abs(step).max() < TOLERANCE:
                break
            step = step / 2
        weights, loss = candidate, improved
        if np.abs(step).max() < TOLERANCE:
            break
    return weights


def probabilities(inputs: Array, weights: Array) -> Array:
    """Return the probability of each row."""
    return _sigmoid(weights[0] + inputs @ weights[1:])


def log_loss(chances: Array, labels: Array) -> float:
    """Return the mean negative log likelihood."""
    bounded = np.clip(chances, 1e-12, 1 - 1e-12)
    return float(-np.mean(labels * np.log(bounded) + (1 - labels) * np.log(1 - bounded)))


def _penalised(design: Array, labels: Array, weights: Array, ridge: Array) -> float:
    z = design @ weights
    return float(np.sum(np.logaddexp(0, z) - labels * z) + 0.5 * np.sum(ridge * weights**2))


def _sigmoid(z: Array) -> Array:
    bounded: Array = np.clip(z, -60.0, 60.0)
    chances: Array = 1.0 / (1.0 + np.exp(-bounded))
    return chances
