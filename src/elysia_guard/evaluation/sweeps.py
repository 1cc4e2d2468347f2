"""What other limits would do to the tuning questions, without searching again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from elysia_guard.domain.refusal import RefusalReason
from elysia_guard.domain.response import Source
from elysia_guard.evaluation import metrics, scoring, tuning_points
from elysia_guard.evaluation.probing import Search
from elysia_guard.evaluation.rejudging import Rejudging
from elysia_guard.evaluation.rejudging import Search as Recorded
from elysia_guard.evaluation.runner import Run
from elysia_guard.evaluation.samples import measured
from elysia_guard.evaluation.scoring import Score
from elysia_guard.evaluation.tuning_questions import Question
from elysia_guard.pipeline import Pipeline

STEP = 20
"""Values per unit: every 0.05."""
WIDEST = 26
"""Cosine distances of this embedder hardly exceed 1.3."""
SHARES = tuple(n / STEP for n in range(STEP + 1))
LIMITS = {
    "distance_threshold": tuple(n / STEP for n in range(1, WIDEST + 1)),
    "min_query_coverage": SHARES,
    "min_confidence": SHARES,
}
"""What is swept: the keys of ``thresholds.yaml``, and their values."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Point:
    """The figures of all tuning questions at one value of a limit."""

    value: float
    precision: float
    recall: float
    wrong_answers: int
    wrong_refusals: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Sweep:
    """One limit, set to the same value in every collection; the other limits stay."""

    key: str
    in_force: tuple[float, ...]
    points: tuple[Point, ...]


class Sweeper:
    """Scores the tuning questions again at other limits.

    No limit decides the questions that did not go to a search, nor can one be held against a
    search without a vector: these keep their scores.
    """

    def __init__(
        self, pipeline: Pipeline, found: Sequence[Search], scores: Sequence[Score]
    ) -> None:
        """Take what was searched, and the scores of all tuning questions."""
        self._scores = scores
        by_vector = {
            item.case.id: item
            for item in found
            if "bm25_only" not in item.inquiry.evidence.fallbacks
        }
        searches = {
            place: _recorded(by_vector[item.case.id], pipeline)
            for place, item in enumerate(scores)
            if item.case.id in by_vector
        }
        self._refused = {place: _scored(scores[place], ()) for place in searches}
        self._again = Rejudging(
            pipeline, searches, lambda place, draft: _scored(scores[place], draft.sources)
        )

    def point(self, key: str, value: float) -> Point:
        """Measure a limit at a value."""
        again = self._refused | self._again.answers(_everywhere(self._again.start, key, value))
        scores = [again.get(place, item) for place, item in enumerate(self._scores)]
        quality = metrics.quality(scores)
        return Point(
            value=value,
            precision=quality.precision,
            recall=quality.recall,
            wrong_answers=sum(item.wrong_answer for item in scores),
            wrong_refusals=sum(item.wrong_refusal for item in scores),
        )


def sweeps(
    pipeline: Pipeline, found: Sequence[Search], scores: Sequence[Score]
) -> tuple[Sweep, ...]:
    """Sweep every limit.

    Args:
        pipeline: what was asked.
        found: what its searches found for tuning questions.
        scores: the scores of the tuning questions; one that could not run is in none.
    """
    sweeper = Sweeper(pipeline, found, scores)
    return tuple(
        Sweep(
            key=key,
            in_force=_in_force(pipeline, key),
            points=tuple(sweeper.point(key, value) for value in values),
        )
        for key, values in LIMITS.items()
    )


def _in_force(pipeline: Pipeline, key: str) -> tuple[float, ...]:
    thresholds = pipeline.thresholds
    if key == "min_confidence":
        return (thresholds.min_confidence,)
    searched = {thresholds.for_collection(name) for name in pipeline.collections.values()}
    return tuple(sorted({getattr(limits, key) for limits in searched}))


def _everywhere(start: tuning_points.Point, key: str, value: float) -> tuning_points.Point:
    """Return a point with another value of one limit, in every section."""
    if key == "min_confidence":
        return replace(start, min_confidence=value)
    return replace(start, limits=tuple(item.at(key, value) for item in start.limits))


def _recorded(item: Search, pipeline: Pipeline) -> Recorded:
    expected = frozenset(item.case.expected.doc_ids)
    question = Question(id=item.case.id, query=item.case.query, expected=expected)
    passages = measured(question, item.inquiry, pipeline.collections)
    return Recorded(inquiry=item.inquiry, passages=tuple(passages))


def _scored(score: Score, sources: tuple[Source, ...]) -> Score:
    """Score the response that cites these sources; one without is a refusal."""
    # Which gate refuses makes no difference to the figures of a sweep.
    reason = None if sources else RefusalReason.LOW_CONFIDENCE
    response = replace(score.response, sources=sources, refused=bool(reason), refusal_reason=reason)
    return scoring.score(Run(case=score.case, latency_ms=score.latency_ms), response)
