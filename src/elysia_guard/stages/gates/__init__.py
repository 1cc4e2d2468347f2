"""The gates: may this evidence be answered from? Each gate alone, with value, threshold and source.

A gate that lacks its measure refuses: a hybrid hit without a true distance is not let through.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from elysia_guard.domain.document import Hit
from elysia_guard.domain.evidence import Evidence
from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.pointing import Pointed, PointedVerdict
from elysia_guard.domain.quality import HIGH_CONFIDENCE, MOST_HEDGED
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
from elysia_guard.stages.gates.answer_type import told
from elysia_guard.stages.gates.documents import entity_gate, list_gate, unavailable
from elysia_guard.stages.gates.passages import CollectionNames, measure, search_gates
from elysia_guard.stages.gates.rows import row
from elysia_guard.stages.gates.terminology import asked_back, definition_gate, terminology_gate

__all__ = ["judge", "measure", "told"]

GATE, LIMIT = "pointing", "units that answer"


def judge(inquiry: Inquiry, *, thresholds: Thresholds, collections: CollectionNames) -> Verdict:
    """Decide whether the evidence answers, needs a question back, or does not suffice.

    What a language model made of a question is as little asserted as what one points at.
    """
    ruled = _ruled(inquiry, thresholds, collections)
    found = _pointed(ruled, inquiry.evidence, thresholds)
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
            return asked_back(asks.word or "?", f"{len(asks.candidates)} readings")
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
    found = list_gate(inquiry, asks, thresholds) if isinstance(asks, Listing) else searched(asks)
    if isinstance(asks, Search) and evidence.sections and found.outcome is not Outcome.ANSWER:
        # Of a side that has sections, also without the words that name it.
        sided = searched(replace(asks, topic=asks.matter))
        return sided if sided.outcome is Outcome.ANSWER else found
    if isinstance(asks, Listing) and evidence.hits:
        # Where no document is on the topic, a passage that speaks of it: it is no list.
        spoken = searched(Search(topic=asks.topic, kinds=asks.kinds))
        return spoken if spoken.outcome is Outcome.ANSWER else found
    return found


def _pointed(verdict: Verdict, evidence: Evidence, thresholds: Thresholds) -> Verdict:
    """Return what a verdict becomes by what a model points at; the same where it pointed not.

    Without a calibration of that very model its yes is hedged, whatever likeness says, and its no
    refuses what rules would hedge; what rules assert it can put in doubt, and no more. Where a
    profile lets nothing past its gates, it chooses among what they let through.
    """
    said = evidence.pointed
    if said is None:
        return verdict
    if said.answers:
        if verdict.outcome is not Outcome.ANSWER and not thresholds.profile.points:
            return verdict
        return _answered(verdict, evidence, said, thresholds)
    return _denied(verdict, said) if said.verdict is PointedVerdict.NO else verdict


def _answered(
    verdict: Verdict, evidence: Evidence, said: Pointed, thresholds: Thresholds
) -> Verdict:
    """Let through what is pointed at: as surely as the model was right where it was calibrated."""
    hits = {hit.passage.id: hit for hit in evidence.hits}
    support = tuple(hits.get(each.id, Hit(passage=each, score=0.0)) for each in said.passages)
    plain = said.verdict is PointedVerdict.ANSWERS and verdict.outcome is Outcome.ANSWER
    agreed = plain and verdict.support[:1] == support[:1]
    confidence = verdict.confidence if agreed else 0.0
    return Verdict(
        outcome=Outcome.ANSWER,
        confidence=max(confidence, thresholds.pointed(said)),
        readings=(*verdict.readings, row(GATE, said.verdict.value, LIMIT, said.by)),
        subject=verdict.subject,
        support=support,
        ranking=support,
    )


def _denied(verdict: Verdict, said: Pointed) -> Verdict:
    """Refuse what rules would hedge, and mention it; doubt what they would assert."""
    failed = row(GATE, said.verdict.value, LIMIT, said.by, RefusalReason.NOT_RELEVANT)
    denied = replace(verdict, readings=(*verdict.readings, failed))
    if verdict.outcome is not Outcome.ANSWER:
        return denied
    if verdict.confidence >= HIGH_CONFIDENCE:
        return denied.at_most(MOST_HEDGED)
    of_each: dict[str, Hit] = {}
    for hit in (*verdict.support, *verdict.mentioned):
        of_each.setdefault(hit.passage.document.id, hit)
    return replace(
        denied,
        outcome=Outcome.REFUSE,
        reason=RefusalReason.NOT_RELEVANT,
        details={**verdict.details, "variant": GATE},
        support=(),
        mentioned=tuple(of_each.values()),
    )
