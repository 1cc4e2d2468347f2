"""Where the right passage was lost, for every question that has one and was not shown it.

Each miss has one place: the first on the way of the question where the passage was not any more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from elysia_guard.domain.errors import QuestionError
from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.response import RAGResponse
from elysia_guard.evaluation.golden import Split
from elysia_guard.evaluation.scoring import SEARCHED, Score
from elysia_guard.pipeline import Pipeline

CONCEPT = "Vocabulary"


class Lost(StrEnum):
    """Where a passage that answers was lost, in the order of the way."""

    READ = "read_as_something_else"
    """The question was taken for another kind, and so nothing was looked for where it stands."""
    NOT_FOUND = "not_found"
    """It was looked for, and is not among what was found (of a search: fifteen passages)."""
    REFUSED = "refused"
    """It was found, and a gate turned the question away."""
    NOT_SHOWN = "found_not_shown"
    """It was found, and the answer is quoted from other documents."""
    SENTENCE = "another_sentence"
    """Its document is shown, with other sentences than the one that answers."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Miss:
    """A question of which the right passage was not shown.

    ``by`` is the gate, or the reason, that refused it, empty where none did; ``rank`` the place,
    from 1, of the first right document among those found, None where none was.
    """

    score: Score
    where: Lost
    by: str
    rank: int | None


async def misses(pipeline: Pipeline, scores: Iterable[Score]) -> list[Miss]:
    """Say of every answerable question without its passage where that was lost.

    What was found is gathered again, as the reply's own evidence was.
    """
    missed = [item for item in scores if not (item.near_miss or item.shown)]
    return [placed(item, await _found(pipeline, item)) for item in missed]


def placed(item: Score, found: Sequence[str]) -> Miss:
    """Say where a passage was lost.

    Args:
        item: a question that has an answer, and was not shown it.
        found: the documents and concepts that were found for it, best first.
    """
    expected = frozenset(item.case.expected.doc_ids)
    rank = next((at for at, name in enumerate(found, start=1) if name in expected), None)
    where = _where(item, found=rank is not None)
    refused = where is Lost.REFUSED
    return Miss(score=item, where=where, by=refused_by(item.response) if refused else "", rank=rank)


def _where(item: Score, *, found: bool) -> Lost:
    if item.right_answer:
        return Lost.SENTENCE
    if not found:
        return Lost.READ if _read_otherwise(item) else Lost.NOT_FOUND
    return Lost.NOT_SHOWN if item.answered else Lost.REFUSED


def _read_otherwise(item: Score) -> bool:
    """Whether nothing was looked for where the answer stands."""
    if item.response.intent in SEARCHED:
        return set(item.case.expected.doc_types) == {CONCEPT}
    return not item.route_right


def refused_by(response: RAGResponse) -> str:
    """Name the first gate that did not let a question through, else the reason of the refusal."""
    readings = (reading for step in response.trace for reading in step.readings)
    failed = next((reading.gate for reading in readings if not reading.passed), "")
    return failed or str(response.refusal_reason or "")


async def _found(pipeline: Pipeline, item: Score) -> tuple[str, ...]:
    try:
        inquiry = await pipeline.begin(
            item.case.query, request_id=f"miss-{item.case.id}", route="direct"
        )
    except QuestionError:
        return ()
    if inquiry.verdict is None:
        await pipeline.gather(inquiry)
    return tuple(dict.fromkeys(name for part in inquiry.every for name in _names(part)))


def _names(part: Inquiry) -> Iterable[str]:
    evidence = part.evidence
    yield from (match.concept.uri for match in evidence.matches)
    yield from (hit.passage.document.id for hit in evidence.hits)
    yield from (document.id for document in (*evidence.documents, *evidence.undecided))
    yield from (passage.document.id for passage, _ in evidence.explained)


def figures(found: Sequence[Miss]) -> dict[str, Any]:
    """Count misses by place, by gate, and by place in each half."""
    return {
        "count": len(found),
        "by_place": _counted(found),
        "by_gate": dict(Counter(item.by for item in found if item.by).most_common()),
        "by_split": {
            str(half): _counted([item for item in found if item.score.case.split is half])
            for half in Split
        },
    }


def _counted(found: Iterable[Miss]) -> Mapping[str, int]:
    counts = Counter(item.where for item in found)
    return {str(where): counts[where] for where in Lost}


def listed(found: Iterable[Miss]) -> list[dict[str, Any]]:
    """Tell every miss of the tuning half, by place; of the held-out half nothing is told."""
    told = [item for item in found if item.score.case.split is Split.TUNING]
    order = {where: at for at, where in enumerate(Lost)}
    told.sort(key=lambda item: (order[item.where], item.by, item.score.case.id))
    return [_told(item) for item in told]


def _told(item: Miss) -> dict[str, Any]:
    case, response = item.score.case, item.score.response
    return {
        "id": case.id,
        "category": case.category,
        "where": item.where,
        "by": item.by,
        "rank": item.rank,
        "outcome": response.outcome,
        "mentioned": bool(
            {source.doc_id for source in response.mentions} & {*case.expected.doc_ids}
        ),
        "query": case.query,
        "documents": list(case.expected.doc_ids),
        "quote": case.expected.quote or "",
    }
