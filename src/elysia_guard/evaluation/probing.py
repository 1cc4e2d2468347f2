"""What is known of questions beside their replies, by looking again.

What each gate does shows in all the passages that tuning questions find: the verdict of a question
tells what its best passage came to. A miss has one place: the first on the way of the question
where the passage that answers was not any more. What a question asks of a document is read again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from elysia_guard.domain.document import DocumentKind
from elysia_guard.domain.errors import QuestionError
from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.question import RECORDED, IntentKind
from elysia_guard.domain.reading import Asks, Named, topic_of
from elysia_guard.domain.response import RAGResponse
from elysia_guard.evaluation.golden import Case, Split
from elysia_guard.evaluation.scoring import SEARCHED, Score
from elysia_guard.language.coverage import query_terms
from elysia_guard.pipeline import Pipeline
from elysia_guard.stages.gates import measure
from elysia_guard.stages.gates.passages import MeasuredHit


@dataclass(frozen=True, kw_only=True, slots=True)
class ProbedSearch:
    """A question that went to a search, and every passage found, as the gates measured it."""

    case: Case
    inquiry: Inquiry
    passages: tuple[MeasuredHit, ...]


@dataclass(kw_only=True, slots=True)
class Effect:
    """What one gate does to the passages of a collection.

    ``right_turned_away`` are passages of documents that do answer; ``questions`` are those for
    which the gate turned any passage away.
    """

    passages: int = 0
    turned_away: int = 0
    right_turned_away: int = 0
    questions: list[str] = field(default_factory=list)


async def searches(pipeline: Pipeline, cases: Sequence[Case]) -> list[ProbedSearch]:
    """Search for every tuning question that the router sends to a search."""
    found = [await _search(pipeline, case) for case in cases if case.split is Split.TUNING]
    return [item for item in found if item]


async def _search(pipeline: Pipeline, case: Case) -> ProbedSearch | None:
    try:
        inquiry = await pipeline.begin(case.query, request_id=f"probe-{case.id}", route="direct")
    except QuestionError:
        return None
    if inquiry.asks.kind not in SEARCHED:
        return None
    await pipeline.gather(inquiry)
    question, evidence = inquiry.question, inquiry.evidence
    if evidence.matches:
        return None
    terms = query_terms(
        topic_of(inquiry.asks) or question.text,
        question.lang,
        evidence.synonyms,
        rarity=evidence.rarity,
    )
    measured = measure(
        evidence, terms, thresholds=pipeline.thresholds, collections=pipeline.collections
    )
    return ProbedSearch(case=case, inquiry=inquiry, passages=tuple(measured) if terms.words else ())


def effects(
    found: Sequence[ProbedSearch], collections: Mapping[DocumentKind, str]
) -> dict[str, dict[str, Effect]]:
    """Count, per collection and gate, the passages that it turns away."""
    counted: dict[str, dict[str, Effect]] = {}
    for item in found:
        for passage in item.passages:
            document = passage.hit.passage.document
            gates = counted.setdefault(collections.get(document.kind, ""), {})
            for reading in passage.readings:
                _count(
                    gates.setdefault(reading.gate, Effect()),
                    item.case,
                    passed=reading.passed,
                    right=document.id in item.case.expected.doc_ids,
                )
    return dict(sorted(counted.items()))


def _count(effect: Effect, case: Case, *, passed: bool, right: bool) -> None:
    effect.passages += 1
    if passed:
        return
    effect.turned_away += 1
    effect.right_turned_away += right
    if case.id not in effect.questions:
        effect.questions.append(case.id)


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


def miss_figures(found: Sequence[Miss]) -> dict[str, Any]:
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


async def matters(pipeline: Pipeline, scores: Iterable[Score]) -> frozenset[str]:
    """Return the ids of the questions that ask a named document for a matter.

    Only those are read again whose reply is about a named document: no other reply needs it.
    """
    found = set()
    for item in scores:
        if item.response.intent == IntentKind.ENTITY and await _asks_matter(pipeline, item):
            found.add(item.case.id)
    return frozenset(found)


async def _asks_matter(pipeline: Pipeline, item: Score) -> bool:
    try:
        inquiry = await pipeline.begin(
            item.case.query, request_id=f"kind-{item.case.id}", route="direct"
        )
    except QuestionError:
        return False
    return any(_seeks(part.asks, part.question.lang) for part in inquiry.every)


def _seeks(asks: Asks, lang: str) -> bool:
    if not isinstance(asks, Named) or asks.aspect in RECORDED:
        return False
    return bool(query_terms(asks.matter, lang).words)
