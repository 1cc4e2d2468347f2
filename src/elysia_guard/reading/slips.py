"""Words that are mistyped: the one known word that is near, beyond doubt."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final

from elysia_guard.language.glossary import translations
from elysia_guard.language.pack import langs
from elysia_guard.language.spelling import NearSpellings, is_slip, most_slips
from elysia_guard.language.stems import is_stop_word, stem
from elysia_guard.reading.tokens import Token

_MOST_KEPT: Final = 5_000


class Slips:
    """Finds the word that was meant among many, in less than a tenth of a millisecond."""

    def __init__(self, words: Collection[str], others: Collection[str]) -> None:
        """Take the words that may be meant, and others that are well spelt too."""
        self._known = frozenset(words) | frozenset(others)
        self._stems = {(lang, stem(word, lang)) for word in words for lang in langs()}
        self._near = NearSpellings(dict.fromkeys(words, 1))
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
        return replace(token, said=word, word=word) if word else token

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
        nearest = self._near.nearest(word)
        return nearest if nearest and is_slip(word, nearest) else ""
