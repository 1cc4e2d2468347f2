"""The gates before documents: the named one exists and speaks of it; a list is not empty."""

from __future__ import annotations

from elysia_guard.domain.evidence import Evidence
from elysia_guard.domain.question import Aspect, Intent, Question
from elysia_guard.domain.refusal import GateReading, Outcome, RefusalReason, Verdict
from elysia_guard.domain.thresholds import Thresholds
from elysia_guard.language.coverage import query_terms
from elysia_guard.stages.gates.readings import reading

_STATED_IN_METADATA = frozenset({Aspect.STATUS, Aspect.DATE, Aspect.OWNER})


def entity_gate(
    question: Question, intent: Intent, evidence: Evidence, thresholds: Thresholds
) -> Verdict:
    """Require that every named document exists, and that it speaks of what is asked of it."""
    if evidence.undecided:
        written = intent.references[0].written
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
        named = known or [str(ref.identity or ref.written) for ref in evidence.absent]
        subject = ", ".join(named)
        reading = _existence(subject, "0 documents", passed=False)
        return Verdict(
            outcome=Outcome.REFUSE,
            confidence=0.0,
            readings=(reading,),
            reason=RefusalReason.ENTITY_NOT_FOUND,
            subject=subject,
            details={"variant": "approval"} if known else {},
        )
    subject = ", ".join(document.name for document in evidence.documents)
    existence = _existence(subject, f"{len(evidence.documents)} documents", passed=True)
    coverage = _document_coverage(question, intent, evidence, thresholds)
    if not coverage.passed:
        return Verdict(
            outcome=Outcome.REFUSE,
            confidence=0.0,
            readings=(existence, coverage),
            reason=RefusalReason.LOW_COVERAGE,
            subject=subject,
            details={"variant": "entity"},
        )
    return Verdict(
        outcome=Outcome.ANSWER,
        confidence=thresholds.entity_match,
        readings=(existence, coverage),
        subject=subject,
    )


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
    question: Question, intent: Intent, evidence: Evidence, thresholds: Thresholds
) -> GateReading:
    """Measure how much of the rest of the question the named documents speak of."""
    limit = thresholds.entity_min_coverage
    terms = query_terms(intent.topic, question.lang, evidence.synonyms, rarity=evidence.rarity)
    value: float | None = 1.0
    if terms.words and intent.aspect not in _STATED_IN_METADATA:
        same = [hit for hit in evidence.hits if hit.passage.document.lang in ("", question.lang)]
        text = "\n".join(hit.passage.in_context for hit in same)
        value = terms.coverage(text, question.lang) if same else None
    return reading(
        "term_coverage",
        value=value,
        threshold=limit,
        passed=value is None or value >= limit,
        source="confidence.entity_min_coverage",
        reason=RefusalReason.LOW_COVERAGE,
    )


def list_gate(intent: Intent, evidence: Evidence, thresholds: Thresholds) -> Verdict:
    """Require that there is something to list."""
    count = len(evidence.documents)
    reading = GateReading(
        gate="no_results",
        passed=count > 0,
        value=count,
        threshold=1,
        source="number of documents",
        reason=None if count else RefusalReason.NO_RESULTS,
    )
    return Verdict(
        outcome=Outcome.ANSWER if count else Outcome.REFUSE,
        confidence=thresholds.entity_match if count else 0.0,
        readings=(reading,),
        reason=reading.reason,
        subject=intent.topic,
        details={} if count else {"variant": "list"},
    )


def unavailable(subject: str) -> Verdict:
    """Refuse because the documents could not be asked, which is not the same as finding nothing."""
    failed = GateReading(
        gate="no_results",
        passed=False,
        value="could not be asked",
        threshold=1,
        source="the index",
        reason=RefusalReason.NO_RESULTS,
    )
    return Verdict(
        outcome=Outcome.REFUSE,
        confidence=0.0,
        readings=(failed,),
        reason=RefusalReason.NO_RESULTS,
        subject=subject,
        details={"variant": "unavailable"},
    )
