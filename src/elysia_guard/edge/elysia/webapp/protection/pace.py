"""How fast messages may follow each other on one websocket."""

from __future__ import annotations

import time

from elysia_guard.ports import Clock


class Pace:
    """Lets so many pass a minute, a tenth of them at once."""

    def __init__(self, per_minute: int, *, clock: Clock = time.monotonic) -> None:
        """Take how many a minute."""
        self._rate = per_minute / 60
        self._most = max(1.0, per_minute / 10)
        self._left = self._most
        self._clock = clock
        self._at = clock()

    def allows_one(self) -> bool:
        """Tell whether one more may pass, and count it."""
        now = self._clock()
        self._left = min(self._most, self._left + (now - self._at) * self._rate)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True
