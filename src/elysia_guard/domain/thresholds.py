"""The limits that the gates hold evidence against."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

MOST = 60.0
"""Beyond this, a logistic function is 0 or 1 to the last digit."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Calibration:
    """A logistic model of 'the best passage answers', fitted on the golden set.

    Inputs are similarity (1 - cosine distance), query coverage (0 to 1) and the saturated BM25
    score s / (s + 10); output is a probability.
    """

    intercept: float
    similarity: float
    coverage: float
    lexical: float

    def probability(self, *, similarity: float, coverage: float, lexical: float) -> float:
        """Return the probability, 0 to 1, that a passage with these measures answers."""
        z = (
            self.intercept
            + self.similarity * similarity
            + self.coverage * coverage
            + self.lexical * saturate(lexical)
        )
        return 1.0 / (1.0 + math.exp(-max(-MOST, min(z, MOST))))


def saturate(bm25: float) -> float:
    """Map a raw BM25 score, 0 upwards, to 0..1, so that long questions do not win by length."""
    return bm25 / (bm25 + 10.0)


@dataclass(frozen=True, kw_only=True, slots=True)
class Limits:
    """The limits of one collection, and the configuration key they were read from."""

    distance_threshold: float
    min_query_coverage: float
    calibration: Calibration
    source: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Thresholds:
    """All limits: per collection, with a default for the others.

    ``min_confidence`` is the probability below which the guard refuses. ``cross_language`` judges
    passages in another language than the question's, whose words cannot be compared, by their
    similarity and the words found. ``entity_min_coverage`` is the share of what is asked
    of a named document that it must speak of. ``entity_match`` and ``skos_match`` are the fixed
    confidences of an exact identity and of a governed term.
    """

    default: Limits
    cross_language: Calibration
    collections: Mapping[str, Limits] = field(default_factory=dict)
    min_confidence: float = 0.60
    entity_min_coverage: float = 0.60
    entity_match: float = 0.95
    skos_match: float = 0.98

    def for_collection(self, collection: str) -> Limits:
        """Return the limits of a collection, or the default ones."""
        return self.collections.get(collection, self.default)
