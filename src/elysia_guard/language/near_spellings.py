"""The words of a knowledge base, found by how they are written."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from elysia_guard.language.spelling import near
from elysia_guard.language.text import without_marks

SHORTEST = 4
"""Letters of a word that may be mistyped."""
TWO_SLIPS = 9
"""Letters from which a word may hold two slips."""
MOST_NEAR = 8
"""So many near words are told of one, the nearest and most frequent."""
_LONG = 8
"""Letters from which a word is looked for by its three first or last ones, not by two."""


def most_slips(word: str) -> int:
    """Return how many slips a word may hold: none where it is short, or has figures in it."""
    return 0 if len(word) < SHORTEST or not word.isalpha() else 1 + (len(word) >= TWO_SLIPS)


class NearSpellings:
    """Finds words that are written nearly like another, in a fraction of a millisecond.

    Words are compared that begin or end alike, or are made of the same letters.
    """

    def __init__(self, counts: Mapping[str, int]) -> None:
        """Take words in lower case and without marks, and in how many passages each stands."""
        self._counts = {word: count for word, count in counts.items() if most_slips(word)}
        self._alike: dict[str, list[str]] = defaultdict(list)
        for word in sorted(self._counts):
            for key in _keys(word):
                self._alike[key].append(word)

    def of(self, word: str) -> dict[str, int]:
        """Return the words written nearly like one, and in how many passages each stands.

        The nearest come first, of equals the most frequent.
        """
        plain = without_marks(word)
        most, found = most_slips(plain), dict[str, int]()
        for key in _keys(plain) if most else ():
            found |= near(plain, self._alike.get(key, ()), most)
        ranked = sorted(found, key=lambda other: (found[other], -self._counts[other], other))
        return {other: self._counts[other] for other in ranked[:MOST_NEAR]}


def counted(titles: Iterable[str], counts: Mapping[str, int]) -> dict[str, int]:
    """Count words of titles beside those of passages."""
    return dict.fromkeys(titles, 1) | dict(counts)


def _keys(word: str) -> Iterator[str]:
    """What a word is found by: its beginning, its end, and its letters in their order."""
    for length in {2, 3} if _LONG - 1 <= len(word) <= _LONG else {2 + (len(word) > _LONG)}:
        yield f"^{word[:length]}"
        yield f"{word[-length:]}$"
    yield f"={''.join(sorted(word))}"
