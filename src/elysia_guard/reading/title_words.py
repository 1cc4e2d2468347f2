"""Which documents a word of a question points to, by the words of their titles."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache
from itertools import chain, takewhile
from typing import Final

from elysia_guard.domain.question import Lang
from elysia_guard.language.glossary import translations
from elysia_guard.language.pack import langs
from elysia_guard.language.stems import is_stop_word, stem
from elysia_guard.reading.tokens import Token, words_of

TRANSLATED: Final = 0.8
"""What a word counts that is a title's in another language, of 1."""
AKIN: Final = 0.7
"""What a word counts that is of one root with a title's: 'postgres', 'PostgreSQL'."""
_ROOT: Final = 5
_ROOT_SHARE: Final = 0.6
"""Letters that two words of one root begin with alike, and what share of the longer they are."""

_FEWEST_INITIALS: Final = 3
_MOST_KEPT: Final = 20_000

Bearing = Mapping[int, float]
"""The documents, by their places, that bear a word; and how much it tells of each, above 0."""
Stems = AbstractSet[tuple[Lang, str]]
Name = Mapping[str, Stems]
"""The telling words of a title, or of a file's name, with their stems."""


class TitleWords:
    """The telling words of documents' names: the fewer bear a word, the more it tells."""

    def __init__(self, names: Sequence[Sequence[Sequence[Token]]]) -> None:
        """Take the words of each document's names."""
        self._names: list[list[Name]] = [
            [
                {token.word: frozenset(_stems(token.word)) for token in name if is_telling(token)}
                for name in every
            ]
            for every in names
        ]
        self._bearers: dict[str, set[int]] = defaultdict(set)
        self._by_stem: dict[tuple[Lang, str], set[int]] = defaultdict(set)
        for place, every in enumerate(self._names):
            for word, stems in chain.from_iterable(name.items() for name in every):
                self._bearers[word].add(place)
                for key in stems:
                    self._by_stem[key].add(place)
        self._sorted = sorted(self._bearers)
        self._kept: dict[tuple[str, str, Lang], Bearing] = {}
        self._initials: dict[str, set[int]] = defaultdict(set)
        for place, titled in enumerate(names):
            for initials in chain.from_iterable(map(_initials, titled)):
                self._initials[initials].add(place)

    @property
    def all(self) -> Sequence[str]:
        """Every telling word."""
        return self._sorted

    def _direct(self, word: str) -> Bearing:
        """Return the documents that bear a word itself, or another form of it."""
        places = set(self._bearers.get(word, ()))
        for lang in langs():
            places |= self._by_stem.get((lang, stem(word, lang)), set())
        return dict.fromkeys(places, self._rarity(len(places)))

    def bearing(self, token: Token, lang: Lang) -> Bearing:
        """Return the documents that bear a word, else a translation, else a word of its root.

        Else those with words of which it is made of the initials.
        """
        if len(self._kept) >= _MOST_KEPT:
            self._kept.clear()
        key = token.said, token.word, lang
        if key not in self._kept:
            self._kept[key] = (
                self._direct(token.word)
                or self._translated(token, lang)
                or self._akin(token.word)
                or self._abbreviated(token.word)
            )
        return self._kept[key]

    def _translated(self, token: Token, lang: Lang) -> Bearing:
        """Of a compound each part counts: what bears more of them is told by it more."""
        told: dict[int, float] = defaultdict(float)
        held = {
            frozenset(self._by_stem.get(key, ())) for key in _keys(token.said, token.word, lang)
        }
        for places in held:
            for place in places:
                told[place] += TRANSLATED * self._rarity(len(places))
        return told

    def _akin(self, word: str) -> Bearing:
        root = word[:_ROOT]
        at = bisect_left(self._sorted, root)
        near = takewhile(lambda other: other.startswith(root), self._sorted[at:])
        places: set[int] = set()
        for other in near if len(root) == _ROOT else ():
            alike = sum(1 for _ in takewhile(_is_pair, zip(word, other, strict=False)))
            if alike >= _ROOT_SHARE * max(len(word), len(other)):
                places |= self._bearers[other]
        return dict.fromkeys(places, AKIN * self._rarity(len(places)))

    def _abbreviated(self, word: str) -> Bearing:
        places = self._initials.get(word, set())
        return dict.fromkeys(places, AKIN * self._rarity(len(places)))

    def coverage(self, place: int, said: Iterable[Token], lang: Lang) -> tuple[float, int]:
        """Return how much of one of a document's names is said: a share, 0 to 1, and words.

        Nothing where a word of what is said is not in the same name.
        """
        keys = [(set(_stems(token.word)), _keys(token.said, token.word, lang)) for token in said]
        best = 0.0, 0
        for name in self._names[place]:
            held = {
                word: max(_alikeness(stems, own, foreign) for own, foreign in keys)
                for word, stems in name.items()
            }
            if all(any(stems & foreign for stems in name.values()) for _, foreign in keys):
                whole = sum(map(self._weight, name)) or 1.0
                share = sum(self._weight(word) * alike for word, alike in held.items()) / whole
                best = max(best, (share, sum(alike > 0 for alike in held.values())))
        return best

    def _weight(self, word: str) -> float:
        return self._rarity(len(self._bearers[word]))

    def _rarity(self, bearers: int) -> float:
        return math.log((len(self._names) + 1) / (bearers + 0.5)) if bearers else 0.0


def is_telling(token: Token) -> bool:
    """Tell whether a word may tell titles apart: no function word in any language."""
    return not any(is_stop_word(token.said, lang) for lang in langs())


def _alikeness(stems: Stems, own: Stems, foreign: Stems) -> float:
    """How well another word says one of a name: 1 itself, less a translation, 0 not at all."""
    return 1.0 if stems & own else TRANSLATED if stems & foreign else 0.0


def _initials(name: Sequence[Token]) -> Iterator[str]:
    """The initials of three words or more that follow each other."""
    letters = "".join(token.word[0] for token in name)
    for start in range(len(letters)):
        for end in range(start + _FEWEST_INITIALS, len(letters) + 1):
            yield letters[start:end]


def _stems(word: str) -> Iterator[tuple[Lang, str]]:
    return ((lang, stem(word, lang)) for lang in langs())


@lru_cache(maxsize=20_000)
def _keys(said: str, word: str, lang: Lang) -> Stems:
    """The stems of a word, of its translations, and of its parts."""
    foreign = ((part, other) for name, other in translations(said, lang) for part in words_of(name))
    return {*_stems(word), *((other, stem(part, other)) for part, other in foreign)}


def _is_pair(pair: tuple[str, str]) -> bool:
    return pair[0] == pair[1]
