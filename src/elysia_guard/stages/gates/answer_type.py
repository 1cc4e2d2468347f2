"""The gate on what is asked for: a sum is answered by a sum, an approver by an approval record.

How many there are of something is answered by a number of these. Other kinds of things (a date, any
number) stand in nearly every document, and tell nothing apart.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from elysia_guard.domain.document import Hit, Passage, SectionRole
from elysia_guard.domain.refusal import GateReading, RefusalReason
from elysia_guard.language.answer_types import AnswerType, asked_for, holds
from elysia_guard.language.counting import counts, noun_of
from elysia_guard.language.coverage import QueryTerms
from elysia_guard.language.sentences import units

REQUIRED = frozenset({AnswerType.MONEY, AnswerType.APPROVAL})
GATE = "answer_type"


def required(question: str, terms: QueryTerms) -> frozenset[AnswerType]:
    """Return what a document has to hold to answer a question at all."""
    counted = set() if noun_of(terms, question) is None else {AnswerType.NUMBER}
    return (asked_for(question) & REQUIRED) | counted


def holding(
    things: Collection[AnswerType], hits: Sequence[Hit], terms: QueryTerms, question: str
) -> frozenset[str]:
    """Return the ids of the documents that hold all of some things in the passages found."""
    noun = noun_of(terms, question)
    return frozenset(
        document
        for document in {hit.passage.document.id for hit in hits}
        if all(
            any(
                _holds(hit.passage, thing, terms, noun)
                for hit in hits
                if hit.passage.document.id == document
            )
            for thing in things
        )
    )


def answer_type_gate(things: Collection[AnswerType], *, held: bool) -> GateReading:
    """Require that the document holds what is asked for."""
    named = ", ".join(sorted(things))
    return GateReading(
        gate=GATE,
        passed=held,
        value=named if held else "none",
        threshold=named,
        source="the question",
        reason=None if held else RefusalReason.NOT_RELEVANT,
    )


def _holds(passage: Passage, thing: AnswerType, terms: QueryTerms, noun: int | None) -> bool:
    document = passage.document
    if thing is AnswerType.APPROVAL:
        recorded = document.approval or bool(document.approvals)
        return recorded or passage.role == SectionRole.APPROVAL
    if thing is AnswerType.NUMBER and noun is not None:
        said = units(passage.text, document.lang)
        return any(counts(terms, noun, text, document.lang) for text in said)
    return holds(passage.text, thing)
