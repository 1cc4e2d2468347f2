"""What the rankings of a search count, for the passages of each kind of document."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from elysia_guard.domain.document import DocumentKind

Field = Literal["title", "section", "body"]


@dataclass(frozen=True, kw_only=True, slots=True)
class SearchWeights:
    """What meaning counts beside words, and what a word counts where it stands.

    ``alpha`` is 0 (words alone) to 1 (meaning alone). ``title`` and ``section`` are what a word
    counts in the title and under a heading, where one in the body counts 1; from 0 on.
    """

    alpha: float = 0.5
    title: float = 1.0
    section: float = 1.0

    @property
    def by_field(self) -> bool:
        """Whether it matters in which field a word stands."""
        return (self.title, self.section) != (1.0, 1.0)

    def of(self, field: Field) -> float:
        """Return what a word counts in a field."""
        return {"title": self.title, "section": self.section, "body": 1.0}[field]


AS_EVER = SearchWeights()
"""Words as much as meaning, and each word alike wherever it stands."""

WeightsByKind = Mapping[DocumentKind, SearchWeights]
"""The weights of each kind; those of a kind that is left out are ``AS_EVER``."""
