"""The words of a question as titles see them: which tell, which belong together, who bears them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from elysia_guard.domain.question import Lang
from elysia_guard.reading.naming_words import NamingWords
from elysia_guard.reading.title_words import Bearing, TitleWords, is_telling
from elysia_guard.reading.tokens import Token, joined


@dataclass(frozen=True, kw_only=True, slots=True)
class Wording:
    """A question, cut into words, in its language.

    ``telling`` tells of each word whether it may tell titles apart: no function word, nor one for
    a kind. ``bearing`` are the documents that bear it: none where it does not tell.
    """

    text: str
    tokens: Sequence[Token]
    lang: Lang
    naming: NamingWords
    telling: tuple[bool, ...]
    bearing: tuple[Bearing, ...]

    @classmethod
    def of(
        cls, text: str, tokens: Sequence[Token], lang: Lang, words: TitleWords, naming: NamingWords
    ) -> Self:
        """Hold each word of a question against the titles."""
        kinds = naming.kinds.keys() | naming.several.keys()
        telling = tuple(is_telling(token) and token.word not in kinds for token in tokens)
        return cls(
            text=text,
            tokens=tokens,
            lang=lang,
            naming=naming,
            telling=telling,
            bearing=tuple(
                words.bearing(token, lang) if tells else {}
                for token, tells in zip(tokens, telling, strict=True)
            ),
        )

    def follows(self, place: int) -> bool:
        """Tell whether a word and the one before it belong to one phrase."""
        return 0 < place < len(self.tokens) and joined(
            self.text, self.tokens[place - 1], self.tokens[place]
        )

    def word(self, place: int) -> str:
        """The word at a place, in lower case and without marks."""
        return self.tokens[place].word

    def said(self, first: int, last: int) -> list[Token]:
        """The telling words from one place to before another."""
        return [self.tokens[place] for place in range(first, last) if self.telling[place]]

    def is_definite(self, place: int) -> bool:
        """Tell whether what begins at a place is known to both sides: 'the', 'our'."""
        return self.follows(place) and self.word(place - 1) in self.naming.definite

    def is_indefinite(self, place: int) -> bool:
        """Tell whether any is meant, or the first of a list: 'a decision', 'which old policy'."""
        for at in range(place - 1, -1, -1):
            if not self.follows(at + 1):
                return False
            if self.word(at) in self.naming.indefinite:
                return True
            if not self.telling[at]:
                return False
        return False
