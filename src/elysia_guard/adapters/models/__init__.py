"""Language models: asked within a deadline, behind a breaker, a few at a time."""

from elysia_guard.adapters.models.caller import (
    ModelCaller,
    ModelCallers,
    ModelFailedError,
    NothingUsableError,
    flags_of,
    late,
    unreachable,
)

__all__ = [
    "ModelCaller",
    "ModelCallers",
    "ModelFailedError",
    "NothingUsableError",
    "flags_of",
    "late",
    "unreachable",
]
