"""What introduces what among the units of a passage: a list, and the sentence above it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile

from elysia_guard.language.sentences import Unit, announces, is_item


def leads(units: Sequence[Unit], at: int) -> list[int]:
    """Return the places of what introduces a unit, the outermost first."""
    found: list[int] = []
    lead = units[at].lead
    while lead is not None:
        found.insert(0, lead)
        lead = units[lead].lead
    return found


def introduced(units: Sequence[Unit], at: int, lang: str) -> Iterator[int]:
    """Yield the places of what a unit that ends in a colon, or in 'because', introduces.

    That is the rest of its paragraph; of its last sentence the list, or the block, that follows.
    """
    if not announces(units[at].text, lang):
        return
    behind = range(at + 1, len(units))
    if here := [place for place in behind if units[place].block == units[at].block]:
        yield from here
    elif behind and (units[at + 1].lead is not None or is_item(units[at].text)):
        yield from takewhile(lambda place: at in leads(units, place), behind)
    elif behind:
        yield from takewhile(lambda place: units[place].block == units[at + 1].block, behind)


def ends_in_list(units: Sequence[Unit], lang: str) -> bool:
    """Tell whether the last of some units belongs to what another announces, and may go on."""
    above = leads(units, len(units) - 1) if units else []
    return any(announces(units[at].text, lang) for at in above)


def whole(units: Sequence[Unit], chosen: Iterable[int], lang: str) -> list[int]:
    """Return the places of units with what introduces them, and with what those introduce."""
    kept: set[int] = set()
    waiting = list(chosen)
    while waiting:
        at = waiting.pop()
        if at not in kept:
            kept.add(at)
            waiting += [*leads(units, at), *introduced(units, at, lang)]
    return sorted(kept)
