"""The gates before passages: something found, near enough, on the subject, and likely to answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from elysia_guard.domain.document import DocumentKind, Hit
from elysia_guard.domain.evidence import Evidence
from elysia_guard.domain.profiles import Nearness, Span
from elysia_guard.domain.question import Question
from elysia_guard.domain.reading import Comparison, Search
from elysia_guard.domain.refusal import GateReading, Outcome, RefusalReason, Verdict
from elysia_guard.domain.response import FALLBACK_PENALTY, lessened
from elysia_guard.domain.signals import Signals
from elysia_guard.domain.thresholds import Limits, Thresholds, rank
from elysia_guard.language.answer_types import AnswerType
from elysia_guard.language.coverage import QueryTerms, asked_of
from elysia_guard.language.text import own_words
from elysia_guard.stages.gates import answer_type, together
from elysia_guard.stages.gates.judged import Weighing
from elysia_guard.stages.gates.readings import as_warning, reading, refusal
from elysia_guard.stages.gates.signals import signals

CollectionNames = Mapping[DocumentKind, str]


@dataclass(frozen=True, kw_only=True, slots=True)
class Measured:
    """A hit with its measures, the confidence that it answers, and what it is ordered by.

    ``unjudged`` is the confidence before any judge had a say: a no is no reason not to mention.
    ``said`` is what one sentence of its document says of all that is asked (see ``Signals``).
    """

    hit: Hit
    readings: tuple[GateReading, ...]
    confidence: float
    order: tuple[float, float]
    unjudged: float
    said: float = 0.0

    @property
    def passed(self) -> bool:
        """Whether every gate let it through."""
        return all(reading.passed for reading in self.readings)


def search_gates(
    question: Question,
    asks: Search | Comparison,
    evidence: Evidence,
    *,
    thresholds: Thresholds,
    collections: CollectionNames,
) -> Verdict:
    """Require hits, a near enough one, enough of the question's words in it, and confidence."""
    topic = asks.topic or question.text
    terms = asked_of(evidence, topic, question.lang)
    found = GateReading(
        gate="no_results",
        passed=bool(evidence.hits) and bool(terms.words),
        value=len(evidence.hits),
        threshold=1,
        source="number of passages" if terms.words else "the question has no content words",
        reason=None if evidence.hits and terms.words else RefusalReason.NO_RESULTS,
    )
    if not found.passed:
        subject = own_words(topic, question.text)
        return refusal(RefusalReason.NO_RESULTS, subject, found)
    things = answer_type.required(question.text, terms)
    measured = measure(
        evidence,
        terms,
        thresholds=thresholds,
        collections=collections,
        things=things,
        question=question.text,
    )
    best = max(measured, key=_furthest)
    judged = Weighing(evidence=evidence, thresholds=thresholds)
    failed = next((reading for reading in best.readings if not reading.passed), None)
    support = tuple(item.hit for item in supporting(measured))
    said = best.said if isinstance(asks, Search) else 0.0
    near = _near(measured, thresholds.mentioned) if failed else ()
    return Verdict(
        outcome=Outcome.REFUSE if failed else Outcome.ANSWER,
        confidence=judged.told(best.hit, best.confidence, said=said),
        readings=(found, *best.readings),
        reason=failed.reason if failed else None,
        subject=own_words(topic, question.text),
        details={
            **together.warned(terms, [item.hit for item in measured], thresholds),
            **_variant(failed, things),
        },
        support=support,
        ranking=(*support, *(item.hit for item in measured if not item.passed)),
        beside=() if failed else _beside(measured, thresholds.mentioned),
        mentioned=near,
    )


def measure(
    evidence: Evidence,
    terms: QueryTerms,
    *,
    thresholds: Thresholds,
    collections: CollectionNames,
    things: frozenset[AnswerType] = frozenset(),
    question: str = "",
) -> list[Measured]:
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
        judged=Weighing(evidence=evidence, thresholds=thresholds),
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
    judged: Weighing

    def of(self, hit: Hit, limits: Limits) -> Measured:
        """Measure one hit; the confidence is told even where no gate looks at it."""
        coverage = self.terms.coverage_by(hit.passage)
        unjudged = self._chance(hit, coverage, limits)
        confidence = self.judged.confidence(hit, unjudged)
        alike = 0.0 if hit.nearest is None else 1.0 - hit.nearest
        rested = rank(similarity=alike, coverage=coverage, lexical=hit.lexical or 0.0)
        readings = (
            self._distance(hit, limits),
            self._coverage(coverage, limits),
            self._confidence(confidence),
            self._answer_type(hit),
        )
        gated = self.thresholds.profile.confidence is not None
        return Measured(
            hit=hit,
            readings=tuple(reading for reading in readings if reading),
            confidence=confidence,
            order=self.judged.order(hit, confidence, rested if gated else hit.score),
            unjudged=unjudged,
            said=self.signals[hit.passage.document.id].said,
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
        if rule.span is Span.EACH:
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


def distance_gate(
    distance: float | None, limits: Limits, *, by_words_alone: bool = False
) -> GateReading:
    """Require a true cosine distance (of the nearest sentence) within the limit; else refuse.

    Only when no vector could be made at all (``by_words_alone``) is the gate without a subject;
    the confidence is reduced for it.
    """
    within = distance is not None and distance <= limits.distance_threshold
    return reading(
        "distance",
        value=distance,
        threshold=limits.distance_threshold,
        passed=within or by_words_alone,
        source="bm25_only" if by_words_alone else f"{limits.source}.distance_threshold",
        reason=RefusalReason.NOT_RELEVANT,
    )


def coverage_gate(coverage: float, limits: Limits) -> GateReading:
    """Require a share of the question's content words, or of words that mean alike."""
    return reading(
        "term_coverage",
        value=coverage,
        threshold=limits.min_query_coverage,
        passed=coverage >= limits.min_query_coverage,
        source=f"{limits.source}.min_query_coverage",
        reason=RefusalReason.LOW_COVERAGE,
    )


def confidence_gate(
    confidence: float, minimum: float, *, source: str = "confidence.min_confidence"
) -> GateReading:
    """Require a calibrated probability that the passage answers."""
    return reading(
        "confidence",
        value=confidence,
        threshold=minimum,
        passed=confidence >= minimum,
        source=source,
        reason=RefusalReason.LOW_CONFIDENCE,
    )


def _variant(failed: GateReading | None, things: frozenset[AnswerType]) -> dict[str, str]:
    """Name the text of a refusal for want of what is asked for."""
    wanting = failed is not None and failed.gate == answer_type.GATE
    return {"variant": min(things)} if wanting else {}


def _near(measured: Sequence[Measured], chance: float) -> tuple[Hit, ...]:
    """Return the likeliest hit of each document that may answer, though nothing says it does."""
    found: dict[str, Hit] = {}
    for item in sorted(measured, key=lambda item: -item.unjudged):
        if item.unjudged >= chance and not _is_far(item):
            found.setdefault(item.hit.passage.document.id, item.hit)
    return tuple(found.values())


def _beside(measured: Sequence[Measured], chance: float) -> tuple[Hit, ...]:
    """Return the likeliest hit of each document that none passed of, for want of confidence alone.

    By what a judge says too, each is as likely to answer as what a refusal mentions.
    """
    passed = {item.hit.passage.document.id for item in measured if item.passed}
    found: dict[str, Hit] = {}
    for item in sorted(measured, key=lambda item: -item.confidence):
        wanting = {reading.gate for reading in item.readings if not reading.passed}
        document = item.hit.passage.document.id
        if wanting == {"confidence"} and item.confidence >= chance and document not in passed:
            found.setdefault(document, item.hit)
    return tuple(found.values())


def _is_far(measured: Measured) -> bool:
    return any(item.gate == "distance" and not item.passed for item in measured.readings)


def _furthest(measured: Measured) -> tuple[int, tuple[float, float]]:
    """Order hits by how many gates they pass in a row, then by their own order."""
    passed = 0
    for item in measured.readings:
        if not item.passed:
            break
        passed += 1
    return passed, measured.order


def supporting(measured: Sequence[Measured]) -> list[Measured]:
    """Return the hits that passed every gate, the best first.

    Where no gate looks at the confidence, they keep the search's order.
    """
    passed = [item for item in measured if item.passed]
    return sorted(passed, key=lambda item: item.order, reverse=True)
