"""Compounds taken apart: 'netcongestie' is 'net' and 'congestie', where both are words."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product

from elysia_guard.domain.question import Lang
from elysia_guard.language.glossary import named
from elysia_guard.language.pack import langs, pack
from elysia_guard.language.stems import is_stop_word

SHORTEST_PART = 4
"""Letters of a part; shorter ones stand in too many words by chance."""
MOST_NAMES = 2
"""So many names of each part are put together, of each language."""


def halves(word: str, lang: Lang) -> Iterator[tuple[str, str]]:
    """Take a word apart in two, wherever that may be, without the letters that link its parts.

    A language without linking letters makes no compounds, and its words stay whole.

    >>> ("zertifikat", "gültigkeit") in halves("zertifikatsgültigkeit", "de")
    True
    """
    links = pack(lang).core.stems.links
    for end in range(SHORTEST_PART, len(word) - SHORTEST_PART + 1) if links else ():
        head, tail = word[:end], word[end:]
        yield head, tail
        for link in links:
            if head.endswith(link) and len(head) - len(link) >= SHORTEST_PART:
                yield head.removesuffix(link), tail


def parts(word: str, lang: Lang, *, known: Callable[[str], bool]) -> tuple[str, str] | None:
    """Return the two known words that a compound is made of; None where there are none.

    Of several ways to take it apart, that whose shorter part is the longest. What begins with a
    function word is a verb with its prefix: 'doorsturen'.
    """
    found = [
        half
        for half in halves(word, lang)
        if all(map(known, half)) and not is_stop_word(half[0], lang)
    ]
    return max(found, key=lambda each: min(map(len, each)), default=None)


def names(found: tuple[str, str], lang: Lang) -> list[str]:
    """Say the parts of a compound as words beside each other, in its language and the others.

    >>> names(("wachtwoord", "beleid"), "nl")[:2]
    ['wachtwoord beleid', 'password policy']
    """
    said = [" ".join(found)]
    for other in langs():
        named_in = [
            [name for name, spoken in named(part, lang) if spoken == other][:MOST_NAMES]
            for part in found
        ]
        said += map(" ".join, product(*named_in))
    return said
