"""What a word is called in the other languages, from the packs' ``glossary.toml``.

A passage in another language shares few words with a question; these it can share. A compound is
named by its parts: 'netcongestie' is 'net' and 'congestie', where both are words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from itertools import product

from elysia_guard.domain.question import Lang
from elysia_guard.language.pack import SPOKEN_FIRST, langs, pack, packs
from elysia_guard.language.stems import is_stop_word, singular, stem

SHORTEST_FIRST, SHORTEST_PART = 3, 4
"""Letters of the first part of a compound, and of any other."""
Row = dict[Lang, tuple[str, ...]]
SHORTEST_HALF = 4
"""Letters of either of two parts; shorter ones stand in too many words by chance."""
MOST_NAMES = 2
"""So many names of each part are put together, of each language."""


@lru_cache(maxsize=20_000)
def translations(word: str, lang: Lang) -> tuple[tuple[str, Lang], ...]:
    """Name a lower-case word in the other languages; a compound by its parts.

    The parts of a compound are named in its own language too: 'gegevensbeheer' is also found where
    'beheer' stands alone.

    >>> translations("wachtwoorden", "nl")
    (('password', 'en'), ('passwort', 'de'), ('kennwort', 'de'))
    """
    if rows := _rows(word, lang):
        return tuple(dict.fromkeys(_others(rows, lang)))
    parts = _parts(word, lang)
    foreign = (name for part in parts for name in _others(_rows(part, lang), lang))
    return tuple(dict.fromkeys([*foreign, *((part, lang) for part in parts)]))


@lru_cache(maxsize=20_000)
def named(word: str, lang: Lang) -> tuple[tuple[str, Lang], ...]:
    """Name a lower-case word in the other languages; nothing for a compound of several.

    >>> named("wachtwoorden", "nl")[0], named("wachtwoordbeleid", "nl")
    (('password', 'en'), ())
    """
    return tuple(dict.fromkeys(_others(_rows(word, lang), lang)))


def _others(rows: tuple[Row, ...], lang: Lang) -> Iterator[tuple[str, Lang]]:
    for row in rows:
        for other, names in row.items():
            if other != lang:
                yield from ((name, other) for name in names)


def _rows(word: str, lang: Lang) -> tuple[Row, ...]:
    """The rows that hold a word, or else one of its stem."""
    table = _table(lang)
    forms = (word, singular(word, lang), stem(word, lang))
    return next((table[form] for form in forms if form in table), ())


def _parts(word: str, lang: Lang) -> tuple[str, ...]:
    """The words of the glossary that a compound is made of, the longest first part that fits."""
    if not pack(lang).core.stems.links:
        return ()
    for end in range(len(word) - SHORTEST_PART, SHORTEST_FIRST - 1, -1):
        head = _part(word[:end], lang)
        if not head:
            continue
        rest = word[end:]
        if tail := (rest,) if _rows(rest, lang) else _parts(rest, lang):
            return (head, *tail)
    return ()


def _part(piece: str, lang: Lang) -> str:
    """A piece of a compound as a word of the glossary, without the letters that link it on."""
    forms = (piece, *(piece.removesuffix(link) for link in pack(lang).core.stems.links))
    return next((form for form in forms if form in _words(lang)), "")


@cache
def _table(lang: Lang) -> dict[str, tuple[Row, ...]]:
    """The rows by each of their words in one language, and by its stem."""
    table: dict[str, tuple[Row, ...]] = {}
    for row in _glossary():
        for word in row.get(lang, ()):
            for form in dict.fromkeys((word, stem(word, lang))):
                table[form] = (*table.get(form, ()), row)
    return table


@cache
def _words(lang: Lang) -> frozenset[str]:
    """The words of one language as they are written: a stem alone begins no compound."""
    return frozenset(
        word for row in _glossary() for word in row.get(lang, ()) if len(word) >= SHORTEST_FIRST
    )


@cache
def _glossary() -> tuple[Row, ...]:
    """One row for each meaning that any pack names, its English words first."""
    rows: dict[str, Row] = {}
    for item in packs().values():
        for english, found in item.glossary.items():
            row = rows.setdefault(english, {SPOKEN_FIRST: tuple(english.casefold().split())})
            row[item.lang] = tuple(found.casefold().split())
    return tuple(rows.values())


def halves(word: str, lang: Lang) -> Iterator[tuple[str, str]]:
    """Take a word apart in two, wherever that may be, without the letters that link its parts.

    A language without linking letters makes no compounds, and its words stay whole.

    >>> ("zertifikat", "gültigkeit") in halves("zertifikatsgültigkeit", "de")
    True
    """
    links = pack(lang).core.stems.links
    for end in range(SHORTEST_HALF, len(word) - SHORTEST_HALF + 1) if links else ():
        head, tail = word[:end], word[end:]
        yield head, tail
        for link in links:
            if head.endswith(link) and len(head) - len(link) >= SHORTEST_HALF:
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
