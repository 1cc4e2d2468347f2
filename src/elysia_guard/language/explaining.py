"""Sentences that say what their subject is: 'Sandboxes are environments for ...'."""

from __future__ import annotations

import re
from itertools import dropwhile

from elysia_guard.domain.question import Lang
from elysia_guard.language.pack import langs, pack
from elysia_guard.language.stems import stem
from elysia_guard.language.text import words, words_in_place

_MORE_THAN_THAT = 3
"""Words that have to follow for a sentence to say anything."""
_GLOSS = re.compile(r"[\"'\u2019\u201d*_]*:\s")
"""'Sandbox: an environment in which ...'."""


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
    said, wanted = list(words_in_place(sentence)), _bare(words(term), lang)
    own = _bare(words(sentence), lang)
    rest = tuple(own[len(wanted) :])
    if not wanted or not rest or _stems(own[: len(wanted)], lang) != _stems(wanted, lang):
        return False
    if _GLOSS.match(sentence[said[-len(rest) - 1].end() :]):
        return len(rest) >= _MORE_THAN_THAT
    verbs = (tuple(words(verb)) for verb in pack(lang).explaining.says)
    follows = next((verb for verb in verbs if rest[: len(verb)] == verb), None)
    return follows is not None and len(rest) - len(follows) >= _MORE_THAN_THAT


def _bare(said: list[str], lang: Lang) -> list[str]:
    """Words without the articles that they begin with."""
    own = pack(lang).core.words
    articles = {*own.definite, *own.indefinite, *(f"{word}'" for word in own.elided)}
    return list(dropwhile(articles.__contains__, said))


def _stems(said: list[str], lang: Lang) -> list[str]:
    return [stem(word, lang) for word in said]
