"""Who is told what happens."""

from __future__ import annotations

from typing import Protocol

from elysia_guard.domain.events import Event


class Observer(Protocol):
    """Told what happens, as it happens; must not raise."""

    def __call__(self, event: Event, /) -> None:
        """Take note of an event."""


def unobserved(event: Event, /) -> None:
    """Tell nobody: the observer where there is none."""
