"""The gates before passages: something found, near enough, on the subject, and likely to answer.

A profile says which of them there are, and whether each passage is measured or all at once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter

from elysia_guard.domain.calibration import Signals, rank
from elysia_guard.domain.document import DocumentKind, Hit
from elysia_guard.domain.evidence import Evidence
from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.profiles import CoverageRule, CoverageSpan, DistanceRule, Nearness
from elysia_guard.domain.quality import FALLBACK_PENALTY, lessened
from elysia_guard.domain.reading import Comparison, Search
from elysia_guard.domain.refusal import MISSING_WORDS, GateReading, Outcome, RefusalReason, Verdict
from elysia_guard.domain.thresholds import Limits, Thresholds
from elysia_guard.language.coverage import QueryTerms, asked_of
from elysia_guard.language.text import own_words
from elysia_guard.stages.gates.rows import as_warning, at_least, refusal, row
from elysia_guard.stages.gates.signals import signals

CollectionNames = Mapping[DocumentKind, str]
WORDS_ALONE = "bm25_only"
"""The fallback of a search for which no vector could be made."""


@dataclass(frozen=True, kw_only=True, slots=True)
class MeasuredHit:
    """A hit with its measures, the confidence that it answers, and what it is ordered by."""

    hit: Hit
    readings: tuple[GateReading, ...]
    confidence: float
    order: float

    @property
    def passed(self) -> bool:
        """Whether every gate let it through."""
        return all(reading.passed for reading in self.readings)

    @property
    def reached(self) -> tuple[int, float]:
        """How many gates it passes in a row, then its own order."""
        failed = (at for at, reading in enumerate(self.readings) if not reading.passed)
        return next(failed, len(self.readings)), self.order

    @property
    def is_far(self) -> bool:
        """Whether it is not near enough."""
        return any(item.gate == "distance" and not item.passed for item in self.readings)


def search_gates(
    inquiry: Inquiry,
    asks: Search | Comparison,
    *,
    thresholds: Thresholds,
    collections: CollectionNames,
) -> Verdict:
    """Require hits, a near enough one, enough of the question's words in it, and confidence."""
    question, evidence = inquiry.question, inquiry.evidence
    topic = asks.topic or question.text
    terms, subject = asked_of(evidence, topic, question.lang), own_words(topic, question.told)
    wanting = None if evidence.hits and terms.words else RefusalReason.NO_RESULTS
    counted = "number of passages" if terms.words else "the question has no content words"
    found = row("no_results", len(evidence.hits), 1, counted, wanting)
    if wanting:
        return refusal(subject, found)
    measured = measure(
        evidence, terms, thresholds=thresholds, collections=collections, question=question.text
    )
    best = max(measured, key=attrgetter("reached"))
    failed = next((reading for reading in best.readings if not reading.passed), None)
    # Where no gate looks at the confidence, the order is the search's.
    passed = sorted((item for item in measured if item.passed), key=lambda item: -item.order)
    support = tuple(item.hit for item in passed)
    return Verdict(
        outcome=Outcome.REFUSE if failed else Outcome.ANSWER,
        confidence=min(best.confidence, thresholds.search_ceiling),
        readings=(found, *best.readings),
        reason=failed.reason if failed else None,
        subject=subject,
        details=warned(terms, [item.hit for item in measured], thresholds),
        support=support,
        ranking=(*support, *(item.hit for item in measured if not item.passed)),
        mentioned=_near(measured, thresholds.mentioned) if failed else (),
    )


def _near(measured: Sequence[MeasuredHit], chance: float) -> tuple[Hit, ...]:
    """Return the likeliest hit of each document that may answer, though nothing says it does."""
    found: dict[str, Hit] = {}
    for item in sorted(measured, key=lambda item: -item.confidence):
        if item.confidence >= chance and not item.is_far:
            found.setdefault(item.hit.passage.document.id, item.hit)
    return tuple(found.values())


def measure(
    evidence: Evidence,
    terms: QueryTerms,
    *,
    thresholds: Thresholds,
    collections: CollectionNames,
    question: str = "",
) -> list[MeasuredHit]:
    """Hold the hits against the limits, by what the profile measures.

    The words of the ``question`` tell what is asked for. The confidence is told even where no gate
    looks at it.
    """
    profile, alone = thresholds.profile, WORDS_ALONE in evidence.fallbacks
    hits = evidence.hits[: profile.passages]
    known = signals(terms, hits, question)
    penalty = FALLBACK_PENALTY if lessened(evidence.fallbacks) else 1.0
    least = thresholds.min_confidence, thresholds.source("min_confidence")
    far, spoken = _distances(profile.distance, hits), _coverages(profile.coverage, terms, hits)
    found = []
    for at, hit in enumerate(hits):
        limits = thresholds.for_collection(collections.get(hit.passage.document.kind, ""))
        chance = _chance(hit, terms, limits, known[hit.passage.document.id], alone=alone)
        rows = []
        if rule := profile.distance:
            rows.append(distance_gate(far[at], limits, words_alone=alone and rule.words_alone))
        if held := profile.coverage:
            covered = coverage_gate(spoken[at], limits)
            rows.append(covered if held.refuses else as_warning(covered))
        if profile.confidence:
            reason = RefusalReason.LOW_CONFIDENCE
            rows.append(at_least("confidence", chance * penalty, *least, reason))
        order = _rested(hit, terms) if profile.confidence else hit.score
        found.append(MeasuredHit(hit=hit, readings=tuple(rows), confidence=chance, order=order))
    return found


def distance_gate(
    distance: float | None, limits: Limits, *, words_alone: bool = False
) -> GateReading:
    """Require a true cosine distance (of the nearest sentence) within the limit; else refuse.

    Only when no vector could be made at all (``words_alone``) is the gate without a subject; the
    confidence is reduced for it.
    """
    near = distance is not None and distance <= limits.distance_threshold
    source = WORDS_ALONE if words_alone else f"{limits.source}.distance_threshold"
    reason = None if near or words_alone else RefusalReason.NOT_RELEVANT
    return row("distance", distance, limits.distance_threshold, source, reason)


def coverage_gate(coverage: float, limits: Limits) -> GateReading:
    """Require a share of the question's content words, or of words that mean alike."""
    source = f"{limits.source}.min_query_coverage"
    least = limits.min_query_coverage
    return at_least("term_coverage", coverage, least, source, RefusalReason.LOW_COVERAGE)


def _chance(hit: Hit, terms: QueryTerms, limits: Limits, known: Signals, *, alone: bool) -> float:
    """Return the calibrated probability that the document of a hit answers."""
    lexical, coverage, weight = hit.lexical or 0.0, terms.coverage_by(hit.passage), terms.weight
    measured = {"coverage": coverage, "lexical": lexical, "weight": weight}
    if alone and (words := limits.without_vectors(likeness=bool(terms.likeness))):
        return words.probability(**measured, signals=known)
    distance = limits.distance_threshold if hit.nearest is None else hit.nearest
    return limits.calibration.probability(similarity=1.0 - distance, **measured, signals=known)


def _rested(hit: Hit, terms: QueryTerms) -> float:
    """Return what a hit is ordered by among those that are held to their confidence."""
    alike = 0.0 if hit.nearest is None else 1.0 - hit.nearest
    coverage = terms.coverage_by(hit.passage)
    return rank(similarity=alike, coverage=coverage, lexical=hit.lexical or 0.0)


def _distances(rule: DistanceRule | None, hits: Sequence[Hit]) -> list[float | None]:
    """The distance that counts of each hit: its own, that of the nearest, or the mean of some."""
    if rule is None or rule.nearness is Nearness.SENTENCE:
        return [hit.nearest for hit in hits]
    first = hits[: rule.first] if rule.nearness is Nearness.MEAN else hits
    true = [hit.distance for hit in first if hit.distance is not None]
    if rule.nearness is Nearness.NEAREST:
        return [min(true, default=None)] * len(hits)
    return [sum(true) / len(true) if true and len(true) == len(first) else None] * len(hits)


def _coverages(rule: CoverageRule | None, terms: QueryTerms, hits: Sequence[Hit]) -> list[float]:
    """The share of the question's words that counts of each hit: its own, or that of all."""
    if rule is None or rule.span is CoverageSpan.EACH:
        return [terms.coverage_by(hit.passage) for hit in hits]
    weights = terms.weights if rule.weighted else (1.0,) * len(terms.words)
    pairs, missing = list(zip(terms.words, weights, strict=True)), missing_words(terms, hits)
    held = sum(weight for word, weight in pairs if word not in missing)
    return [held / sum(weights)] * len(hits)


def warned(terms: QueryTerms, hits: Sequence[Hit], thresholds: Thresholds) -> dict[str, str]:
    """Return a verdict's detail of the missing words, where the profile warns of them."""
    rule = thresholds.profile.coverage
    missing = missing_words(terms, hits) if rule and not rule.refuses else ()
    return {MISSING_WORDS: ", ".join(missing)} if missing else {}


def missing_words(terms: QueryTerms, hits: Sequence[Hit]) -> tuple[str, ...]:
    """Name the question's words that none of the passages holds, in their order."""
    each = (terms.covered_by(hit.passage.in_context, hit.passage.document.lang) for hit in hits)
    held = frozenset[str]().union(*each)
    return tuple(word for word in terms.words if word not in held)
