"""Stop words and stems (Snowball), as the language packs say; whether two words are forms of one.

'Operator' is no form of 'operation': Snowball also strips what makes another word, and the
definition of another word is a wrong answer; so words of one stem may differ in few ends.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import takewhile

import Stemmer

from elysia_guard.domain.question import Lang
from elysia_guard.language.pack import SPOKEN_FIRST, langs, pack
from elysia_guard.language.pack_reader import PackError
from elysia_guard.language.phrases import spoken
from elysia_guard.language.text import fold, words

Stems = tuple[str, ...]


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


def primary(tag: str | None) -> str | None:
    """Return the language of a tag in lower case: 'en' of 'en-GB'."""
    return tag.partition("-")[0].lower() if tag else None


def stemmers(tag: str | None) -> Sequence[Lang]:
    """Return the languages to stem a text in; one without a stemmer is treated as English."""
    if not tag:
        return langs()
    return [lang for lang in langs() if lang == primary(tag)] or [SPOKEN_FIRST]


def forms(found: Sequence[str], lang: Lang) -> Iterator[Stems]:
    """Give the stems of words, also without a plain plural that Snowball may miss."""
    yield (stems := tuple(stem(word, lang) for word in found))
    if has_plural(lang):
        cut = tuple(_without_plural(word, lang) for word in found)
        if cut != stems:
            yield cut


@lru_cache(maxsize=50_000)
def _without_plural(word: str, lang: Lang) -> str:
    return stem(singular(word, lang), lang)


def inflected(one: str, other: str, lang: Lang) -> bool:
    """Tell whether two words of one stem differ in an ending alone.

    >>> inflected("transformers", "transformer", "en"), inflected("operator", "operation", "en")
    (True, False)
    """
    if one == other:
        return True
    one, other = fold(one), fold(other)
    same = sum(1 for _ in takewhile(_is_same, zip(one, other, strict=False)))
    ends = {one[same:], other[same:]}
    endings, apart = _endings(lang)
    is_apart = any(ends == either and before.search(one[:same]) for before, either in apart)
    return is_apart or all(map(endings.fullmatch, ends))


def _is_same(letters: tuple[str, str]) -> bool:
    return letters[0] == letters[1]


@cache
def _endings(lang: Lang) -> tuple[re.Pattern[str], list[tuple[re.Pattern[str], set[str]]]]:
    """The ends in which words may differ; and those in which they may behind some letters alone."""
    said = pack(lang).core.stems
    apart = [
        (re.compile(rf"(?:{spoken(before)})$"), set(ends.split("|"))) for before, ends in said.apart
    ]
    return re.compile(spoken(said.endings)), apart
