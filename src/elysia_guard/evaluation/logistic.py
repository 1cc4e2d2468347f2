"""Logistic regression, small and deterministic: Newton's method with an L2 penalty."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

PENALTY = 0.1
STEPS = 100
TOLERANCE = 1e-9
_MAX_EXPONENT = 60.0


def fit(
    inputs: Array,
    labels: Array,
    *,
    penalty: float = PENALTY,
    prior: Array | None = None,
    ceiling: float = 1.0,
    counts: Array | None = None,
) -> Array:
    """Return the intercept and one coefficient per column, no coefficient negative.

    More likeness must never lower a probability: a column whose coefficient comes out negative is
    left out, the most negative first, and the others are fitted again.

    Args:
        inputs: one row per observation.
        labels: 1 where the observation is positive, else 0.
        penalty: how strongly the weights are drawn to the prior.
        prior: weights of a fit on more data; without one, coefficients are drawn to 0 and the
            intercept is free.
        ceiling: the share of the logistic function that is the probability, such as what a
            reduction leaves of it.
        counts: how often each observation counts; once where nothing is said.
    """
    columns = inputs.shape[1]
    target = np.zeros(columns + 1) if prior is None else prior
    strength = np.full(columns + 1, penalty)
    if prior is None:
        strength[0] = 0.0
    kept = list(range(columns + 1))
    while True:
        design = np.column_stack([np.ones(len(inputs)), inputs])[:, kept]
        weights = _newton(design, labels, strength[kept], target[kept], ceiling, counts)
        if len(kept) == 1 or weights[1:].min() >= 0:
            break
        del kept[int(weights[1:].argmin()) + 1]
    full = np.zeros(columns + 1)
    full[kept] = weights
    return full


def fit_signed(
    inputs: Array, labels: Array, *, penalty: float | Sequence[float] = PENALTY
) -> Array:
    """Return the intercept and one coefficient per column, of either sign, each drawn to 0."""
    design = np.column_stack([np.ones(len(inputs)), inputs])
    strength = np.zeros(design.shape[1])
    strength[1:] = penalty
    return _newton(design, labels, strength, np.zeros(design.shape[1]))


def probabilities(inputs: Array, weights: Array) -> Array:
    """Return the probability of each row."""
    return _sigmoid(weights[0] + inputs @ weights[1:])


def log_loss(chances: Array, labels: Array, counts: Array | None = None) -> float:
    """Return the mean negative log likelihood, each observation counted as often as is said."""
    bounded = np.clip(chances, 1e-12, 1 - 1e-12)
    told = labels * np.log(bounded) + (1 - labels) * np.log(1 - bounded)
    return -float(np.average(told, weights=counts))


def _newton(
    design: Array,
    labels: Array,
    strength: Array,
    target: Array,
    ceiling: float = 1.0,
    counts: Array | None = None,
) -> Array:
    """Minimise the penalised loss from the target on; a step is halved while it does not help."""
    weights = target.copy()
    times: Array = np.ones(len(labels)) if counts is None else counts

    def loss_of(weights: Array) -> float:
        drawn = 0.5 * np.sum(strength * (weights - target) ** 2)
        return float(times @ losses(design @ weights, labels, ceiling) + drawn)

    loss = loss_of(weights)
    for _ in range(STEPS):
        chance, against = _sigmoid(design @ weights), _sigmoid(-(design @ weights))
        # 1 without a ceiling; below one, the nearer a chance is to it, the less a label tells.
        told = against / (1 - ceiling + ceiling * against)
        gradient = design.T @ (times * told * (ceiling * chance - labels)) + strength * (
            weights - target
        )
        bent = times * ceiling * chance * (1 - chance) * told
        curvature = design.T @ (design * bent[:, None]) + np.diag(strength)
        # Where all labels are alike, nothing bends the free intercept: this keeps it finite.
        curvature += np.eye(len(weights)) * TOLERANCE
        step: Array = np.linalg.solve(curvature, gradient).astype(np.float64)
        candidate = weights - step
        while loss_of(candidate) > loss and _large(step):
            step = step / 2
            candidate = weights - step
        weights = candidate
        loss = loss_of(weights)
        if not _large(step):
            break
    return weights


def _large(step: Array) -> bool:
    return bool(np.abs(step).max() > TOLERANCE)


def losses(log_odds: Array, labels: Array, ceiling: float = 1.0) -> Array:
    """Return the negative log likelihood of each label, where the ceiling's share is the chance."""
    # log(1 + (1 - c) e^z) of a wrong one; without a ceiling that is 0.
    wrong = np.logaddexp(0, log_odds + np.log(1 - ceiling)) if ceiling < 1.0 else 0.0
    right = log_odds + np.log(ceiling)
    found: Array = np.logaddexp(0, log_odds) - labels * right - (1 - labels) * wrong
    return found


def _sigmoid(z: Array) -> Array:
    chances: Array = 1.0 / (1.0 + np.exp(-np.clip(z, -_MAX_EXPONENT, _MAX_EXPONENT)))
    return chances
