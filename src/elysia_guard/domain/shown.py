"""What of an answer is shown before the rest of it is there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from elysia_guard.domain.response import Source


@dataclass(frozen=True, kw_only=True, slots=True)
class Shown:
    """A paragraph that an answer begins with, behind those that were shown before it.

    ``text`` is as it stands in the answer: a sentence that was proved, with the marks of its
    sources, or what is said before one. ``sources`` are those that no paragraph before it cites.
    """

    text: str
    sources: tuple[Source, ...] = ()


Show = Callable[[Shown], None]


def unseen(_shown: Shown, /) -> None:
    """Show nobody anything before it is all there."""
