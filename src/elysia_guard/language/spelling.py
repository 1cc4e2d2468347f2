"""Whether a word is another one mistyped, and beyond doubt; which numbers are written alike."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from elysia_guard.language.text import normalise, without_marks, words

SHORTEST = 4
"""Letters of a word that may be mistyped."""
SHORTEST_ALONE = 7
"""Letters of a term of one word."""
OTHER_START = 8
"""Letters from which the first may be the wrong one: 'kapaciteit'."""
TWO_SLIPS = 11
"""Letters from which a word may hold two slips."""
_OPPOSITES = (("micro", "macro"), ("inter", "intra"), ("hyper", "hypo"), ("under", "over"))


_QUALIFIER = re.compile(r"(\S.*?)\s*\([^()]*\)")


def unqualified(label: str) -> str:
    """Return a label without what stands in brackets at its end; empty where nothing does.

    >>> unqualified("CPI (Consumer Price Index)"), unqualified("inflation")
    ('CPI', '')
    """
    found = _QUALIFIER.fullmatch(label) if label.endswith(")") else None
    return found[1] if found else ""


def most_slips(word: str) -> int:
    """Return how many letters of a word may be wrong, missing, too many or in another's place."""
    return 0 if len(word) < SHORTEST or not word.isalpha() else 1 + (len(word) >= TWO_SLIPS)


def near(word: str, others: Sequence[str], most: int) -> dict[str, int]:
    """Return those of some words that so many slips make of one at most, with their slips."""
    from rapidfuzz import process  # not every question needs it
    from rapidfuzz.distance import OSA

    found = process.extract(word, others, scorer=OSA.distance, score_cutoff=most, limit=None)
    return {other: distance for other, distance, _ in found}


def is_slip(word: str, other: str) -> bool:
    """Tell whether a word is another one mistyped.

    Another last letter, a first one in a short word, digits and opposites make another word.
    """
    if word[-1:] != other[-1:] or (word[:1] != other[:1] and len(word) < OTHER_START):
        return False
    most = min(most_slips(word), most_slips(other))
    return bool(near(word, [other], most).get(other)) and not _opposite(word, other)


def mistyped(written: str, label: str) -> str:
    """Return the one word of a term that differs from a label by a slip; '' for any other.

    >>> mistyped("wobbe indx", "Wobbe index"), mistyped("employer", "employee")
    ('indx', '')
    """
    found, meant = words(without_marks(normalise(written))), words(without_marks(normalise(label)))
    if len(found) != len(meant):
        return ""
    pairs = [(one, other) for one, other in zip(found, meant, strict=True) if one != other]
    if len(pairs) != 1 or (len(found) == 1 and len(found[0]) < SHORTEST_ALONE):
        return ""
    return pairs[0][0] if is_slip(*pairs[0]) else ""


def written_alike(number: int, others: Iterable[int]) -> list[int]:
    """Order numbers by how alike one is written, in four figures; of equals the nearer ones first.

    >>> written_alike(50, [33, 34, 5, 12])
    [5, 34, 33, 12]
    """
    from rapidfuzz.distance import OSA

    written = f"{number:04d}"
    return sorted(others, key=lambda n: (OSA.distance(written, f"{n:04d}"), abs(n - number), n))


def _opposite(one: str, other: str) -> bool:
    return any(
        {one.startswith(left), other.startswith(left)} == {True, False}
        and (one.startswith(right) or other.startswith(right))
        for left, right in _OPPOSITES
    )
