"""Where candidate limits decide otherwise than the live ones, and how that was judged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace

from elysia_guard.adapters.decision_log.entry import Difference, Judgement
from elysia_guard.adapters.decision_log.log import DecisionLog
from elysia_guard.adapters.decision_log.selection import Selection


@dataclass(frozen=True, kw_only=True, slots=True)
class Comparison:
    """How candidate limits decided beside the live ones, and what people said of the live ones."""

    counts: Mapping[Difference, int]
    judged: Mapping[Difference, Mapping[Judgement, int]]

    @property
    def total(self) -> int:
        """How many decisions both have made."""
        return sum(self.counts.values())


def compare(log: DecisionLog, selection: Selection) -> Comparison:
    """Count the differences of a selection.

    Raises:
        DecisionLogError: the log cannot be read.
    """
    found = log.tally(selection, "difference")
    judged: dict[Difference, Counter[Judgement]] = {}
    for entry in log.entries(replace(selection, any_judgement=True)):
        if entry.difference and entry.judged:
            judged.setdefault(entry.difference, Counter())[entry.judged] += 1
    return Comparison(
        counts={kind: found.get((kind.value,), 0) for kind in Difference}, judged=judged
    )


def last_candidate(log: DecisionLog, selection: Selection) -> str:
    """Return the hash of the candidate limits that judged last; empty where none did.

    Raises:
        DecisionLogError: the log cannot be read.
    """
    newest = log.latest(replace(selection, beside=True), limit=1)
    return newest[0].settings.shadow_hash if newest else ""
