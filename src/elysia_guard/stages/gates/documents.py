"""The gates before documents: the named one exists and speaks of it; a list is not empty."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from elysia_guard.domain.document import Hit, Passage
from elysia_guard.domain.evidence import Evidence, Match, Restriction, SourceFailure
from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.quality import MOST_HEDGED
from elysia_guard.domain.question import OF_ASPECT, RECORDED, STATED, Aspect, Question, Reference
from elysia_guard.domain.reading import Listing, Named
from elysia_guard.domain.refusal import GateReading, Outcome, RefusalReason, Verdict
from elysia_guard.domain.thresholds import Thresholds
from elysia_guard.language.approvals import states
from elysia_guard.language.catalogue import say
from elysia_guard.language.coverage import asked_of, query_terms
from elysia_guard.language.lists import listed, noun, restricted
from elysia_guard.language.sentences import units
from elysia_guard.language.sides import Side, side_asked, sides_told
from elysia_guard.stages.gates.passages import warned
from elysia_guard.stages.gates.rows import as_warning, at_least, held_to, refusal, row
from elysia_guard.stages.gates.signals import signals

MOST_NAMED = 12
"""So many owners or statuses are named where the one asked for is none of them."""
_nothing = partial(row, "no_results", reason=RefusalReason.NO_RESULTS)


def entity_gate(inquiry: Inquiry, asks: Named, thresholds: Thresholds) -> Verdict:
    """Require that every named document exists, and that it speaks of what is asked of it."""
    question, evidence = inquiry.question, inquiry.evidence
    if evidence.undecided or not evidence.documents:
        return _unidentified(asks.references, evidence)
    subject = ", ".join(document.name for document in evidence.documents)
    stated = any(states(document, asks.aspect) for document in evidence.documents)
    if asks.aspect in STATED and not stated:
        where, reason = "the documents and their approval records", RefusalReason.LOW_COVERAGE
        unstated = row("metadata", "none", asks.aspect.value, where, reason)
        return refusal(subject, unstated, variant=asks.aspect)
    rows = (_existence(subject, len(evidence.documents)), *_coverage(inquiry, asks, thresholds))
    if not rows[-1].passed:
        refused = refusal(subject, *rows, variant="entity")
        return replace(refused, mentioned=_spoken_of(evidence) if rows[-1].value else ())
    terms = query_terms(asks.matter, question.lang, evidence.synonyms)
    details = {} if asks.aspect in STATED else warned(terms, evidence.hits, thresholds)
    answered = Verdict(
        outcome=Outcome.ANSWER, confidence=1.0, readings=rows, subject=subject, details=details
    )
    if seeks_matter(asks, question) or _leaves_out(asks, evidence):
        return replace(answered, confidence=matter_confidence(inquiry, asks, thresholds))
    shape = "field_match" if asks.aspect in RECORDED else "entity_match"
    if len(evidence.documents) > 1:
        shape = "comparison_match"
    held = held_to(shape, answered, thresholds)
    whole = _tells_all(asks, evidence, side_asked(question.text))
    return held if whole else held.at_most(MOST_HEDGED)


def _unidentified(references: Sequence[Reference], evidence: Evidence) -> Verdict:
    """Ask back which document is meant where several fit, and refuse where none does."""
    if evidence.undecided:
        written = _asked_back(references, evidence).written
        several = _existence(written, len(evidence.undecided), RefusalReason.ENTITY_NOT_FOUND)
        reason = RefusalReason.TERMINOLOGY_AMBIGUOUS
        return refusal(written, several, reason=reason, outcome=Outcome.CLARIFY)
    known = [document.name for document in evidence.unrecorded]
    subject = ", ".join(known or [ref.name for ref in evidence.absent])
    none = _existence(subject, 0, RefusalReason.ENTITY_NOT_FOUND)
    return refusal(subject, none, variant="approval" if known else "")


def matter_confidence(inquiry: Inquiry, asks: Named, thresholds: Thresholds) -> float:
    """Return the chance, 0 to 1, that named documents tell what is asked of them."""
    question, evidence = inquiry.question, inquiry.evidence
    terms = asked_of(evidence, asks.matter, question.lang)
    measured = signals(terms, evidence.hits, question.text).values()
    return thresholds.matter_confidence(max((item.said for item in measured), default=0.0))


def seeks_matter(asks: Named, question: Question) -> bool:
    """Tell whether a matter is asked of the text, or may be: not the whole, nor a field alone."""
    return asks.beside or (
        asks.aspect not in RECORDED and bool(query_terms(asks.matter, question.lang).words)
    )


def _leaves_out(asks: Named, evidence: Evidence) -> bool:
    """Tell whether a document is asked for that the reply does not name: only successors are."""
    told = asks.aspect is Aspect.STATUS and any(item.superseded_by for item in evidence.documents)
    return asks.another and not told


def _tells_all(asks: Named, evidence: Evidence, side: Side | None) -> bool:
    """Tell whether each document is there, with a section of what is asked for, if any is.

    Where what speaks for a matter or against it is asked, it marks something as that. Nothing is
    compared with what is not there; a status or date is told of each by itself.
    """
    if evidence.absent and asks.aspect not in RECORDED:
        return False
    if asks.aspect not in OF_ASPECT:
        return True
    asked = (hit.passage for hit in evidence.hits if hit.passage.role in OF_ASPECT[asks.aspect])
    has = {item.document.id for item in asked if side is None or side in _sides(item)}
    return has >= {document.id for document in evidence.documents}


def _sides(passage: Passage) -> set[Side | None]:
    """The sides that what a passage says is marked as telling."""
    heading = passage.section.rpartition(" > ")[2]
    return set(sides_told((text, heading) for text in units(passage.text, passage.document.lang)))


def _spoken_of(evidence: Evidence) -> tuple[Hit, ...]:
    """Return a hit of each named document: the words nearest to what is asked are its own."""
    first = {hit.passage.document.id: hit for hit in reversed(evidence.hits)}
    return tuple(first[item.id] for item in evidence.documents if item.id in first)


def _existence(subject: str, count: int, reason: RefusalReason | None = None) -> GateReading:
    told, where = f"{count} documents", f"identity of {subject}"
    return row("entity_existence", told, "1 document", where, reason)


def _asked_back(references: Sequence[Reference], evidence: Evidence) -> Reference:
    """Return the reference that several documents fit."""
    meant = Reference.of(evidence.undecided[0])
    return next((item for item in references if meant.fits(item)), references[0])


def _coverage(inquiry: Inquiry, asks: Named, thresholds: Thresholds) -> Sequence[GateReading]:
    """Measure how much of the rest of the question the named documents speak of."""
    rule, evidence = thresholds.profile.coverage, inquiry.evidence
    if rule is None:
        return ()
    terms = asked_of(evidence, asks.matter, inquiry.question.lang, weighted=rule.weighted)
    text = "\n".join(hit.passage.in_context for hit in evidence.hits)
    value, least = terms.coverage(text, evidence.documents[0].lang), thresholds.entity_min_coverage
    source, reason = thresholds.source("entity_min_coverage"), RefusalReason.LOW_COVERAGE
    found = at_least("term_coverage", value, least, source, reason)
    return (found if rule.refuses else as_warning(found),)


def list_gate(inquiry: Inquiry, asks: Listing, thresholds: Thresholds) -> Verdict:
    """Require that every restriction was checked, its owner is known, and something is listed."""
    question, evidence, link = inquiry.question, inquiry.evidence, asks.filters.link
    if link and (evidence.undecided or evidence.absent):
        return _unidentified((link.reference,), evidence)
    if unchecked := next((item for item in evidence.restrictions if not item.is_checked), None):
        return _unchecked(unchecked, question, asks, evidence)
    if evidence.other_owners and asks.filters.owner:
        written = asks.filters.owner.written
        return refusal(written, _known(written, evidence.other_owners, "owners"), variant="owner")
    count, where = len(evidence.documents), "number of documents"
    if not count:
        asked = listed(asks, evidence, question, count=count)
        names = [document.name for document in evidence.overruled]
        variant = "_".join(["status"] * bool(evidence.statuses) + ["overruled"] * bool(names))
        if evidence.other_parties:
            return refusal(asked, _known(asked, evidence.other_parties, "records"), variant="party")
        known = _known(_first(names), evidence.statuses, "statuses")
        return refusal(
            asked, known if variant else _nothing(0, 1, where), variant=variant or "list"
        )
    rows = (row("no_results", count, 1, where),)
    told = Verdict(outcome=Outcome.ANSWER, confidence=1.0, readings=rows, subject=asks.topic)
    answered = held_to("list_match", told, thresholds)
    # Of other forms of a word, or its words apart, nobody can say that they are what was meant; nor
    # that what names a document builds on it.
    in_doubt = evidence.about is not None and evidence.about.match is not Match.WORDS
    in_doubt = in_doubt or (link is not None and link.nearly)
    return answered.at_most(thresholds.min_confidence) if in_doubt else answered


def _unchecked(
    found: Restriction, question: Question, asks: Listing, evidence: Evidence
) -> Verdict:
    """Refuse a list whose restriction no document lets be checked."""
    lang, owner = question.lang, asks.filters.owner
    told = replace(evidence, owners=evidence.owners or ((owner.written,) if owner else ()))
    among = f"{found.among} {noun(asks, lang, count=found.among)}"
    failed = row(
        "restriction",
        say(lang, f"property.{found.by}"),
        among,
        f"{found.by} of the documents",
        RefusalReason.NO_RESULTS,
    )
    asked = restricted(asks, found.by, told, lang) or say(lang, f"list.{asks.order}")
    return refusal(asked, failed, variant="unchecked")


def _known(written: str, known: Sequence[str], what: str) -> GateReading:
    """Fail because no document has what a list asks for; the row names what there is."""
    return _nothing(written, _first(known), f"{what} of the documents")


def _first(names: Sequence[str]) -> str:
    return ", ".join([*names[:MOST_NAMED], *["\u2026"] * (len(names) > MOST_NAMED)])


def unavailable(subject: str, failure: SourceFailure) -> Verdict:
    """Refuse because the documents could not be asked, which is not the same as finding nothing."""
    reason = RefusalReason.INDEX_TIMEOUT if failure.timeout else RefusalReason.INDEX_ERROR
    return refusal(subject, row("index", "could not be asked", "an answer", "the index", reason))
