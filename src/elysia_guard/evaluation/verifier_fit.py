"""From which chance on a second opinion may show what code leaves open, on labelled sentences.

The limit is the lowest at which at most 2 in 100 sentences that are not supported are shown, one
more being wrong. What it is worth is counted on sources that the limit was not chosen on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from elysia_guard.domain.calibration import VerifierCalibration
from elysia_guard.domain.claim import Proof
from elysia_guard.evaluation.claims import ClaimOutcome

FOLDS = 5
MOST_SHOWN = 0.02
_STEPS = 100


@dataclass(frozen=True, kw_only=True, slots=True)
class Weighed:
    """A sentence as code left it, and the chance, 0 to 1, that a second opinion gives it."""

    outcome: ClaimOutcome
    chance: float

    @property
    def supported(self) -> bool:
        """Whether it may be shown."""
        return self.outcome.case.supported

    def shown(self, limit: float | None) -> bool:
        """Whether it is shown, by code or from a limit on; None is never."""
        if self.outcome.proved.proof is not Proof.OPEN:
            return self.outcome.shown
        return limit is not None and self.chance >= limit


def fit(model: str, found: Sequence[Weighed]) -> VerifierCalibration:
    """Return the limit of a model, and what sources left out say of it."""
    groups = sorted({each.outcome.case.group for each in found})
    shown: list[Weighed] = []
    for fold in range(FOLDS):
        part = set(groups[fold::FOLDS])
        limit = _limit([each for each in found if each.outcome.case.group not in part])
        shown += [each for each in found if each.outcome.case.group in part and each.shown(limit)]
    return VerifierCalibration(
        model=model,
        sentences=len(found),
        supported_from=_limit(found),
        kept=_share(shown, found, supported=True),
        shown=_share(shown, found, supported=False),
    )


def _limit(found: Sequence[Weighed]) -> float | None:
    """Return the lowest limit that shows few enough, in hundredths; None where nothing is won."""
    bad = [each for each in found if not each.supported]
    for step in range(1, _STEPS + 1):
        limit = step / _STEPS
        if sum(each.shown(limit) for each in bad) + 1 <= MOST_SHOWN * len(bad):
            wins = any(each.supported and each.shown(limit) > each.shown(None) for each in found)
            return limit if wins else None
    return None


def _share(shown: Sequence[Weighed], found: Sequence[Weighed], *, supported: bool) -> float:
    count = sum(each.supported is supported for each in found)
    return round(sum(each.supported is supported for each in shown) / max(count, 1), 3)
