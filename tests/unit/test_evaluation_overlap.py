"""Two indexes are compared by what they find, in which order, at which distance."""

from __future__ import annotations

from dataclasses import replace

import pytest

from elysia_guard.domain.document import Hit
from elysia_guard.evaluation.golden import Case
from elysia_guard.evaluation.overlap import Comparison, compare, render
from elysia_guard.testing.fake_index import FakeIndex, HashEmbedder
from elysia_guard.testing.index_contract import sample_passages

PASSAGES = sample_passages()


def hit(number: int, distance: float | None = 0.5, lexical: float | None = None) -> Hit:
    return Hit(passage=PASSAGES[number], score=1.0, distance=distance, lexical=lexical)


def comparison(left: list[Hit], right: list[Hit]) -> Comparison:
    return Comparison(case_id="GS-001", left=tuple(left), right=tuple(right))


def test_the_same_is_the_same() -> None:
    """Where both find the same, nothing differs; also where neither finds any."""
    for hits in ([], [hit(0), hit(1)]):
        found = comparison(hits, hits)
        assert (found.overlap, found.same_first, found.same_order) == (1.0, True, True)
        assert (found.distance_error, found.lexical_error) == (0.0, 0.0)


def test_another_order_is_not_the_same_order() -> None:
    """The same passages in another order overlap in full."""
    found = comparison([hit(0), hit(1)], [hit(1), hit(0)])
    assert (found.overlap, found.same_first, found.same_order) == (1.0, False, False)


def test_what_one_of_them_misses_counts() -> None:
    """The overlap is the share of the longer list."""
    assert comparison([hit(0), hit(1)], [hit(0)]).overlap == 0.5


@pytest.mark.parametrize(
    ("left", "right", "distance", "lexical"),
    [
        (hit(0, 0.5, 1.0), hit(0, 0.25, 3.0), 0.25, 2.0),
        (hit(0, None, None), hit(0, None, None), 0.0, 0.0),
        (hit(0, None, 1.5), hit(0, 0.5, None), 2.0, 1.5),
    ],
)
def test_numbers_are_compared(left: Hit, right: Hit, distance: float, lexical: float) -> None:
    """A distance that one of them lacks is as far off as can be."""
    found = comparison([left], [right])
    assert (found.distance_error, found.lexical_error) == (distance, lexical)


async def test_both_are_asked_the_same() -> None:
    """An index agrees with itself, and one without a passage is said to differ, and where."""
    embedder = HashEmbedder()
    whole = await FakeIndex.build(PASSAGES, embedder)
    part = await FakeIndex.build([p for p in PASSAGES if p.document.id != "ADR-0027"], embedder)
    case = Case.model_validate(
        {
            "id": "GS-001",
            "query": "Is TLS used?",
            "category": "adr_retrieval",
            "lang": "en",
            "split": "tuning",
            "expected": {
                "route": "adr", "abstain": False, "doc_types": ["ADR"], "doc_ids": ["ADR-0027"],
            },
        }
    )  # fmt: skip
    same = await compare([case], whole, whole, embedder)
    other = await compare([case], whole, part, embedder)
    assert render(same, left="a", right="b").splitlines()[:2] == [
        "a and b: the 10 best passages of 1 questions",
        "overlap            1.0000",
    ]
    assert "least alike" not in render(same, left="a", right="b")
    assert "least alike        GS-001 0.8" in render(other, left="a", right="b")
    assert not other[0].same_first


def test_nothing_compared() -> None:
    """No question is no disagreement."""
    assert "overlap            1.0000" in render([], left="a", right="b")


def test_a_copy_is_a_comparison() -> None:
    """Comparisons are values."""
    found = comparison([hit(0)], [hit(0)])
    assert replace(found, case_id="GS-001") == found
