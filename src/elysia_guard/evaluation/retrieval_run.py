"""Asking what retrieval finds for each question, and what the guard then makes of it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from elysia_guard.domain.errors import GuardError, SourceUnavailableError
from elysia_guard.domain.response import RAGResponse
from elysia_guard.evaluation.retrieval_set import RetrievalCase
from elysia_guard.evaluation.runner import Asker, Progress
from elysia_guard.pipeline import Pipeline
from elysia_guard.ports import Clock


@dataclass(frozen=True, kw_only=True, slots=True)
class Outcome:
    """What a question brought: the documents found, best first, and the response.

    ``search_ms`` is the time until the evidence was there, ``answer_ms`` the whole direct route.
    """

    case: RetrievalCase
    ranking: tuple[str, ...]
    response: RAGResponse
    search_ms: float
    answer_ms: float

    @property
    def rank(self) -> int | None:
        """The place, from 1, of the first document that answers; None when none was found."""
        for place, document in enumerate(self.ranking, start=1):
            if document in self.case.documents:
                return place
        return None

    def found(self, k: int) -> bool:
        """Whether a document that answers is among the first ``k``."""
        return self.rank is not None and self.rank <= k

    def share_found(self, k: int) -> float:
        """The share of the documents that answer which is among the first ``k``."""
        return len({*self.ranking[:k]} & {*self.case.documents}) / len(self.case.documents)

    @property
    def answered(self) -> bool:
        """Whether there is an answer; a question back is none."""
        return self.response.refusal_reason is None

    @property
    def right(self) -> bool:
        """Whether it is answered from a document that answers."""
        cited = {source.doc_id for source in self.response.sources}
        return self.answered and bool(cited & {*self.case.documents})

    @property
    def wrong_answer(self) -> bool:
        """Whether it is answered though no document does, or from other documents only."""
        return self.answered and not self.right

    @property
    def wrong_refusal(self) -> bool:
        """Whether it is refused, or asked back, though a document answers."""
        return self.case.answerable and not self.answered


@dataclass(frozen=True, kw_only=True, slots=True)
class NotRun:
    """A question that could not be asked, and why: neither right nor wrong."""

    case: RetrievalCase
    error: str


async def run(
    cases: Sequence[RetrievalCase],
    pipeline: Pipeline,
    asker: Asker,
    *,
    clock: Clock = time.perf_counter,
    progress: Progress | None = None,
) -> tuple[list[Outcome], list[NotRun]]:
    """Ask every question, one after the other.

    Args:
        cases: the questions.
        pipeline: whose retrieval is measured, as it gathers evidence for the direct route.
        asker: the direct route over the same pipeline.
        clock: measures the latencies.
        progress: told after each question.
    """
    outcomes: list[Outcome] = []
    not_run: list[NotRun] = []
    for done, case in enumerate(cases, start=1):
        try:
            outcomes.append(await _ask(case, pipeline, asker, clock))
        except GuardError as err:
            not_run.append(NotRun(case=case, error=f"{type(err).__name__}: {err}"))
        if progress:
            progress(done, len(cases))
    return outcomes, not_run


async def _ask(case: RetrievalCase, pipeline: Pipeline, asker: Asker, clock: Clock) -> Outcome:
    request_id = f"eval-{case.id}"
    started = clock()
    response = await asker.ask(case.query, request_id=request_id)
    answered = clock()
    ranking = await rank(pipeline, case.query, request_id=request_id)
    return Outcome(
        case=case,
        ranking=ranking,
        response=response,
        search_ms=(clock() - answered) * 1000,
        answer_ms=(answered - started) * 1000,
    )


async def rank(pipeline: Pipeline, query: str, *, request_id: str) -> tuple[str, ...]:
    """Return the ids of the documents that the pipeline finds for a question, best first.

    Nothing is found for a question that the router sends to the vocabulary alone: it counts as the
    miss that it is for whoever asked.

    Raises:
        GuardError: it could not be asked, or a source was down.
    """
    inquiry = await pipeline.begin(query, request_id=request_id, route="direct")
    if inquiry.verdict is None:
        await pipeline.gather(inquiry)
        pipeline.judge(inquiry)
    found: list[str] = []
    for part in inquiry.every:
        evidence = part.evidence
        if evidence.missing:
            names = ", ".join(failure.source for failure in evidence.missing)
            raise SourceUnavailableError(f"{names} could not be asked", source=names)
        hits = part.decided().ranking or evidence.hits
        found += [hit.passage.document.id for hit in hits]
        found += [document.id for document in evidence.documents]
    return tuple(dict.fromkeys(found))
