"""What ``elysia-guard doctor`` says of the policy profile: its gates, and what it leaves out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from elysia_guard.domain.profiles import DEFAULT
from elysia_guard.edge.cli.surroundings import Check, State

if TYPE_CHECKING:
    from elysia_guard.wiring import Wiring


def look(wiring: Wiring) -> Check:
    """Name the profile in force, and the document whose policy it is."""
    profile = wiring.config.policy
    left_out = f"; {len(profile.without)} things left out: docs/profiles.md"
    return Check(
        part="profile",
        state=State.OK,
        text=f"{profile.label} ({profile.document}){left_out if profile.without else ''}",
        rows=() if profile == DEFAULT else (("gate", "rule"), *profile.described.items()),
        data={
            "name": str(profile.name),
            "limits": wiring.config.profile_limits,
            "document": profile.document,
            "gates": profile.described,
            "without": list(profile.without),
            "beyond": list(profile.beyond),
        },
    )
