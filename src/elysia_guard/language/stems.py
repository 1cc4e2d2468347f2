"""Stop words and stems (Snowball), as the language packs say."""

from __future__ import annotations

import re
from functools import cache, lru_cache

import Stemmer

from elysia_guard.domain.question import Lang
from elysia_guard.language.pack import langs, pack
from elysia_guard.language.pack_reader import PackError
from elysia_guard.language.text import words


@cache
def _stemmer(lang: Lang) -> Stemmer.Stemmer | None:
    algorithm = pack(lang).core.stems.algorithm
    try:
        return Stemmer.Stemmer(algorithm) if algorithm else None
    except KeyError as err:
        raise PackError(
            f"language pack {lang}/core.toml: stems.algorithm is '{algorithm}', which Snowball "
            "does not have"
        ) from err


@lru_cache(maxsize=50_000)
def stem(word: str, lang: Lang) -> str:
    """Reduce one lower-case word to its Snowball stem, in a language that has one."""
    bare = word.removesuffix("'s")
    stemmer = _stemmer(lang)
    return str(stemmer.stemWord(bare)) if stemmer else bare


def singular(word: str, lang: Lang) -> str:
    """Drop a plain plural that Snowball may not see, where the pack of a language says how.

    In Dutch it stems 'motoren' to 'motoor', 'velden' to 'vel' and 'gegevens' to 'geven'.

    >>> singular("velden", "nl"), singular("velden", "en")
    ('veld', 'velden')
    """
    plural = _plural(lang)
    if plural is None:
        return word
    return plural.sub(lambda match: "".join(filter(None, match.groups())), word)


@cache
def has_plural(lang: Lang) -> bool:
    """Tell whether the pack of a language says how to drop a plain plural."""
    return _plural(lang) is not None


@cache
def _plural(lang: Lang) -> re.Pattern[str] | None:
    ending = pack(lang).core.stems.plural
    return re.compile(ending) if ending else None


@cache
def _stop_words(lang: Lang) -> frozenset[str]:
    listed = pack(lang).core.words
    return frozenset((*listed.stop, *(f"{word}'" for word in listed.elided)))


def is_stop_word(word: str, lang: Lang) -> bool:
    """Tell whether a word carries no content in a language."""
    return word in _stop_words(lang)


def is_content_word(word: str, lang: Lang) -> bool:
    """Tell whether a word carries content in a language; a letter alone does not."""
    return word not in _stop_words(lang) and (len(word) > 1 or word.isdecimal())


def content_words(text: str, lang: Lang) -> list[str]:
    """The words of a text that carry content, in order, each once."""
    return [word for word in dict.fromkeys(words(text)) if is_content_word(word, lang)]


def stems(text: str, lang: Lang) -> set[str]:
    """The stems of all words of a text, stop words included."""
    return {stem(word, lang) for word in words(text)}


def function_word_counts(text: str) -> dict[Lang, int]:
    """Count, for each language, the words of a text that are function words there."""
    found = words(text)
    return {lang: sum(word in _stop_words(lang) for word in found) for lang in langs()}
