"""Words that refer, and how; and places in a list, as people say them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, TypeVar

from elysia_guard.domain.document import DocumentKind

_ITEM = TypeVar("_ITEM")

ORDER: Final = "first second third fourth fifth sixth seventh eighth ninth tenth".split()
COUNTS: Final = {"two": 2, "three": 3, "four": 4, "five": 5}
LAST: Final = -1


@dataclass(frozen=True, kw_only=True, slots=True)
class ListPlace:
    """A place in a list: counted from 1, or from the end (-1), or from where one is (``step``).

    ``count`` is how many are meant from there on, or up to the end: 'the last two'.
    """

    position: int = 0
    step: int = 0
    count: int = 1

    def of(self, items: Sequence[_ITEM], current: _ITEM | None = None) -> tuple[_ITEM, ...]:
        """Return what stands there; nothing where the list has no such place.

        >>> Place(position=-1, count=2).of("abc"), Place(step=1).of("abc", "b")
        (('b', 'c'), ('c',))
        """
        if self.step:
            if current not in items:
                return ()
            place = items.index(current) + self.step
            return (items[place],) if 0 <= place < len(items) else ()
        if self.count > len(items) or self.position > len(items):
            return ()
        start = len(items) - self.count if self.position == LAST else self.position - 1
        found = tuple(items[start : start + self.count])
        return found if len(found) == self.count else ()


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
BACK = {*PICKS, Refers.PAIR, Refers.KIND, Refers.TERM}
"""Words that refer to what was said before, whatever the text itself names."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ReferringWords:
    """Words that refer: from ``first`` up to ``end``, as places among the words of the text.

    ``preposition`` is what a pronominal adverb holds ('daarvan': 'van'). ``inside`` tells whether
    the text itself names what it may refer to.
    """

    refers: Refers
    first: int
    end: int
    kind: DocumentKind | None = None
    preposition: str = ""
    place: ListPlace | None = None
    inside: bool = False

    @property
    def plural(self) -> bool:
        """Whether it refers to several."""
        return self.refers in {Refers.THINGS, Refers.PAIR, Refers.POSSESSIVES}
