"""What judges are worth: TD-080's options side by side, over the tuning half of the golden set.

Option 2 is a score of likeness, which the gates are; option 3 lets a judge decide alone; option 4
weighs its word beside the gates, by its calibration.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from elysia_guard.domain.calibration import JudgeCalibration
from elysia_guard.evaluation.certainty import Certainty, certainty
from elysia_guard.evaluation.judge_fit import JudgeFit
from elysia_guard.evaluation.scoring import Score

HEADER = (
    "way", "near misses asserted", "hedged", "asserted", "right", "precision", "hedged right",
    "wrong refusals", "right shown", "added, p50",
)  # fmt: skip


@dataclass(frozen=True, kw_only=True, slots=True)
class Way:
    """One way to decide, and how the questions came out."""

    name: str
    scores: Sequence[Score]

    @property
    def counts(self) -> Certainty:
        """What was asserted, hedged and shown."""
        return certainty(self.scores)

    @property
    def asking_ms(self) -> float | None:
        """What asking the judge added, in milliseconds, to half of the questions that it judged."""
        steps = [step for item in self.scores for step in item.response.trace]
        took = [step.elapsed_ms for step in steps if step.stage == "judge"]
        return median(took) if took else None


def told(fit: JudgeFit) -> str:
    """Say what a fit came to, for a terminal."""
    found = fit.calibration
    lines = [
        f"{found.model}: {fit.questions} questions, {fit.passages} passages judged",
        f"  log loss of left-out questions {fit.log_loss:.3f}; of the gates alone {fit.alone:.3f}",
        (
            f"  intercept {found.intercept:.3f}, confidence {found.confidence:.3f}, judged "
            f"{found.judged:.3f}"
        ),
    ]
    if found.asserted_from is None:
        lines.append("  nothing is asserted for it: from no chance on 97 of 100 were right")
    else:
        lines.append(
            f"  asserted from {found.asserted_from:.2f} on: {fit.right} of {fit.asserted} right"
        )
    return "\n".join(lines)


def values(found: JudgeCalibration) -> Mapping[str, object]:
    """Return a calibration as the section ``judge`` of ``thresholds.yaml`` holds it."""
    return {
        "model": f"'{found.model}'",
        "intercept": f"{found.intercept:.3f}",
        "confidence": f"{found.confidence:.3f}",
        "judged": f"{found.judged:.3f}",
        "asserted_from": "null" if found.asserted_from is None else f"{found.asserted_from:.2f}",
        "ceiling": f"{found.ceiling:.3f}",
    }


def markdown(ways: Sequence[Way]) -> str:
    """Write the ways side by side as a table."""
    lines = [f"| {' | '.join(HEADER)} |", f"|{' --- |' * len(HEADER)}"]
    lines += [f"| {' | '.join(_row(way))} |" for way in ways]
    return "\n".join(lines)


def _row(way: Way) -> tuple[str, ...]:
    counts = way.counts
    refused = sum(item.wrong_refusal for item in way.scores)
    added = way.asking_ms
    return (
        way.name,
        f"{counts.near_misses_asserted} of {counts.near_misses}",
        str(counts.near_misses_hedged),
        str(counts.asserted),
        str(counts.asserted_right),
        f"{counts.precision:.3f}",
        f"{counts.hedged_right} of {counts.hedged}",
        f"{refused} of {counts.answerable}",
        str(counts.shown),
        "" if added is None else f"{added:.0f} ms",
    )
