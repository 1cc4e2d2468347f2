"""Judging the recorded questions again at another point: the gates' rules, over arrays.

A point takes a fraction of a millisecond this way, so that thousands can be tried; the tests hold
it against the gates themselves. Only an answer from other passages is written anew.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from elysia_guard.domain.document import DocumentKind, Hit
from elysia_guard.domain.refusal import Outcome, Verdict
from elysia_guard.domain.response import FALLBACK_PENALTY
from elysia_guard.domain.thresholds import MOST, Thresholds
from elysia_guard.evaluation.calibration import Sample
from elysia_guard.evaluation.logistic import Array
from elysia_guard.evaluation.tuning_points import Counts, Models, Point, in_force, section_of
from elysia_guard.evaluation.tuning_record import Asked, Reply, Search
from elysia_guard.pipeline import Pipeline
from elysia_guard.stages import answering, verification

Flags = NDArray[np.bool_]
Numbers = NDArray[np.intp]


@dataclass(frozen=True, kw_only=True)
class Judged:
    """The reply to every question at one point, and the same as flags to be counted."""

    replies: tuple[Reply, ...]
    answered: Flags
    wrong_answers: Flags
    wrong_refusals: Flags

    @classmethod
    def of(cls, replies: Sequence[Reply]) -> Judged:
        """Take the replies, in the order of the questions."""
        return cls(
            replies=tuple(replies),
            answered=np.array([item.answered for item in replies], dtype=bool),
            wrong_answers=np.array([item.wrong_answer for item in replies], dtype=bool),
            wrong_refusals=np.array([item.wrong_refusal for item in replies], dtype=bool),
        )

    def but(self, changed: Mapping[int, Reply]) -> Judged:
        """Return the same with other replies in some places."""
        replies = list(self.replies)
        for place, reply in changed.items():
            replies[place] = reply
        places = list(changed)
        some = Judged.of(list(changed.values()))
        flags = {}
        for name in ("answered", "wrong_answers", "wrong_refusals"):
            flags[name] = getattr(self, name).copy()
            flags[name][places] = getattr(some, name)
        return Judged(replies=tuple(replies), **flags)


class Judge:
    """Says what becomes of every recorded question at a point; the same point is judged once."""

    def __init__(self, pipeline: Pipeline, asked: Sequence[Asked]) -> None:
        """Take the questions and what their searches found."""
        self.asked = tuple(asked)
        self._pipeline = pipeline
        self._refusing = Judged.of([item.reply for item in asked])
        self._searches = {n: item.search for n, item in enumerate(asked) if item.search}
        self._passages = _Passages(self._searches, pipeline.thresholds)
        self._answerable = np.array([bool(item.question.expected) for item in asked], dtype=bool)
        self._searched = np.array([bool(item.search) for item in asked], dtype=bool)
        self._points: dict[Point, Judged] = {}
        self._drafted: dict[tuple[int, bytes], Reply] = {}
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

    def judged(self, point: Point) -> Judged:
        """Judge every question at a point."""
        if point not in self._points:
            support = self._passages.support(point)
            answered = {place: self._reply(place, passages) for place, passages in support.items()}
            self._points[point] = self._refusing.but(answered)
        return self._points[point]

    def counts(self, point: Point, among: Flags | None = None) -> Counts:
        """Count all questions, or those among the flagged ones."""
        judged = self.judged(point)
        chosen = np.ones(len(self.asked), dtype=bool) if among is None else among
        return Counts(
            questions=int(chosen.sum()),
            answerable=int((self._answerable & chosen).sum()),
            answers=int((judged.answered & chosen).sum()),
            wrong_answers=int((judged.wrong_answers & chosen).sum()),
            wrong_refusals=int((judged.wrong_refusals & chosen).sum()),
        )

    def searched(self, point: Point) -> Counts:
        """Count the questions that go to a search: no limit decides the others."""
        return self.counts(point, self._searched)

    def by_section(self, point: Point) -> dict[str, Counts]:
        """Count the questions that go to a search, per section whose limits are tuned.

        A question is of the section of each document that answers it, and its refusal counts
        there. An answer, and so a wrong one, is of the sections that it cites.
        """
        judged, thresholds = self.judged(point), self._pipeline.thresholds
        found = {}
        for limits in self.start.limits:
            of = [
                (
                    any(section_of(thresholds, name) == limits.section for name in item.answering),
                    any(section_of(thresholds, name) == limits.section for name in reply.cited),
                    reply,
                )
                for item, reply in zip(self.asked, judged.replies, strict=True)
                if item.search
            ]
            found[limits.section] = Counts(
                questions=sum(asks or cites for asks, cites, _ in of),
                answerable=sum(asks for asks, _, _ in of),
                answers=sum(cites for _, cites, _ in of),
                wrong_answers=sum(cites and reply.wrong_answer for _, cites, reply in of),
                wrong_refusals=sum(asks and reply.wrong_refusal for asks, _, reply in of),
            )
        return found

    def _reply(self, place: int, support: Numbers) -> Reply:
        key = (place, support.tobytes())
        if key not in self._drafted:
            self._drafted[key] = self._answered(place, self._passages.hits(support))
        return self._drafted[key]

    def _answered(self, place: int, support: tuple[Hit, ...]) -> Reply:
        """Write the answer from these passages, to see what it cites."""
        asked, inquiry = self.asked[place], self._searches[place].inquiry
        verdict = Verdict(outcome=Outcome.ANSWER, confidence=1.0, support=support)
        draft = answering.draft(replace(inquiry, verdict=verdict), collection=self._name)
        if verification.verify(draft).confidence < 1.0:
            return asked.reply
        return asked.replied(
            frozenset(source.doc_id for source in draft.sources),
            frozenset(source.collection for source in draft.sources),
        )

    def _name(self, kind: DocumentKind | None) -> str:
        return self._pipeline.collections.get(kind, "") if kind else ""


class _Passages:
    """The passages of all questions as columns, ordered by question, then by passage id."""

    def __init__(self, searches: Mapping[int, Search], thresholds: Thresholds) -> None:
        rows = [
            (place, hit, sample, bool(item.inquiry.evidence.fallbacks))
            for place, item in searches.items()
            for hit, sample in sorted(item.passages, key=lambda pair: pair[0].passage.id)
        ]
        self._hits = [hit for _, hit, _, _ in rows]
        self._question = np.array([place for place, *_ in rows], dtype=np.intp)
        self._distance = np.array(
            [1.0 - sample.similarity for _, _, sample, _ in rows], dtype=float
        )
        self._coverage = np.array([sample.coverage for _, _, sample, _ in rows], dtype=float)
        self._foreign = np.array([sample.foreign for _, _, sample, _ in rows], dtype=bool)
        self._penalty = np.array([FALLBACK_PENALTY if less else 1.0 for *_, less in rows])
        self._measures = np.array(
            [(1.0, s.similarity, s.coverage, s.lexical) for _, _, s, _ in rows], dtype=float
        ).reshape(-1, 4)
        section = [section_of(thresholds, sample.collection) for _, _, sample, _ in rows]
        self.sections = frozenset(section)
        self._of = {name: np.array([item == name for item in section]) for name in self.sections}
        self._confident: dict[Models, tuple[Array, Numbers]] = {}

    def hits(self, places: Numbers) -> tuple[Hit, ...]:
        """Return the hits at some places."""
        return tuple(self._hits[place] for place in places)

    def support(self, point: Point) -> dict[int, Numbers]:
        """Return what passes every gate, per question, the most confident first."""
        confidence, order = self._confidence(point.models)
        passed = confidence * self._penalty >= point.min_confidence
        for limits in point.limits:
            near = self._distance <= limits.distance_threshold
            covered = self._foreign | (self._coverage >= limits.min_query_coverage)
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
        """Return each passage's confidence, and the passages by question, the surest first."""
        if models not in self._confident:
            weights = np.zeros((len(self._hits), 4))
            for section, model in models.sections:
                if section in self._of:
                    weights[self._of[section]] = (
                        model.intercept,
                        model.similarity,
                        model.coverage,
                        model.lexical,
                    )
            other = models.cross_language
            weights[self._foreign] = (
                other.intercept,
                other.similarity,
                other.coverage,
                other.lexical,
            )
            z = np.clip((weights * self._measures).sum(axis=1), -MOST, MOST)
            confidence: Array = 1.0 / (1.0 + np.exp(-z))
            # The last key counts first; lexsort leaves equals by their passage id.
            self._confident[models] = confidence, np.lexsort((-confidence, self._question))
        return self._confident[models]
