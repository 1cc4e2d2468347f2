"""The gates: may this evidence be answered from? Each gate alone, with value, threshold and source.

A gate that lacks its measure refuses: a hybrid hit without a true distance is not let through.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

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
from elysia_guard.stages.gates.answer_type import told
from elysia_guard.stages.gates.documents import entity_gate, list_gate, unavailable
from elysia_guard.stages.gates.passages import CollectionNames, measure, search_gates
from elysia_guard.stages.gates.terminology import definition_gate, terminology_gate, unclear

__all__ = ["judge", "measure", "told"]


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
        case Definition():
            return definition_gate(asks, question.lang, evidence, thresholds)
        case Comparison() if evidence.matches:
            terms = " versus ".join(asks.terms)
            return terminology_gate(terms, evidence, thresholds, shape="comparison_match")
        case Search() if evidence.matches:
            return terminology_gate(asks.term, evidence, thresholds, beside=asks.beside)
        case _:
            return _found(inquiry, asks, thresholds, collections)


def _found(
    inquiry: Inquiry,
    asks: Named | Listing | Search | Comparison,
    thresholds: Thresholds,
    collections: CollectionNames,
) -> Verdict:
    """Decide on documents and passages; what may be read in two ways, by the one that answers."""
    evidence = inquiry.evidence
    searched = partial(search_gates, inquiry, thresholds=thresholds, collections=collections)
    if isinstance(asks, Named):
        named = entity_gate(inquiry, asks, thresholds)
        stated = asks.aspect in STATED and named.outcome is Outcome.ANSWER
        if stated or not (inquiry.matter_is_sought and evidence.documents):
            return named
        # Documents that are named by words: their passages are weighed as a search does.
        sought = searched(Search(topic=asks.matter, kinds=asks.kinds, aspect=asks.aspect))
        answers = Outcome.ANSWER in {sought.outcome, named.outcome}
        return sought if answers or sought.reason is RefusalReason.NOT_RELEVANT else named
    other: Search | None = None
    if isinstance(asks, Listing):
        found = list_gate(inquiry, asks, thresholds)
        if evidence.hits:
            # Where no document is on the topic, a passage that speaks of it: it is no list.
            other = Search(topic=asks.topic, kinds=asks.kinds)
    else:
        found = searched(asks)
        if isinstance(asks, Search) and evidence.sections and found.outcome is not Outcome.ANSWER:
            # Of a side that has sections also without the words that name it.
            other = replace(asks, topic=asks.matter)
    second = searched(other) if other else found
    return second if second.outcome is Outcome.ANSWER else found
