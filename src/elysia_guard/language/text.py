"""Cleaning, normalising and folding of text; every comparison in the program goes through here."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache

from elysia_guard.language.pack import words_of

_VOWEL = "[aeiouyh\u00e0-\u00e6\u00e8-\u00ef\u00f2-\u00f6\u00f9-\u00fd\u0153]"
# The names of most letters begin with a vowel too: "l'XML".
_SPOKEN_ONTO = rf"(?:{_VOWEL}|(?-i:[A-Z]))"
_SPACE = re.compile(r"\s+")
_JOINERS = re.compile(r"[\s\-\u2010-\u2015/_.,:;()'\"\u2018\u2019\u201c\u201d]+")
_BREAKS = "\t\n\r\v\f\u2028\u2029"
_INVISIBLE = frozenset({"Cc", "Cf", "Cs", "Co"})
_OPENING_MARKS = str.maketrans("", "", "\u00bf\u00a1")
_QUESTION = 500
"""Characters of a text that may be a question, whose words are asked for again."""
QUOTES = "\"'\u2018\u2019\u201c\u201d\u201e\u00ab\u00bb`"


def clean(text: str) -> str:
    """Drop control and invisible characters, compose (NFC) and collapse white space."""
    if text.isprintable():
        return " ".join(unicodedata.normalize("NFC", text).split())
    visible = "".join(
        " " if char in _BREAKS else char
        for char in text
        if char in _BREAKS or unicodedata.category(char) not in _INVISIBLE
    )
    return _SPACE.sub(" ", unicodedata.normalize("NFC", visible)).strip()


def normalise(term: str) -> str:
    """Lower-case, trim and collapse white space: the identity of a term (IR0003's cache key).

    >>> normalise("  CIM   XML ")
    'cim xml'
    """
    return clean(term).casefold()


def without_opening_marks(text: str) -> str:
    """Drop the marks that open a question or a call, in front of which no form begins.

    >>> without_opening_marks("\u00bfqu\u00e9 es un grupo?")
    'qu\u00e9 es un grupo?'
    """
    return text.translate(_OPENING_MARKS)


def own_words(said: str, text: str) -> str:
    """Return what was understood of a text, where it stands there in one piece; else all of it.

    What is quoted back to a person is what was written, never words that were put together.

    >>> own_words("PCI compliance", "What is our policy on PCI compliance?")
    'PCI compliance'
    >>> own_words("What is our on PCI compliance", "What is our policy on PCI compliance?")
    'What is our policy on PCI compliance?'
    """
    return said if normalise(said) in normalise(text) else text


def fold(term: str) -> str:
    """Normalise, and drop diacritics, hyphens, blanks and punctuation: 'CIM/XML' is 'cimxml'."""
    return folded(normalise(term))


def folded(normalised: str) -> str:
    """Drop what ``fold`` drops of a text that is normalised."""
    return _JOINERS.sub("", without_marks(normalised))


def without_marks(text: str) -> str:
    """Drop diacritics: 'prévu' is 'prevu'."""
    if text.isascii():
        return text
    decomposed = unicodedata.normalize("NFD", text)
    return "".join(char for char in decomposed if not unicodedata.combining(char))


def words(text: str) -> list[str]:
    """Split into lower-case words; digits count as words, punctuation does not.

    >>> words("What's the TLS-1.3 decision?")
    ["what's", 'the', 'tls', '1', '3', 'decision']
    """
    return list(_words(text) if len(text) < _QUESTION else _words.__wrapped__(text))


@lru_cache(maxsize=200)
def _words(text: str) -> Sequence[str]:
    found = "\n".join(_word().findall(unicodedata.normalize("NFC", text)))
    # All at once, which takes a third of the time of word by word.
    return found.casefold().replace("\u2019", "'").splitlines()


def words_in_place(text: str, start: int = 0, end: int | None = None) -> Iterator[re.Match[str]]:
    """Find the words of a text that is composed (NFC), where they stand and as they are written.

    Args:
        text: to look through.
        start: where to begin.
        end: where to stop; by default at its end.
    """
    return _word().finditer(text, start, len(text) if end is None else end)


@cache
def _word() -> re.Pattern[str]:
    """A word; what is written onto the next one is a word of its own: 'l\u2019', 'qu\u2019'."""
    return re.compile(rf"{elided()}|[^\W_]+(?:['\u2019][^\W_]+)*", re.IGNORECASE)


@cache
def elided() -> str:
    """Write the pattern of what is written onto the next word: the article of 'l\u2019eau'."""
    found = "|".join(words_of(lambda core: core.words.elided))
    return rf"\b(?:{found})['\u2019](?={_SPOKEN_ONTO})" if found else "(?!)"


def unquote(term: str) -> str:
    """Strip surrounding quotation marks and closing punctuation from a term."""
    return term.strip().strip("?!.,;:\u2026 ").strip(QUOTES).strip("?!.,;: ").strip()
