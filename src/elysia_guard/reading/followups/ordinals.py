"""Places in a list, as people say them: 'the third one', 'de laatste twee'."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from elysia_guard.reading.followups.text import Said

_ITEM = TypeVar("_ITEM")

_ORDER: Final = "first second third fourth fifth sixth seventh eighth ninth tenth".split()
COUNTS: Final = {"two": 2, "three": 3, "four": 4, "five": 5}
LAST: Final = -1


@dataclass(frozen=True, kw_only=True, slots=True)
class Place:
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


def place_at(said: Said, at: int) -> tuple[Place, int] | None:
    """Read the place that a text names at one of its words, and where its words end.

    An article belongs to it ('the third'), and so does 'one'. Without an article it is a place only
    where the text begins with it ('fourth one'); 'who approved version two' names none.
    """
    pack, low = said.pack, said.low
    start = at
    at += _leads(said, at)
    at += at < len(low) and pack.has("numbers.very", low[at])
    if at >= len(low) or (start == at and start and not said.words[start - 1].breaks):
        return None
    if found := _stepping(said, at):
        return found
    name = pack.member("numbers", low[at])
    if name in _ORDER:
        place = _ORDER.index(name) + 1
    elif name == "last":
        place = LAST
    else:
        return None
    end = at + 1
    count = COUNTS.get(pack.member("numbers", low[end]), 1) if end < len(low) else 1
    if said.words[at].breaks:
        count = 1
    end += count > 1
    if end < len(low) and pack.has("refers.selected", low[end]) and not said.words[end - 1].breaks:
        end += 1
    return Place(position=place, count=count), end


def _leads(said: Said, at: int) -> bool:
    roles = ("refers.articles", "refers.demonstratives")
    return any(said.pack.has(role, said.low[at]) for role in roles)


def _stepping(said: Said, at: int) -> tuple[Place, int] | None:
    """'The next one', 'the one after that'."""
    pack, low, end = said.pack, said.low, at
    if pack.has("refers.selected", low[at]):
        end += 1
    for role, step in (("next", 1), ("after", 1), ("previous", -1), ("before", -1)):
        if end < len(low) and (length := pack.match(f"numbers.{role}", low, end)):
            end += length
            if end < len(low) and pack.has("refers.selected", low[end]):
                end += 1
            return Place(step=step), end
    return None
