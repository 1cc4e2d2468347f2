"""The words that the language packs write out: of function, of asking, of documents."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from elysia_guard.domain.question import Lang
from elysia_guard.language.by_kinds import kept_by_kinds
from elysia_guard.language.pack import langs, pack
from elysia_guard.language.text import normalise, without_marks

_FILES: Final = ("core", "fields", "forms", "glossary", "listings", "relations", "spans")
_APART: Final = re.compile(r"[\s|():]+")


@kept_by_kinds()
def form_words(lang: Lang) -> frozenset[str]:
    """Return the words of a pack, in lower case and without marks; parts of patterns are none.

    >>> "which" in form_words("en"), "besluiten" in form_words("nl")
    (True, True)
    """
    return frozenset(word for word in _written(lang) if word.isalpha())


@kept_by_kinds()
def _begun(lang: Lang) -> tuple[str, ...]:
    """What words of a pack begin with, whatever their ending: 'remplac\u00e9*'."""
    written = (word.removesuffix("*") for word in _written(lang) if word.endswith("*"))
    return tuple(word for word in written if word.isalpha())


def is_form_word(word: str) -> bool:
    """Tell whether the pack of any language has a word, given without marks."""
    return any(word in form_words(lang) or word.startswith(_begun(lang)) for lang in langs())


def _written(lang: Lang) -> Iterator[str]:
    tables = (pack(lang).table(name, optional=True) for name in _FILES)
    said = (word for table in tables for text in _texts(table) for word in _APART.split(text))
    return (without_marks(normalise(word)) for word in said)


def _texts(value: Any) -> Iterator[str]:
    match value:
        case str():
            yield value
        case dict():
            for key, inner in value.items():
                yield key
                yield from _texts(inner)
        case list():
            for inner in value:
                yield from _texts(inner)
        case _:
            return
