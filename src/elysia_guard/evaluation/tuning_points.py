"""A point: one choice of every value that is tuned, and what is counted there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from elysia_guard.domain.calibration import Calibration
from elysia_guard.domain.thresholds import Limits, Thresholds

DEFAULT = "default"
"""The section of ``thresholds.yaml`` for collections without one of their own."""
STEP = 0.05


@dataclass(frozen=True, kw_only=True, slots=True)
class SectionLimits:
    """The limits of one section of ``thresholds.yaml``: a collection's, or the default ones."""

    section: str
    distance_threshold: float
    min_query_coverage: float

    def at(self, key: str, value: float) -> SectionLimits:
        """Return the same with another value of one limit."""
        if key == "distance_threshold":
            return replace(self, distance_threshold=value)
        return replace(self, min_query_coverage=value)


@dataclass(frozen=True, kw_only=True, slots=True)
class Models:
    """The confidence models, per section."""

    sections: tuple[tuple[str, Calibration], ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Point:
    """One choice of every value that is tuned."""

    min_confidence: float
    limits: tuple[SectionLimits, ...]
    models: Models

    def thresholds(self, base: Thresholds) -> Thresholds:
        """Return the thresholds of this point; what is not tuned stays."""
        models = dict(self.models.sections)
        named = {item.section: item for item in self.limits}

        def limits(section: str, old: Limits) -> Limits:
            new = named.get(section)
            return replace(
                old,
                calibration=models[section],
                distance_threshold=new.distance_threshold if new else old.distance_threshold,
                min_query_coverage=new.min_query_coverage if new else old.min_query_coverage,
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
        models=Models(sections=tuple((name, item.calibration) for name, item in limits.items())),
    )


def section_of(thresholds: Thresholds, collection: str) -> str:
    """Name the section that holds the limits of a collection."""
    return collection if collection in thresholds.collections else DEFAULT


@dataclass(frozen=True, kw_only=True, slots=True)
class Counts:
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

    def __add__(self, other: Counts) -> Counts:
        return Counts(
            questions=self.questions + other.questions,
            answerable=self.answerable + other.answerable,
            answers=self.answers + other.answers,
            wrong_answers=self.wrong_answers + other.wrong_answers,
            wrong_refusals=self.wrong_refusals + other.wrong_refusals,
        )


NOTHING = Counts(questions=0, answerable=0, answers=0, wrong_answers=0, wrong_refusals=0)
