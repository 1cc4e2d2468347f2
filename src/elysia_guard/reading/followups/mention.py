"""Words that refer, and how."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from elysia_guard.domain.document import DocumentKind
from elysia_guard.reading.followups.ordinals import Place


class Refers(StrEnum):
    """How a word refers."""

    THING = "thing"
    THINGS = "things"
    PAIR = "pair"
    PERSON = "person"
    POSSESSIVE = "possessive"
    POSSESSIVES = "possessives"
    ADVERB = "adverb"
    PLACE = "place"
    SUCH = "such"
    KIND = "kind"
    TERM = "term"
    DESCRIBED = "described"
    OTHER = "other"
    ORDINAL = "ordinal"


PICKS = {Refers.ORDINAL, Refers.DESCRIBED, Refers.OTHER}
"""Words that pick one of several."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Mention:
    """Words that refer: from ``first`` up to ``end``, as places among the words of the text.

    ``preposition`` is what a pronominal adverb holds ('daarvan': 'van'), ``at`` the place of the
    other half of one that is split ('daar ... van'). ``inside`` tells whether the text itself
    names what it may refer to.
    """

    refers: Refers
    first: int
    end: int
    kind: DocumentKind | None = None
    preposition: str = ""
    at: int | None = None
    place: Place | None = None
    inside: bool = False

    @property
    def plural(self) -> bool:
        """Whether it refers to several."""
        return self.refers in {Refers.THINGS, Refers.PAIR, Refers.POSSESSIVES}
