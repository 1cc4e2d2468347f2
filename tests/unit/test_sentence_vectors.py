"""The vectors of sentences: small, and true enough to rank by."""

from __future__ import annotations

import numpy as np
import pytest

from elysia_guard.adapters.sentence_vectors import compared, pack


def test_a_packed_vector_points_where_it_pointed() -> None:
    """One byte a dimension costs less than a thousandth of the cosine."""
    numbers = np.random.default_rng(1)
    query, *vectors = (row / np.linalg.norm(row) for row in numbers.standard_normal((9, 512)))
    packed = pack(vectors)
    assert len(packed) == 8 * 512
    true = max(float(vector @ query) for vector in vectors)
    assert compared([packed], query).nearest([0.0])[0] == pytest.approx(true, abs=1e-3)


def test_the_nearest_sentence_of_each_passage_counts() -> None:
    """A passage without sentences stands for itself, wherever it comes."""
    packed = [b"", pack([[1.0, 0.0], [0.0, 1.0]]), b"", pack([[0.0, -2.0]])]
    assert list(compared(packed, [0.0, 3.0]).nearest([0.4, 0.1, 0.2, 0.3])) == pytest.approx(
        [0.4, 1.0, 0.2, -1.0]
    )


def test_nothing_is_near_nothing() -> None:
    """Vectors of no length, no sentences and no passages are no error."""
    assert list(compared([pack([[0.0, 0.0]])], [1.0, 0.0]).nearest([0.5])) == [0.0]
    assert list(compared([pack([[1.0, 0.0]])], [0.0, 0.0]).nearest([0.5])) == [0.0]
    assert list(compared([pack([])], [1.0, 0.0]).nearest([0.5])) == [0.5]
    assert list(compared([], [1.0, 0.0]).nearest([])) == []


def test_each_sentence_of_a_passage_has_a_distance() -> None:
    """In order, and none of a passage of one sentence, wherever it comes."""
    found = compared([b"", pack([[1.0, 0.0], [0.0, 1.0]]), b"", pack([[0.0, -2.0]])], [0.0, 3.0])
    assert [list(found.distances(place)) for place in range(4)] == [
        [],
        pytest.approx([1.0, 0.0]),
        [],
        pytest.approx([2.0]),
    ]
