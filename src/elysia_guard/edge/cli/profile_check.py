"""What ``elysia-guard doctor`` says of the policy profile: its gates, and what it leaves out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from elysia_guard.domain.profiles import DEFAULT
from elysia_guard.edge.cli.surroundings import Check, State
from elysia_guard.wiring import writing

if TYPE_CHECKING:
    from elysia_guard.wiring import Wiring


def look(wiring: Wiring) -> Check:
    """Name the profile in force, and the document whose policy it is."""
    profile = wiring.config.policy
    left_out = f"; {len(profile.without)} things left out: docs/profiles.md"
    lacking = writing.lacking(wiring.config)
    told = f"{profile.label} ({profile.document}){left_out if profile.without else ''}"
    return Check(
        part="profile",
        state=State.ERROR if lacking else State.OK,
        text=f"{told}; {lacking}" if lacking else told,
        needed=bool(lacking),
        rows=() if profile == DEFAULT else (("gate", "rule"), *profile.described.items()),
        data={
            "name": str(profile.name),
            "limits": wiring.config.profile_limits,
            "document": profile.document,
            "gates": profile.described,
            "writes": profile.writes,
            "without": list(profile.without),
            "beyond": list(profile.beyond),
        },
    )
