"""Which documents a word of a question points to, by the words of their titles."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain
from typing import Final

from elysia_guard.domain.question import Lang
from elysia_guard.language.glossary import translations
from elysia_guard.language.pack import langs
from elysia_guard.language.stems import stem
from elysia_guard.reading.tokens import Token, is_telling, words_of

_ROOT: Final = 5
_ROOT_SHARE: Final = 0.6
"""Letters that two words of one root begin with alike, and what share of the longer they are."""
_FEWEST_INITIALS: Final = 3
_MOST_KEPT: Final = 20_000

Bearing = frozenset[int]
"""The documents that bear a word, by their places."""
Stem = tuple[Lang, str]


class TitleWords:
    """The telling words of documents' names."""

    def __init__(self, names: Sequence[Sequence[Sequence[Token]]]) -> None:
        """Take the words of each document's names."""
        self._bearers: dict[str | Stem, set[int]] = defaultdict(set)
        self._initials: dict[str, set[int]] = defaultdict(set)
        for place, every in enumerate(names):
            for initials in chain.from_iterable(map(_initials, every)):
                self._initials[initials].add(place)
            for token in chain.from_iterable(every):
                if is_telling(token):
                    self._bearers[token.word].add(place)
                    for key in _stems(token.word):
                        self._bearers[key].add(place)
        self.all: Final = frozenset(key for key in self._bearers if isinstance(key, str))
        self._roots: dict[str, list[str]] = defaultdict(list)
        for word in self.all:
            self._roots[word[:_ROOT]].append(word)

    def bearing(self, token: Token, lang: Lang) -> Bearing:
        """Return the documents that bear a word, else a translation, else a word of its root.

        Else those of which it is the initials.
        """
        return frozenset(
            self._with((token.word, *_stems(token.word)))
            or self._most(_foreign(token.said, lang))
            or self._with(self._akin(token.word))
            or self._initials.get(token.word, set())
        )

    def _most(self, keys: Iterable[Stem]) -> set[int]:
        """What bears most of some words: of a compound each part counts."""
        borne = Counter(chain.from_iterable(map(self._of, keys)))
        return {place for place, count in borne.items() if count == max(borne.values())}

    def _of(self, key: str | Stem) -> set[int]:
        return self._bearers.get(key, set())

    def _with(self, keys: Iterable[str | Stem]) -> set[int]:
        return set().union(*map(self._of, keys))

    def _akin(self, word: str) -> Iterator[str]:
        for other in self._roots.get(word[:_ROOT], ()) if len(word) >= _ROOT else ():
            root = math.ceil(_ROOT_SHARE * max(len(word), len(other)))
            if root <= len(word) and other.startswith(word[:root]):
                yield other


def _initials(name: Sequence[Token]) -> Iterator[str]:
    """The initials of the last words: 'MADR' of 'Use Markdown architectural decision records'."""
    letters = "".join(token.word[0] for token in name)
    return (letters[start:] for start in range(len(letters) - _FEWEST_INITIALS + 1))


@lru_cache(maxsize=_MOST_KEPT)
def _stems(word: str) -> frozenset[Stem]:
    return frozenset((lang, stem(word, lang)) for lang in langs())


@lru_cache(maxsize=_MOST_KEPT)
def _foreign(said: str, lang: Lang) -> frozenset[Stem]:
    """The stems of a word's translations, and of its parts."""
    named = translations(said, lang)
    return frozenset((other, stem(word, other)) for name, other in named for word in words_of(name))
