"""The questions that limits are tuned on: the tuning halves of our sets, and never the others."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from elysia_guard.domain.errors import GuardError
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
    ``quote`` holds the sentences that answer, where they are named; ``about`` the documents that it
    is asked of, whether they answer or not, where that is known.
    """

    id: str
    query: str
    expected: frozenset[str]
    learnt_from: bool = True
    quote: str = ""
    about: frozenset[str] = frozenset()


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


def from_register(path: Path, ids: Mapping[str, str], *, corpus: str = "") -> Questions:
    """Read questions on another register: JSON lines that name documents by their paths.

    Each line has ``id``, ``query``, ``documents``, ``near_miss`` and the ``corpus`` it is asked of.

    Args:
        path: the file.
        ids: the id of each document there is, by its path.
        corpus: whose questions are read; all where empty.

    Raises:
        GuardError: it cannot be used.
    """
    try:
        text = path.read_bytes()
        rows = [json.loads(line) for line in text.splitlines() if line.strip()]
        asked = tuple(
            Question(
                id=row["id"],
                query=row["query"],
                expected=frozenset() if row["near_miss"] else _named(row["documents"], ids),
                about=_named(row["documents"], ids),
            )
            for row in rows
            if corpus in {"", row["corpus"]}
        )
    except (OSError, ValueError, KeyError, TypeError) as err:
        raise GuardError(f"{path}: cannot be used as questions: {err!r}") from err
    return Questions(name=corpus or path.stem, asked=asked, blob_hash=golden.blob_hash(text))


def _named(paths: Sequence[str], ids: Mapping[str, str]) -> frozenset[str]:
    return frozenset(
        id_ for known, id_ in ids.items() for path in paths if f"/{path}".endswith(f"/{known}")
    )


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
