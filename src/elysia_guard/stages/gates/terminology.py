"""The gate before what the vocabulary says of a term: one living concept, or none."""

from __future__ import annotations

from dataclasses import replace

from elysia_guard.domain.evidence import Definitions, Evidence, names_in, other_names
from elysia_guard.domain.question import Lang
from elysia_guard.domain.reading import Definition, Relation, Unclear
from elysia_guard.domain.refusal import GateReading, Outcome, RefusalReason, Verdict
from elysia_guard.domain.thresholds import Thresholds
from elysia_guard.stages.gates.readings import held_to

EXPLAINED = 0.7
"""The confidence in what documents say of a term: a hedge (IR0003's medium), no definition."""
BESIDE = 0.7
"""The confidence in a definition where more is asked of the term than what it means: a hedge."""


def terminology_gate(
    term: str,
    evidence: Evidence,
    thresholds: Thresholds,
    *,
    beside: bool = False,
    shape: str = "skos_match",
) -> Verdict:
    """Let one living concept through; anything else is asked back or refused.

    One without a definition is told by what else the vocabulary says of it.

    ``beside``: more is asked of the term than what it means. ``shape`` names the measure that it is
    held to.
    """
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
    defined = bool(matches[0].concept.definitions)
    found = _found(term, "1 concept" if defined else "1 concept, no definition", thresholds, shape)
    # Who asks what a term means is not told that by its names and neighbours.
    sure = not beside and (defined or shape == "comparison_match")
    return found if sure else replace(found, confidence=min(found.confidence, BESIDE))


def definition_gate(
    asks: Definition, lang: Lang, evidence: Evidence, thresholds: Thresholds
) -> Verdict:
    """Let a definition through, or the concepts that stand to the term as is asked, or its names.

    That there are none is said, and that is all: a definition was not asked for.
    """
    matches = evidence.matches
    usable = len(matches) == 1 and not matches[0].concept.deprecated and not evidence.missing
    if asks.relation is Relation.MEANING or not usable:
        return terminology_gate(asks.term, evidence, thresholds, beside=asks.beside)
    if asks.relation is Relation.SYNONYMS:
        count = len(other_names(matches[0], lang))
    elif asks.relation is Relation.TRANSLATION:
        count = len(names_in(matches[0].concept, asks.into))
    else:
        count = len(evidence.relatives) if isinstance(evidence, Definitions) else 0
    if count:
        return _found(asks.term, f"{count} {asks.relation}", thresholds, "skos_match")
    return _terminology(
        asks.term,
        f"0 {asks.relation}",
        RefusalReason.TERMINOLOGY_NOT_FOUND,
        detail=asks.relation.value,
    )


def _found(term: str, value: str, thresholds: Thresholds, shape: str) -> Verdict:
    reading = GateReading(
        gate="terminology",
        passed=True,
        value=value,
        threshold="1 concept",
        source="the vocabulary",
    )
    found = Verdict(outcome=Outcome.ANSWER, confidence=1.0, readings=(reading,), subject=term)
    return held_to(shape, found, thresholds)


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
