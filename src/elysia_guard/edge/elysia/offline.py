"""What stands in for a model and a Weaviate in a run without them, and the keys that runs swap."""

from __future__ import annotations

import copy
import logging
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NoReturn, Self

import dspy

from elysia_guard.domain.errors import GuardError
from elysia_guard.edge.elysia.host import ClientManager, Settings, is_api_key

NO_MODEL = "none"
MODEL_SETTINGS = ("BASE_MODEL", "BASE_PROVIDER", "COMPLEX_MODEL", "COMPLEX_PROVIDER")


def has_language_model(settings: Settings) -> bool:
    """Tell whether all four model settings are given."""
    return all(getattr(settings, name, None) for name in MODEL_SETTINGS)


@dataclass(frozen=True, kw_only=True, eq=False)
class TreeRun:
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

    def __init__(self, *_: Any, **__: Any) -> None:
        """Connect to nothing."""
        self.is_client = False

    async def reset_keys(self, *_: Any, **__: Any) -> None:
        """Connect to nothing, whatever is named."""


_ALSO_SWAPPED = frozenset(
    {"WCD_URL", "WEAVIATE_IS_LOCAL", "LOCAL_WEAVIATE_PORT", "LOCAL_WEAVIATE_GRPC_PORT"}
)


class KeptEnvironment:
    """Remembers the machine's keys while any run is under way, and puts them back after each.

    Elysia swaps the whole process's environment for every step of a run, and puts a copy back.
    Of runs at once each puts back what it found: the machine's keys are lost for good, and one
    user's stay for all.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._under_way = 0
        self._environ = os.environ
        self._keys: dict[str, str] = {}
        self._brought: set[str] = set()

    @contextmanager
    def during(self, settings: Callable[[], Settings]) -> Iterator[None]:
        """Keep them during one run; ``settings`` tells those that the run has now."""
        with self._lock:
            if not self._under_way:
                self._environ = os.environ
                self._keys = _swapped()
                self._brought = set()
            self._under_way += 1
            self._brought |= _names(settings())
        try:
            yield
        finally:
            with self._lock:
                self._under_way -= 1
                self._brought |= _names(settings())
                self._put_back()

    def _put_back(self) -> None:
        # What the program itself has set meanwhile stays, a key too.
        now = {name: value for name, value in os.environ.items() if name not in self._brought}
        # A run that is left puts its copy back, and leaves its keys in the first of all.
        for name in self._brought - self._keys.keys():
            self._environ.pop(name, None)
        for name, value in {**self._keys, **now}.items():
            if self._environ.get(name) != value:
                self._environ[name] = value
        os.environ = self._environ  # noqa: B003  (Elysia replaces the object itself)


def _swapped() -> dict[str, str]:
    """Return those variables of the environment that Elysia swaps."""
    return {
        name: value
        for name, value in os.environ.items()
        if is_api_key(name) or name in _ALSO_SWAPPED
    }


def _names(settings: Settings) -> set[str]:
    """Return the variables that Elysia sets for a run with these settings."""
    own = {"MODEL_API_BASE", "WCD_API_KEY", *_ALSO_SWAPPED}
    return {name for name in own if getattr(settings, name, None) is not None} | {
        name.upper() for name in settings.API_KEYS
    }


kept_environment = KeptEnvironment()
"""One a process, as is the environment."""
