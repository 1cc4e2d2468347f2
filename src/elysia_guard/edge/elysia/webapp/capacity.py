"""How many users and conversations are kept in memory; the longest idle one makes room."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping
from typing import Any

LONG_AGO = dt.datetime(1, 1, 1)  # noqa: DTZ001  (naive, as Elysia's are)


def longest_idle(
    kept: Mapping[str, Mapping[str, Any]], most: int, busy: Callable[[str], bool]
) -> list[str]:
    """Return who has to go so that one more fits: the longest idle, and nobody who is busy."""
    too_many = len(kept) - most + 1
    if too_many <= 0:
        return []
    idle = [name for name in kept if not busy(name)]
    return sorted(idle, key=lambda name: kept[name].get("last_request", LONG_AGO))[:too_many]
