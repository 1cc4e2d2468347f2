"""A point, one choice of every value that is tuned, and what becomes of every question at it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass, fields, replace

import numpy as np
from numpy.typing import NDArray

from elysia_guard.domain.calibration import MOST, Calibration
from elysia_guard.domain.quality import FALLBACK_PENALTY, lessened
from elysia_guard.domain.refusal import Outcome, Verdict
from elysia_guard.domain.thresholds import Limits, Thresholds
from elysia_guard.evaluation.logistic import Array
from elysia_guard.evaluation.tuning_record import AskedSearch, RecordedReply, Sample
from elysia_guard.pipeline import Pipeline
from elysia_guard.stages import answering, verification

Numbers = NDArray[np.intp]
Flags = NDArray[np.bool_]
WEIGHTS = len(fields(Calibration))
DEFAULT = "default"
"""The section of ``thresholds.yaml`` for collections without one of their own."""
STEP = 0.05


@dataclass(frozen=True, kw_only=True, slots=True)
class SectionLimits:
    """The limits of one section of ``thresholds.yaml``: a collection's, or the default ones."""

    section: str
    distance_threshold: float
    min_query_coverage: float


Models = tuple[tuple[str, Calibration], ...]
"""The confidence models, per section."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Point:
    """One choice of every value that is tuned."""

    min_confidence: float
    limits: tuple[SectionLimits, ...]
    models: Models

    def thresholds(self, base: Thresholds) -> Thresholds:
        """Return the thresholds of this point; what is not tuned stays."""
        models = dict(self.models)
        named = {item.section: item for item in self.limits}

        def limits(section: str, old: Limits) -> Limits:
            new = named.get(section, old)
            return replace(
                old,
                calibration=models[section],
                distance_threshold=new.distance_threshold,
                min_query_coverage=new.min_query_coverage,
            )

        return replace(
            base,
            default=limits(DEFAULT, base.default),
            collections={name: limits(name, old) for name, old in base.collections.items()},
            min_confidence=self.min_confidence,
        )

    def steps_from(self, other: Point) -> tuple[bool, float]:
        """Say how far apart two points are: whether the models differ, then steps of limits."""
        apart = abs(self.min_confidence - other.min_confidence)
        for mine, theirs in zip(self.limits, other.limits, strict=True):
            apart += abs(mine.distance_threshold - theirs.distance_threshold)
            apart += abs(mine.min_query_coverage - theirs.min_query_coverage)
        return self.models != other.models, round(apart / STEP, 6)


def in_force(thresholds: Thresholds, sections: frozenset[str]) -> Point:
    """Return the point that is in force; only the limits of ``sections`` are tuned."""
    limits: Mapping[str, Limits] = {DEFAULT: thresholds.default, **thresholds.collections}
    return Point(
        min_confidence=thresholds.min_confidence,
        limits=tuple(
            SectionLimits(
                section=name,
                distance_threshold=item.distance_threshold,
                min_query_coverage=item.min_query_coverage,
            )
            for name, item in limits.items()
            if name in sections
        ),
        models=tuple((name, item.calibration) for name, item in limits.items()),
    )


def section_of(thresholds: Thresholds, collection: str) -> str:
    """Name the section that holds the limits of a collection."""
    return collection if collection in thresholds.collections else DEFAULT


@dataclass(frozen=True, kw_only=True, slots=True)
class OutcomeCounts:
    """What became of some questions.

    ``answerable`` are those that a document answers, ``answers`` those that were answered.
    """

    questions: int
    answerable: int
    answers: int
    wrong_answers: int
    wrong_refusals: int

    @property
    def right(self) -> int:
        """Answers from a document that answers, and refusals where none does."""
        return self.questions - self.wrong_answers - self.wrong_refusals

    @property
    def wrong_share(self) -> float:
        """The share of the answers that is wrong."""
        return self.wrong_answers / self.answers if self.answers else 0.0

    @property
    def refused_share(self) -> float:
        """The share of the answerable questions that is refused."""
        return self.wrong_refusals / self.answerable if self.answerable else 0.0

    def __add__(self, other: OutcomeCounts) -> OutcomeCounts:
        return OutcomeCounts(
            questions=self.questions + other.questions,
            answerable=self.answerable + other.answerable,
            answers=self.answers + other.answers,
            wrong_answers=self.wrong_answers + other.wrong_answers,
            wrong_refusals=self.wrong_refusals + other.wrong_refusals,
        )


NOTHING = OutcomeCounts(questions=0, answerable=0, answers=0, wrong_answers=0, wrong_refusals=0)


class PointJudge:
    """Says what becomes of every recorded question at a point.

    A point takes a fraction of a millisecond, for the gates' rules are held against all passages at
    once; the tests hold them against the gates themselves. Only an answer from other passages is
    written anew: from the same passages, a question is answered once.
    """

    def __init__(self, pipeline: Pipeline, asked: Sequence[AskedSearch]) -> None:
        """Take the questions and what their searches found."""
        self.asked = tuple(asked)
        self._thresholds = pipeline.thresholds
        self._names = pipeline.collections
        self._passages = _Passages(self.asked, pipeline.thresholds)
        self._known: dict[tuple[int, bytes], RecordedReply | None] = {}
        self._points: dict[Point, tuple[tuple[RecordedReply, ...], Flags]] = {}
        self._answerable = np.array([bool(item.question.expected) for item in asked], dtype=bool)
        self._searched = np.array([bool(item.search) for item in asked], dtype=bool)
        self.start = in_force(pipeline.thresholds, self._passages.sections)

    @property
    def samples(self) -> list[Sample]:
        """The passages that a confidence model may learn from."""
        return [
            sample
            for item in self.asked
            if item.question.learnt_from and item.search
            for _, sample in item.search.passages
        ]

    def replies(self, point: Point) -> tuple[RecordedReply, ...]:
        """Return the reply to every question at a point."""
        return self._judged(point)[0]

    def _judged(self, point: Point) -> tuple[tuple[RecordedReply, ...], Flags]:
        """Return the replies, and what is counted of them; the same point is judged once."""
        if point not in self._points:
            replies = [item.reply for item in self.asked]
            for place, support in self._passages.support(point).items():
                replies[place] = self._answer(place, support) or replies[place]
            flags = [(it.answered, it.wrong_answer, it.wrong_refusal) for it in replies]
            self._points[point] = tuple(replies), np.array(flags, dtype=bool).reshape(-1, 3)
        return self._points[point]

    def _answer(self, place: int, support: Numbers) -> RecordedReply | None:
        """Return the answer from some passages; None where it is not verified, so is refused."""
        key = (place, support.tobytes())
        if key not in self._known:
            item = self.asked[place]
            hits = tuple(self._passages.hits[number] for number in support)
            verdict = Verdict(outcome=Outcome.ANSWER, confidence=1.0, support=hits)
            assert item.search  # noqa: S101  a passage is of a search
            draft = answering.draft(
                replace(item.search.inquiry, verdict=verdict),
                collection=lambda kind: self._names.get(kind, "") if kind else "",
            )
            held = verification.verify(draft).confidence == 1.0
            self._known[key] = item.replied(draft.sources) if held else None
        return self._known[key]

    def counts(self, point: Point, among: Flags | None = None) -> OutcomeCounts:
        """Count all questions, or those among the flagged ones."""
        chosen = np.ones(len(self.asked), dtype=bool) if among is None else among
        answers, wrong_answers, wrong_refusals = self._judged(point)[1][chosen].sum(axis=0)
        return OutcomeCounts(
            questions=int(chosen.sum()),
            answerable=int(self._answerable[chosen].sum()),
            answers=int(answers),
            wrong_answers=int(wrong_answers),
            wrong_refusals=int(wrong_refusals),
        )

    def searched(self, point: Point) -> OutcomeCounts:
        """Count the questions that go to a search: no limit decides the others."""
        return self.counts(point, self._searched)

    def by_section(self, point: Point) -> dict[str, OutcomeCounts]:
        """Count the questions that go to a search, per section whose limits are tuned.

        A question is of the section of each document that answers it, and its refusal counts
        there. An answer, and so a wrong one, is of the sections that it cites.
        """
        found = {}
        for limits in self.start.limits:

            def within(names: Iterable[str], section: str = limits.section) -> bool:
                return any(section_of(self._thresholds, name) == section for name in names)

            told = [
                (within(item.answering), within(reply.cited), reply)
                for item, reply in zip(self.asked, self.replies(point), strict=True)
                if item.search
            ]
            found[limits.section] = OutcomeCounts(
                questions=sum(asks or cites for asks, cites, _ in told),
                answerable=sum(asks for asks, _, _ in told),
                answers=sum(cites for _, cites, _ in told),
                wrong_answers=sum(cites and reply.wrong_answer for _, cites, reply in told),
                wrong_refusals=sum(asks and reply.wrong_refusal for asks, _, reply in told),
            )
        return found


class _Passages:
    """The passages of all questions as columns, by question, in the order of the search."""

    def __init__(self, asked: Sequence[AskedSearch], thresholds: Thresholds) -> None:
        searches = {place: item.search for place, item in enumerate(asked) if item.search}
        rows = [
            (place, hit, sample, lessened(item.inquiry.evidence.fallbacks))
            for place, item in searches.items()
            for hit, sample in item.passages
        ]
        self.hits = [hit for _, hit, _, _ in rows]
        self._question = np.array([place for place, *_ in rows], dtype=np.intp)
        self._penalty = np.array([FALLBACK_PENALTY if less else 1.0 for *_, less in rows])
        self._measures = np.array(
            [(1.0, *sample.inputs) for _, _, sample, _ in rows], dtype=float
        ).reshape(-1, WEIGHTS)
        self._distance = np.array([1.0 - sample.similarity for _, _, sample, _ in rows])
        self._coverage = np.array([sample.coverage for _, _, sample, _ in rows])
        orders = (sample.order for _, _, sample, _ in rows)
        self._order = np.array([math.nan if item is None else item for item in orders])
        section = [section_of(thresholds, sample.collection) for _, _, sample, _ in rows]
        self.sections = frozenset(section)
        self._of = {name: np.array([item == name for item in section]) for name in self.sections}
        self._confident: dict[Models, tuple[Array, Numbers]] = {}

    def support(self, point: Point) -> dict[int, Numbers]:
        """Return what passes every gate, per question, the most confident first."""
        confidence, order = self._confidence(point.models)
        passed = confidence * self._penalty >= point.min_confidence
        for limits in point.limits:
            near = self._distance <= limits.distance_threshold
            covered = self._coverage >= limits.min_query_coverage
            passed &= ~self._of[limits.section] | (near & covered)
        kept = order[passed[order]]
        questions = self._question[kept]
        starts = np.flatnonzero(np.diff(questions, prepend=-1))
        ends = [*starts[1:], len(kept)]
        return {
            int(questions[start]): kept[start:end]
            for start, end in zip(starts, ends[: len(starts)], strict=True)
        }

    def _confidence(self, models: Models) -> tuple[Array, Numbers]:
        """Return each passage's confidence, and the passages by question, the best first."""
        if models not in self._confident:
            weights = np.zeros((len(self.hits), WEIGHTS))
            for section, model in models:
                if section in self._of:
                    weights[self._of[section]] = astuple(model)
            z = np.clip((weights * self._measures).sum(axis=1), -MOST, MOST)
            confidence: Array = 1.0 / (1.0 + np.exp(-z))
            order = np.where(np.isnan(self._order), confidence, self._order)
            # The last key counts first; lexsort leaves equals in the order of the search.
            self._confident[models] = confidence, np.lexsort((-order, self._question))
        return self._confident[models]
