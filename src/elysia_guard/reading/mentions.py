"""What some words of a question may mean, as terms, titles and numbers each find it."""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

from elysia_guard.domain.question import Reference


class TermSpan(NamedTuple):
    """A concept of the vocabulary, and the label by which it is mentioned."""

    uri: str
    label: str


Meant = TermSpan | Reference


class Rank(IntEnum):
    """How well a mention is known: of two that overlap the better known stands."""

    NUMBERED = 0
    """A number with its kind."""
    KNOWN = 1
    """A label or a title."""
    ALONE = 2
    """A number without a kind."""


class PossibleMention(NamedTuple):
    """What the words from ``first`` to before ``last`` may mean, the likeliest first.

    ``chance``, 0 to 1, is how likely that is meant. ``slips`` are places of words that are
    mistyped.
    """

    rank: Rank
    first: int
    last: int
    meant: tuple[Meant, ...]
    chance: float
    exact: bool = True
    slips: tuple[int, ...] = ()

    @property
    def places(self) -> range:
        """The places of its words."""
        return range(self.first, self.last)
