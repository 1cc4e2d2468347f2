"""What a confidence model learns from: the passages found for questions, measured as gates do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from elysia_guard.domain.calibration import covered_matter, rank, saturate
from elysia_guard.domain.document import DocumentKind, Hit
from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.reading import topic_of
from elysia_guard.domain.signals import NONE, Signals
from elysia_guard.evaluation.scoring import SEARCHED
from elysia_guard.evaluation.tuning_questions import Question
from elysia_guard.language.coverage import asked_of
from elysia_guard.pipeline import Pipeline
from elysia_guard.stages.gates.signals import signals


@dataclass(frozen=True, kw_only=True, slots=True)
class Sample:
    """A passage found for a question, with its measures; ``lexical`` is saturated."""

    case_id: str
    collection: str
    similarity: float
    coverage: float
    lexical: float
    positive: bool
    matter: float = 0.0
    signals: Signals = NONE
    order: float | None = None
    """What it is ordered by among those of its question; by its chance where nothing is said."""

    @property
    def inputs(self) -> tuple[float, ...]:
        """What the confidence model looks at, in the order of its coefficients."""
        return *self.by_words, self.similarity

    @property
    def by_words(self) -> tuple[float, ...]:
        """The same without what a vector is needed for."""
        return self.coverage, self.lexical, self.matter, *self.signals.values


class Measure(Protocol):
    """Takes the measures of each passage that a search found."""

    def __call__(
        self, question: Question, inquiry: Inquiry, collections: Mapping[DocumentKind, str], /
    ) -> Sequence[tuple[Hit, Sample]]:
        """Return each passage with its measures, for a question that was searched for."""


async def samples(
    pipeline: Pipeline, questions: Sequence[Question], *, measure: Measure | None = None
) -> list[Sample]:
    """Search for every question that is learnt from; measure what was found as the gates do."""
    found: list[Sample] = []
    for question in questions:
        if not question.learnt_from:
            continue
        inquiry = await pipeline.begin(
            question.query, request_id=f"fit-{question.id}", route="direct"
        )
        if inquiry.asks.kind not in SEARCHED:
            continue
        await pipeline.gather(inquiry)
        if not inquiry.evidence.matches:
            passages = (measure or measured)(question, inquiry, pipeline.collections)
            found.extend(sample for _, sample in passages)
    return found


def measured(
    question: Question, inquiry: Inquiry, collections: Mapping[DocumentKind, str]
) -> list[tuple[Hit, Sample]]:
    """Measure each passage found as the gates do; one without a true distance passes none."""
    return [
        (hit, _alike(sample, hit, 1.0 - hit.nearest))
        for hit, sample in by_words(question, inquiry, collections)
        if hit.nearest is not None
    ]


def _alike(sample: Sample, hit: Hit, similarity: float) -> Sample:
    order = rank(similarity=similarity, coverage=sample.coverage, lexical=hit.lexical or 0.0)
    return replace(sample, similarity=similarity, order=order)


def by_words(
    question: Question, inquiry: Inquiry, collections: Mapping[DocumentKind, str]
) -> list[tuple[Hit, Sample]]:
    """Measure each passage found as the gates do, except for the likeness of its meaning."""
    evidence, asked = inquiry.evidence, inquiry.question
    terms = asked_of(evidence, topic_of(inquiry.asks) or asked.text, asked.lang)
    if not terms.words:
        return []
    known = signals(terms, evidence.hits, asked.text)
    found = []
    for hit in evidence.hits:
        coverage, document = terms.coverage_by(hit.passage), hit.passage.document
        sample = Sample(
            case_id=question.id,
            collection=collections.get(document.kind, ""),
            similarity=0.0,
            coverage=coverage,
            lexical=saturate(hit.lexical or 0.0),
            matter=covered_matter(coverage, terms.weight),
            signals=known[document.id],
            order=rank(similarity=0.0, coverage=coverage, lexical=hit.lexical or 0.0),
            positive=document.id in question.expected,
        )
        found.append((hit, sample))
    return found
