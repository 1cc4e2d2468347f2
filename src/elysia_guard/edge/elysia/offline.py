"""Stand-ins for a run that needs neither a language model nor a Weaviate."""

from __future__ import annotations

import copy
from typing import Any, NoReturn

import dspy

from elysia_guard.domain.errors import GuardError
from elysia_guard.edge.elysia.host import ClientManager, Settings

_PLACEHOLDER = "none"
MODEL_SETTINGS = ("BASE_MODEL", "BASE_PROVIDER", "COMPLEX_MODEL", "COMPLEX_PROVIDER")


def has_language_model(settings: Settings) -> bool:
    """Tell whether all four model settings are given."""
    return all(getattr(settings, name, None) for name in MODEL_SETTINGS)


def without_language_model(settings: Settings) -> Settings:
    """Return settings that pass Elysia's checks and name no model; the given ones stay."""
    stand_in = copy.copy(settings)
    for name in MODEL_SETTINGS:
        setattr(stand_in, name, _PLACEHOLDER)
    return stand_in


class NoLanguageModel(dspy.BaseLM):
    """A language model that must not be called: a call is a fault of ours, and raises."""

    def __init__(self) -> None:
        """Take no name and no key."""
        super().__init__(model=_PLACEHOLDER)

    def forward(self, *_args: Any, **_kwargs: Any) -> NoReturn:
        """Refuse."""
        raise GuardError("a language model was called on a route that is decided without one")

    async def aforward(self, *_args: Any, **_kwargs: Any) -> NoReturn:
        """Refuse."""
        self.forward()


class NoWeaviate(ClientManager):
    """A client manager without a client: Elysia then asks no Weaviate for its collections."""

    def __init__(self) -> None:
        """Connect to nothing."""
        self.is_client = False
