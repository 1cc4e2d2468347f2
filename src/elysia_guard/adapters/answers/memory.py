"""Answers kept in this process."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Collection
from dataclasses import dataclass

from elysia_guard.domain.kept import KeptAnswer
from elysia_guard.ports import Clock

MAX_SIZE = 1_000


@dataclass(frozen=True, slots=True)
class _Entry:
    answer: KeptAnswer
    expires: float
    scopes: frozenset[str]


class MemoryAnswers:
    """Keeps answers in memory; the one used longest ago makes room. Threads may share it."""

    def __init__(self, *, max_size: int = MAX_SIZE, clock: Clock = time.monotonic) -> None:
        """Make room for so many answers."""
        self._max_size = max_size
        self._clock = clock
        self._lock = threading.Lock()
        self._entries: OrderedDict[str, _Entry] = OrderedDict()

    def __len__(self) -> int:
        return len(self._entries)

    async def get(self, key: str) -> KeptAnswer | None:
        with self._lock:
            entry = self._entries.get(key)
            if entry is None:
                return None
            if self._clock() >= entry.expires:
                del self._entries[key]
                return None
            self._entries.move_to_end(key)
            return entry.answer

    async def put(
        self, key: str, answer: KeptAnswer, *, ttl_s: float, scopes: Collection[str] = ()
    ) -> None:
        entry = _Entry(answer=answer, expires=self._clock() + ttl_s, scopes=frozenset(scopes))
        with self._lock:
            self._entries[key] = entry
            self._entries.move_to_end(key)
            while len(self._entries) > self._max_size:
                self._entries.popitem(last=False)

    async def forget(self, scope: str) -> None:
        with self._lock:
            for key in [key for key, entry in self._entries.items() if scope in entry.scopes]:
                del self._entries[key]
