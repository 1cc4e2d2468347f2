"""What passage indexes do alike: fusing the rankings of a search by words and by meaning."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeAlias, TypeVar

from elysia_guard.domain.document import Document, Filters
from elysia_guard.domain.search_weights import AS_EVER, Field, SearchWeights, WeightsByKind
from elysia_guard.ports import PassageIndex, SecondVector, Vector

RANK_CONSTANT = 10
"""The lower, the more the first places of a ranking count; 10 was the best of 5 to 60."""
RESERVED = 3
WORDS, PASSAGE, SENTENCE = 2.0, 1.0, 1.0
"""What the rankings by words, by passage and by sentence count: words as much as meaning."""
SECOND = 2.0
"""What the ranking of a second model counts beside them."""

Key = TypeVar("Key", int, str)
Shares: TypeAlias = tuple[tuple[tuple[Field, ...], float], ...]
"""Which share of the words asked for stands in exactly these fields; together 1, or none."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Legs(Generic[Key]):
    """The rankings of one search, each with the best first, before they are fused.

    ``words`` holds the score of each passage that words find. ``meaning`` are the rankings by
    passage, by a second model where there is one, and by sentence; none without a vector.
    ``documents`` holds the document of each passage found, and ``shares`` in which fields words
    were found, where that is asked for.
    """

    words: Mapping[Key, float]
    meaning: Sequence[Sequence[Key]]
    documents: Mapping[Key, Document]
    shares: Mapping[Key, Shares] = field(default_factory=dict)

    def by(self, weights: WeightsByKind, limit: int) -> list[tuple[Document, float]]:
        """Return the documents of the passages that come first by some weights, with scores."""
        return [(self.documents[key], score) for key, score in ranked(self, weights, limit)]


class WeighableIndex(PassageIndex, Protocol):
    """A passage index whose rankings can be had before they are fused, to weigh them otherwise."""

    async def legs(
        self,
        query: str,
        vector: Vector | None,
        *,
        filters: Filters,
        limit: int = 10,
        second: SecondVector | None = None,
    ) -> Legs[int] | Legs[str]:
        """Return the rankings of a search, which is asked as ``search`` is, and fails as it."""


def fuse(
    rankings: Sequence[Sequence[Key]],
    *,
    weights: Sequence[float] = (),
    weigh: Callable[[Key], Sequence[float]] | None = None,
) -> list[tuple[Key, float]]:
    """Merge rankings by reciprocal rank; ties go by key.

    The weight of each ranking is 1, one of ``weights``, or what ``weigh`` says of a key.
    """
    scores: dict[Key, float] = {}
    same = weights or [1.0] * len(rankings)
    for number, ranking in enumerate(rankings):
        for rank, key in enumerate(ranking, start=1):
            weight = weigh(key)[number] if weigh else same[number]
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


def ranked(legs: Legs[Key], weights: WeightsByKind, limit: int) -> list[tuple[Key, float]]:
    """Fuse the rankings of a search by the weights of each passage's kind; return the best."""

    def of(key: Key) -> SearchWeights:
        return weights.get(legs.documents[key].kind, AS_EVER)

    words = _by_words(legs, of)
    if not legs.meaning:
        return best(fuse([words]), [words], limit)
    counts = {each: _counts(each, len(legs.meaning)) for each in {*weights.values(), AS_EVER}}
    rankings: list[Sequence[Key]] = [words]
    rankings += legs.meaning
    fused = fuse(rankings, weigh=lambda key: counts[of(key)])
    return best(fused, rankings[:-1], limit)


def _by_words(legs: Legs[Key], of: Callable[[Key], SearchWeights]) -> list[Key]:
    """The passages that words find, with what a word counts in its field; ties stay as found."""
    if not legs.shares:
        return list(legs.words)
    scores = {
        key: score * factor(legs.shares.get(key, ()), of(key)) for key, score in legs.words.items()
    }
    return sorted(scores, key=lambda key: -scores[key])


def _counts(weights: SearchWeights, meanings: int) -> tuple[float, ...]:
    """What each ranking counts: words, passage, a second model where there is one, sentence."""
    words, meaning = 2 * (1 - weights.alpha), 2 * weights.alpha
    beside = (meaning * SECOND,) * (meanings - 2)
    return (words * WORDS, meaning * PASSAGE, *beside, meaning * SENTENCE)


def by_fields(weights: WeightsByKind) -> bool:
    """Whether it matters for some kind in which field a word stands."""
    return any(each.by_field for each in weights.values())


def factor(shares: Shares, weights: SearchWeights) -> float:
    """Return what to multiply the score of a passage by; 1 where every field counts alike.

    A word counts as much as the field does that counts most among those that hold it.
    """
    if not shares or not weights.by_field:
        return 1.0
    return sum(share * max(map(weights.of, fields)) for fields, share in shares)
