"""What a language model's pointing does to a verdict of the rules.

Without a calibration of that very model its yes is hedged, whatever likeness says, and its no
refuses what rules would hedge; what rules assert it can put in doubt, and no more. Where a profile
lets nothing past its gates, it chooses among what they let through.
"""

from __future__ import annotations

from dataclasses import replace

from elysia_guard.domain.document import Hit
from elysia_guard.domain.evidence import Evidence
from elysia_guard.domain.pointing import Pointed, PointedVerdict
from elysia_guard.domain.quality import HIGH_CONFIDENCE, MOST_HEDGED
from elysia_guard.domain.refusal import Outcome, RefusalReason, Verdict
from elysia_guard.domain.thresholds import Thresholds
from elysia_guard.stages.gates.rows import row

GATE, LIMIT = "pointing", "units that answer"


def weighed(verdict: Verdict, evidence: Evidence, thresholds: Thresholds) -> Verdict:
    """Return what a verdict becomes by what a model points at; the same where it pointed not."""
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
