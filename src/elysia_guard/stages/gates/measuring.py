"""The measures of passages that were found, as far as a profile asks for them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from elysia_guard.domain.calibration import Signals, rank
from elysia_guard.domain.document import DocumentKind, Hit
from elysia_guard.domain.evidence import Evidence
from elysia_guard.domain.profiles import CoverageSpan, Nearness
from elysia_guard.domain.quality import FALLBACK_PENALTY, lessened
from elysia_guard.domain.refusal import GateReading
from elysia_guard.domain.thresholds import Limits, Thresholds
from elysia_guard.language.answer_types import AnswerType
from elysia_guard.language.coverage import QueryTerms
from elysia_guard.stages.gates import answer_type, together
from elysia_guard.stages.gates.distance_and_coverage import (
    confidence_gate,
    coverage_gate,
    distance_gate,
)
from elysia_guard.stages.gates.readings import as_warning
from elysia_guard.stages.gates.signals import signals

CollectionNames = Mapping[DocumentKind, str]


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


def measure(
    evidence: Evidence,
    terms: QueryTerms,
    *,
    thresholds: Thresholds,
    collections: CollectionNames,
    things: frozenset[AnswerType] = frozenset(),
    question: str = "",
) -> list[MeasuredHit]:
    """Hold the hits against the limits, by what the profile measures.

    ``things`` are those of which a document has to hold one of each to answer at all; the words of
    the ``question`` tell what else is asked for.
    """
    hits = evidence.hits[: thresholds.profile.passages]
    measures = _Measures(
        hits=hits,
        terms=terms,
        things=things,
        question=question,
        thresholds=thresholds,
        signals=signals(terms, hits, question),
        by_words_alone="bm25_only" in evidence.fallbacks,
        degraded=lessened(evidence.fallbacks),
    )
    return [
        measures.of(hit, thresholds.for_collection(collections.get(hit.passage.document.kind, "")))
        for hit in hits
    ]


@dataclass(frozen=True, kw_only=True)
class _Measures:
    """Takes the readings that a profile asks for, on each hit or on all of them at once."""

    hits: Sequence[Hit]
    terms: QueryTerms
    things: frozenset[AnswerType]
    question: str
    thresholds: Thresholds
    signals: Mapping[str, Signals]
    by_words_alone: bool
    degraded: bool

    def of(self, hit: Hit, limits: Limits) -> MeasuredHit:
        """Measure one hit; the confidence is told even where no gate looks at it."""
        coverage = self.terms.coverage_by(hit.passage)
        confidence = self._chance(hit, coverage, limits)
        alike = 0.0 if hit.nearest is None else 1.0 - hit.nearest
        rested = rank(similarity=alike, coverage=coverage, lexical=hit.lexical or 0.0)
        readings = (
            self._distance(hit, limits),
            self._coverage(coverage, limits),
            self._confidence(confidence),
            self._answer_type(hit),
        )
        gated = self.thresholds.profile.confidence is not None
        return MeasuredHit(
            hit=hit,
            readings=tuple(reading for reading in readings if reading),
            confidence=confidence,
            order=rested if gated else hit.score,
        )

    def _chance(self, hit: Hit, coverage: float, limits: Limits) -> float:
        lexical, weight = hit.lexical or 0.0, self.terms.weight
        measured = {"coverage": coverage, "lexical": lexical, "weight": weight}
        signals = self.signals[hit.passage.document.id]
        alike = bool(self.terms.likeness)
        if self.by_words_alone and (words := limits.without_vectors(likeness=alike)):
            return words.probability(**measured, signals=signals)
        distance = limits.distance_threshold if hit.nearest is None else hit.nearest
        return limits.calibration.probability(
            similarity=1.0 - distance, **measured, signals=signals
        )

    def _distance(self, hit: Hit, limits: Limits) -> GateReading | None:
        rule = self.thresholds.profile.distance
        if rule is None:
            return None
        each = rule.nearness is Nearness.SENTENCE
        return distance_gate(
            hit.nearest if each else self._distance_of_all,
            limits,
            by_words_alone=self.by_words_alone and rule.words_alone,
        )

    def _coverage(self, coverage: float, limits: Limits) -> GateReading | None:
        rule = self.thresholds.profile.coverage
        if rule is None:
            return None
        if rule.span is CoverageSpan.EACH:
            return coverage_gate(coverage, limits)
        found = coverage_gate(self._coverage_of_all, limits)
        return found if rule.refuses else as_warning(found)

    def _confidence(self, confidence: float) -> GateReading | None:
        if self.thresholds.profile.confidence is None:
            return None
        return confidence_gate(
            confidence * FALLBACK_PENALTY if self.degraded else confidence,
            self.thresholds.min_confidence,
            source=self.thresholds.source("min_confidence"),
        )

    def _answer_type(self, hit: Hit) -> GateReading | None:
        if not self.things or not self.thresholds.profile.answer_type:
            return None
        held = hit.passage.document.id in self._holding
        return answer_type.answer_type_gate(self.things, held=held)

    @cached_property
    def _holding(self) -> frozenset[str]:
        return answer_type.holding(self.things, self.hits, self.terms, self.question)

    @cached_property
    def _distance_of_all(self) -> float | None:
        rule = self.thresholds.profile.distance
        return together.distance(rule, self.hits) if rule else None

    @cached_property
    def _coverage_of_all(self) -> float:
        rule = self.thresholds.profile.coverage
        return together.coverage(rule, self.terms, self.hits) if rule else 0.0
