"""The gate on what is asked for: a sum is answered by a sum, an approver by an approval record.

Other kinds of things (a date, a number) stand in nearly every document, and tell nothing apart.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from elysia_guard.domain.document import Hit, Passage, SectionRole
from elysia_guard.domain.refusal import GateReading, RefusalReason
from elysia_guard.language.answer_types import AnswerType, asked_for, holds

REQUIRED = frozenset({AnswerType.MONEY, AnswerType.APPROVAL})
GATE = "answer_type"


def required(question: str) -> frozenset[AnswerType]:
    """Return what a document has to hold to answer a question at all."""
    return asked_for(question) & REQUIRED


def holding(things: Collection[AnswerType], hits: Sequence[Hit]) -> frozenset[str]:
    """Return the ids of the documents that hold all of some things in the passages found."""
    return frozenset(
        document
        for document in {hit.passage.document.id for hit in hits}
        if all(
            any(_holds(hit.passage, thing) for hit in hits if hit.passage.document.id == document)
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


def _holds(passage: Passage, thing: AnswerType) -> bool:
    if thing is AnswerType.APPROVAL:
        recorded = passage.document.approval or bool(passage.document.approvals)
        return recorded or passage.role == SectionRole.APPROVAL
    return holds(passage.text, thing)
