"""What other limits would do to the tuning questions, without searching again.

The passages of each question were measured once (``probing``). For every value of a limit, the
gates are held against these measures, and only an answer from other passages is written anew.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from elysia_guard.domain.refusal import GateReading, Outcome, RefusalReason, Verdict
from elysia_guard.domain.response import RAGResponse
from elysia_guard.evaluation import metrics, scoring
from elysia_guard.evaluation.probing import Search
from elysia_guard.evaluation.runner import Run
from elysia_guard.evaluation.scoring import Score
from elysia_guard.pipeline import Pipeline
from elysia_guard.stages.gates.passages import Measured, supporting

STEP = 20
"""Values per unit: every 0.05."""
WIDEST = 26
"""Cosine distances of this embedder hardly exceed 1.3."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Limit:
    """A limit that is swept: its key in ``thresholds.yaml``, its gate and its values."""

    key: str
    gate: str
    values: tuple[float, ...]


LIMITS = (
    Limit(
        key="distance_threshold",
        gate="distance",
        values=tuple(n / STEP for n in range(1, WIDEST + 1)),
    ),
    Limit(
        key="min_query_coverage",
        gate="term_coverage",
        values=tuple(n / STEP for n in range(STEP + 1)),
    ),
    Limit(key="min_confidence", gate="confidence", values=tuple(n / STEP for n in range(STEP + 1))),
)


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
    """Answers searched questions again at other limits; the same passages are answered once."""

    def __init__(
        self, pipeline: Pipeline, found: Sequence[Search], scores: Sequence[Score]
    ) -> None:
        """Take what was searched, and the scores of all tuning questions."""
        self._pipeline = pipeline
        self._searches = {item.case.id: item for item in found}
        self._scores = scores
        self._known: dict[tuple[str, ...], Score] = {}

    async def sweep(self, limit: Limit) -> Sweep:
        """Measure every value of a limit."""
        return Sweep(
            key=limit.key,
            in_force=self._in_force(limit.key),
            points=tuple([await self._point(limit, value) for value in limit.values]),
        )

    def _in_force(self, key: str) -> tuple[float, ...]:
        thresholds = self._pipeline.thresholds
        if key == "min_confidence":
            return (thresholds.min_confidence,)
        searched = {thresholds.for_collection(name) for name in self._pipeline.collections.values()}
        return tuple(sorted({getattr(limits, key) for limits in searched}))

    async def _point(self, limit: Limit, value: float) -> Point:
        scores = [await self._score(item, limit.gate, value) for item in self._scores]
        quality = metrics.quality(scores)
        return Point(
            value=value,
            precision=quality.precision,
            recall=quality.recall,
            wrong_answers=sum(item.wrong_answer for item in scores),
            wrong_refusals=sum(item.wrong_refusal for item in scores),
        )

    async def _score(self, item: Score, gate: str, value: float) -> Score:
        search = self._searches.get(item.case.id)
        if search is None:
            return item
        support = supporting([_held_against(passage, gate, value) for passage in search.passages])
        key = (item.case.id, *(passage.hit.passage.id for passage in support))
        if key not in self._known:
            response = await self._response(search, support, item.response)
            self._known[key] = scoring.score(Run(case=item.case, latency_ms=0.0), response)
        return self._known[key]

    async def _response(
        self, search: Search, support: Sequence[Measured], asked: RAGResponse
    ) -> RAGResponse:
        if not support:
            # Which gate refuses makes no difference to the figures of a sweep.
            return replace(
                asked, sources=(), refused=True, refusal_reason=RefusalReason.LOW_CONFIDENCE
            )
        verdict = Verdict(
            outcome=Outcome.ANSWER,
            confidence=support[0].confidence,
            subject=search.inquiry.intent.topic,
            support=tuple(passage.hit for passage in support),
        )
        return await self._pipeline.conclude(replace(search.inquiry, verdict=verdict, trace=[]))


async def sweeps(
    pipeline: Pipeline, found: Sequence[Search], scores: Sequence[Score]
) -> tuple[Sweep, ...]:
    """Sweep every limit.

    Args:
        pipeline: what was asked.
        found: what its searches found for tuning questions.
        scores: the scores of the tuning questions; one that could not run is in none.
    """
    sweeper = Sweeper(pipeline, found, scores)
    return tuple([await sweeper.sweep(limit) for limit in LIMITS])


def _held_against(passage: Measured, gate: str, value: float) -> Measured:
    return replace(
        passage,
        readings=tuple(
            replace(reading, passed=_passes(reading, value)) if reading.gate == gate else reading
            for reading in passage.readings
        ),
    )


def _passes(reading: GateReading, limit: float) -> bool:
    """Hold a measure against a limit; what was not measured keeps its verdict."""
    if not isinstance(reading.value, float) or reading.source == "bm25_only":
        return reading.passed
    if reading.threshold == limit:
        # The gate compared the measure before it was rounded for the record.
        return reading.passed
    return reading.value <= limit if reading.gate == "distance" else reading.value >= limit
