"""Asking the tuning questions once, and keeping what their judgement needs.

A question that goes to a search keeps its passages, measured, to be judged again under other
limits. No limit that is tuned decides the others (terms, named documents, lists), so they keep
the reply they got.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from elysia_guard.domain.document import DocumentKind
from elysia_guard.domain.errors import QuestionError, SourceUnavailableError
from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.response import Source
from elysia_guard.evaluation.rejudging import Search
from elysia_guard.evaluation.runner import Progress
from elysia_guard.evaluation.samples import measured
from elysia_guard.evaluation.scoring import SEARCHED
from elysia_guard.evaluation.tuning_questions import Question
from elysia_guard.pipeline import Pipeline


@dataclass(frozen=True, kw_only=True, slots=True)
class Reply:
    """What became of a question, as scoring counts it; a question back is a refusal.

    ``cited`` are the collections that the answer cites.
    """

    answered: bool = False
    wrong_answer: bool = False
    wrong_refusal: bool = False
    cited: frozenset[str] = frozenset()


@dataclass(frozen=True, kw_only=True, slots=True)
class Asked:
    """A question that was asked.

    ``answering`` are the collections of the documents that answer. ``reply`` is what became of it;
    where a search was made, the refusal that stands unless a passage passes the gates.
    """

    question: Question
    answering: frozenset[str]
    reply: Reply
    search: Search | None = None

    def replied(self, sources: Sequence[Source]) -> Reply:
        """Return the reply of an answer that cites these."""
        right = any(source.doc_id in self.question.expected for source in sources)
        cited = frozenset(source.collection for source in sources)
        return Reply(answered=True, wrong_answer=not right, cited=cited)


async def record(
    pipeline: Pipeline, questions: Sequence[Question], *, progress: Progress | None = None
) -> tuple[Asked, ...]:
    """Ask every question once through the direct route.

    Raises:
        SourceUnavailableError: the index or the embedder was down: nothing can be tuned on that.
    """
    found = []
    for done, question in enumerate(questions, start=1):
        found.append(await _ask(pipeline, question))
        if progress:
            progress(done, len(questions))
    return tuple(found)


async def _ask(pipeline: Pipeline, question: Question) -> Asked:
    refused = Asked(
        question=question,
        answering=frozenset(collection_of(pipeline, item) for item in question.expected),
        reply=Reply(wrong_refusal=bool(question.expected)),
    )
    try:
        inquiry = await pipeline.begin(
            question.query, request_id=f"tune-{question.id}", route="direct"
        )
    except QuestionError:
        return refused
    if inquiry.verdict is None:
        await pipeline.gather(inquiry)
        _require_sources(question, inquiry)
        if inquiry.asks.kind in SEARCHED and not inquiry.evidence.matches:
            passages = measured(question, inquiry, pipeline.collections)
            return replace(refused, search=Search(inquiry=inquiry, passages=tuple(passages)))
        pipeline.judge(inquiry)
    response = await pipeline.conclude(inquiry)
    if response.refusal_reason is not None:
        return refused
    return replace(refused, reply=refused.replied(response.sources))


def _require_sources(question: Question, inquiry: Inquiry) -> None:
    for name, down in (
        ("index", any(item.source == "index" for item in inquiry.evidence.missing)),
        ("embedder", "bm25_only" in inquiry.evidence.fallbacks),
    ):
        if down:
            raise SourceUnavailableError(
                f"the {name} could not be asked for {question.id}; nothing is tuned on part of the"
                " evidence, so try again once it is back",
                source=name,
            )


def collection_of(pipeline: Pipeline, id_: str) -> str:
    """Name the collection of a document by its id, or the vocabulary for a concept."""
    kinds = {kind.prefix: kind for kind in DocumentKind}
    kind = kinds.get(id_.partition("-")[0])
    return pipeline.collections.get(kind, "") if kind else pipeline.vocabulary_collection
