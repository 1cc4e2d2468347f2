"""By which slips of the fingers or the ear one word was typed for another, and how sure that is."""

from __future__ import annotations

import math
from collections.abc import Iterator
from enum import StrEnum
from functools import cache
from typing import Final

ROWS: Final = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
"""The letters of a keyboard, row by row."""
VOWELS: Final = frozenset("aeiouy")


class Slip(StrEnum):
    """What went wrong with one letter, or with two beside each other."""

    SWAPPED = "swapped"
    """Two letters changed places: 'onwer'."""
    DOUBLED = "doubled"
    """A letter was written twice, or once instead of twice: 'plattform', 'suported'."""
    LEFT_OUT = "left out"
    ADDED = "added"
    NEIGHBOUR = "neighbour"
    """A letter that lies beside the right one on a keyboard."""
    VOWEL = "vowel"
    """One vowel for another: 'deligate'."""


# Fitted on the demo's words and those of two public registers, mistyped at random, against the
# words of other registers that they lack: docs/internals/tried.md tells.
VERY_SHORT: Final = 4
SHORT: Final = 6
"""Letters up to which a word is easily another one."""
LONG: Final = 9
"""Letters from which one may hold two slips."""
GAIN: Final = {
    Slip.SWAPPED: 0.0,
    Slip.DOUBLED: 0.0,
    Slip.LEFT_OUT: 1.0,
    Slip.ADDED: 2.0,
    Slip.NEIGHBOUR: 2.0,
    Slip.VOWEL: 4.0,
}
"""By how much likelier than what was typed a word must be, as a difference of logarithms."""
GAIN_IF_SHORT: Final = {
    Slip.SWAPPED: 0.0,
    Slip.DOUBLED: 2.0,
    Slip.LEFT_OUT: 4.0,
    Slip.ADDED: 8.0,
    Slip.NEIGHBOUR: 6.0,
    Slip.VOWEL: 10.0,
}
AT_EDGE: Final = 8.0
TWICE: Final = 10.0
"""The same for a first or last letter, and for two slips."""


def slips(typed: str, meant: str, *, most: int) -> tuple[Slip, ...] | None:
    """Return the slips by which a word was typed for another one; None where it was not.

    Any other letter in the place of one makes another word.

    Args:
        typed: a word in lower case, without marks.
        meant: the other one, the same.
        most: how many slips there may be.

    >>> [slip.value for slip in slips("decription", "description", most=1)]
    ['left out']
    >>> slips("shall", "shacl", most=1) is None
    True
    """
    if typed == meant:
        return ()
    if not most or abs(len(typed) - len(meant)) > most:
        return None
    pairs = enumerate(zip(typed, meant, strict=False))
    shorter = min(len(typed), len(meant))
    at = next((at for at, (one, other) in pairs if one != other), shorter)
    found = [
        (slip, *rest)
        for slip, one, other in _undone(typed[:at][-1:], typed[at:], meant[at:])
        if (rest := slips(one, other, most=most - 1)) is not None
    ]
    return min(found, key=len, default=None)


def gain_needed(typed: str, meant: str, *, most: int) -> float:
    """Return by how much likelier a word must be, for another one to be it mistyped.

    It is a difference of natural logarithms; infinite where the words are not alike by slips. Two
    letters that change places hardly ever make another word, one vowel for another often does; the
    first letter and the last are seldom wrong, since beginnings and endings are parts of words.
    """
    made = slips(typed, meant, most=most)
    if not made:
        return math.inf
    inside = typed[0] == meant[0] and typed[-1] == meant[-1]
    if len(made) > 1:
        sure = inside and len(typed) >= LONG and not {Slip.SWAPPED, Slip.DOUBLED}.isdisjoint(made)
        return TWICE if sure else math.inf
    (slip,) = made
    if len(typed) <= VERY_SHORT:
        sure = inside and slip in (Slip.SWAPPED, Slip.LEFT_OUT)
        return GAIN_IF_SHORT[Slip.LEFT_OUT] if sure else math.inf
    least = (GAIN_IF_SHORT if len(typed) <= SHORT else GAIN)[slip]
    if inside or slip is Slip.SWAPPED:
        return least
    if typed[0] != meant[0]:
        return math.inf if len(typed) < LONG - 1 or slip is Slip.VOWEL else AT_EDGE
    return AT_EDGE if slip is Slip.NEIGHBOUR else math.inf


def _undone(before: str, typed: str, meant: str) -> Iterator[tuple[Slip, str, str]]:
    """What the first letters that differ may come from, each with what is left of both words."""
    if len(typed) > 1 and typed[:2] == meant[:2][::-1]:
        yield Slip.SWAPPED, typed[2:], meant[2:]
    if meant:
        yield Slip.DOUBLED if meant[0] == before else Slip.LEFT_OUT, typed, meant[1:]
    if typed:
        yield Slip.DOUBLED if typed[0] == before else Slip.ADDED, typed[1:], meant
    if typed and meant:
        if {typed[0], meant[0]} <= VOWELS:
            yield Slip.VOWEL, typed[1:], meant[1:]
        elif meant[0] in _neighbours(typed[0]):
            yield Slip.NEIGHBOUR, typed[1:], meant[1:]


@cache
def _neighbours(letter: str) -> frozenset[str]:
    """The letters that lie around one on a keyboard."""
    places = {each: (row, at) for row, keys in enumerate(ROWS) for at, each in enumerate(keys)}
    if letter not in places:
        return frozenset()
    row, at = places[letter]
    return frozenset(
        each
        for each, (other, place) in places.items()
        if each != letter and abs(other - row) <= 1 and abs(place - at) <= 1
    )
