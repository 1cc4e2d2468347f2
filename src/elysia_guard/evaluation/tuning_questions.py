"""The questions that limits are tuned on: the tuning halves of our sets, and never the others."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from elysia_guard.evaluation import golden, retrieval_set
from elysia_guard.evaluation.golden import Category, Split

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


@dataclass(frozen=True, kw_only=True, slots=True)
class Question:
    """A question, and the documents or concepts of which any one answers; none if nothing does.

    ``learnt_from`` says whether the confidence model may learn from the passages it finds.
    ``quote`` holds the sentences that answer, where they are named.
    """

    id: str
    query: str
    expected: frozenset[str]
    learnt_from: bool = True
    quote: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Questions:
    """The tuning half of one set: its name, its questions, and the git blob hash of its file."""

    name: str
    asked: tuple[Question, ...]
    blob_hash: str


def from_golden(path: Path) -> Questions:
    """Read the tuning half of a golden set.

    Raises:
        GoldenSetError: it cannot be used.
    """
    found = golden.load(path)
    asked = tuple(
        Question(
            id=case.id,
            query=case.query,
            expected=frozenset(case.expected.doc_ids),
            learnt_from=case.category in RETRIEVAL,
            quote=case.expected.quote or "",
        )
        for case in found.select(Split.TUNING)
    )
    return Questions(name="golden", asked=asked, blob_hash=found.blob_hash)


def from_retrieval(path: Path) -> Questions:
    """Read the tuning half of a set of retrieval questions.

    Raises:
        RetrievalSetError: it cannot be used.
    """
    found = retrieval_set.load(path)
    asked = tuple(
        Question(id=case.id, query=case.query, expected=frozenset(case.documents))
        for case in found.cases
        if case.split is Split.TUNING
    )
    return Questions(name="retrieval", asked=asked, blob_hash=found.blob_hash)
