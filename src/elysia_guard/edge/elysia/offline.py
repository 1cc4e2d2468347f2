"""Stand-ins for a run that needs neither a language model nor a Weaviate."""

from __future__ import annotations

import copy
import logging
from dataclasses import dataclass
from typing import Any, NoReturn, Self

import dspy

from elysia_guard.domain.errors import GuardError
from elysia_guard.edge.elysia.host import ClientManager, Settings

NO_MODEL = "none"
MODEL_SETTINGS = ("BASE_MODEL", "BASE_PROVIDER", "COMPLEX_MODEL", "COMPLEX_PROVIDER")


def has_language_model(settings: Settings) -> bool:
    """Tell whether all four model settings are given."""
    return all(getattr(settings, name, None) for name in MODEL_SETTINGS)


@dataclass(frozen=True, kw_only=True, eq=False)
class Run:
    """The settings of one run; the tree's own return when it ends."""

    given: Settings
    settings: Settings
    llm_free: bool

    @classmethod
    def of(cls, given: Settings, *, decided: bool) -> Self:
        """Make settings that pass Elysia's checks, naming no model where none is to be asked."""
        llm_free = decided or not has_language_model(given)
        settings = copy.copy(given)
        # At INFO Elysia prints questions and answers as Rich markup, which fails on '[/b]' and, for
        # the rest of the process, on half a surrogate pair; our own log says what may be said.
        settings.LOGGING_LEVEL_INT = max(settings.LOGGING_LEVEL_INT, logging.WARNING)
        if llm_free:
            for name in MODEL_SETTINGS:
                setattr(settings, name, NO_MODEL)
        return cls(given=given, settings=settings, llm_free=llm_free)


class NoLanguageModel(dspy.BaseLM):
    """Stands where Elysia wants a language model and there is none; a call of it raises.

    Its history is empty: what Elysia counts of a model it counts as nothing.
    """

    def __init__(self, error: GuardError | None = None) -> None:
        """Take no name and no key; by default a call is a fault of ours, and ``error`` says so."""
        super().__init__(model=NO_MODEL)
        self._error = error or GuardError(
            "a language model was called on a route that is decided without one"
        )

    def __call__(self, *_args: Any, **_kwargs: Any) -> NoReturn:
        """Refuse."""
        raise self._error

    async def acall(self, *_args: Any, **_kwargs: Any) -> NoReturn:
        """Refuse."""
        raise self._error


class NoWeaviate(ClientManager):
    """A client manager without a client: Elysia then asks no Weaviate for its collections."""

    def __init__(self) -> None:
        """Connect to nothing."""
        self.is_client = False
