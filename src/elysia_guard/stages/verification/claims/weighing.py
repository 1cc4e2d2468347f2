"""Whether enough of a sentence is in its sources that a second opinion is worth asking for."""

from __future__ import annotations

from elysia_guard.domain.claim import Proof
from elysia_guard.stages.verification.claims.measures import Held

NOTHING = 0.15
"""Below such a share in all sources nearly nothing of it is there, and it fails."""


def weighed(held: Held) -> Proof:
    """Weigh what is covered: a sentence of which its sources have nothing fails."""
    nothing = held.measured["every"] < NOTHING and not held.crosses
    return Proof.FAILS if nothing else Proof.OPEN
