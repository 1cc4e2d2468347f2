"""What becomes of every tuning question at a point, and how many of them go wrong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from elysia_guard.evaluation.rejudging import Rejudging
from elysia_guard.evaluation.samples import Sample
from elysia_guard.evaluation.tuning_points import Counts, Point, section_of
from elysia_guard.evaluation.tuning_record import Asked, Reply
from elysia_guard.pipeline import Pipeline

Flags = NDArray[np.bool_]


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
        self._thresholds = pipeline.thresholds
        self._refusing = Judged.of([item.reply for item in asked])
        searches = {n: item.search for n, item in enumerate(asked) if item.search}
        self._again = Rejudging(
            pipeline, searches, lambda place, draft: self.asked[place].replied(draft.sources)
        )
        self._answerable = np.array([bool(item.question.expected) for item in asked], dtype=bool)
        self._searched = np.array([bool(item.search) for item in asked], dtype=bool)
        self._points: dict[Point, Judged] = {}
        self.start = self._again.start

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
            self._points[point] = self._refusing.but(self._again.answers(point))
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
        judged, thresholds = self.judged(point), self._thresholds
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
