"""Asking the tuning questions once, and keeping the rankings that their searches are fused of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from elysia_guard.domain.document import Document, DocumentKind, Filters, Hit
from elysia_guard.domain.errors import QuestionError, SourceUnavailableError
from elysia_guard.domain.question import Aspect
from elysia_guard.domain.reading import aspect_of
from elysia_guard.domain.search_weights import WeightsByKind
from elysia_guard.evaluation.runner import Progress
from elysia_guard.evaluation.scoring import SEARCHED
from elysia_guard.evaluation.tuning_questions import Question
from elysia_guard.pipeline import Pipeline
from elysia_guard.ports import PassageIndex, SecondVector, Vector
from elysia_guard.scoping import IndexView
from elysia_guard.stages.retrieval import RECORD_ASKED, RECORD_NOT_ASKED, SEARCH_LIMIT


class Rankings(Protocol):
    """The rankings of one search, to be fused by any weights."""

    def by(self, weights: WeightsByKind, limit: int) -> Sequence[tuple[Document, float]]:
        """Return the documents of the passages that come first, with their scores."""


class Weighable(Protocol):
    """An index whose rankings can be had before they are fused."""

    async def legs(
        self,
        query: str,
        vector: Vector | None,
        *,
        filters: Filters,
        limit: int = 10,
        second: SecondVector | None = None,
    ) -> Rankings:
        """Return the rankings of a search, which is asked as that of a ``PassageIndex``."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Searched:
    """A question that went to one search, the rankings, and what a passage of a record counts.

    ``kinds`` are those of the documents that answer.
    """

    question: Question
    kinds: frozenset[DocumentKind]
    rankings: Rankings
    record_counts: float

    def place(self, weights: WeightsByKind) -> int | None:
        """Return the place, from 1, of the first document that answers; None where none is found.

        Documents are ordered as the search hands them on, each at its best passage.
        """
        found = [
            (document.id, score * (self.record_counts if document.approval else 1.0))
            for document, score in self.rankings.by(weights, SEARCH_LIMIT)
        ]
        found.sort(key=lambda item: -item[1])
        ids = dict.fromkeys(id_ for id_, _ in found)
        places = (n for n, id_ in enumerate(ids, start=1) if id_ in self.question.expected)
        return next(places, None)


class Listening(IndexView):
    """A passage index that keeps the rankings of each search by meaning, in ``heard``."""

    def __init__(self, index: PassageIndex, rankings: Weighable) -> None:
        """Take the index that is searched, and who ranks what it finds."""
        super().__init__(index)
        self._rankings = rankings
        self.heard: list[Rankings] = []

    async def search(
        self,
        query: str,
        vector: Vector | None,
        *,
        filters: Filters,
        limit: int = 10,
        second: SecondVector | None = None,
    ) -> Sequence[Hit]:
        hits = await super().search(query, vector, filters=filters, limit=limit, second=second)
        if hits and vector is not None:
            legs = await self._rankings.legs(
                query, vector, filters=filters, limit=limit, second=second
            )
            self.heard.append(legs)
        return hits


async def record(
    pipeline: Pipeline,
    rankings: Weighable,
    questions: Sequence[Question],
    *,
    progress: Progress | None = None,
) -> tuple[Searched, ...]:
    """Ask each question that a document answers; keep those that go to one search.

    Args:
        pipeline: whose searches are kept.
        rankings: the index it searches.
        questions: the tuning questions; those that nothing answers say nothing of a ranking.
        progress: told after each question.

    Raises:
        SourceUnavailableError: the index or the embedder was down: nothing can be tuned on that.
    """
    listening = Listening(pipeline.index, rankings)
    asked = replace(pipeline, index=listening)
    documents = await pipeline.index.documents(Filters(approval=None))
    found: list[Searched] = []
    for done, question in enumerate(questions, start=1):
        kinds = frozenset(each.kind for each in documents if each.id in question.expected)
        if kinds and (heard := await _heard(asked, listening, question)):
            found.append(replace(heard, kinds=kinds))
        if progress:
            progress(done, len(questions))
    return tuple(found)


async def _heard(pipeline: Pipeline, listening: Listening, question: Question) -> Searched | None:
    """Ask a question; None where it goes to no search, or to several."""
    listening.heard.clear()
    try:
        inquiry = await pipeline.begin(
            question.query, request_id=f"tune-{question.id}", route="direct"
        )
    except QuestionError:
        return None
    if inquiry.verdict is not None or inquiry.asks.kind not in SEARCHED:
        return None
    await pipeline.gather(inquiry)
    if inquiry.evidence.missing or "bm25_only" in inquiry.evidence.fallbacks:
        raise SourceUnavailableError(
            f"the index or the embedder could not be asked for {question.id}; nothing is tuned on"
            " part of the evidence, so try again once it is back",
            source="index",
        )
    if len(listening.heard) != 1:
        return None
    asks_record = aspect_of(inquiry.asks) is Aspect.APPROVAL
    return Searched(
        question=question,
        kinds=frozenset(),
        rankings=listening.heard[0],
        record_counts=RECORD_ASKED if asks_record else RECORD_NOT_ASKED,
    )
