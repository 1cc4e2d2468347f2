"""Which words and numbers are written alike, and whether a word is another one mistyped.

A word that the language packs write out is none: of function, of asking, of documents.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from elysia_guard.domain.question import Lang
from elysia_guard.language.own_kinds import kept_by_kinds
from elysia_guard.language.pack import langs, pack
from elysia_guard.language.text import normalise, without_marks, words

SHORTEST = 4
"""Letters of a word that may be mistyped."""
SHORTEST_ALONE = 7
"""Letters of a term of one word."""
OTHER_START = 8
"""Letters from which the first may be the wrong one: 'kapaciteit'."""
TWO_SLIPS, SURELY_TWO = 9, 11
"""Letters from which a word may hold two slips, and does beyond doubt."""
MOST_NEAR = 8
"""So many near words are told of one, the nearest and most frequent."""
_LONG = 8
"""Letters from which a word is looked for by its three first or last ones, not by two."""
_OPPOSITES = (("micro", "macro"), ("inter", "intra"), ("hyper", "hypo"), ("under", "over"))
_QUALIFIER = re.compile(r"(\S.*?)\s*\([^()]*\)")
_FILES: Final = ("core", "fields", "forms", "glossary", "listings", "relations", "spans")
_APART: Final = re.compile(r"[\s|():]+")


def unqualified(label: str) -> str:
    """Return a label without what stands in brackets at its end; empty where nothing does.

    >>> unqualified("CPI (Consumer Price Index)"), unqualified("inflation")
    ('CPI', '')
    """
    found = _QUALIFIER.fullmatch(label) if label.endswith(")") else None
    return found[1] if found else ""


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
        found = self._near(without_marks(word))
        ranked = sorted(found, key=lambda other: (found[other], -self._counts[other], other))
        return {other: self._counts[other] for other in ranked[:MOST_NEAR]}

    def nearest(self, word: str) -> str:
        """Return the word written nearest to one without marks; empty for none, or several."""
        found = self._near(word)
        best = min(found.values(), default=0)
        nearest = [other for other, slips in found.items() if slips == best]
        return nearest[0] if len(nearest) == 1 else ""

    def _near(self, word: str) -> dict[str, int]:
        most, found = most_slips(word), dict[str, int]()
        for key in _keys(word) if most else ():
            found |= near(word, self._alike.get(key, ()), most)
        return found


def near(word: str, others: Sequence[str], most: int) -> dict[str, int]:
    """Return those of some words that so many slips make of one at most, with their slips."""
    from rapidfuzz import process  # not every question needs it
    from rapidfuzz.distance import OSA

    found = process.extract(word, others, scorer=OSA.distance, score_cutoff=most, limit=None)
    return {other: distance for other, distance, _ in found}


def counted(titles: Iterable[str], counts: Mapping[str, int]) -> dict[str, int]:
    """Count words of titles beside those of passages."""
    return dict.fromkeys(titles, 1) | dict(counts)


def is_slip(word: str, other: str) -> bool:
    """Tell whether a word is another one mistyped, beyond doubt.

    Another last letter, a first one in a short word, digits and opposites make another word.
    """
    if word[-1:] != other[-1:] or (word[:1] != other[:1] and len(word) < OTHER_START):
        return False
    shorter = min(word, other, key=len)
    most = min(most_slips(word), most_slips(other), 1 + (len(shorter) >= SURELY_TWO))
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


def _keys(word: str) -> Iterator[str]:
    """What a word is found by: its beginning, its end, and its letters in their order."""
    for length in {2, 3} if _LONG - 1 <= len(word) <= _LONG else {2 + (len(word) > _LONG)}:
        yield f"^{word[:length]}"
        yield f"{word[-length:]}$"
    yield f"={''.join(sorted(word))}"


@kept_by_kinds()
def form_words(lang: Lang) -> frozenset[str]:
    """Return the words of a pack, in lower case and without marks; parts of patterns are none.

    >>> "which" in form_words("en"), "besluiten" in form_words("nl")
    (True, True)
    """
    return frozenset(word for word in _written(lang) if word.isalpha())


def is_form_word(word: str) -> bool:
    """Tell whether the pack of any language has a word, given without marks."""
    return word in _every() or word.startswith(_begun())


@kept_by_kinds()
def _every() -> frozenset[str]:
    return frozenset().union(*map(form_words, langs()))


@kept_by_kinds()
def _begun() -> tuple[str, ...]:
    """What words of a pack begin with, whatever their ending: 'remplac\u00e9*'."""
    written = (word.removesuffix("*") for lang in langs() for word in _written(lang) if "*" in word)
    return tuple(word for word in written if word.isalpha())


def _written(lang: Lang) -> Iterator[str]:
    tables = (pack(lang).table(name, optional=True) for name in _FILES)
    said = (word for table in tables for text in _texts(table) for word in _APART.split(text))
    return (without_marks(normalise(word)) for word in said)


def _texts(value: Any) -> Iterator[str]:
    match value:
        case str():
            yield value
        case dict():
            for key, inner in value.items():
                yield key
                yield from _texts(inner)
        case list():
            for inner in value:
                yield from _texts(inner)
        case _:
            return
