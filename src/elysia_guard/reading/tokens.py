"""The words of a text, and where each stands in it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Final, NamedTuple

from elysia_guard.language.kinds import long_names, names_as_words
from elysia_guard.language.own_kinds import kept_by_kinds
from elysia_guard.language.pack import langs
from elysia_guard.language.stems import is_stop_word
from elysia_guard.language.text import elided, without_marks

_LETTER = "[^\\W_][\u0300-\u036f]*"
_BETWEEN: Final = " -/\u2010\u2011'\"\u2018\u2019\u201c\u201d\u201e"
_GENITIVE: Final = re.compile("['\u2019]s$")


class Token(NamedTuple):
    """A word at ``[start, end)``.

    ``said`` is it in lower case, without a genitive; ``word`` also without marks and apostrophes.
    """

    start: int
    end: int
    said: str
    word: str


@kept_by_kinds(maxsize=64)
def tokens_of(text: str) -> Sequence[Token]:
    """Split a text into its words.

    A plus or a number sign at the end belongs to a word: 'C++' is not 'C'. What a house calls its
    kinds of documents is one word: 'request for comments'.

    >>> [token.word for token in tokens_of("Prévu: the API-gateway's C++?")]
    ['prevu', 'the', 'api', 'gateway', 'c++']
    """
    found = [
        Token(match.start(), match.end(), *_words(match.group()))
        for match in _token().finditer(text)
    ]
    if not long_names():
        return found
    said = [token.said.replace("\u2019", "'") for token in found]
    return [_one(found[start:end]) for start, end in names_as_words(said)]


def _one(tokens: Sequence[Token]) -> Token:
    if len(tokens) == 1:
        return tokens[0]
    said, word = (
        " ".join(parts) for parts in zip(*((t.said, t.word) for t in tokens), strict=True)
    )
    return Token(tokens[0].start, tokens[-1].end, said, word)


@cache
def _token() -> re.Pattern[str]:
    word = rf"(?:{_LETTER})+(?:['\u2019](?:{_LETTER})+)*[+#]*"
    return re.compile(f"{elided()}|{word}", re.IGNORECASE)


def words_of(text: str) -> tuple[str, ...]:
    """Split a text into its words, as ``tokens_of`` does."""
    if long_names():
        return tuple(token.word for token in tokens_of(text))
    return tuple(_words(written)[1] for written in _token().findall(text))


def joined(text: str, one: Token, other: Token) -> bool:
    """Tell whether nothing but blanks, hyphens and quotation marks stands between two words."""
    return not text[one.end : other.start].strip(_BETWEEN)


def is_telling(token: Token) -> bool:
    """Tell whether a word may tell titles apart: no function word in any language."""
    return not any(is_stop_word(token.said, lang) for lang in langs())


@lru_cache(maxsize=50_000)
def _words(written: str) -> tuple[str, str]:
    said = _GENITIVE.sub("", unicodedata.normalize("NFC", written).casefold())
    return said, without_marks(said).replace("'", "").replace("\u2019", "")
