"""What the gates measure on the passages that tuning questions find.

The verdict of a question tells what its best passage came to. What each gate does, and what it
would do at another limit, shows in all the passages that were found.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from elysia_guard.domain.document import DocumentKind
from elysia_guard.domain.errors import QuestionError
from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.reading import topic_of
from elysia_guard.evaluation.golden import Case, Split
from elysia_guard.evaluation.scoring import SEARCHED
from elysia_guard.language.coverage import query_terms
from elysia_guard.pipeline import Pipeline
from elysia_guard.stages.gates import measure
from elysia_guard.stages.gates.measuring import Measured


@dataclass(frozen=True, kw_only=True, slots=True)
class Search:
    """A question that went to a search, and every passage found, as the gates measured it."""

    case: Case
    inquiry: Inquiry
    passages: tuple[Measured, ...]


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


async def searches(pipeline: Pipeline, cases: Sequence[Case]) -> list[Search]:
    """Search for every tuning question that the router sends to a search."""
    found = [await _search(pipeline, case) for case in cases if case.split is Split.TUNING]
    return [item for item in found if item]


async def _search(pipeline: Pipeline, case: Case) -> Search | None:
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
    return Search(case=case, inquiry=inquiry, passages=tuple(measured) if terms.words else ())


def effects(
    found: Sequence[Search], collections: Mapping[DocumentKind, str]
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
