"""Titles shortened as people do: a kind of document beside the words that tell which."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, pairwise, zip_longest
from typing import Final, NamedTuple

from elysia_guard.domain.document import DocumentKind
from elysia_guard.domain.question import Lang
from elysia_guard.language.glossary import translations
from elysia_guard.language.pack import langs
from elysia_guard.language.stems import stem
from elysia_guard.language.text import without_marks
from elysia_guard.reading.naming_words import Kinds, NamingWords, every_kind
from elysia_guard.reading.tokens import Token, is_telling, joined, words_of

_ROOT: Final = 5
_ROOT_SHARE: Final = 0.6
"""Letters that two words of one root begin with alike, and what share of the longer they are."""
_FEWEST_INITIALS: Final = 3
_MOST_KEPT: Final = 20_000

Bearing = frozenset[int]
"""The documents that bear a word, by their places."""
Stem = tuple[Lang, str]
MOST_MEANT: Final = 5
"""Documents that a shortened title may fit: what fits more names none."""
GAP: Final = 2
"""Function words that may stand between two words that tell the same title."""
_FAR: Final = 5
"""Words after a kind among which it is to be said what it is about."""
_SHORTEST_TOLD: Final = 3
"""Letters before the kind in a compound."""


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


class TitleMatch(NamedTuple):
    """The documents, by their places, that words from ``first`` to before ``last`` tell."""

    first: int
    last: int
    places: Sequence[int]


class Shortened(NamedTuple):
    """Finds a kind with telling words before it, behind it, or in one word with it.

    ``kinds`` are those of each document.
    """

    words: TitleWords
    kinds: Sequence[DocumentKind]
    naming: NamingWords

    def find(
        self, text: str, tokens: Sequence[Token], lang: Lang, whole: Collection[int]
    ) -> Iterator[TitleMatch]:
        """Give what is told; ``whole`` are places where a whole title ends, which need no more."""
        cut = [(at, each) for at, token in enumerate(tokens) for each in self._apart(token, lang)]
        if not any(token.word in self.naming.kinds for _, token in cut):
            return
        asked = _Asked(self, text, [token for _, token in cut], lang)
        for place, (at, token) in enumerate(cut):
            kinds = self.naming.kinds.get(token.word)
            if kinds and at not in whole and not asked.is_indefinite(place):
                told = asked.before(place, kinds) or asked.behind(place, kinds)
                if told and 0 < len(told.places) <= MOST_MEANT:
                    first, last = cut[told.first][0], cut[told.last - 1][0] + 1
                    yield TitleMatch(first, last, told.places)

    def _apart(self, token: Token, lang: Lang) -> Sequence[Token]:
        """'omnichannelprincipe': a word that ends in a kind, and begins with what tells which."""
        heads = self.naming.heads
        if token.word in self.naming.kinds or not token.word.endswith(heads):
            return (token,)
        head = next(head for head in heads if token.word.endswith(head))
        told = token.said[: len(token.said) - len(head)]
        word = Token(token.start, token.end, told, without_marks(told))
        if len(told) >= _SHORTEST_TOLD and self.words.bearing(word, lang):
            return word, Token(token.end, token.end, head, head)
        return (token,)


class _Asked:
    """A question as titles see it: which words tell, who bears them, what belongs together."""

    def __init__(self, known: Shortened, text: str, tokens: Sequence[Token], lang: Lang) -> None:
        self._naming, self._tokens, self._kinds = known.naming, tokens, known.kinds
        self._telling = [
            known.naming.is_telling(token, following)
            for token, following in zip_longest(tokens, tokens[1:])
        ]
        self._bearing = [
            known.words.bearing(token, lang) if tells else frozenset()
            for token, tells in zip(tokens, self._telling, strict=True)
        ]
        apart = [at for at, pair in enumerate(pairwise(tokens), 1) if not joined(text, *pair)]
        self._phrase = [
            range(start, end)
            for start, end in pairwise([0, *apart, len(tokens)])
            for _ in range(start, end)
        ]

    def is_indefinite(self, place: int) -> bool:
        """Tell whether any is meant, or the first of a list: 'a decision', 'which old policy'."""
        for at in range(place - 1, self._phrase[place].start - 1, -1):
            if self._tokens[at].word in self._naming.indefinite:
                return True
            if not self._telling[at]:
                return False
        return False

    def before(self, place: int, kinds: Kinds) -> TitleMatch | None:
        """'the TLS decision': every word between an article and the kind is to be borne."""
        places = range(place - 1, self._phrase[place].start - 1, -1)
        said, meant, broken = self._borne(places, kinds, until=self._naming.definite)
        first = min(said, default=place)
        if broken or not said or (kinds == every_kind() and not self._is_definite(first)):
            return None
        return TitleMatch(first, place + 1, sorted(meant))

    def behind(self, place: int, kinds: Kinds) -> TitleMatch | None:
        """'the decision on assistants and cited sources', as far as one document bears it."""
        places = range(self._told_from(place), self._phrase[place].stop)
        said, meant, broken = self._borne(places, kinds)
        is_known = kinds != every_kind() or self._is_definite(place)
        # One word, and the next is of no such title: 'the principle of least astonishment'.
        if not is_known or not said or (broken and len(said) == 1):
            return None
        return TitleMatch(place, max(said) + 1, sorted(meant))

    def _borne(
        self, places: Sequence[int], kinds: Kinds, until: Collection[str] = ()
    ) -> tuple[Sequence[int], Bearing, bool]:
        """The words from a place on, either way, that one document of some kinds bears all of.

        With those documents, and whether the next word tells of others, or follows at once.
        """
        said: list[int] = []
        meant: Bearing = frozenset()
        last = places[0] if places else 0
        for at in places:
            token, found = self._tokens[at], self._bearing[at]
            borne = frozenset(place for place in found if self._kinds[place] in kinds)
            is_asked = token.word in self._naming.asked and not borne
            if token.word in until or abs(at - last) > GAP + 1 or is_asked:
                break
            if self._telling[at]:
                if not (both := meant & borne if said else borne):
                    return said, meant, bool(found) or abs(at - last) <= 1
                said, meant, last = [*said, at], both, at
        return said, meant, False

    def _is_definite(self, place: int) -> bool:
        """Tell whether what begins at a place is known to both sides: 'the', 'our'."""
        known = self._naming.definite
        return place > self._phrase[place].start and self._tokens[place - 1].word in known

    def _told_from(self, place: int) -> int:
        """Where the words begin that tell which: behind 'on', or 'where they settled on'.

        The end of the phrase where nothing of the kind follows.
        """
        end = self._phrase[place].stop
        for at in range(place + 1, min(place + 1 + _FAR, end)):
            word = self._tokens[at].word
            if word in self._naming.about:
                return at + 1
            if at == place + 1 and word not in self._naming.relative:
                break
        return end
