"""Asking questions of one's own: what is found for each, and which of the outcomes it gets."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from elysia_guard.domain.errors import QuestionError
from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.response import RAGResponse, ReplyOutcome
from elysia_guard.evaluation import degraded, quotes
from elysia_guard.evaluation.own_questions import OwnQuestion
from elysia_guard.evaluation.runner import Progress
from elysia_guard.pipeline import Pipeline
from elysia_guard.ports import Clock


@dataclass(frozen=True, kw_only=True, slots=True)
class Asked:
    """A question with its reply.

    ``found`` are the paths of the documents found, best first; ``lessened`` tells whether a part of
    it was looked for by lesser means, as where no vector could be had.
    """

    question: OwnQuestion
    response: RAGResponse
    found: tuple[str, ...]
    lessened: bool
    elapsed_ms: float

    @property
    def outcome(self) -> ReplyOutcome:
        """What the reply is."""
        return self.response.outcome

    def among(self, k: int) -> bool:
        """Whether a document that answers is among the first ``k`` found."""
        return any(map(self.question.is_answered_by, self.found[:k]))

    @property
    def shown(self) -> bool:
        """Whether a sentence that answers stands in the reply, a refusal's mentions too."""
        held = quotes.holds(self.response.answer, "\n".join(self.question.answer))
        return self.question.answerable and held

    @property
    def right(self) -> bool:
        """Whether it is answered, surely or not, from a document that answers."""
        paths = (source.location for source in self.response.sources)
        return self.question.answerable and any(map(self.question.is_answered_by, paths))

    @property
    def silent(self) -> bool:
        """Whether it was looked for by lesser means, and the reply does not say so."""
        return self.lessened and not degraded.says_so(self.response)


async def ask_all(
    pipeline: Pipeline,
    questions: Sequence[OwnQuestion],
    *,
    clock: Clock = time.perf_counter,
    progress: Progress | None = None,
) -> tuple[list[Asked], list[OwnQuestion]]:
    """Ask every question, each of a conversation of its own, through the direct route.

    Args:
        pipeline: over the documents that the questions are about.
        questions: what is asked.
        clock: measures the latencies.
        progress: told after each question.

    Returns:
        What was asked, and the questions that cannot be asked at all.
    """
    asked: list[Asked] = []
    refused: list[OwnQuestion] = []
    for done, question in enumerate(questions, start=1):
        try:
            asked.append(await _ask(pipeline, question, clock))
        except QuestionError:
            refused.append(question)
        if progress:
            progress(done, len(questions))
    return asked, refused


async def _ask(pipeline: Pipeline, question: OwnQuestion, clock: Clock) -> Asked:
    started = clock()
    inquiry = await pipeline.begin(question.query, request_id=f"own-{question.id}", route="direct")
    response = await pipeline.answer(inquiry)
    return Asked(
        question=question,
        response=response,
        found=tuple(dict.fromkeys(path for part in inquiry.every for path in _paths(part))),
        lessened=any(part.evidence.fallbacks for part in inquiry.every),
        elapsed_ms=(clock() - started) * 1000,
    )


def _paths(part: Inquiry) -> list[str]:
    """The documents of a part, in the order in which the gates had them where they judged."""
    hits = (part.verdict.ranking if part.verdict else ()) or part.evidence.hits
    return [
        *(hit.passage.document.path for hit in hits),
        *(document.path for document in part.evidence.documents),
    ]
