"""Cutting a text into the pieces a model knows: the most likely ones together (unigram)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache

SPACE = "▁"
"""Stands for a space; no piece has one but at its start, so each word is cut by itself."""
MOST_WORDS = 50_000
"""Of so many words it is kept how they are cut."""
_WORSE = 10.0
"""What a character that is in no piece counts below the least likely piece, as a logarithm."""


class Pieces:
    """A tokeniser of the kind that SentencePiece calls unigram.

    Args:
        pieces: the pieces; a piece's place is its number.
        scores: the logarithm of how likely each is.
        replacements: what characters are replaced by before, in code points.
        unknown: the number of what stands for a character that is in no piece.
    """

    def __init__(
        self,
        pieces: Sequence[str],
        scores: Sequence[float],
        replacements: Mapping[int, str],
        *,
        unknown: int,
    ) -> None:
        self._numbers = {piece: number for number, piece in enumerate(pieces) if number != unknown}
        self._scores = scores
        self._replacements = replacements
        self._unknown = unknown
        self._longest = max(map(len, pieces))
        self._least = min(scores) - _WORSE
        self._cut = lru_cache(maxsize=MOST_WORDS)(self._best)

    def numbers(self, text: str) -> list[int]:
        """The numbers of the pieces of a text."""
        plain = text.translate(self._replacements)
        # A space at the start adds none, one at the end is a word of its own.
        joined = " ".join(part for part in plain.removeprefix(" ").split(" ") if part)
        ending = [""] if plain.endswith(" ") and joined else []
        words = [*joined.split(" "), *ending]
        return [number for word in words for number in self._cut(SPACE + word)]

    def _best(self, word: str) -> tuple[int, ...]:
        """The most likely pieces of a word, by what leads to each of its places (Viterbi)."""
        best = [(0.0, 0, self._unknown)] + [(-math.inf, 0, self._unknown)] * len(word)
        for start in range(len(word)):
            so_far = best[start][0]
            for end in range(start + 1, min(start + self._longest, len(word)) + 1):
                number = self._numbers.get(word[start:end])
                if number is not None:
                    likely = so_far + self._scores[number]
                elif end == start + 1:
                    number, likely = self._unknown, so_far + self._least
                else:
                    continue
                if likely > best[end][0]:
                    best[end] = (likely, start, number)
        return self._traced(best)

    @staticmethod
    def _traced(best: Sequence[tuple[float, int, int]]) -> tuple[int, ...]:
        found, place = [], len(best) - 1
        while place:
            _, start, number = best[place]
            found.append(number)
            place = start
        return tuple(reversed(found))
