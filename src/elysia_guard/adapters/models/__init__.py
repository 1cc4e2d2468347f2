"""Language models: asked within a deadline, behind a breaker, a few at a time."""

from elysia_guard.adapters.models.callers import ModelCallers
from elysia_guard.adapters.models.errors import ModelFailedError, NothingUsableError, flags_of
from elysia_guard.adapters.models.guarded import ModelCaller

__all__ = ["ModelCaller", "ModelCallers", "ModelFailedError", "NothingUsableError", "flags_of"]
