"""Whether the words of a sentence are those of its sources: it holds, is open, or fails."""

from __future__ import annotations

from elysia_guard.domain.claim import Proof
from elysia_guard.stages.verification.claims.measures import Held

COVERED, COVERED_ACROSS = 0.8, 0.68
"""From such a share of its words on, in one sentence of a source, a sentence holds; the second is
for a source in another language, in which few words are the same by chance."""
NOTHING = 0.15
"""Below such a share in all sources nearly nothing of it is there, and it fails."""
DOUBTS = (
    "denial_added", "denial_dropped", "modal_turned", "bound_turned", "order_turned", "swapped",
    "moved", "exception_dropped", "exception_added", "only_dropped", "only_added", "all_added",
    "cause_added", "figures_apart", "crossed", "names_apart", "codes_apart",
)  # fmt: skip
"""What may turn a meaning: with any of them a sentence does not hold by code alone."""


def weighed(held: Held) -> Proof:
    """Weigh what is covered, and whether anything may be turned."""
    measured = held.measured
    if measured["every"] < NOTHING and not held.crosses:
        return Proof.FAILS
    limit = COVERED_ACROSS if held.crosses else COVERED
    # Without a word that says something, nothing can be compared: 'It is so.'
    doubted = not held.said.content or any(measured[name] for name in DOUBTS)
    return Proof.OPEN if doubted or measured["best"] < limit else Proof.HOLDS
