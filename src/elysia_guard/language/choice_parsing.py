"""How people pick one of several choices: 'the second', 'option 2', 'de laatste', 'Nummer zwei'."""

from __future__ import annotations

from functools import cache

from elysia_guard.language.pack import packs, words_of
from elysia_guard.language.text import words

LAST = -1


@cache
def _places() -> dict[str, int]:
    """The place that each word names, in any language."""
    return {
        word: place
        for item in packs().values()
        for words_of_place, place in zip(
            (*item.core.ordinals.places, item.core.ordinals.last),
            (*range(1, len(item.core.ordinals.places) + 1), LAST),
            strict=True,
        )
        for word in words_of_place
    }


@cache
def _around() -> frozenset[str]:
    """Words around a choice that say nothing of which it is."""
    return frozenset(words_of(lambda core: core.ordinals.around))


def position(text: str) -> int | None:
    """Return the place in a list that a text names, from 1, or -1 for the last; None for none.

    >>> position("The second one, please"), position("nummer twee"), position("the last")
    (2, 2, -1)
    """
    found = [word for word in words(text) if word not in _around()] or words(text)
    if len(found) != 1:
        return None
    return _places().get(found[0])


def names_only_a_place(text: str) -> bool:
    """Tell whether a text is nothing but a place in a list, in words: 'the second', not '12'.

    >>> names_only_a_place("the second one"), names_only_a_place("12")
    (True, False)
    """
    return position(text) is not None and not any(char.isdigit() for char in text)


def told_apart(text: str, names: list[frozenset[str]]) -> int | None:
    """Return which of several sets of words alone holds every telling word of a text, from 0.

    >>> told_apart("the grid one", [frozenset({"cim", "grid"}), frozenset({"cim", "it"})])
    0
    """
    telling = {word for word in words(text) if word not in _around()}
    fitting = [n for n, known in enumerate(names) if telling <= known]
    return fitting[0] if telling and len(fitting) == 1 else None
