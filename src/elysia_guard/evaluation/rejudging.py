"""Judging recorded searches again at other limits: the gates' rules, over arrays.

A point takes a fraction of a millisecond this way, so that thousands can be tried; the tests hold
it against the gates themselves. Only an answer from other passages is written anew.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import astuple, dataclass, fields, replace
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from elysia_guard.domain.calibration import MOST, Calibration
from elysia_guard.domain.document import Hit
from elysia_guard.domain.draft import Draft
from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.quality import FALLBACK_PENALTY, lessened
from elysia_guard.domain.reading import topic_of
from elysia_guard.domain.refusal import Outcome, Verdict
from elysia_guard.domain.thresholds import Thresholds
from elysia_guard.evaluation.logistic import Array
from elysia_guard.evaluation.samples import Sample
from elysia_guard.evaluation.tuning_points import Models, Point, in_force, section_of
from elysia_guard.language.coverage import asked_of
from elysia_guard.pipeline import Pipeline
from elysia_guard.stages import answering, verification
from elysia_guard.stages.gates import answer_type

Numbers = NDArray[np.intp]
Reply = TypeVar("Reply")
WEIGHTS = len(fields(Calibration))


@dataclass(frozen=True, kw_only=True, slots=True)
class Search:
    """What a search found for a question, each passage as the gates measure it."""

    inquiry: Inquiry
    passages: tuple[tuple[Hit, Sample], ...]

    @property
    def apt(self) -> frozenset[str]:
        """The documents that hold what the question asks for."""
        question, evidence = self.inquiry.question, self.inquiry.evidence
        terms = asked_of(evidence, topic_of(self.inquiry.asks) or question.text, question.lang)
        things = answer_type.required(question.text, terms)
        return answer_type.holding(things, evidence.hits, terms, question.text)


class Rejudging(Generic[Reply]):
    """Answers recorded searches again; from the same passages, a question is answered once.

    Args:
        pipeline: what was asked; ``start`` is the point that its limits are.
        searches: by the place of their question among all.
        replied: what the answer to the question at a place comes to.
    """

    def __init__(
        self,
        pipeline: Pipeline,
        searches: Mapping[int, Search],
        replied: Callable[[int, Draft], Reply],
    ) -> None:
        self._names = pipeline.collections
        self._searches = searches
        self._replied = replied
        self._passages = _Passages(searches, pipeline.thresholds)
        self._known: dict[tuple[int, bytes], Reply | None] = {}
        self.start = in_force(pipeline.thresholds, self._passages.sections)

    def answers(self, point: Point) -> dict[int, Reply]:
        """Return the answers at a point, by place; the other searches end in a refusal."""
        found = {
            place: self._answer(place, support)
            for place, support in self._passages.support(point).items()
        }
        return {place: reply for place, reply in found.items() if reply is not None}

    def _answer(self, place: int, support: Numbers) -> Reply | None:
        key = (place, support.tobytes())
        if key not in self._known:
            hits = tuple(self._passages.hits[number] for number in support)
            verdict = Verdict(outcome=Outcome.ANSWER, confidence=1.0, support=hits)
            inquiry = replace(self._searches[place].inquiry, verdict=verdict)
            draft = answering.draft(
                inquiry, collection=lambda kind: self._names.get(kind, "") if kind else ""
            )
            held = verification.verify(draft).confidence == 1.0
            self._known[key] = self._replied(place, draft) if held else None
        return self._known[key]


class _Passages:
    """The passages of all questions as columns, by question, in the order of the search."""

    def __init__(self, searches: Mapping[int, Search], thresholds: Thresholds) -> None:
        rows = [
            (place, hit, sample, lessened(item.inquiry.evidence.fallbacks))
            for place, item in searches.items()
            for hit, sample in item.passages
        ]
        self.hits = [hit for _, hit, _, _ in rows]
        apt = {place: item.apt for place, item in searches.items()}
        self._question = np.array([place for place, *_ in rows], dtype=np.intp)
        self._apt = np.array(
            [hit.passage.document.id in apt[place] for place, hit, *_ in rows], dtype=bool
        )
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
        passed = self._apt & (confidence * self._penalty >= point.min_confidence)
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
            for section, model in models.sections:
                if section in self._of:
                    weights[self._of[section]] = astuple(model)
            z = np.clip((weights * self._measures).sum(axis=1), -MOST, MOST)
            confidence: Array = 1.0 / (1.0 + np.exp(-z))
            order = np.where(np.isnan(self._order), confidence, self._order)
            # The last key counts first; lexsort leaves equals in the order of the search.
            self._confident[models] = confidence, np.lexsort((-order, self._question))
        return self._confident[models]
