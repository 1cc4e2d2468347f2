"""Words that are mistyped: the one known word that is near, beyond doubt."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import Final

from elysia_guard.language.glossary import translations
from elysia_guard.language.pack import langs
from elysia_guard.language.spelling import is_slip, most_slips, near
from elysia_guard.language.stems import is_stop_word, stem
from elysia_guard.reading.tokens import Token

_END: Final = 3
_MOST_KEPT: Final = 5_000


class Slips:
    """Finds the word that was meant among many, in less than a tenth of a millisecond.

    A slip leaves the beginning of a word or its end as it was: only such words are compared.
    """

    def __init__(self, words: Collection[str], others: Collection[str]) -> None:
        """Take the words that may be meant, and others that are well spelt too."""
        self._known = frozenset(words) | frozenset(others)
        self._stems = {(lang, stem(word, lang)) for word in words for lang in langs()}
        self._alike: dict[str, list[str]] = defaultdict(list)
        for word in sorted(words):
            for key in _keys(word) if most_slips(word) else ():
                self._alike[key].append(word)
        self._is_known = lru_cache(maxsize=_MOST_KEPT)(self._spelt)
        self._is_meant = lru_cache(maxsize=_MOST_KEPT)(self._meant)

    def mended(self, tokens: Sequence[Token], known: Collection[str] = ()) -> list[Token]:
        """Return the words of a text as they are meant, each mistyped one replaced.

        ``known`` are words in lower case that are meant as they are.
        """
        return [token if token.word in known else self._mended(token) for token in tokens]

    def _mended(self, token: Token) -> Token:
        if not most_slips(token.word) or self.knows(token):
            return token
        word = self._is_meant(token.word)
        return token._replace(said=word, word=word) if word else token

    def knows(self, token: Token) -> bool:
        """Tell whether a word is spelt as some label, title or language has it."""
        return self._is_known(token.word, token.said)

    def _spelt(self, word: str, said: str) -> bool:
        return (
            word in self._known
            or any(is_stop_word(said, lang) for lang in langs())
            or any((lang, stem(word, lang)) in self._stems for lang in langs())
            or any(translations(said, lang) for lang in langs())
        )

    def _meant(self, word: str) -> str:
        """Return the word that one is mistyped for; empty where none is near, or several are."""
        found: dict[str, int] = {}
        for key in _keys(word):
            found |= near(word, self._alike.get(key, ()), most_slips(word))
        best = min(found.values(), default=0)
        nearest = [other for other, slips in found.items() if slips == best]
        return nearest[0] if len(nearest) == 1 and is_slip(word, nearest[0]) else ""


def _keys(word: str) -> tuple[str, str]:
    return f"^{word[:_END]}", f"{word[-_END:]}$"
