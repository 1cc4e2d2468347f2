"""Fitting the confidence in what a named document says of a matter.

Learnt from are the questions that name a document by its number and that the gates let through. On
other registers few questions do, but of each it is known which document it is asked of, whether
that answers or not: it counts as if it had named it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from elysia_guard.domain.calibration import MatterCalibration
from elysia_guard.domain.document import Hit
from elysia_guard.domain.errors import GuardError
from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.reading import Named, topic_of
from elysia_guard.domain.refusal import Outcome
from elysia_guard.domain.thresholds import Thresholds
from elysia_guard.evaluation import logistic
from elysia_guard.evaluation.ablation import area, ece
from elysia_guard.evaluation.logistic import Array
from elysia_guard.evaluation.tuning_questions import Question
from elysia_guard.language.coverage import asked_of
from elysia_guard.pipeline import Pipeline
from elysia_guard.stages.gates.documents import seeks_matter
from elysia_guard.stages.gates.signals import signals

PENALTY = 1.0
FEWEST = 20
FOLDS = 5
AS_IT_IS = np.array([0.0, 1.0])


@dataclass(frozen=True, kw_only=True, slots=True)
class Matter:
    """What a document's best sentence says of what is asked of it, and whether it answers.

    ``said`` is ``Signals.said``, 0 to 1; ``group`` is the document.
    """

    case_id: str
    group: str
    said: float
    positive: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class LeftOut:
    """How well the matters of one group are judged by a fit on the others.

    ``area`` is that under the curve, ``ece`` the expected calibration error; ``chance`` is the mean
    confidence, ``right`` the share that is.
    """

    group: str
    questions: int
    area: float
    ece: float
    chance: float
    right: float


async def of_numbers(pipeline: Pipeline, questions: Sequence[Question]) -> list[Matter]:
    """Ask what names a document by its number; return the matters that the gates let through."""
    found = []
    for question in questions:
        inquiry = await pipeline.begin(
            question.query, request_id=f"matter-{question.id}", route="direct"
        )
        asks = inquiry.asks
        if inquiry.further or not isinstance(asks, Named) or inquiry.matter_is_sought:
            continue
        await pipeline.gather(inquiry)
        verdict = pipeline.judged_by(pipeline.thresholds, inquiry)
        if verdict.outcome is Outcome.ANSWER and seeks_matter(asks, inquiry.question):
            named = {document.id for document in inquiry.evidence.documents}
            found.append(_of(question, inquiry, inquiry.evidence.hits, min(named)))
    return found


async def as_if_named(pipeline: Pipeline, questions: Sequence[Question]) -> list[Matter]:
    """Search for each question; return what was found of the document that it is asked of."""
    found = []
    for question in questions:
        inquiry = await pipeline.begin(
            question.query, request_id=f"matter-{question.id}", route="direct"
        )
        await pipeline.gather(inquiry)
        hits = [hit for hit in inquiry.evidence.hits if hit.passage.document.id in question.about]
        if hits and not inquiry.further:
            found.append(_of(question, inquiry, hits, hits[0].passage.document.id))
    return found


def _of(question: Question, inquiry: Inquiry, hits: Sequence[Hit], group: str) -> Matter:
    asked = inquiry.question
    terms = asked_of(inquiry.evidence, topic_of(inquiry.asks) or asked.text, asked.lang)
    measured = signals(terms, hits, asked.text).values()
    return Matter(
        case_id=question.id,
        group=group,
        said=max((item.said for item in measured), default=0.0),
        positive=bool(question.expected),
    )


def fit(found: Sequence[Matter], elsewhere: Sequence[Matter] = ()) -> MatterCalibration:
    """Fit the model; ``elsewhere`` counts for what ``said`` is worth, and not for the scale.

    How many questions of another register have no answer is their makers' choice.

    Raises:
        GuardError: there is too little to learn from.
    """
    if len(found) < FEWEST or len({item.positive for item in found}) == 1:
        raise GuardError(
            f"{len(found)} question(s) name a document and ask it for a matter; a fit needs at "
            f"least {FEWEST}, answered and not answered"
        )
    inputs, labels = _arrays([*found, *elsewhere])
    start, said = logistic.fit(inputs, labels, penalty=PENALTY)
    own, truths = _arrays(found)
    intercept, slope = logistic.fit(start + said * own, truths, penalty=PENALTY, prior=AS_IT_IS)
    return MatterCalibration(
        intercept=round(float(intercept + slope * start), 3), said=round(float(slope * said), 3)
    )


def left_out(
    found: Sequence[Matter], elsewhere: Mapping[str, Sequence[Matter]], thresholds: Thresholds
) -> Iterator[LeftOut]:
    """Judge by what has not seen them: each corpus by the others, and ours by whole documents.

    ``thresholds`` bound the confidence, as they do in an answer.
    """
    corpora = {"here": found, **elsewhere}
    for name, inside in corpora.items():
        others = [item for other in corpora if other != name for item in corpora[other]]
        if len(others) >= FEWEST and inside:
            yield _judged(name, inside, [fit(others)] * len(inside), thresholds)
    beside = [item for items in elsewhere.values() for item in items]
    documents = sorted({item.group for item in found})
    fold = {document: at % FOLDS for at, document in enumerate(documents)}
    models = {
        at: fit([item for item in found if fold[item.group] != at], beside) for at in range(FOLDS)
    }
    chosen = [models[fold[item.group]] for item in found]
    yield _judged("here, documents left out", found, chosen, thresholds)


def _judged(
    name: str,
    inside: Sequence[Matter],
    models: Sequence[MatterCalibration],
    thresholds: Thresholds,
) -> LeftOut:
    free = np.array([m.probability(item.said) for m, item in zip(models, inside, strict=True)])
    bounded = np.clip(free, thresholds.entity_matter, thresholds.search_ceiling)
    labels = np.array([float(item.positive) for item in inside])
    return LeftOut(
        group=name,
        questions=len(inside),
        area=area(free, labels),
        ece=ece(bounded, labels),
        chance=float(bounded.mean()),
        right=float(labels.mean()),
    )


def _arrays(found: Sequence[Matter]) -> tuple[Array, Array]:
    inputs = np.array([[item.said] for item in found])
    return inputs, np.array([float(item.positive) for item in found])
