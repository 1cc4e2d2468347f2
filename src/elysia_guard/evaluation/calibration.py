"""Fitting the confidence model and suggesting limits, on the tuning questions.

What is learnt from is every passage that a search found for a question: positive where its document
is among the expected ones. Answers rest on the best of them, about which a model of single passages
is wrong in a constant way (of fifteen, the best is chosen): so the model is scaled to the best
passages of all questions (Platt 1999).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import astuple, dataclass, field, fields, replace
from typing import Generic, TypeVar

import numpy as np

from elysia_guard.domain.calibration import Calibration, WordsAlone
from elysia_guard.domain.errors import GuardError
from elysia_guard.evaluation import logistic
from elysia_guard.evaluation.logistic import Array
from elysia_guard.evaluation.tuning_record import Sample

MIN_QUESTIONS = 8
FOLDS = 5
PULL = 5.0
PENALTY = 1.0
GAIN = 0.01
STEP = 0.05
Model = TypeVar("Model", Calibration, WordsAlone)
AS_IT_IS = np.array([0.0, 1.0])  # the scale that changes nothing; others are drawn to it


@dataclass(frozen=True, kw_only=True, slots=True)
class ConfidenceModel(Generic[Model]):
    """A kind of confidence model; ``ceiling`` is the share of its output that is the chance."""

    model: type[Model]
    ceiling: float = 1.0


BY_MEANING = ConfidenceModel(model=Calibration)


@dataclass(frozen=True, kw_only=True, slots=True)
class Fit(Generic[Model]):
    """The confidence model of one collection, or the pooled one.

    The losses are those of the best passage of each question, where it is of this collection:
    ``log_loss`` is cross-validated over whole questions, ``current_log_loss`` that of the model in
    force. ``own`` is False where too few questions, or no clear gain, leave the collection with the
    pooled model. The limits are those of all collections: they leave every question a right passage
    that the model trusts, and it is the confidence that tells apart.
    """

    collection: str
    calibration: Model
    questions: int
    passages: int
    positives: int
    log_loss: float
    current_log_loss: float
    distance_threshold: float
    min_query_coverage: float
    own: bool = False


@dataclass(frozen=True, kw_only=True)
class _Models:
    """The weights of all collections together, and of those with weights of their own."""

    pooled: Array
    own: Mapping[str, Array] = field(default_factory=dict)
    ceiling: float = 1.0

    def of(self, collection: str) -> Array:
        return self.own.get(collection, self.pooled)

    def log_odds(self, item: Sample) -> float:
        weights = self.of(item.collection)
        return float(weights[0] + _inputs(item) @ weights[1:])

    def chance(self, item: Sample) -> float:
        return self.ceiling / (1.0 + math.exp(-self.log_odds(item)))

    def scaled(self, intercept: float, slope: float) -> _Models:
        def scale(weights: Array) -> Array:
            return np.concatenate([[intercept + slope * weights[0]], slope * weights[1:]])

        own = {name: scale(weights) for name, weights in self.own.items()}
        return replace(self, pooled=scale(self.pooled), own=own)


def fit(
    found: Sequence[Sample],
    current: Callable[[str], Calibration],
    *,
    trusted: float = 0.60,
    elsewhere: Sequence[Sample] = (),
    apart: bool = True,
) -> list[Fit[Calibration]]:
    """Fit the model of what a search by words and meaning found; see ``fit_as``."""
    return fit_as(BY_MEANING, found, current, trusted=trusted, elsewhere=elsewhere, apart=apart)


def fit_as(
    kind: ConfidenceModel[Model],
    found: Sequence[Sample],
    current: Callable[[str], Model],
    *,
    trusted: float = 0.60,
    elsewhere: Sequence[Sample] = (),
    apart: bool = True,
) -> list[Fit[Model]]:
    """Fit the pooled model (first, its collection is '') and one per collection.

    A collection with enough questions gets weights of its own, drawn to the pooled ones, where they
    clearly predict its passages better.

    Args:
        kind: what is fitted.
        found: the passages to learn from.
        current: the model in force for a collection.
        trusted: the confidence from which the guard answers.
        elsewhere: passages of other registers, for the weights and not for the scale: how many of
            their questions have no answer is their makers' choice.
        apart: whether a collection may have weights of its own.

    Raises:
        GuardError: there is too little to learn from.
    """
    questions = len({item.case_id for item in found})
    if questions < FOLDS or len({item.positive for item in found}) == 1:
        raise GuardError(
            f"{questions} question(s) with {len(found)} passage(s) were found; a fit needs at least"
            f" {FOLDS} questions, and right and wrong passages"
        )
    names: list[str] = sorted({item.collection for item in found})
    own = [name for name in names if apart and _gains(found, name)]
    models = _fitted(found, own, kind.ceiling, elsewhere)
    limits = suggested(found, models.chance, trusted)
    left_out = _left_out(found, own, kind.ceiling, elsewhere)
    in_force = _losses(found, lambda item: _odds(current(item.collection), item), kind.ceiling)
    return [
        Fit(
            collection=name,
            calibration=_calibration(models.of(name), kind),
            questions=len(_answered(inside)),
            passages=len(inside),
            positives=sum(item.positive for item in inside),
            log_loss=_mean(left_out, name),
            current_log_loss=_mean(in_force, name),
            distance_threshold=limits[0],
            min_query_coverage=limits[1],
            own=name in own,
        )
        for name in ("", *names)
        if (inside := [item for item in found if name in ("", item.collection)])
    ]


def _fitted(
    found: Sequence[Sample],
    own: Collection[str],
    ceiling: float,
    elsewhere: Sequence[Sample] = (),
) -> _Models:
    """Fit on all passages, and on those of some collections; scale to the best of each question."""
    pooled = _pooled([*found, *elsewhere])
    models = _Models(
        pooled=pooled,
        own={name: _drawn(found, name, pooled) for name in own if _of(found, name)},
        ceiling=ceiling,
    )
    best = _best(found, models.log_odds)
    odds = np.array([[models.log_odds(item)] for item in best])
    labels = np.array([float(item.positive) for item in best])
    intercept, slope = logistic.fit(odds, labels, penalty=1.0, prior=AS_IT_IS, ceiling=ceiling)
    return models.scaled(intercept, slope)


def _pooled(found: Sequence[Sample]) -> Array:
    return logistic.fit(*_arrays(found), counts=in_pairs(found), penalty=PENALTY)


def in_pairs(found: Sequence[Sample]) -> Array:
    """Let each question count alike by its right and its wrong passages, which share its kind."""
    sides = Counter((item.case_id, item.positive) for item in found)
    counts = np.array([1.0 / sides[item.case_id, item.positive] for item in found])
    even: Array = counts * (len(found) / counts.sum())
    return even


def _drawn(found: Sequence[Sample], name: str, pooled: Array) -> Array:
    inside = _of(found, name)
    return logistic.fit(*_arrays(inside), counts=in_pairs(inside), penalty=PULL, prior=pooled)


def _gains(found: Sequence[Sample], name: str) -> bool:
    """Tell whether weights of its own clearly predict a collection's left-out passages better."""
    if len(_answered(_of(found, name))) < MIN_QUESTIONS:
        return False
    labels, counts, pooled, drawn = [], [], [], []
    for kept, asked in _folds(found):
        inside = _of(asked, name)
        if not inside or not _of(kept, name):
            continue
        shared = _pooled(kept)
        inputs, truths = _arrays(inside)
        labels.append(truths)
        counts.append(in_pairs(inside))
        pooled.append(logistic.probabilities(inputs, shared))
        drawn.append(logistic.probabilities(inputs, _drawn(kept, name, shared)))
    truth, times = np.concatenate(labels), np.concatenate(counts)
    losses = [logistic.log_loss(np.concatenate(item), truth, times) for item in (pooled, drawn)]
    return losses[1] < losses[0] - GAIN


def _left_out(
    found: Sequence[Sample],
    own: Collection[str],
    ceiling: float,
    elsewhere: Sequence[Sample],
) -> list[tuple[str, float]]:
    """Return, for each question's best passage, the loss of models that did not see it."""
    losses: list[tuple[str, float]] = []
    for kept, asked in _folds(found):
        losses.extend(_losses(asked, _fitted(kept, own, ceiling, elsewhere).log_odds, ceiling))
    return losses


def _folds(found: Sequence[Sample]) -> list[tuple[list[Sample], list[Sample]]]:
    """Part whole questions: those to learn from, and those to predict."""
    ids = sorted({item.case_id for item in found})
    parts = [set(ids[fold::FOLDS]) for fold in range(FOLDS)]
    return [
        (
            [item for item in found if item.case_id not in part],
            [item for item in found if item.case_id in part],
        )
        for part in parts
    ]


def _losses(
    found: Sequence[Sample], log_odds: Callable[[Sample], float], ceiling: float
) -> list[tuple[str, float]]:
    """Return the collection of each question's best passage, and the log loss there."""
    best = _best(found, log_odds)
    odds = np.array([log_odds(item) for item in best])
    labels = np.array([float(item.positive) for item in best])
    losses = logistic.losses(odds, labels, ceiling)
    return [(item.collection, float(loss)) for item, loss in zip(best, losses, strict=True)]


def _best(found: Sequence[Sample], log_odds: Callable[[Sample], float]) -> list[Sample]:
    """Return each question's best passage: the first by its order, or by its odds."""

    def order(item: Sample) -> float:
        return log_odds(item) if item.order is None else item.order

    best: dict[str, Sample] = {}
    for item in found:
        if item.case_id not in best or order(item) > order(best[item.case_id]):
            best[item.case_id] = item
    return list(best.values())


def _mean(losses: Sequence[tuple[str, float]], name: str) -> float:
    inside = [loss for collection, loss in losses if name in ("", collection)]
    return sum(inside) / len(inside) if inside else math.nan


def _of(found: Sequence[Sample], name: str) -> list[Sample]:
    return [item for item in found if item.collection == name]


def _arrays(found: Sequence[Sample]) -> tuple[Array, Array]:
    inputs = np.array([_inputs(item) for item in found])
    return inputs, np.array([float(item.positive) for item in found])


def _inputs(item: Sample) -> Array:
    return np.array(item.inputs)


def _answered(found: Sequence[Sample]) -> set[str]:
    return {item.case_id for item in found if item.positive}


def _odds(model: Model, item: Sample) -> float:
    intercept, *weights = astuple(model)
    return float(intercept + np.dot(weights, item.inputs))


def _calibration(weights: Array, kind: ConfidenceModel[Model]) -> Model:
    rounded = [round(float(value), 3) for value in weights]
    named = zip(fields(kind.model), rounded, strict=True)
    return kind.model(**{item.name: value for item, value in named})


def suggested(
    found: Sequence[Sample], chance: Callable[[Sample], float], trusted: float
) -> tuple[float, float]:
    """Return the distance and the coverage that leave every question a right passage.

    Of those questions alone for which the model trusts one.
    """
    by_question: dict[str, list[Sample]] = {}
    for item in found:
        if item.positive and chance(item) >= trusted:
            by_question.setdefault(item.case_id, []).append(item)
    right = by_question.values()
    return (
        _upwards([1.0 - max(item.similarity for item in items) for items in right]),
        _downwards([max(item.coverage for item in items) for items in right]),
    )


def _upwards(values: Sequence[float]) -> float:
    """The lowest limit, on a step, that no value is above."""
    return round(math.ceil(round(max(values, default=0.0) / STEP, 6)) * STEP, 2)


def _downwards(values: Sequence[float]) -> float:
    """The highest limit, on a step, that no value is below."""
    return round(math.floor(round(min(values, default=0.0) / STEP, 6)) * STEP, 2)
