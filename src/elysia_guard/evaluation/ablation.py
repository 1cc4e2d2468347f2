"""What each measure is worth, on corpora that were left out of the fit; and a control.

The control is a model of the question alone: what it tells apart, our questions give away and no
passage does. Ours are fitted in contrast pairs, so it should tell nothing: an area of 0.5.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields

import numpy as np

from elysia_guard.domain.calibration import Calibration
from elysia_guard.evaluation import calibration, logistic
from elysia_guard.evaluation.logistic import Array
from elysia_guard.evaluation.samples import Sample
from elysia_guard.language.answer_types import AnswerType, asked_for
from elysia_guard.language.figures import figures, identifiers
from elysia_guard.language.text import words

Corpora = Mapping[str, Sequence[Sample]]
MEASURES = tuple(item.name for item in fields(Calibration))[1:]
BINS = 10


@dataclass(frozen=True, kw_only=True, slots=True)
class LeftOut:
    """How well the best passage of each question of one corpus is judged by a fit on the others.

    ``area`` is that under the curve, ``ece`` the expected calibration error, both of ``questions``
    questions; ``found`` is the share of those with a right passage whose best one is right.
    """

    corpus: str
    questions: int
    area: float
    ece: float
    found: float


def left_out(corpora: Corpora, measures: Sequence[str] = MEASURES) -> list[LeftOut]:
    """Judge each corpus by a model of some measures that was fitted on all others."""
    columns = [MEASURES.index(name) for name in measures]
    return [_judged(name, corpora, columns) for name in corpora]


def mean_area(found: Sequence[LeftOut]) -> float:
    """Return the mean area under the curve, each corpus counted once."""
    return sum(item.area for item in found) / len(found)


def question_only(corpora: Corpora, asked: Mapping[str, str]) -> list[tuple[str, float]]:
    """Return, for each corpus left out, the area under the curve of the question's features alone.

    ``asked`` are the texts of the questions by id; one is positive where a passage is right.
    """
    rows = {name: _questions(found, asked) for name, found in corpora.items()}
    areas = []
    for name in rows:
        others = [rows[other] for other in rows if other != name]
        inputs = np.vstack([item[0] for item in others])
        labels = np.concatenate([item[1] for item in others])
        weights = logistic.fit_signed(inputs, labels, penalty=1.0)
        areas.append((name, area(logistic.probabilities(rows[name][0], weights), rows[name][1])))
    return areas


def area(chances: Array, labels: Array) -> float:
    """Return the area under the curve: how often what is right has the higher chance."""
    right, wrong = chances[labels == 1], chances[labels == 0]
    if not len(right) or not len(wrong):
        return float("nan")
    above = (right[:, None] > wrong).sum() + 0.5 * (right[:, None] == wrong).sum()
    return float(above / (len(right) * len(wrong)))


def ece(chances: Array, labels: Array) -> float:
    """Return the expected calibration error over ten bands."""
    bins = np.minimum((chances * BINS).astype(int), BINS - 1)
    errors = (abs(float(chances[bins == n].sum() - labels[bins == n].sum())) for n in range(BINS))
    return sum(errors) / len(chances)


def _judged(name: str, corpora: Corpora, columns: Sequence[int]) -> LeftOut:
    others = [item for other in corpora if other != name for item in corpora[other]]
    weights = _fitted(others, columns)
    best = _best(corpora[name], weights, columns)
    chances = np.array([chance for chance, _ in best])
    labels = np.array([float(item.positive) for _, item in best])
    answerable = {item.case_id for item in corpora[name] if item.positive}
    return LeftOut(
        corpus=name,
        questions=len(best),
        area=area(chances, labels),
        ece=ece(chances, labels),
        found=float(labels.sum()) / max(len(answerable), 1),
    )


def _fitted(found: Sequence[Sample], columns: Sequence[int]) -> Array:
    """Fit some of the measures alone, scaled to the best passage of each question."""
    inputs = np.array([item.inputs for item in found])[:, list(columns)]
    labels = np.array([float(item.positive) for item in found])
    counts, penalty = calibration.in_pairs(found), calibration.PENALTY
    weights = logistic.fit(inputs, labels, counts=counts, penalty=penalty)
    best = _best(found, weights, columns)
    chances = np.array([[chance] for chance, _ in best])
    odds = np.log(chances / (1.0 - chances))
    truths = np.array([float(item.positive) for _, item in best])
    intercept, slope = logistic.fit(odds, truths, penalty=1.0, prior=calibration.AS_IT_IS)
    return np.concatenate([[intercept + slope * weights[0]], slope * weights[1:]])


def _best(
    found: Sequence[Sample], weights: Array, columns: Sequence[int]
) -> list[tuple[float, Sample]]:
    best: dict[str, tuple[float, Sample]] = {}
    inputs = np.array([item.inputs for item in found])[:, list(columns)]
    for item, chance in zip(found, logistic.probabilities(inputs, weights), strict=True):
        known = best.get(item.case_id)
        if known is None or _order(item, chance) > _order(known[1], known[0]):
            best[item.case_id] = float(chance), item
    return list(best.values())


def _order(item: Sample, chance: float) -> float:
    return chance if item.order is None else item.order


def _questions(found: Sequence[Sample], asked: Mapping[str, str]) -> tuple[Array, Array]:
    ids = list(dict.fromkeys(item.case_id for item in found))
    answered = {item.case_id for item in found if item.positive}
    inputs = np.array([_features(asked[id_]) for id_ in ids])
    return inputs, np.array([float(id_ in answered) for id_ in ids])


def _features(text: str) -> tuple[float, ...]:
    things, length = asked_for(text), len(words(text))
    return (
        length / (length + 8.0),
        *(float(thing in things) for thing in AnswerType),
        float(bool(figures(text))),
        float(bool(identifiers(text))),
    )
