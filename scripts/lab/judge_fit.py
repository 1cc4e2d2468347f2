"""Fitting what one judge's word is worth beside the confidence of the gates, on tuning questions.

Every passage that it judged is learnt from; the model is then scaled to the best passage of each
question, on which the answer rests (Platt 1999). From which chance on something may be asserted is
read off questions that a fit did not see. A judge without information gets no such chance: where
its word predicts no better than the gates alone, the gates would be asserting, and not the judge.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from elysia_guard.domain.calibration import JudgeCalibration, log_odds
from elysia_guard.domain.document import DocumentKind, Passage
from elysia_guard.domain.errors import GuardError
from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.quality import HIGH_CONFIDENCE
from elysia_guard.domain.reading import Named, topic_of
from elysia_guard.domain.thresholds import Thresholds
from elysia_guard.evaluation import logistic, scoring
from elysia_guard.evaluation.logistic import Array
from elysia_guard.evaluation.tuning_record import RecordedQuestion
from elysia_guard.language.coverage import asked_of
from elysia_guard.pipeline import Pipeline
from elysia_guard.stages.gates import measure
from elysia_guard.stages.gates.documents import matter_confidence

FOLDS = 5
MIN_ASSERTED = 50
"""Of fewer questions left out, 97 of 100 cannot be told from luck."""
PRECISION = 0.97
GAIN = 0.01
"""So much log loss a judge's word has to save, or it tells nothing."""
AS_IT_IS = np.array([0.0, 1.0])
UNHEARD = np.array([0.0, 1.0, 0.0])
"""What leaves the confidence of the gates as it is."""


@dataclass(frozen=True, kw_only=True, slots=True)
class JudgedPassage:
    """A passage that was judged: by the gates, by the judge, and whether it answers."""

    question: str
    confidence: float
    chance: float
    positive: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class JudgeFit:
    """The calibration of a judge, and what it does to questions that it was not fitted on.

    The losses are those of each question's best passage: with the judge, and of the gates alone.
    ``asserted`` and ``right`` count the questions from ``asserted_from`` on.
    """

    calibration: JudgeCalibration
    questions: int
    passages: int
    log_loss: float
    alone: float
    asserted: int
    right: int


async def judged(pipeline: Pipeline, questions: Sequence[RecordedQuestion]) -> list[JudgedPassage]:
    """Ask every question that is learnt from; return each passage that the judge judged."""
    found: list[JudgedPassage] = []
    for question in questions:
        if not question.learnt_from:
            continue
        inquiry = await pipeline.begin(
            question.query, request_id=f"judge-{question.id}", route="direct"
        )
        await pipeline.gather(inquiry)
        found += _of(question, inquiry, pipeline.thresholds, pipeline.collections)
    return found


def _of(
    question: RecordedQuestion,
    inquiry: Inquiry,
    thresholds: Thresholds,
    collections: Mapping[DocumentKind, str],
) -> list[JudgedPassage]:
    evidence, asked = inquiry.evidence, inquiry.question
    if not evidence.judged:
        return []
    if isinstance(inquiry.asks, Named) and not inquiry.matter_is_sought:
        bundled = matter_confidence(asked, inquiry.asks, evidence, thresholds)
        hits = [(hit, bundled) for hit in evidence.hits]
    else:
        terms = asked_of(evidence, topic_of(inquiry.asks) or asked.text, asked.lang)
        measured = measure(
            replace(evidence, judged={}), terms, thresholds=thresholds, collections=collections
        )
        hits = [(item.hit, item.unjudged) for item in measured]
    return [
        JudgedPassage(
            question=question.id,
            confidence=confidence,
            chance=evidence.judged[hit.passage.id].chance,
            positive=_answers(hit.passage, question),
        )
        for hit, confidence in hits
        if hit.passage.id in evidence.judged
    ]


def _answers(passage: Passage, question: RecordedQuestion) -> bool:
    if passage.document.id not in question.expected:
        return False
    return not question.quote or scoring.holds(passage.text, question.quote)


def fit(found: Sequence[JudgedPassage], model: str) -> JudgeFit:
    """Fit the calibration of a judge.

    Raises:
        GuardError: there is too little to learn from.
    """
    ids = sorted({item.question for item in found})
    if len(ids) < FOLDS or len({item.positive for item in found}) == 1:
        raise GuardError(
            f"the judge judged {len(found)} passage(s) of {len(ids)} question(s); a fit needs at "
            f"least {FOLDS} questions, and right and wrong passages"
        )
    left_out = _left_out(found, ids)
    chances = np.array([chance for chance, _ in left_out])
    labels = np.array([float(item.positive) for _, item in left_out])
    alone = _left_out([replace(item, chance=0.5) for item in found], ids)
    losses = (
        logistic.log_loss(chances, labels),
        logistic.log_loss(
            np.array([chance for chance, _ in alone]),
            np.array([float(item.positive) for _, item in alone]),
        ),
    )
    tells = losses[0] < losses[1] - GAIN
    start = asserted_from(chances, labels) if tells else None
    above = chances >= (2.0 if start is None else start)
    asserted, right = int(above.sum()), int(labels[above].sum())
    weights = _weights(found) if tells else UNHEARD
    return JudgeFit(
        calibration=JudgeCalibration(
            model=model,
            intercept=round(float(weights[0]), 3),
            confidence=round(float(weights[1]), 3),
            judged=round(float(weights[2]), 3),
            asserted_from=start,
            ceiling=round(right / asserted, 3) if asserted else 0.0,
        ),
        questions=len(ids),
        passages=len(found),
        log_loss=losses[0],
        alone=losses[1],
        asserted=asserted,
        right=right,
    )


def asserted_from(chances: Array, labels: Array) -> float | None:
    """Return the lowest chance from which 97 of 100 are right, one more being wrong; None if none.

    It is no lower than what is called a high confidence, in steps of a hundredth.
    """
    for start in np.arange(round(HIGH_CONFIDENCE * 100), 100) / 100:
        above = chances >= start
        count = int(above.sum())
        if count >= MIN_ASSERTED and labels[above].sum() / (count + 1) >= PRECISION:
            return round(float(start), 2)
    return None


def _left_out(
    found: Sequence[JudgedPassage], ids: Sequence[str]
) -> list[tuple[float, JudgedPassage]]:
    """Return the best passage of each question and its chance, by a fit that did not see it."""
    best: list[tuple[float, JudgedPassage]] = []
    for fold in range(FOLDS):
        part = set(ids[fold::FOLDS])
        weights = _weights([item for item in found if item.question not in part])
        asked = [item for item in found if item.question in part]
        best += [
            (float(logistic.probabilities(_inputs([item]), weights)[0]), item)
            for item in _best(asked, weights)
        ]
    return best


def _weights(found: Sequence[JudgedPassage]) -> Array:
    labels = np.array([float(item.positive) for item in found])
    weights = logistic.fit(_inputs(found), labels)
    best = _best(found, weights)
    odds = (weights[0] + _inputs(best) @ weights[1:])[:, None]
    truths = np.array([float(item.positive) for item in best])
    intercept, slope = logistic.fit(odds, truths, penalty=1.0, prior=AS_IT_IS)
    return np.concatenate([[intercept + slope * weights[0]], slope * weights[1:]])


def _best(found: Sequence[JudgedPassage], weights: Array) -> list[JudgedPassage]:
    """Return each question's passage with the highest odds."""
    best: dict[str, tuple[float, JudgedPassage]] = {}
    for item, odds in zip(found, _inputs(found) @ weights[1:], strict=True):
        if item.question not in best or odds > best[item.question][0]:
            best[item.question] = (float(odds), item)
    return [item for _, item in best.values()]


def _inputs(found: Sequence[JudgedPassage]) -> Array:
    return np.array([[log_odds(item.confidence), log_odds(item.chance)] for item in found])


def told(fit: JudgeFit) -> str:
    """Say what a fit came to, for a terminal."""
    found = fit.calibration
    lines = [
        f"{found.model}: {fit.questions} questions, {fit.passages} passages judged",
        f"  log loss of left-out questions {fit.log_loss:.3f}; of the gates alone {fit.alone:.3f}",
        (
            f"  intercept {found.intercept:.3f}, confidence {found.confidence:.3f}, judged "
            f"{found.judged:.3f}"
        ),
    ]
    if found.asserted_from is None:
        lines.append("  nothing is asserted for it: from no chance on 97 of 100 were right")
    else:
        lines.append(
            f"  asserted from {found.asserted_from:.2f} on: {fit.right} of {fit.asserted} right"
        )
    return "\n".join(lines)


def values(found: JudgeCalibration) -> Mapping[str, object]:
    """Return a calibration as the section ``judge`` of ``thresholds.yaml`` holds it."""
    return {
        "model": f"'{found.model}'",
        "intercept": f"{found.intercept:.3f}",
        "confidence": f"{found.confidence:.3f}",
        "judged": f"{found.judged:.3f}",
        "asserted_from": "null" if found.asserted_from is None else f"{found.asserted_from:.2f}",
        "ceiling": f"{found.ceiling:.3f}",
    }
