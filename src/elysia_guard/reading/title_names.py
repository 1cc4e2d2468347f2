"""By which names a document goes: its title, the parts that it has, the name of its file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import dropwhile
from pathlib import PurePath
from typing import Final

from elysia_guard.domain.document import Document
from elysia_guard.reading.title_words import is_telling
from elysia_guard.reading.tokens import Token, tokens_of

_NUMBERED: Final = re.compile(r"^\s*\d{1,6}[.:)]?\s+")
_FILED: Final = re.compile(r"^[a-z]{0,4}[-_.]?\d{1,6}d?[-_. ]+", re.IGNORECASE)
_PARTS: Final = re.compile(r"\s[\u2013\u2014-]\s|:\s|[()]")
_SHORTEST: Final = 2
"""Words of a part of a title that may stand for it."""
_SHORTENED: Final = 4
"""Words of a title from which its first word may be left out: 'Use priority based scheduling'."""


def filed_as(document: Document) -> list[Token]:
    """Return the words of the name of a document's file, without its number."""
    name = _FILED.sub("", PurePath(document.path).stem)
    return tokens_of(name.replace("_", " "))


def titled_as(document: Document) -> list[Token]:
    """Return the words of a document's title, without a number before it."""
    return tokens_of(_NUMBERED.sub("", document.title))


def whole_names(document: Document) -> Iterator[tuple[str, ...]]:
    """Give what names a document if it is said as it stands: title, file name, parts of a title.

    A part is what stands before or behind a dash, a colon, a bracket or a first comma, or all but
    the first word of a longer title, which mostly is an article or an imperative; with the
    function words behind it.
    """
    title = _NUMBERED.sub("", document.title)
    whole = titled_as(document)
    yield _words(whole)
    yield _words(filed_as(document))
    first, *others = _PARTS.split(title)
    for part in (first.partition(", ")[0], first, *others):
        if len(words := tokens_of(part)) >= _SHORTEST:
            yield _words(words)
    rest = list(dropwhile(lambda word: not is_telling(word), whole[1:]))
    if len(whole) >= _SHORTENED and sum(map(is_telling, rest)) >= _SHORTEST:
        yield _words(rest)


def _words(tokens: list[Token]) -> tuple[str, ...]:
    return tuple(token.word for token in tokens)
