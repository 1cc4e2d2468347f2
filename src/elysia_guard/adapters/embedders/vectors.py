"""What a model server sent, held to what a vector is."""

from __future__ import annotations

from typing import Any

import numpy as np

from elysia_guard.adapters.embedders.errors import LastingError, ModelServerError
from elysia_guard.ports import Vector


def unit_vectors(rows: object, *, count: int, dimension: int, name: str) -> list[Vector]:
    """Return one vector of length 1 for each text.

    Raises:
        LastingError: a vector has another dimension than the configured one.
        ModelServerError: there are more or fewer than texts, or one is not made of numbers.
    """
    if not isinstance(rows, list):
        raise ModelServerError(f"{name} sent an answer without vectors")
    if len(rows) != count:
        raise ModelServerError(f"{name} sent {len(rows)} vectors for {count} texts")
    return [_unit(row, dimension=dimension, name=name) for row in rows]


def _unit(row: object, *, dimension: int, name: str) -> Vector:
    if not isinstance(row, list) or any(type(number) not in {int, float} for number in row):
        raise ModelServerError(f"{name} sent a vector that is no list of numbers")
    if len(row) != dimension:
        raise LastingError(
            f"{name} sent a vector of {len(row)} dimensions; embedder.server.dimension is "
            f"{dimension}"
        )
    vector = _numbers(row)
    largest = float(np.abs(vector).max())
    if not np.isfinite(vector).all() or largest == 0.0:
        raise ModelServerError(f"{name} sent a vector of zeros, or of what is no number")
    # Divided by the largest first: the squares of very large or small numbers are none.
    vector /= largest
    unit: list[float] = (vector / np.linalg.norm(vector)).tolist()
    return unit


def _numbers(row: list[Any]) -> np.ndarray[Any, np.dtype[np.float64]]:
    try:
        return np.array(row, dtype=np.float64)
    except OverflowError:
        return np.full(len(row), np.inf)
