"""What becomes of the three outcomes at other limits: judged and quoted again, from the record.

Two limits part them. Below ``min_confidence`` a search is refused; from ``asserted_from`` on an
answer is asserted instead of hedged. The second is swept as if a search had no ceiling, since what
a lower or higher ceiling would cost is what the figures are read for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from elysia_guard.domain.document import DocumentKind
from elysia_guard.domain.draft import Draft
from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.quality import HIGH_CONFIDENCE, RetrievalQuality
from elysia_guard.domain.refusal import Outcome, Verdict
from elysia_guard.domain.response import RAGResponse
from elysia_guard.domain.thresholds import Thresholds
from elysia_guard.evaluation import scoring
from elysia_guard.evaluation.certainty import Certainty, certainty
from elysia_guard.evaluation.probing import Search
from elysia_guard.evaluation.runner import Run
from elysia_guard.evaluation.scoring import Score
from elysia_guard.pipeline import Pipeline
from elysia_guard.stages import answering, verification

ANSWERED_FROM, ASSERTED_FROM = "min_confidence", "asserted_from"
STEP = 20
VALUES = tuple(n / STEP for n in range(4, STEP + 1))
"""From a fifth to certainty, every 0.05: below a fifth nothing is near enough to be hedged."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Point:
    """What was asserted, hedged, refused and shown at one value of a limit."""

    value: float
    counts: Certainty


@dataclass(frozen=True, kw_only=True, slots=True)
class OutcomeSweep:
    """One of the two limits, from value to value, and the one in force."""

    key: str
    in_force: float
    points: tuple[Point, ...]


class Judged:
    """Judges recorded searches again; what no search decides keeps its reply."""

    def __init__(
        self, pipeline: Pipeline, found: Sequence[Search], scores: Sequence[Score]
    ) -> None:
        """Take what was searched, and the scores of all tuning questions."""
        self._pipeline, self._scores = pipeline, scores
        searched = {item.case.id: item.inquiry for item in found if not item.inquiry.further}
        self._searches = {
            place: searched[item.case.id]
            for place, item in enumerate(scores)
            if item.case.id in searched
        }
        self._written: dict[tuple[int, Outcome, tuple[str, ...]], _Written] = {}

    def at(self, thresholds: Thresholds, *, lower: Sequence[Score] = ()) -> list[Score]:
        """Return all scores as they are under other thresholds.

        ``lower`` are those at a lower ``min_confidence``, all else being equal: what was refused
        there is refused here, and not judged again.
        """
        before = lower or self._scores
        return [
            self._again(place, item, thresholds)
            if place in self._searches and not (lower and item.response.refused)
            else item
            for place, item in enumerate(before)
        ]

    def _again(self, place: int, item: Score, thresholds: Thresholds) -> Score:
        inquiry = self._searches[place]
        verdict = self._pipeline.judged_by(thresholds, inquiry)
        judged = replace(inquiry, verdict=verdict)
        written = self._write(place, judged, verdict)
        quality = RetrievalQuality.from_retrieval(verdict.confidence, inquiry.fallbacks)
        reply = written.put_into(replace(item.response, retrieval_quality=quality), verdict)
        return scoring.score(Run(case=item.case, latency_ms=item.latency_ms), reply)

    def _write(self, place: int, inquiry: Inquiry, verdict: Verdict) -> _Written:
        """Quote what answers, or where it is mentioned; from the same passages only once."""
        hits = verdict.support if verdict.outcome is Outcome.ANSWER else verdict.mentioned
        key = (place, verdict.outcome, tuple(hit.passage.id for hit in hits))
        if key not in self._written:
            write = answering.draft if verdict.outcome is Outcome.ANSWER else answering.mentions
            draft = write(inquiry, collection=self._collection)
            self._written[key] = _Written.of(draft)
        return self._written[key]

    def _collection(self, kind: DocumentKind | None) -> str:
        return self._pipeline.collections.get(kind, "") if kind else ""


@dataclass(frozen=True, kw_only=True, slots=True)
class _Written:
    """The quotes of a draft, and whether they stand in their sources."""

    draft: Draft
    holds: bool

    @classmethod
    def of(cls, draft: Draft) -> _Written:
        return cls(draft=draft, holds=verification.verify(draft).confidence == 1.0)

    def put_into(self, response: RAGResponse, verdict: Verdict) -> RAGResponse:
        """Return a response that says this, as an answer or as a mention."""
        answers = verdict.outcome is Outcome.ANSWER and self.holds
        sources = self.draft.sources
        quotes = [quote.text for block in self.draft.blocks for quote in block.quotes]
        return replace(
            response,
            answer="\n".join(quotes),
            sources=sources if answers else (),
            mentions=() if answers else sources,
            refused=not answers,
            refusal_reason=None if answers else verdict.reason or response.refusal_reason,
        )


def outcome_sweeps(
    pipeline: Pipeline, found: Sequence[Search], scores: Sequence[Score]
) -> tuple[OutcomeSweep, ...]:
    """Sweep both limits.

    Args:
        pipeline: what was asked.
        found: what its searches found for tuning questions.
        scores: the scores of the tuning questions; one that could not run is in none.
    """
    judged, thresholds = Judged(pipeline, found, scores), pipeline.thresholds
    unbounded = judged.at(replace(thresholds, search_ceiling=1.0))
    asserted = tuple(
        Point(value=value, counts=certainty([_asserted_from(item, value) for item in unbounded]))
        for value in VALUES
    )
    return (
        OutcomeSweep(
            key=ANSWERED_FROM,
            in_force=thresholds.min_confidence,
            points=tuple(_answered_from(judged, thresholds)),
        ),
        OutcomeSweep(key=ASSERTED_FROM, in_force=HIGH_CONFIDENCE, points=asserted),
    )


def _answered_from(judged: Judged, thresholds: Thresholds) -> Iterator[Point]:
    scores: Sequence[Score] = ()
    for value in VALUES:
        scores = judged.at(replace(thresholds, min_confidence=value), lower=scores)
        yield Point(value=value, counts=certainty(scores))


def _asserted_from(item: Score, value: float) -> Score:
    """Return a score whose answer is asserted from a confidence on, and hedged below it."""
    quality = item.response.retrieval_quality
    sure = quality.confidence_score >= value
    changed = replace(quality, confidence_level="high" if sure else "medium")
    return replace(item, response=replace(item.response, retrieval_quality=changed))


def figures(swept: OutcomeSweep) -> Mapping[str, object]:
    """Return a sweep for a report: every count and share at each value."""
    return {
        "key": swept.key,
        "in_force": swept.in_force,
        "points": [{"value": point.value, **point.counts.figures()} for point in swept.points],
    }
