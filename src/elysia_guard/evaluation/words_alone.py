"""Measuring what is found while no vector can be had: by words alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import NoReturn

from elysia_guard.domain.calibration import WordsAlone
from elysia_guard.domain.document import DocumentKind, Hit
from elysia_guard.domain.errors import SourceUnavailableError
from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.quality import FALLBACK_PENALTY
from elysia_guard.evaluation import samples as samples_
from elysia_guard.evaluation.calibration import Kind
from elysia_guard.evaluation.samples import Sample
from elysia_guard.evaluation.tuning_questions import Question
from elysia_guard.pipeline import Pipeline
from elysia_guard.ports import Embedder, by_form_alone

BY_WORDS = Kind(model=WordsAlone, ceiling=FALLBACK_PENALTY)
"""What the reduction leaves of its output is to be the chance."""


class SwitchedOff:
    """An embedder that is away, whatever is asked of it."""

    def __init__(self, embedder: Embedder) -> None:
        self.model_id = embedder.model_id
        self.dimension = embedder.dimension

    async def embed(self, texts: Sequence[str]) -> NoReturn:
        """Refuse, as a model server does that is down."""
        raise SourceUnavailableError("the embedder is switched off", source="embeddings")

    async def embed_question(
        self, text: str, *, kinds: Sequence[DocumentKind] | None = None
    ) -> NoReturn:
        """Refuse, as a model server does that is down."""
        await self.embed([text])


def without_embedder(pipeline: Pipeline) -> Pipeline:
    """Return the same pipeline while its embedder is away."""
    return replace(pipeline, embedder=SwitchedOff(pipeline.embedder))


def without_models(pipeline: Pipeline) -> Pipeline:
    """Return the same pipeline where the model that knows words of like meaning is away too."""
    return replace(without_embedder(pipeline), alike=by_form_alone)


@dataclass(frozen=True, kw_only=True, slots=True)
class ByWords(Sample):
    """A passage found by words alone; its similarity is not known, and 0."""

    @property
    def inputs(self) -> tuple[float, ...]:
        """What the confidence model looks at, in the order of its coefficients."""
        return self.by_words


async def samples(pipeline: Pipeline, questions: Sequence[Question]) -> list[Sample]:
    """Search for every question without an embedder; measure what was found as the gates do.

    Those are learnt from too that nothing answers: without a vector only their words betray them.
    """
    every = [replace(question, learnt_from=True) for question in questions]
    return await samples_.samples(pipeline, every, measure=measured)


def measured(
    question: Question, inquiry: Inquiry, collections: Mapping[DocumentKind, str]
) -> list[tuple[Hit, Sample]]:
    """Measure each passage found as the gates do where no vector could be had."""
    found = samples_.by_words(question, inquiry, collections)
    return [(hit, _by_words(sample)) for hit, sample in found]


def _by_words(sample: Sample) -> ByWords:
    return ByWords(**{item.name: getattr(sample, item.name) for item in fields(Sample)})
