"""Which labels of a large vocabulary look like a term: a filter before anything finer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np
from rapidfuzz import fuzz, process

ALIKE = 65.0
"""Letters in common, 0 to 100, from which a label looks like a term."""
CANDIDATES = 5_000
"""How many labels are compared letter by letter; those with the likeliest letters come first."""
SHORTLIST = 50


class AlikeLabels:
    """Folded labels, to be compared with a term in milliseconds."""

    def __init__(self, labels: Iterable[str]) -> None:
        self._labels = sorted(set(labels))
        self._lengths = np.array([len(label) for label in self._labels], dtype=np.int64)
        self._letters = np.array([_letters(label) for label in self._labels], dtype=np.uint64)

    def like(self, term: str) -> Sequence[str]:
        """Return the labels that share most letters with a folded term, the best first."""
        # One letter more or less changes one bit at most, and a ratio is 1 - changes / length.
        changes = np.bitwise_count(self._letters ^ np.uint64(_letters(term)))
        changes = np.maximum(changes, np.abs(self._lengths - len(term)))
        apart = changes / (self._lengths + max(len(term), 1))
        places = np.flatnonzero(apart <= 1 - ALIKE / 100)
        if len(places) > CANDIDATES:
            places = places[np.argsort(apart[places], kind="stable")[:CANDIDATES]]
        alike = process.extract(
            term,
            [self._labels[place] for place in places],
            scorer=fuzz.ratio,
            score_cutoff=ALIKE,
            limit=SHORTLIST,
        )
        return [label for label, _, _ in alike]


def _letters(text: str) -> int:
    """Mark in 64 bits which letters occur, and which occur twice."""
    bits = 0
    for char, count in Counter(text).items():
        place = ord(char) % 32
        twice = count > 1 or bits >> place & 1
        bits |= 1 << place | twice << place + 32
    return bits
