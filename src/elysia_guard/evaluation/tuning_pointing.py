"""How often what a language model points at is right, by what it says of the units."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from elysia_guard.domain.errors import QuestionError
from elysia_guard.domain.pointing import Pointed, PointedVerdict
from elysia_guard.evaluation.runner import Progress
from elysia_guard.evaluation.scoring import holds
from elysia_guard.evaluation.tuning_record import RecordedQuestion
from elysia_guard.pipeline import Pipeline

LEAST = 30
"""Of fewer answers no share is taken: one that is wrong by chance would decide."""
SAID = (PointedVerdict.ANSWERS, PointedVerdict.PARTLY, PointedVerdict.CONTRADICTS)


@dataclass(frozen=True, kw_only=True, slots=True)
class PointingShare:
    """Of so many answers of one verdict so many were right."""

    right: int = 0
    of: int = 0

    @property
    def value(self) -> float:
        """The share, 0 to 1; 0 where there are too few."""
        return round(self.right / self.of, 3) if self.of >= LEAST else 0.0

    def with_one(self, *, right: bool) -> PointingShare:
        """Return it with one answer more."""
        return PointingShare(right=self.right + right, of=self.of + 1)


async def measured(
    pipeline: Pipeline, questions: Sequence[RecordedQuestion], *, progress: Progress | None = None
) -> Mapping[PointedVerdict, PointingShare]:
    """Ask the questions, and hold what the model points at against what answers.

    Right is a unit of a document that answers, and the sentence that answers, where one is named.

    Args:
        pipeline: has a language model.
        questions: what answers each is known; nothing where nothing does.
        progress: told after each question.
    """
    found = dict.fromkeys(SAID, PointingShare())
    for at, question in enumerate(questions, start=1):
        pointed = await _pointed(pipeline, question)
        if pointed and pointed.answers:
            right = _is_right(pointed, question)
            found[pointed.verdict] = found[pointed.verdict].with_one(right=right)
        if progress:
            progress(at, len(questions))
    return found


async def _pointed(pipeline: Pipeline, question: RecordedQuestion) -> Pointed | None:
    try:
        inquiry = await pipeline.begin(question.query, request_id=question.id, route="direct")
    except QuestionError:
        return None
    await pipeline.gather(inquiry)
    return None if inquiry.further else inquiry.evidence.pointed


def _is_right(pointed: Pointed, question: RecordedQuestion) -> bool:
    documents = {unit.passage.document.id for unit in pointed.units}
    told = "\n\n".join(unit.text for unit in pointed.units)
    named = not question.quote or holds(told, question.quote)
    return bool(documents & question.expected) and named
