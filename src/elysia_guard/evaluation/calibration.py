"""Fitting the confidence model and suggesting limits, on the questions of a golden set.

What is learnt from is every passage that a search found for a question: positive where its document
is among the expected ones. Words of another language cannot be compared, so passages in one say
nothing about coverage: they are fitted apart, by similarity and the words found.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from elysia_guard.domain.document import DocumentKind, Hit
from elysia_guard.domain.errors import GuardError
from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.thresholds import Calibration, saturate
from elysia_guard.evaluation import logistic
from elysia_guard.evaluation.golden import Case, Category
from elysia_guard.evaluation.logistic import Array
from elysia_guard.evaluation.scoring import SEARCHED
from elysia_guard.language.coverage import query_terms
from elysia_guard.pipeline import Pipeline

RETRIEVAL = frozenset(
    {
        Category.NON_TERMINOLOGY_DEFINE,
        Category.ADR_RETRIEVAL,
        Category.PRINCIPLE_RETRIEVAL,
        Category.POLICY_RETRIEVAL,
        Category.SEMANTIC_SEARCH,
        Category.CROSS_COLLECTION,
    }
)
"""The categories whose questions may be answered by a search."""

MIN_QUESTIONS = 8
FOLDS = 5
PULL = 5.0
GAIN = 0.01
STEP = 0.05


@dataclass(frozen=True, kw_only=True, slots=True)
class Sample:
    """A passage found for a question, with its measures.

    ``lexical`` is saturated; ``foreign`` is a passage in another language than the question's.
    """

    case_id: str
    collection: str
    similarity: float
    coverage: float
    lexical: float
    positive: bool
    foreign: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Fit:
    """The confidence model of one collection, or the pooled one.

    ``log_loss`` is cross-validated over whole questions, ``current_log_loss`` that of the model in
    force on the same passages. ``own`` is False where too few questions, or no clear gain, leave
    the collection with the pooled model. The limits are those of all collections: they leave every
    question a right passage that the model trusts, and it is the confidence that tells apart.
    """

    collection: str
    calibration: Calibration
    questions: int
    passages: int
    positives: int
    log_loss: float
    current_log_loss: float
    distance_threshold: float
    min_query_coverage: float
    own: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class CrossLanguageFit:
    """The confidence model of passages in another language than the question's.

    ``questions`` counts those with a right passage. Where there is too little to learn from,
    ``calibration`` is None and the losses are not numbers.
    """

    questions: int
    passages: int
    positives: int
    calibration: Calibration | None = None
    log_loss: float = math.nan
    current_log_loss: float = math.nan


async def samples(pipeline: Pipeline, cases: Sequence[Case]) -> list[Sample]:
    """Search for every question of a retrieval category; measure what was found as the gates do."""
    found: list[Sample] = []
    for case in cases:
        if case.category not in RETRIEVAL:
            continue
        inquiry = pipeline.begin(case.query, request_id=f"fit-{case.id}", route="direct")
        if inquiry.intent.kind not in SEARCHED:
            continue
        await pipeline.gather(inquiry)
        if not inquiry.evidence.matches:
            expected = frozenset(case.expected.doc_ids)
            found.extend(
                sample for _, sample in measured(case.id, expected, inquiry, pipeline.collections)
            )
    return found


def measured(
    case_id: str,
    expected: frozenset[str],
    inquiry: Inquiry,
    collections: Mapping[DocumentKind, str],
) -> list[tuple[Hit, Sample]]:
    """Measure each passage found as the gates do; one without a true distance passes none."""
    evidence, question = inquiry.evidence, inquiry.question
    terms = query_terms(
        inquiry.intent.topic or question.text,
        question.lang,
        evidence.synonyms,
        rarity=evidence.rarity,
    )
    return [
        (
            hit,
            Sample(
                case_id=case_id,
                collection=collections.get(hit.passage.document.kind, ""),
                similarity=1.0 - hit.nearest,
                coverage=terms.coverage(hit.passage.in_context, hit.passage.document.lang),
                lexical=saturate(hit.lexical or 0.0),
                positive=hit.passage.document.id in expected,
                foreign=hit.passage.document.lang not in ("", question.lang),
            ),
        )
        for hit in evidence.hits
        if hit.nearest is not None and terms.words
    ]


def fit(
    found: Sequence[Sample], current: Callable[[str], Calibration], *, trusted: float = 0.60
) -> list[Fit]:
    """Fit the pooled model (first, its collection is '') and one per collection.

    A collection with enough questions gets weights of its own, drawn to the pooled ones, where they
    clearly predict its passages better. Passages in another language are left out.

    Args:
        found: the passages to learn from.
        current: the model in force for a collection.
        trusted: the confidence from which the guard answers.

    Raises:
        GuardError: there is too little to learn from.
    """
    found = in_own_language(found)
    questions = len({item.case_id for item in found})
    if questions < FOLDS or len({item.positive for item in found}) == 1:
        raise GuardError(
            f"{questions} question(s) with {len(found)} passage(s) were found; a fit needs at least"
            f" {FOLDS} questions, and right and wrong passages"
        )
    shared = logistic.fit(*_arrays(found))
    limits = _limits(found, shared, trusted)
    fits = [_described("", found, shared, current, log_loss=_cross_validated(found), limits=limits)]
    for name in sorted({item.collection for item in found}):
        inside = [item for item in found if item.collection == name]
        enough = len(_answered(inside)) >= MIN_QUESTIONS
        pooled = _cross_validated(found, only=name)
        drawn = _cross_validated(found, only=name, drawn=True) if enough else math.inf
        own = drawn < pooled - GAIN
        weights = logistic.fit(*_arrays(inside), penalty=PULL, prior=shared) if own else shared
        fits.append(
            replace(
                _described(
                    name,
                    inside,
                    weights,
                    current,
                    log_loss=drawn if own else pooled,
                    limits=limits,
                ),
                own=own,
            )
        )
    return fits


def fit_cross_language(found: Sequence[Sample], current: Calibration) -> CrossLanguageFit:
    """Fit the model of passages in another language, where there is enough to learn from.

    Args:
        found: the passages; those in the question's own language are left out.
        current: the model in force for passages in another language.
    """
    foreign = [replace(item, coverage=0.0) for item in found if item.foreign]
    answered = len(_answered(foreign))
    inputs, labels = _arrays(foreign)
    counted = CrossLanguageFit(
        questions=answered, passages=len(foreign), positives=int(labels.sum())
    )
    if answered < MIN_QUESTIONS or counted.positives == counted.passages:
        return counted
    return replace(
        counted,
        calibration=_calibration(logistic.fit(inputs, labels)),
        log_loss=_cross_validated(foreign),
        current_log_loss=_loss_in_force(foreign, lambda _: current),
    )


def in_own_language(found: Sequence[Sample]) -> list[Sample]:
    """Return the passages in the language of their question, or of none."""
    return [item for item in found if not item.foreign]


def _limits(found: Sequence[Sample], weights: Array, trusted: float) -> tuple[float, float]:
    """The limits that leave every question a right passage, where the model trusts one."""
    model = _calibration(weights)
    by_question: dict[str, list[Sample]] = {}
    for item in found:
        if item.positive and _chance(model, item) >= trusted:
            by_question.setdefault(item.case_id, []).append(item)
    right = by_question.values()
    return (
        _upwards([1.0 - max(item.similarity for item in items) for items in right]),
        _downwards([max(item.coverage for item in items) for items in right]),
    )


def _described(
    name: str,
    inside: Sequence[Sample],
    weights: Array,
    current: Callable[[str], Calibration],
    *,
    log_loss: float,
    limits: tuple[float, float],
) -> Fit:
    inputs, labels = _arrays(inside)
    return Fit(
        collection=name,
        calibration=_calibration(weights),
        questions=len(_answered(inside)),
        passages=len(inputs),
        positives=int(labels.sum()),
        log_loss=log_loss,
        current_log_loss=_loss_in_force(inside, current),
        distance_threshold=limits[0],
        min_query_coverage=limits[1],
    )


def _loss_in_force(found: Sequence[Sample], current: Callable[[str], Calibration]) -> float:
    chances = np.array([_chance(current(item.collection), item) for item in found])
    return logistic.log_loss(chances, _arrays(found)[1])


def _cross_validated(
    found: Sequence[Sample], *, only: str | None = None, drawn: bool = False
) -> float:
    """Return the log loss on questions that were left out, of one collection or of all.

    Args:
        found: the passages.
        only: the collection whose passages are predicted.
        drawn: predict with weights of the collection's own, drawn to the pooled ones.
    """
    ids = sorted({item.case_id for item in found})
    chances: list[Array] = []
    truths: list[Array] = []
    for fold in range(FOLDS):
        left_out = set(ids[fold::FOLDS])
        kept = [item for item in found if item.case_id not in left_out]
        asked = [
            item for item in found if item.case_id in left_out and only in (None, item.collection)
        ]
        if not asked or not kept:
            continue
        weights = logistic.fit(*_arrays(kept))
        inside = [item for item in kept if item.collection == only]
        if drawn and inside:
            weights = logistic.fit(*_arrays(inside), penalty=PULL, prior=weights)
        inputs, labels = _arrays(asked)
        chances.append(logistic.probabilities(inputs, weights))
        truths.append(labels)
    return logistic.log_loss(np.concatenate(chances), np.concatenate(truths))


def _arrays(found: Sequence[Sample]) -> tuple[Array, Array]:
    inputs = np.array(
        [[item.similarity, item.coverage, item.lexical] for item in found], dtype=float
    )
    return inputs, np.array([float(item.positive) for item in found])


def _answered(found: Sequence[Sample]) -> set[str]:
    return {item.case_id for item in found if item.positive}


def _chance(calibration: Calibration, item: Sample) -> float:
    z = (
        calibration.intercept
        + calibration.similarity * item.similarity
        + calibration.coverage * item.coverage
        + calibration.lexical * item.lexical
    )
    return 1.0 / (1.0 + math.exp(-z))


def _calibration(weights: Array) -> Calibration:
    intercept, similarity, coverage, lexical = (round(float(value), 3) for value in weights)
    return Calibration(
        intercept=intercept, similarity=similarity, coverage=coverage, lexical=lexical
    )


def _upwards(values: Sequence[float]) -> float:
    """The lowest limit, on a step, that no value is above."""
    return round(math.ceil(round(max(values, default=0.0) / STEP, 6)) * STEP, 2)


def _downwards(values: Sequence[float]) -> float:
    """The highest limit, on a step, that no value is below."""
    return round(math.floor(round(min(values, default=0.0) / STEP, 6)) * STEP, 2)
