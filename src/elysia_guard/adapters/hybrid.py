"""What passage indexes do alike: fusing the rankings of a search by words and by meaning."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

RANK_CONSTANT = 10
"""The lower, the more the first places of a ranking count; 10 was the best of 5 to 60."""
RESERVED = 3

Key = TypeVar("Key", int, str)


def fuse(
    rankings: Sequence[Sequence[Key]], *, weights: Sequence[float] = ()
) -> list[tuple[Key, float]]:
    """Merge rankings by reciprocal rank, the weight of each being 1; ties go by key."""
    scores: dict[Key, float] = {}
    for weight, ranking in zip(weights or [1.0] * len(rankings), rankings, strict=True):
        for rank, key in enumerate(ranking, start=1):
            scores[key] = scores.get(key, 0.0) + weight / (RANK_CONSTANT + rank)
    return sorted(scores.items(), key=lambda item: (-item[1], item[0]))


def best(
    fused: Sequence[tuple[Key, float]], rankings: Sequence[Sequence[Key]], limit: int
) -> list[tuple[Key, float]]:
    """The first of the fused ranking, with places kept for the first of each ranking alone."""
    reserved = {key for ranking in rankings for key in ranking[:RESERVED]}
    keys = [key for key, _ in fused]
    kept = [key for key in keys if key in reserved][:limit]
    others = [key for key in keys if key not in reserved]
    chosen = set(kept + others[: limit - len(kept)])
    return [item for item in fused if item[0] in chosen]
