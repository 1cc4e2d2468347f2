"""The gates before documents: the named one exists and speaks of it; a list is not empty."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from elysia_guard.domain.document import Hit, Passage
from elysia_guard.domain.evidence import Evidence, Match, Restriction, SourceFailure
from elysia_guard.domain.quality import MOST_HEDGED
from elysia_guard.domain.question import OF_ASPECT, RECORDED, STATED, Aspect, Question, Reference
from elysia_guard.domain.reading import Listing, Named
from elysia_guard.domain.refusal import GateReading, Outcome, RefusalReason, Verdict
from elysia_guard.domain.thresholds import Thresholds
from elysia_guard.language.answer_types import AnswerType, holds
from elysia_guard.language.approvals import states
from elysia_guard.language.catalogue import say
from elysia_guard.language.coverage import asked_of, query_terms
from elysia_guard.language.lists import listed, noun, restricted
from elysia_guard.language.sentences import units
from elysia_guard.language.sides import Side, side_asked, sides_told
from elysia_guard.stages.gates import answer_type, together
from elysia_guard.stages.gates.readings import as_warning, held_to, reading, refusal
from elysia_guard.stages.gates.signals import signals

MOST_NAMED = 12
"""So many owners or statuses are named where the one asked for is none of them."""
NEARLY = 3
"""A sentence that says a third as much of a matter as the best one may tell its date."""


def entity_gate(
    question: Question, asks: Named, evidence: Evidence, thresholds: Thresholds
) -> Verdict:
    """Require that every named document exists, and that it speaks of what is asked of it."""
    if evidence.undecided:
        written = _asked_back(asks, evidence).written
        reading = _existence(written, f"{len(evidence.undecided)} documents", passed=False)
        return Verdict(
            outcome=Outcome.CLARIFY,
            confidence=0.0,
            readings=(reading,),
            reason=RefusalReason.TERMINOLOGY_AMBIGUOUS,
            subject=written,
        )
    if not evidence.documents:
        known = [document.name for document in evidence.unrecorded]
        named = known or [ref.name for ref in evidence.absent]
        subject = ", ".join(named)
        reading = _existence(subject, "0 documents", passed=False)
        variant = "approval" if known else ""
        return refusal(RefusalReason.ENTITY_NOT_FOUND, subject, reading, variant=variant)
    subject = ", ".join(document.name for document in evidence.documents)
    if unstated := _unstated(asks, evidence):
        return refusal(RefusalReason.LOW_COVERAGE, subject, unstated, variant=asks.aspect)
    existence = _existence(subject, f"{len(evidence.documents)} documents", passed=True)
    coverage = _document_coverage(question, asks, evidence, thresholds)
    readings: tuple[GateReading, ...] = (existence, coverage) if coverage else (existence,)
    if coverage and not coverage.passed:
        refused = refusal(RefusalReason.LOW_COVERAGE, subject, *readings, variant="entity")
        return replace(refused, mentioned=_spoken_of(evidence) if coverage.value else ())
    if missing := untold(question, asks, evidence, thresholds):
        return replace(missing, readings=(*readings, *missing.readings))
    readings += tuple(held for _, held in _things(question, asks, evidence, thresholds))
    answered = Verdict(
        outcome=Outcome.ANSWER,
        confidence=1.0,
        readings=readings,
        subject=subject,
        details=_warned(question, asks, evidence, thresholds),
    )
    if not (seeks_matter(asks, question) or _leaves_out(asks, evidence)):
        held = held_to(_shape(asks, evidence), answered, thresholds)
        whole = _tells_all(asks, evidence, side_asked(question.text))
        return held if whole else held.at_most(MOST_HEDGED)
    return replace(answered, confidence=matter_confidence(question, asks, evidence, thresholds))


def _shape(asks: Named, evidence: Evidence) -> str:
    if len(evidence.documents) > 1:
        return "comparison_match"
    return "field_match" if asks.aspect in RECORDED else "entity_match"


def matter_confidence(
    question: Question, asks: Named, evidence: Evidence, thresholds: Thresholds
) -> float:
    """Return the chance, 0 to 1, that named documents tell what is asked of them."""
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


def _unstated(asks: Named, evidence: Evidence) -> GateReading | None:
    """Fail where a status, date, ... is asked, and no document or record states it."""
    if asks.aspect not in STATED:
        return None
    if any(states(document, asks.aspect) for document in evidence.documents):
        return None
    return GateReading(
        gate="metadata",
        passed=False,
        value="none",
        threshold=asks.aspect.value,
        source="the documents and their approval records",
        reason=RefusalReason.LOW_COVERAGE,
    )


def untold(
    question: Question, asks: Named, evidence: Evidence, thresholds: Thresholds
) -> Verdict | None:
    """Refuse where a sum or a date is asked of named documents, and none tells one."""
    things = _things(question, asks, evidence, thresholds)
    failed = next(((variant, held) for variant, held in things if not held.passed), None)
    if failed is None:
        return None
    subject = ", ".join(document.name for document in evidence.documents)
    variant, missing = failed
    refused = refusal(RefusalReason.NOT_RELEVANT, subject, missing, variant=variant)
    return replace(refused, mentioned=_spoken_of(evidence))


def _spoken_of(evidence: Evidence) -> tuple[Hit, ...]:
    """Return a hit of each named document: the words nearest to what is asked are its own."""
    first = {hit.passage.document.id: hit for hit in reversed(evidence.hits)}
    return tuple(first[item.id] for item in evidence.documents if item.id in first)


def _things(
    question: Question, asks: Named, evidence: Evidence, thresholds: Thresholds
) -> Iterator[tuple[str, GateReading]]:
    """Judge whether a sum, a number and a date are told, where they are asked for."""
    if not thresholds.profile.answer_type:
        return
    terms = asked_of(evidence, asks.matter, question.lang)
    told_apart = {AnswerType.MONEY, AnswerType.NUMBER}
    for thing in sorted(answer_type.required(question.text, terms) & told_apart):
        told = answer_type.holding({thing}, evidence.hits, terms, question.text)
        yield f"entity_{thing}", answer_type.answer_type_gate({thing}, held=bool(told))
    if asks.dated:
        held = _tells_date(question, asks, evidence)
        yield "entity_date", answer_type.answer_type_gate({AnswerType.DATE}, held=held)


def _tells_date(question: Question, asks: Named, evidence: Evidence) -> bool:
    """Tell whether a sentence that speaks of the matter holds a date, or the best one a period."""
    terms = asked_of(evidence, asks.matter, question.lang)
    told = [
        (terms.coverage(unit, hit.passage.document.lang), _beside_own_date(unit, hit))
        for hit in evidence.hits
        for unit in units(hit.passage.text, hit.passage.document.lang)
    ]
    most, best = max(told, default=(0.0, ""))
    dates = (holds(unit, AnswerType.DATE) for value, unit in told if value * NEARLY >= most)
    return any(dates) or holds(best, AnswerType.DURATION)


def _beside_own_date(unit: str, hit: Hit) -> str:
    """A sentence without the document's own date, which is none of its matter."""
    for date in filter(None, (hit.passage.document.date, hit.passage.document.own_date)):
        unit = unit.replace(date, "")
    return unit


def _warned(
    question: Question, asks: Named, evidence: Evidence, thresholds: Thresholds
) -> dict[str, str]:
    if asks.aspect in STATED:
        return {}
    terms = query_terms(asks.matter, question.lang, evidence.synonyms)
    return together.warned(terms, evidence.hits, thresholds)


def _asked_back(asks: Named, evidence: Evidence) -> Reference:
    """Return the reference that several documents fit."""
    meant = Reference.of(evidence.undecided[0])
    return next((item for item in asks.references if meant.fits(item)), asks.references[0])


def _existence(subject: str, value: str, *, passed: bool) -> GateReading:
    return GateReading(
        gate="entity_existence",
        passed=passed,
        value=value,
        threshold="1 document",
        source=f"identity of {subject}",
        reason=None if passed else RefusalReason.ENTITY_NOT_FOUND,
    )


def _document_coverage(
    question: Question, asks: Named, evidence: Evidence, thresholds: Thresholds
) -> GateReading | None:
    """Measure how much of the rest of the question the named documents speak of."""
    rule = thresholds.profile.coverage
    if rule is None:
        return None
    limit = thresholds.entity_min_coverage
    terms = asked_of(evidence, asks.matter, question.lang, weighted=rule.weighted)
    text = "\n".join(hit.passage.in_context for hit in evidence.hits)
    value = terms.coverage(text, evidence.documents[0].lang)
    found = reading(
        "term_coverage",
        value=value,
        threshold=limit,
        passed=value >= limit,
        source=thresholds.source("entity_min_coverage"),
        reason=RefusalReason.LOW_COVERAGE,
    )
    return found if rule.refuses else as_warning(found)


def list_gate(
    question: Question, asks: Listing, evidence: Evidence, thresholds: Thresholds
) -> Verdict:
    """Require that every restriction was checked, its owner is known, and something is listed."""
    if unchecked := next((item for item in evidence.restrictions if not item.is_checked), None):
        return _unchecked(unchecked, question, asks, evidence)
    if evidence.other_owners and asks.filters.owner:
        written = asks.filters.owner.written
        found = _known(written, evidence.other_owners, "owners")
        return refusal(RefusalReason.NO_RESULTS, written, found, variant="owner")
    count = len(evidence.documents)
    asked = listed(asks, evidence, question, count=count)
    if not count:
        return _nothing(asked, evidence)
    readings = (_count(count),)
    told = Verdict(outcome=Outcome.ANSWER, confidence=1.0, readings=readings, subject=asks.topic)
    answered = held_to("list_match", told, thresholds)
    # Of other forms of a word, or its words apart, nobody can say that they are what was meant.
    in_doubt = evidence.about is not None and evidence.about.match is not Match.WORDS
    return answered.at_most(thresholds.min_confidence) if in_doubt else answered


def _nothing(asked: str, evidence: Evidence) -> Verdict:
    """Refuse an empty list, with the statuses that there are and with who says otherwise."""
    names = [document.name for document in evidence.overruled]
    variant = "_".join(["status"] * bool(evidence.statuses) + ["overruled"] * bool(names))
    if not variant:
        return refusal(RefusalReason.NO_RESULTS, asked, _count(0), variant="list")
    failed = _known(_first(names), evidence.statuses, "statuses")
    return refusal(RefusalReason.NO_RESULTS, asked, failed, variant=variant)


def _unchecked(
    found: Restriction, question: Question, asks: Listing, evidence: Evidence
) -> Verdict:
    """Refuse a list whose restriction no document lets be checked."""
    lang, owner = question.lang, asks.filters.owner
    owners = evidence.owners or ((owner.written,) if owner else ())
    failed = GateReading(
        gate="restriction",
        passed=False,
        value=say(lang, f"property.{found.by}"),
        threshold=f"{found.among} {noun(asks, lang, count=found.among)}",
        source=f"{found.by} of the documents",
        reason=RefusalReason.NO_RESULTS,
    )
    asked = restricted(asks, found.by, owners, lang) or say(lang, f"list.{asks.order}")
    return refusal(RefusalReason.NO_RESULTS, asked, failed, variant="unchecked")


def _count(count: int) -> GateReading:
    return GateReading(
        gate="no_results",
        passed=count > 0,
        value=count,
        threshold=1,
        source="number of documents",
        reason=None if count else RefusalReason.NO_RESULTS,
    )


def _known(written: str, known: Sequence[str], what: str) -> GateReading:
    """Fail because no document has what a list asks for; the reading names what there is."""
    return GateReading(
        gate="no_results",
        passed=False,
        value=written,
        threshold=_first(known),
        source=f"{what} of the documents",
        reason=RefusalReason.NO_RESULTS,
    )


def _first(names: Sequence[str]) -> str:
    return ", ".join([*names[:MOST_NAMED], *["\u2026"] * (len(names) > MOST_NAMED)])


def unavailable(subject: str, failure: SourceFailure) -> Verdict:
    """Refuse because the documents could not be asked, which is not the same as finding nothing."""
    reason = RefusalReason.INDEX_TIMEOUT if failure.timeout else RefusalReason.INDEX_ERROR
    failed = GateReading(
        gate="index",
        passed=False,
        value="could not be asked",
        threshold="an answer",
        source="the index",
        reason=reason,
    )
    return refusal(reason, subject, failed)
