"""What turns the meaning of a sentence that is else its source's: found only beyond doubt."""

from __future__ import annotations

from collections.abc import Iterator

from elysia_guard.domain.claim import Fault, Finding
from elysia_guard.stages.verification.claims.measures import Held

CERTAIN, RETURNED = 0.75, 0.6
"""Such a share of a sentence must stand in one source, word for word, and such a share of that
source's clauses in the sentence, before a difference between them is one of meaning."""
_TURNS = {
    "denial_added": Fault.NEGATION,
    "denial_dropped": Fault.NEGATION,
    "modal_turned": Fault.MODALITY,
    "bound_turned": Fault.COMPARISON,
    "order_turned": Fault.COMPARISON,
    "exception_dropped": Fault.CONDITION,
    "only_dropped": Fault.CONDITION,
    "swapped": Fault.ACTORS,
}


def turned(held: Held) -> Iterator[Finding]:
    """Find denials, duties, comparatives, limits and actors that are turned."""
    measured = held.measured
    if measured["same"] < CERTAIN or measured["returned"] < RETURNED or held.crosses:
        return
    for name, fault in _TURNS.items():
        if measured[name]:
            yield Finding(fault=fault, about=held.clause.strip())
