"""The gate before what the vocabulary says of a term: one living concept, or none."""

from __future__ import annotations

from functools import partial

from elysia_guard.domain.evidence import Definitions, Evidence, names_in, other_names
from elysia_guard.domain.question import Lang
from elysia_guard.domain.reading import Definition, Relation
from elysia_guard.domain.refusal import Outcome, RefusalReason, Verdict
from elysia_guard.domain.thresholds import Thresholds
from elysia_guard.stages.gates.rows import held_to, refusal, row

BESIDE = 0.7
"""The confidence in a definition where more is asked of the term than what it means: a hedge."""
_concepts = partial(row, "terminology", threshold="1 concept", source="the vocabulary")


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
    matches, reason = evidence.matches, RefusalReason.TERMINOLOGY_NOT_FOUND
    if evidence.missing:
        timeout = evidence.missing[0].timeout
        reason = RefusalReason.TERMINOLOGY_TIMEOUT if timeout else RefusalReason.TERMINOLOGY_ERROR
        told = "could not be asked"
    elif not matches:
        told = "0 concepts"
    elif matches[0].concept.deprecated:
        told, reason = "deprecated", RefusalReason.TERMINOLOGY_DEPRECATED
    elif len(matches) > 1:
        return asked_back(term, f"{len(matches)} concepts")
    else:
        defined = bool(matches[0].concept.definitions)
        value = "1 concept" if defined else "1 concept, no definition"
        found = _found(term, value, thresholds, shape)
        # Who asks what a term means is not told that by its names and neighbours.
        sure = not beside and (defined or shape == "comparison_match")
        return found if sure else found.at_most(BESIDE)
    return refusal(term, _concepts(told, reason=reason))


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
    told = f"{count} {asks.relation}"
    if count:
        return _found(asks.term, told, thresholds, "skos_match")
    failed = _concepts(told, reason=RefusalReason.TERMINOLOGY_NOT_FOUND)
    return refusal(asks.term, failed, variant=asks.relation.value)


def asked_back(term: str, told: str) -> Verdict:
    """Ask back what is meant of so much."""
    several = _concepts(told, reason=RefusalReason.TERMINOLOGY_AMBIGUOUS)
    return refusal(term, several, outcome=Outcome.CLARIFY)


def _found(term: str, told: str, thresholds: Thresholds, shape: str) -> Verdict:
    rows = (_concepts(told),)
    found = Verdict(outcome=Outcome.ANSWER, confidence=1.0, readings=rows, subject=term)
    return held_to(shape, found, thresholds)
