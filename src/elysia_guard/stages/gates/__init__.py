"""The gates: may this evidence be answered from? Each gate alone, with value, threshold and source.

A gate that lacks its measure refuses: a hybrid hit without a true distance is not let through.
"""

from __future__ import annotations

from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.question import IntentKind
from elysia_guard.domain.refusal import Outcome, Verdict
from elysia_guard.domain.thresholds import Thresholds
from elysia_guard.stages.gates.documents import entity_gate, list_gate, unavailable
from elysia_guard.stages.gates.passages import CollectionNames, measure, search_gates
from elysia_guard.stages.gates.terminology import terminology_gate

__all__ = ["judge", "measure"]


def judge(inquiry: Inquiry, *, thresholds: Thresholds, collections: CollectionNames) -> Verdict:
    """Decide whether the evidence answers, needs a question back, or does not suffice."""
    question, intent, evidence = inquiry.question, inquiry.intent, inquiry.evidence
    if failure := next((item for item in evidence.missing if item.source == "index"), None):
        return unavailable(intent.topic or question.text, failure)
    match intent.kind:
        case IntentKind.CONVERSATIONAL:
            return Verdict(outcome=Outcome.CONVERSE, confidence=1.0)
        case IntentKind.ENTITY:
            return entity_gate(question, intent, evidence, thresholds)
        case IntentKind.LIST:
            return list_gate(question, intent, evidence, thresholds)
        case _ if intent.kind is IntentKind.TERMINOLOGY or evidence.matches:
            return terminology_gate(intent.term or "", evidence, thresholds)
        case _:
            return search_gates(
                question, intent, evidence, thresholds=thresholds, collections=collections
            )
