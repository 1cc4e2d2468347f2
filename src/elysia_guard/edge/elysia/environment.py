"""The keys of the environment, put back after runs that swap them, also several at once."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterable

from elysia_guard.edge.elysia.host import is_api_key

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

    def __enter__(self) -> None:
        with self._lock:
            if not self._under_way:
                self._environ = os.environ
                self._keys = _swapped(os.environ.items())
            self._under_way += 1

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._under_way -= 1
            now = dict(os.environ)
            # What the program itself has set meanwhile stays.
            foreign = _swapped(now.items())
            # A run that is left puts its copy back, and leaves its keys in the first of all.
            for name in {*foreign, *_swapped(self._environ.items())} - self._keys.keys():
                self._environ.pop(name, None)
            others = {name: value for name, value in now.items() if name not in foreign}
            for name, value in {**others, **self._keys}.items():
                if self._environ.get(name) != value:
                    self._environ[name] = value
            os.environ = self._environ  # noqa: B003  (Elysia replaces the object itself)


def _swapped(variables: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return those variables that Elysia swaps."""
    return {name: value for name, value in variables if is_api_key(name) or name in _ALSO_SWAPPED}


kept_environment = KeptEnvironment()
"""One a process, as is the environment."""
