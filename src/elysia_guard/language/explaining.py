"""Sentences that say what their subject is: 'Sandboxes are environments for ...'."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from elysia_guard.domain.question import Lang
from elysia_guard.language.pack import langs, pack
from elysia_guard.language.stems import stem
from elysia_guard.language.text import words, words_in_place

_MORE_THAN_THAT = 3
"""Words that have to follow for a sentence to say anything."""
_GLOSS = re.compile(r"[\"'\u2019\u201d*_]*:\s")
"""'Sandbox: an environment in which ...'."""


@dataclass(frozen=True, slots=True)
class _Verbs:
    says: tuple[tuple[str, ...], ...]
    articles: frozenset[str]


@cache
def _verbs(lang: Lang) -> _Verbs:
    said, own = pack(lang).explaining.says, pack(lang).core.words
    return _Verbs(
        says=tuple(tuple(words(verb)) for verb in said),
        articles=frozenset((*own.definite, *own.indefinite, *(f"{word}'" for word in own.elided))),
    )


def explains(sentence: str, term: str, lang: str) -> bool:
    """Tell whether a sentence begins with a term, in any of its forms, and says what that is.

    Args:
        sentence: one sentence of a document.
        term: the words that are to be explained.
        lang: the language of the document; one that is not known explains nothing.

    >>> explains("Sandboxes are environments in which anything may be tried.", "sandbox", "en")
    True
    >>> explains("Sandboxes are deleted.", "sandbox", "en")
    False
    """
    if lang not in langs():
        return False
    known = _verbs(lang)
    spans = [match.span() for match in words_in_place(sentence)]
    said = words(sentence)
    while said and said[0] in known.articles:
        said, spans = said[1:], spans[1:]
    wanted = words(term)
    while wanted and wanted[0] in known.articles:
        wanted = wanted[1:]
    count = len(wanted)
    if not wanted or len(said) <= count or _stems(said[:count], lang) != _stems(wanted, lang):
        return False
    rest = tuple(said[count:])
    if _GLOSS.match(sentence[spans[count - 1][1] :]):
        return len(rest) >= _MORE_THAN_THAT
    follows = next((verb for verb in known.says if rest[: len(verb)] == verb), None)
    return follows is not None and len(rest) - len(follows) >= _MORE_THAN_THAT


def _stems(said: list[str], lang: Lang) -> list[str]:
    return [stem(word, lang) for word in said]
