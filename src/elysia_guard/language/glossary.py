"""What a word is called in the other languages, from ``glossary.toml``.

A passage in another language shares few words with a question; these it can share.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from functools import cache, lru_cache
from importlib.resources import files

from elysia_guard.domain.question import LANGS, Lang
from elysia_guard.language.stems import dutch_singular, stem

SHORTEST_FIRST, SHORTEST_PART = 3, 4
"""Letters of the first part of a compound, and of any other."""
_LINKS: dict[Lang, tuple[str, ...]] = {
    "en": (),
    "nl": ("s", "en", "n"),
    "de": ("s", "es", "en", "n"),
}

Row = dict[Lang, tuple[str, ...]]


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


def _others(rows: tuple[Row, ...], lang: Lang) -> Iterator[tuple[str, Lang]]:
    for row in rows:
        for other, names in row.items():
            if other != lang:
                yield from ((name, other) for name in names)


def _rows(word: str, lang: Lang) -> tuple[Row, ...]:
    """The rows that hold a word, or else one of its stem."""
    table = _table(lang)
    singular = dutch_singular(word) if lang == "nl" else word
    forms = (word, singular, stem(word, lang))
    return next((table[form] for form in forms if form in table), ())


def _parts(word: str, lang: Lang) -> tuple[str, ...]:
    """The words of the glossary that a compound is made of, the longest first part that fits."""
    if not _LINKS[lang]:
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
    forms = (piece, *(piece.removesuffix(link) for link in _LINKS[lang]))
    return next((form for form in forms if form in _words(lang)), "")


@cache
def _table(lang: Lang) -> dict[str, tuple[Row, ...]]:
    """The rows by each of their words in one language, and by its stem."""
    table: dict[str, tuple[Row, ...]] = {}
    for row in _glossary():
        for word in row[lang]:
            for form in dict.fromkeys((word, stem(word, lang))):
                table[form] = (*table.get(form, ()), row)
    return table


@cache
def _words(lang: Lang) -> frozenset[str]:
    """The words of one language as they are written: a stem alone begins no compound."""
    return frozenset(
        word for row in _glossary() for word in row[lang] if len(word) >= SHORTEST_FIRST
    )


@cache
def _glossary() -> tuple[Row, ...]:
    text = files(__package__).joinpath("glossary.toml").read_text(encoding="utf-8").casefold()
    return tuple(
        {lang: tuple(words.get(lang, english).split()) for lang in LANGS}
        for english, words in tomllib.loads(text).items()
    )
