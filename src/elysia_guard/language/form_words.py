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
    item = pack(lang)
    written = (text for name in _FILES for text in _texts(item.table(name, optional=True)))
    found = (word for text in written for word in _APART.split(text) if word.isalpha())
    return frozenset(without_marks(normalise(word)) for word in found)


def is_form_word(word: str) -> bool:
    """Tell whether the pack of any language writes a word out, given without marks."""
    return word in _every()


@kept_by_kinds()
def _every() -> frozenset[str]:
    return frozenset().union(*map(form_words, langs()))


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
