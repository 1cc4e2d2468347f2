"""What a change of Elysia's page is."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Mends:
    """A group of changes; ``without`` says what the page does where they cannot be made."""

    without: str
    pairs: tuple[tuple[str, str], ...]
