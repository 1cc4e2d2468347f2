"""The terminology stage: ask the governed vocabulary what a term means."""

from elysia_guard.stages.terminology.looking_up import Synonyms, flags, look_up, synonyms

__all__ = ["Synonyms", "flags", "look_up", "synonyms"]
