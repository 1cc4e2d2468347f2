"""What a profile measures on all the passages at once: one reading, which each of them shares."""

from __future__ import annotations

from collections.abc import Sequence

from elysia_guard.domain.document import Hit
from elysia_guard.domain.profiles import CoverageRule, DistanceRule, Nearness
from elysia_guard.domain.refusal import MISSING_WORDS
from elysia_guard.domain.thresholds import Thresholds
from elysia_guard.language.coverage import QueryTerms


def distance(rule: DistanceRule, hits: Sequence[Hit]) -> float | None:
    """Return the distance of the nearest passage, or the mean of the first; None without it."""
    found = [hit.distance for hit in hits]
    if rule.nearness is Nearness.MEAN:
        found = found[: rule.first]
        true = [item for item in found if item is not None]
        return sum(true) / len(true) if true and len(true) == len(found) else None
    return min((item for item in found if item is not None), default=None)


def coverage(rule: CoverageRule, terms: QueryTerms, hits: Sequence[Hit]) -> float:
    """Return the share of the question's words that stand in any of the passages."""
    weights = terms.weights if rule.weighted else (1.0,) * len(terms.words)
    missing = frozenset(missing_words(terms, hits))
    pairs = list(zip(terms.words, weights, strict=True))
    return sum(weight for word, weight in pairs if word not in missing) / sum(weights)


def warned(terms: QueryTerms, hits: Sequence[Hit], thresholds: Thresholds) -> dict[str, str]:
    """Return a verdict's detail of the missing words, where the profile warns of them."""
    rule = thresholds.profile.coverage
    if rule is None or rule.refuses:
        return {}
    missing = missing_words(terms, hits)
    return {MISSING_WORDS: ", ".join(missing)} if missing else {}


def missing_words(terms: QueryTerms, hits: Sequence[Hit]) -> tuple[str, ...]:
    """Name the question's words that none of the passages holds, in their order."""
    held: frozenset[str] = frozenset()
    for hit in hits:
        held |= terms.covered_by(hit.passage.in_context, hit.passage.document.lang)
    return tuple(word for word in terms.words if word not in held)
