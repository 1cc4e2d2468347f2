"""The concepts of a vocabulary as a list of them shows each: by its names alone."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class ListedConcept:
    """A concept in a list: what it is called, ``also`` its other names, and its vocabulary."""

    uri: str
    label: str
    also: tuple[str, ...] = ()
    vocabulary: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class ListedConcepts:
    """What a vocabulary has; ``total`` counts all, of which the list may hold a part."""

    concepts: tuple[ListedConcept, ...]
    total: int

    @property
    def is_cut(self) -> bool:
        """Whether there are more than are listed."""
        return self.total > len(self.concepts)
