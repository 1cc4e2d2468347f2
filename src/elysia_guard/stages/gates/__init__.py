"""The gates: may this evidence be answered from? Each gate alone, with value, threshold and source.

A gate that lacks its measure refuses: a hybrid hit without a true distance is not let through.
"""

from __future__ import annotations

from dataclasses import replace

from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.quality import MOST_HEDGED
from elysia_guard.domain.question import STATED
from elysia_guard.domain.reading import (
    Comparison,
    Definition,
    Listing,
    Named,
    Search,
    SmallTalk,
    Unclear,
    topic_of,
)
from elysia_guard.domain.refusal import Outcome, RefusalReason, Verdict
from elysia_guard.domain.thresholds import Thresholds
from elysia_guard.stages.gates import pointed
from elysia_guard.stages.gates.documents import entity_gate, list_gate, unavailable, untold
from elysia_guard.stages.gates.measuring import CollectionNames, measure
from elysia_guard.stages.gates.passages import search_gates
from elysia_guard.stages.gates.terminology import definition_gate, terminology_gate, unclear

__all__ = ["judge", "measure"]


def judge(inquiry: Inquiry, *, thresholds: Thresholds, collections: CollectionNames) -> Verdict:
    """Decide whether the evidence answers, needs a question back, or does not suffice.

    What a language model made of a question is as little asserted as what one points at.
    """
    ruled = _ruled(inquiry, thresholds, collections)
    found = pointed.weighed(ruled, inquiry.evidence, thresholds)
    return found.at_most(MOST_HEDGED) if inquiry.question.rewritten else found


def _ruled(inquiry: Inquiry, thresholds: Thresholds, collections: CollectionNames) -> Verdict:
    """Decide by the rules alone."""
    question, asks, evidence = inquiry.question, inquiry.asks, inquiry.evidence
    if failure := next((item for item in evidence.missing if item.source == "index"), None):
        return unavailable(topic_of(asks) or question.text, failure)
    match asks:
        case SmallTalk():
            return Verdict(outcome=Outcome.CONVERSE, confidence=1.0)
        case Unclear():
            return unclear(asks)
        case Named() if inquiry.matter_is_sought and evidence.documents:
            return _sought(inquiry, asks, thresholds, collections)
        case Named():
            return entity_gate(question, asks, evidence, thresholds)
        case Listing():
            return _listed(inquiry, asks, thresholds, collections)
        case Definition():
            return definition_gate(asks, question.lang, evidence, thresholds)
        case Search() | Comparison():
            if evidence.matches:
                term = asks.term if isinstance(asks, Search) else " versus ".join(asks.terms)
                beside = isinstance(asks, Search) and asks.beside
                compared = isinstance(asks, Comparison)
                shape = "comparison_match" if compared else "skos_match"
                return terminology_gate(term, evidence, thresholds, beside=beside, shape=shape)
            return _searched(inquiry, asks, thresholds, collections)


def _searched(
    inquiry: Inquiry,
    asks: Search | Comparison,
    thresholds: Thresholds,
    collections: CollectionNames,
) -> Verdict:
    """Weigh what was found; of a side that has sections, also without the words that name it."""
    question, evidence = inquiry.question, inquiry.evidence
    found = search_gates(question, asks, evidence, thresholds=thresholds, collections=collections)
    if found.outcome is Outcome.ANSWER or isinstance(asks, Comparison) or not evidence.sections:
        return found
    meant = replace(asks, topic=asks.matter)
    sided = search_gates(question, meant, evidence, thresholds=thresholds, collections=collections)
    return sided if sided.outcome is Outcome.ANSWER else found


def _sought(
    inquiry: Inquiry, asks: Named, thresholds: Thresholds, collections: CollectionNames
) -> Verdict:
    """Weigh the passages of documents that are named by words as a search does."""
    question, evidence = inquiry.question, inquiry.evidence
    named = entity_gate(question, asks, evidence, thresholds)
    if asks.aspect in STATED and named.outcome is Outcome.ANSWER:
        return named
    meant = Search(topic=asks.matter, kinds=asks.kinds, aspect=asks.aspect)
    sought = search_gates(question, meant, evidence, thresholds=thresholds, collections=collections)
    wanting = sought.reason is RefusalReason.NOT_RELEVANT
    if Outcome.ANSWER not in {sought.outcome, named.outcome} and not wanting:
        return named
    return untold(question, asks, evidence, thresholds) or sought


def _listed(
    inquiry: Inquiry, asks: Listing, thresholds: Thresholds, collections: CollectionNames
) -> Verdict:
    """Accept a list; where no document is on its topic, a passage that speaks of it.

    A passage is no list, however well it answers: it is as sure as a search at most.
    """
    question, evidence = inquiry.question, inquiry.evidence
    listed = list_gate(question, asks, evidence, thresholds)
    if not evidence.hits:
        return listed
    meant = Search(topic=asks.topic, kinds=asks.kinds)
    spoken = search_gates(question, meant, evidence, thresholds=thresholds, collections=collections)
    if spoken.outcome is not Outcome.ANSWER:
        return listed
    return replace(spoken, confidence=min(spoken.confidence, thresholds.search_ceiling))
