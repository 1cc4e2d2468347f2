"""Whether two words of one stem are one word, inflected: 'operator' is no form of 'operation'.

Snowball also strips what makes another word, and the definition of another word is a wrong answer;
so words of one stem may differ only in these ends.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import takewhile
from typing import Final

from elysia_guard.domain.question import LANGS, Lang
from elysia_guard.language.stems import dutch_singular, stem
from elysia_guard.language.text import fold

_ENDINGS: Final[dict[Lang, re.Pattern[str]]] = {
    "en": re.compile(r"(?:s|es|y|ies)?"),
    "nl": re.compile(r"[aeou]?[b-df-hj-np-tv-z]?(?:en|n|e|s|eren)?"),
    "de": re.compile(r"(?:e|en|er|ern|em|es|n|s|ens|nen|innen|se|sen)?"),
}
_ADJECTIVE: Final = re.compile(r"(?:lich|ig|isch|end)e$")

Stems = tuple[str, ...]


def primary(tag: str | None) -> str | None:
    """Return the language of a tag in lower case: 'en' of 'en-GB'."""
    return tag.partition("-")[0].lower() if tag else None


def stemmers(tag: str | None) -> Sequence[Lang]:
    """Return the languages to stem a text in; one without a stemmer is treated as English."""
    if not tag:
        return LANGS
    return [lang for lang in LANGS if lang == primary(tag)] or ["en"]


def forms(found: Sequence[str], lang: Lang) -> Iterator[Stems]:
    """Give the stems of words; in Dutch also without the plain plural, which Snowball may miss."""
    yield (stems := tuple(stem(word, lang) for word in found))
    if lang == "nl":
        cut = tuple(map(_without_plural, found))
        if cut != stems:
            yield cut


@lru_cache(maxsize=50_000)
def _without_plural(word: str) -> str:
    return stem(dutch_singular(word), "nl")


def inflected(one: str, other: str, lang: Lang) -> bool:
    """Tell whether two words of one stem differ in an ending alone.

    >>> inflected("transformers", "transformer", "en"), inflected("operator", "operation", "en")
    (True, False)
    """
    if one == other:
        return True
    one, other = fold(one), fold(other)
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
    ends = one[same:], other[same:]
    # English keeps the plural of 'supernova'; German says 'der Verantwortliche', 'ein
    # Verantwortlicher'.
    latin = lang == "en" and one[:same].endswith("a") and set(ends) == {"", "e"}
    adjective = lang == "de" and _ADJECTIVE.search(one[:same]) and set(ends) == {"", "r"}
    return bool(latin or adjective or all(map(_ENDINGS[lang].fullmatch, ends)))
