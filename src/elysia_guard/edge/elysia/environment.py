"""The keys of the environment, put back after runs that swap them, also several at once."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from elysia_guard.edge.elysia.host import Settings, is_api_key

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
