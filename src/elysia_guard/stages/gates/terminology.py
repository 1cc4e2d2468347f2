"""The gate before definitions: one living, defined concept, or none."""

from __future__ import annotations

from elysia_guard.domain.evidence import Evidence
from elysia_guard.domain.reading import Unclear
from elysia_guard.domain.refusal import GateReading, Outcome, RefusalReason, Verdict
from elysia_guard.domain.thresholds import Thresholds

EXPLAINED = 0.7
"""The confidence in what documents say of a term: a hedge (IR0003's medium), no definition."""


def terminology_gate(term: str, evidence: Evidence, thresholds: Thresholds) -> Verdict:
    """Let one living, defined concept through; anything else is asked back or refused."""
    matches = evidence.matches
    if evidence.missing:
        timeout = evidence.missing[0].timeout
        reason = RefusalReason.TERMINOLOGY_TIMEOUT if timeout else RefusalReason.TERMINOLOGY_ERROR
        return _terminology(term, "could not be asked", reason)
    if not matches and evidence.explained:
        return _explained(term, evidence)
    if not matches:
        return _terminology(term, "0 concepts", RefusalReason.TERMINOLOGY_NOT_FOUND)
    if matches[0].concept.deprecated:
        return _terminology(term, "deprecated", RefusalReason.TERMINOLOGY_DEPRECATED)
    if len(matches) > 1:
        reason = RefusalReason.TERMINOLOGY_AMBIGUOUS
        return _terminology(term, f"{len(matches)} concepts", reason, outcome=Outcome.CLARIFY)
    if not matches[0].concept.definitions:
        return _terminology(
            term, "no definition", RefusalReason.TERMINOLOGY_NOT_FOUND, detail="undefined"
        )
    reading = GateReading(
        gate="terminology",
        passed=True,
        value="1 concept",
        threshold="1 concept",
        source="confidence.skos_match",
    )
    return Verdict(
        outcome=Outcome.ANSWER, confidence=thresholds.skos_match, readings=(reading,), subject=term
    )


def _explained(term: str, evidence: Evidence) -> Verdict:
    """Say what documents say of a term that no vocabulary defines: theirs, and no definition."""
    reading = GateReading(
        gate="terminology",
        passed=True,
        value=f"{len(evidence.explained)} sentence(s)",
        threshold="1 sentence",
        source="the documents that say what it is",
    )
    return Verdict(outcome=Outcome.ANSWER, confidence=EXPLAINED, readings=(reading,), subject=term)


def unclear(asks: Unclear) -> Verdict:
    """Ask back what a question that cannot be understood by itself is about."""
    return _terminology(
        asks.word or "?",
        f"{len(asks.candidates)} readings",
        RefusalReason.TERMINOLOGY_AMBIGUOUS,
        outcome=Outcome.CLARIFY,
    )


def _terminology(
    term: str,
    value: str,
    reason: RefusalReason,
    *,
    outcome: Outcome = Outcome.REFUSE,
    detail: str = "",
) -> Verdict:
    reading = GateReading(
        gate="terminology",
        passed=False,
        value=value,
        threshold="1 concept",
        source="the vocabulary",
        reason=reason,
    )
    return Verdict(
        outcome=outcome,
        confidence=0.0,
        readings=(reading,),
        reason=reason,
        subject=term,
        details={"variant": detail} if detail else {},
    )
