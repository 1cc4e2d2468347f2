"""What a judge's word does to the confidence that the gates have in a passage.

Only a judge that was calibrated may raise it. Without a calibration of that very model a judgement
may put passages in order, and lower the confidence in one by a 'no'.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from elysia_guard.domain.calibration import JudgeCalibration
from elysia_guard.domain.document import Hit
from elysia_guard.domain.evidence import Evidence
from elysia_guard.domain.judgement import Judgement
from elysia_guard.domain.refusal import GateReading, RefusalReason, Verdict
from elysia_guard.domain.thresholds import Thresholds
from elysia_guard.stages.gates.readings import reading, refusal

GATE = "judge"


@dataclass(frozen=True, kw_only=True)
class Weighing:
    """Weighs what was judged of some evidence beside the confidence that the gates have anyway."""

    evidence: Evidence
    thresholds: Thresholds

    @cached_property
    def _calibration(self) -> JudgeCalibration | None:
        found = self.thresholds.judge
        return found if found and found.model == self.evidence.judged_by else None

    def _of(self, hit: Hit) -> Judgement | None:
        return self.evidence.judged.get(hit.passage.id, self._rest)

    @cached_property
    def _rest(self) -> Judgement | None:
        """What holds of passages that the judge was not shown, which are less likely to answer.

        They are no likelier than the least of what it was shown; and a no to all that is a no.
        """
        said = self.evidence.judged.values()
        if not said:
            return None
        denies = all(item.denies for item in said)
        return Judgement(chance=min(item.chance for item in said), denies=denies)

    def confidence(self, hit: Hit, bundled: float) -> float:
        """Return the chance, 0 to 1, that a passage answers, ``bundled`` being that without it."""
        said = self._of(hit)
        if said is None:
            return bundled
        if self._calibration:
            return self._calibration.probability(confidence=bundled, chance=said.chance)
        return min(bundled, said.chance) if said.denies else bundled

    def order(self, hit: Hit, confidence: float, bundled: float) -> tuple[float, float]:
        """Return what a passage is ordered by: the judge's chance, then the order without it.

        ``confidence`` is what a calibrated judge's word makes of it, ``bundled`` that order.
        """
        said = self._of(hit)
        if said is None:
            return 0.0, bundled
        if self._calibration:
            return confidence, bundled
        read = hit.passage.id in self.evidence.judged and not said.denies
        return said.chance if read else 0.0, bundled

    def told(self, hit: Hit, confidence: float, *, said: float = 0.0) -> float:
        """Return the confidence that a reader is told, of what rests on a passage.

        It is no surer than the ceiling of searches, unless a calibrated judge has read the passage
        and so sure a word of it was right often enough; or unless one sentence of its document says
        all that is asked (``said``, see ``Signals``), and no judge denies it.
        """
        calibration, ceiling = self._calibration, self.thresholds.search_ceiling
        sure = calibration and hit.passage.id in self.evidence.judged
        if calibration and sure and calibration.asserts(confidence):
            return calibration.ceiling
        told = min(confidence, ceiling)
        if said >= self.thresholds.said_from and not self._in_doubt(hit):
            return max(told, self.thresholds.search_said)
        return told

    def _in_doubt(self, hit: Hit) -> bool:
        """Whether a judge denies that a passage answers, or a calibrated one does not assert it."""
        said = self._of(hit)
        return said is not None and (self._calibration is not None or said.denies)

    def matter(self, bundled: float) -> float:
        """Return the confidence in what a named document says of a matter."""
        judged = [hit for hit in self.evidence.hits if hit.passage.id in self.evidence.judged]
        if not judged:
            return bundled
        found = ((self.confidence(hit, bundled), hit) for hit in judged)
        best, hit = max(found, key=lambda item: item[0])
        return self.told(hit, best) if self._calibration else best


def turned_down(verdict: Verdict, evidence: Evidence, thresholds: Thresholds) -> Verdict:
    """Refuse a matter of named documents of which a judge leaves too little confidence.

    The documents are named, and so they are mentioned all the same.
    """
    if verdict.confidence >= thresholds.min_confidence:
        return verdict
    failed: GateReading = reading(
        GATE,
        value=verdict.confidence,
        threshold=thresholds.min_confidence,
        passed=False,
        source=thresholds.source("min_confidence"),
        reason=RefusalReason.LOW_CONFIDENCE,
    )
    refused = refusal(RefusalReason.LOW_CONFIDENCE, verdict.subject, *verdict.readings, failed)
    by_document = {hit.passage.document.id: hit for hit in reversed(evidence.hits)}
    return replace(refused, mentioned=tuple(by_document.values()))
