"""Whether two words of one stem are one word, inflected: 'operator' is no form of 'operation'.

Snowball also strips what makes another word, and the definition of another word is a wrong answer;
so words of one stem may differ only in these ends.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import takewhile

from elysia_guard.domain.question import Lang
from elysia_guard.language.pack import SPOKEN_FIRST, langs, pack
from elysia_guard.language.phrases import spoken
from elysia_guard.language.stems import has_plural, singular, stem
from elysia_guard.language.text import fold

Stems = tuple[str, ...]


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
