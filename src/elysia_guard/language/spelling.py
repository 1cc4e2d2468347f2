"""Whether a word is another one mistyped, and beyond doubt; which numbers are written alike."""

from __future__ import annotations

from collections.abc import Iterable

from rapidfuzz.distance import OSA

from elysia_guard.language.text import normalise, without_marks, words

SHORTEST = 4
SHORTEST_ALONE = 7
"""Letters of a term of one word."""
TWO_SLIPS = 12
"""Letters from which a word may hold two slips."""
_ALIKE_AT_FIRST = 3
_OPPOSITES = (("micro", "macro"), ("inter", "intra"), ("hyper", "hypo"), ("under", "over"))


def mistyped(written: str, label: str) -> str:
    """Return the one word of a term that differs from a label by a slip; '' for any other.

    A first or last letter that differs, digits and opposites are no slips: they make other words.

    >>> mistyped("wobbe indx", "Wobbe index"), mistyped("employer", "employee")
    ('indx', '')
    """
    found, meant = words(without_marks(normalise(written))), words(without_marks(normalise(label)))
    if len(found) != len(meant):
        return ""
    pairs = [(one, other) for one, other in zip(found, meant, strict=True) if one != other]
    if len(pairs) != 1 or (len(found) == 1 and len(found[0]) < SHORTEST_ALONE):
        return ""
    ((one, other),) = pairs
    return one if _slip(one, other) else ""


def written_alike(number: int, others: Iterable[int]) -> list[int]:
    """Order numbers by how alike one is written, in four figures; of equals the nearer ones first.

    >>> written_alike(50, [33, 34, 5, 12])
    [5, 34, 33, 12]
    """
    written = f"{number:04d}"
    return sorted(others, key=lambda n: (OSA.distance(written, f"{n:04d}"), abs(n - number), n))


def _slip(one: str, other: str) -> bool:
    shorter = min(len(one), len(other))
    if shorter < SHORTEST or not (one + other).isalpha() or _opposite(one, other):
        return False
    if one[:_ALIKE_AT_FIRST] != other[:_ALIKE_AT_FIRST] or one[-1] != other[-1]:
        return False
    return OSA.distance(one, other) <= (2 if shorter >= TWO_SLIPS else 1)


def _opposite(one: str, other: str) -> bool:
    return any(
        {one.startswith(left), other.startswith(left)} == {True, False}
        and (one.startswith(right) or other.startswith(right))
        for left, right in _OPPOSITES
    )
