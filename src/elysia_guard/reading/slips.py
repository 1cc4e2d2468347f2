"""Words that are mistyped: the one known word that is near, beyond doubt."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Final

from rapidfuzz import process
from rapidfuzz.distance import OSA

from elysia_guard.language.glossary import translations
from elysia_guard.language.pack import langs
from elysia_guard.language.stems import is_stop_word, stem
from elysia_guard.reading.tokens import Token

SHORTEST: Final = 4
"""Letters of a word that may be mistyped."""
TWO_SLIPS: Final = 11
"""Letters from which a word may hold two slips."""
OTHER_START: Final = 8
"""Letters from which the first may be the wrong one: 'kapaciteit'."""
_END: Final = 3
_OPPOSITES: Final = (("micro", "macro"), ("inter", "intra"), ("hyper", "hypo"), ("under", "over"))


class Slips:
    """Finds the word that was meant among many, in less than a tenth of a millisecond.

    A slip leaves the beginning of a word or its end as it was: only such words are compared.
    """

    def __init__(self, words: Collection[str], others: Collection[str]) -> None:
        """Take the words that may be meant, and others that are well spelt too.

        Words with figures, and very short ones, are never meant.
        """
        self._others = others
        self._words = frozenset(words)
        self._stems = {(lang, stem(word, lang)) for word in words for lang in langs()}
        self._alike: dict[str, list[str]] = defaultdict(list)
        for word in sorted(self._words):
            if len(word) >= SHORTEST and word.isalpha():
                for key in _keys(word):
                    self._alike[key].append(word)

    def mended(self, tokens: Sequence[Token], known: Collection[str] = ()) -> list[Token]:
        """Return the words of a text as they are meant, each mistyped one replaced.

        ``known`` are words in lower case that are meant as they are.
        """
        return [token if token.word in known else self._mended(token) for token in tokens]

    def _mended(self, token: Token) -> Token:
        if len(token.word) < SHORTEST or not token.word.isalpha() or self._is_known(token):
            return token
        word = self._meant(token.word)
        return replace(token, said=word, word=word) if word else token

    def _is_known(self, token: Token) -> bool:
        """Tell whether a word is spelt as some label, title or language has it."""
        return (
            token.word in self._words
            or token.word in self._others
            or any((lang, stem(token.word, lang)) in self._stems for lang in langs())
            or any(is_stop_word(token.said, lang) for lang in langs())
            or any(translations(token.said, lang) for lang in langs())
        )

    def _meant(self, word: str) -> str:
        """Return the word that one is mistyped for; empty where none is near, or several are."""
        near: dict[str, int] = {}
        for key in _keys(word):
            found = process.extract(
                word,
                self._alike.get(key, ()),
                scorer=OSA.distance,
                score_cutoff=2 if len(word) >= TWO_SLIPS else 1,
                limit=None,
            )
            near.update({other: int(distance) for other, distance, _ in found})
        best = min(near.values(), default=0)
        nearest = [other for other, distance in near.items() if distance == best]
        return nearest[0] if _is_one(nearest) and _is_slip(word, nearest[0]) else ""


def _keys(word: str) -> tuple[str, str]:
    return f"^{word[:_END]}", f"{word[-_END:]}$"


def _is_one(words: Sequence[str]) -> bool:
    """Whether words are one, in some forms of it."""
    return any(len({stem(word, lang) for word in words}) == 1 for lang in langs())


def _is_slip(word: str, other: str) -> bool:
    if word[0] != other[0] and len(word) < OTHER_START:
        return False
    return not any(
        {word.startswith(left), other.startswith(left)} == {True, False}
        and (word.startswith(right) or other.startswith(right))
        for left, right in _OPPOSITES
    )
