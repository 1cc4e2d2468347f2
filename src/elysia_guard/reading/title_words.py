"""Which documents a word of a question points to, by the words of their titles."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final

from elysia_guard.domain.question import Lang
from elysia_guard.language.glossary import translations
from elysia_guard.language.pack import langs
from elysia_guard.language.stems import is_stop_word, stem
from elysia_guard.reading.tokens import Token, words_of

TRANSLATED: Final = 0.8
"""What a word counts that is a title's in another language, of 1."""
AKIN: Final = 0.7
"""What a word counts that is of one root with a title's: 'postgres', 'PostgreSQL'; or initials."""
_ROOT: Final = 5
_ROOT_SHARE: Final = 0.6
"""Letters that two words of one root begin with alike, and what share of the longer they are."""
_FEWEST_INITIALS: Final = 3
_MOST_KEPT: Final = 20_000

Bearing = Mapping[int, float]
"""The documents, by their places, that bear a word; and how much it tells of each, above 0."""
Stem = tuple[Lang, str]


class TitleWords:
    """The telling words of documents' names: the fewer bear a word, the more it tells."""

    def __init__(self, names: Sequence[Sequence[Sequence[Token]]]) -> None:
        """Take the words of each document's names."""
        self._names = [
            [{token.word for token in name if is_telling(token)} for name in every]
            for every in names
        ]
        self._bearers: dict[str | Stem, set[int]] = defaultdict(set)
        self._initials: dict[str, set[int]] = defaultdict(set)
        for place, every in enumerate(self._names):
            for word in {word for name in every for word in name}:
                self._bearers[word].add(place)
                for key in _stems(word):
                    self._bearers[key].add(place)
            for letters in {each for name in names[place] for each in _initials(name)}:
                self._initials[letters].add(place)
        self.all: Final = frozenset(key for key in self._bearers if isinstance(key, str))
        self._roots: dict[str, list[str]] = defaultdict(list)
        for word in self.all:
            self._roots[word[:_ROOT]].append(word)
        self._kept: dict[tuple[str, Lang], Bearing] = {}

    def bearing(self, token: Token, lang: Lang) -> Bearing:
        """Return the documents that bear a word, else a translation, else a word of its root.

        Else those with words of which it is made of the initials.
        """
        if len(self._kept) >= _MOST_KEPT:
            self._kept.clear()
        key = token.said, lang
        if key not in self._kept:
            self._kept[key] = (
                self._borne([self._with((token.word, *_stems(token.word)))], 1.0)
                or self._borne(map(self._of, _foreign(token.said, lang)), TRANSLATED)
                or self._borne([self._with(self._akin(token.word))], AKIN)
                or self._borne([self._initials.get(token.word, set())], AKIN)
            )
        return self._kept[key]

    def coverage(self, place: int, said: Iterable[Token], lang: Lang) -> tuple[float, int]:
        """Return how much of one of a document's names is said: a share, 0 to 1, and words.

        Nothing where a word of what is said is not in the same name.
        """
        own = {key for token in said for key in _stems(token.word)}
        keys = [_stems(token.word) | _foreign(token.said, lang) for token in said]
        best = 0.0, 0
        for name in self._names[place]:
            held = [
                word for word in name if any(not each.isdisjoint(_stems(word)) for each in keys)
            ]
            stems = {key for word in held for key in _stems(word)}
            if held and not any(each.isdisjoint(stems) for each in keys):
                whole = sum(map(self._weight, name))
                told = sum(
                    self._weight(word) * (1 if own & _stems(word) else TRANSLATED) for word in held
                )
                best = max(best, (told / whole, len(held)))
        return best

    def _borne(self, bearers: Iterable[set[int]], worth: float) -> Bearing:
        """Of a compound each part counts: what bears more of them is told by it more."""
        told: dict[int, float] = defaultdict(float)
        for places in set(map(frozenset, bearers)):
            for place in places:
                told[place] += worth * self._rarity(len(places))
        return told

    def _of(self, key: str | Stem) -> set[int]:
        return self._bearers.get(key, set())

    def _with(self, keys: Iterable[str | Stem]) -> set[int]:
        return set().union(*map(self._of, keys))

    def _akin(self, word: str) -> Iterator[str]:
        for other in self._roots.get(word[:_ROOT], ()) if len(word) >= _ROOT else ():
            root = math.ceil(_ROOT_SHARE * max(len(word), len(other)))
            if root <= len(word) and other.startswith(word[:root]):
                yield other

    def _weight(self, word: str) -> float:
        return self._rarity(len(self._bearers[word]))

    def _rarity(self, bearers: int) -> float:
        return math.log((len(self._names) + 1) / (bearers + 0.5))


def is_telling(token: Token) -> bool:
    """Tell whether a word may tell titles apart: no function word in any language."""
    return not any(is_stop_word(token.said, lang) for lang in langs())


def _initials(name: Sequence[Token]) -> Iterator[str]:
    """The initials of three words or more that follow each other."""
    letters = "".join(token.word[0] for token in name)
    for start in range(len(letters)):
        for end in range(start + _FEWEST_INITIALS, len(letters) + 1):
            yield letters[start:end]


@lru_cache(maxsize=_MOST_KEPT)
def _stems(word: str) -> frozenset[Stem]:
    return frozenset((lang, stem(word, lang)) for lang in langs())


@lru_cache(maxsize=_MOST_KEPT)
def _foreign(said: str, lang: Lang) -> frozenset[Stem]:
    """The stems of a word's translations, and of its parts."""
    named = translations(said, lang)
    return frozenset((other, stem(word, other)) for name, other in named for word in words_of(name))
