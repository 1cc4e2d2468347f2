"""Three outcomes: what was asserted, hedged or only mentioned, and how much of it was right.

Asserting what is wrong is the failure to avoid; a wrong hedge is said to be uncertain; a refusal
that mentions the right passage still leads a person there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from elysia_guard.domain.response import ReplyOutcome
from elysia_guard.evaluation.scoring import Score


@dataclass(frozen=True, kw_only=True, slots=True)
class Certainty:
    """Counts over all questions.

    ``answerable`` questions have a source that answers, ``near_misses`` have none. A passage is
    ``shown`` where the reply, asserted, hedged or refused with a mention, holds the sentence that
    answers; where no sentence is named, where it shows an expected source.
    """

    answerable: int
    near_misses: int
    asserted: int
    asserted_right: int
    hedged: int
    hedged_right: int
    shown: int
    near_misses_asserted: int
    near_misses_hedged: int

    @property
    def precision(self) -> float:
        """The share of what is asserted that is right; 0 where nothing is."""
        return _share(self.asserted_right, self.asserted)

    def figures(self) -> dict[str, Any]:
        """Return counts and shares, for a report."""
        counts = {name: getattr(self, name) for name in self.__slots__}
        return {
            **counts,
            "asserted_precision": self.precision,
            "asserted_share": _share(self.asserted_right, self.answerable),
            "shown_share": _share(self.shown, self.answerable),
            "near_misses_asserted_share": _share(self.near_misses_asserted, self.near_misses),
            "near_misses_hedged_share": _share(self.near_misses_hedged, self.near_misses),
        }


def certainty(scores: Sequence[Score]) -> Certainty:
    """Count what was asserted, hedged and shown."""
    asserted = [item for item in scores if _is(item, ReplyOutcome.ASSERTED)]
    hedged = [item for item in scores if _is(item, ReplyOutcome.HEDGED)]
    answerable = [item for item in scores if not item.near_miss]
    return Certainty(
        answerable=len(answerable),
        near_misses=len(scores) - len(answerable),
        asserted=len(asserted),
        asserted_right=sum(item.right_answer for item in asserted),
        hedged=len(hedged),
        hedged_right=sum(item.right_answer for item in hedged),
        shown=sum(item.shown for item in answerable),
        near_misses_asserted=sum(item.near_miss for item in asserted),
        near_misses_hedged=sum(item.near_miss for item in hedged),
    )


def told(figures: dict[str, Any]) -> list[str]:
    """Say the figures in words, a line each."""
    return [
        (
            f"asserted {figures['asserted']}, right {figures['asserted_right']}"
            f" (precision {figures['asserted_precision']:.3f},"
            f" {figures['asserted_share']:.3f} of {figures['answerable']} answerable)"
        ),
        f"hedged {figures['hedged']}, right {figures['hedged_right']}",
        (
            f"near misses {figures['near_misses']}: asserted {figures['near_misses_asserted']},"
            f" hedged {figures['near_misses_hedged']}"
        ),
        (
            f"right passage shown {figures['shown']} of {figures['answerable']}"
            f" ({figures['shown_share']:.3f})"
        ),
    ]


def _is(item: Score, outcome: ReplyOutcome) -> bool:
    return item.response.outcome is outcome


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0
