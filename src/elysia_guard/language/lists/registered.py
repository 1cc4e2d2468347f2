"""Questions that ask for a status by the words in which the documents themselves write it."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from elysia_guard.domain.document import DocumentKind
from elysia_guard.domain.question import Lang, Scope
from elysia_guard.domain.reading import Listing
from elysia_guard.language.lists.asked import list_asked
from elysia_guard.language.lists.statuses import STATUSES
from elysia_guard.language.pack import langs
from elysia_guard.language.states import State, known_state, parts_of
from elysia_guard.language.stems import content_words
from elysia_guard.language.text import words

_STAND_INS = (State.REJECTED, State.DEPRECATED, State.SUPERSEDED, State.PROPOSED)
_ASIDE = re.compile(r"\s*(?:[:(\u2013\u2014]|\s-\s)")
_STATUS = re.compile(
    r"\b(?:with|have|has|having|in|whose|met|hebben|heeft|mit|haben|hat|im)"
    r"(?: (?:the|a|de|een|den|dem|einen))? status(?: (?:of|is|van|von|ist)\b)?\s*[:=]?\s*"
    r"[\'\"\u201c\u201e\u2018]?(?P<written>[\w-]+(?: [\w-]+){0,2}?)[\'\"\u201d\u201c\u2019]?"
    r"(?: (?:hebben|heeft|haben|hat))?\W*$",
    re.IGNORECASE,
)


@dataclass(frozen=True, kw_only=True, slots=True)
class _Named:
    label: str
    pattern: re.Pattern[str]


def registered_list(
    text: str, given: DocumentKind | None, lang: Lang, statuses: Iterable[str]
) -> Listing | None:
    """Read a list that asks for statuses that no language knows, but some documents have.

    Each is read as if a status that every language knows stood in its place, so that all forms of
    asking for one hold for it too. None where the text names no such status, or asks for no list.
    """
    named = _named(text, statuses) or _said(text, given, lang)
    stand_in = next((item for item in _STAND_INS if item not in text.casefold()), None)
    if not named or stand_in is None:
        return None
    asked = text
    for item in named:
        asked = item.pattern.sub(stand_in, asked)
    listing = list_asked(asked, given, lang)
    if listing is None or not listing.filters.statuses:
        return None
    labels = tuple(item.label for item in named)
    return replace(listing, filters=_in_place(listing.filters, stand_in, labels))


def _in_place(scope: Scope, stand_in: str, labels: tuple[str, ...]) -> Scope:
    """Put the labels where their stand-in was read, or where all but it was read, as denied."""
    others = tuple(item for item in scope.statuses if item != stand_in)
    if stand_in in scope.statuses:
        return replace(scope, statuses=(*others, *labels))
    every = len(others) == len(STATUSES) - 1
    return replace(scope, statuses=() if every else others, denied=labels)


def _named(text: str, statuses: Iterable[str]) -> list[_Named]:
    """Find the statuses without a known meaning that a text names, the longest first."""
    found = []
    for label in sorted(_labels(statuses), key=lambda item: (-len(item), item)):
        spelt = r"[\W_]+".join(map(re.escape, words(label)))
        pattern = re.compile(rf"(?<![\w-]){spelt}(?![\w-])", re.IGNORECASE)
        if pattern.search(text):
            found.append(_Named(label=label, pattern=pattern))
            text = pattern.sub(" ", text)
    return found


def _said(text: str, given: DocumentKind | None, lang: Lang) -> list[_Named]:
    """Find what the words call a status that no document has: 'with the status Shelved'."""
    match = _STATUS.search(text)
    read = list_asked(text, given, lang) if match else None
    if match is None or (read and (read.filters.statuses or not read.topic)):
        return []
    written = match["written"]
    return [_Named(label=written, pattern=re.compile(re.escape(written)))]


def _labels(statuses: Iterable[str]) -> set[str]:
    """The words of statuses, or of their parts, that no language knows: 'reverted', 'on hold'."""
    written = {part for status in statuses for part in parts_of(status)}
    labels = {label for part in written for label in _ways(words(_ASIDE.split(part)[0]))}
    return {label for label in labels if label and not known_state(label)}


def _ways(written: list[str]) -> tuple[str, str]:
    """A status in full, and without what is said about it: 'reverted by hand', 'reverted'."""
    first = itertools.takewhile(_carries_content, written)
    return " ".join(written), " ".join(first)


def _carries_content(word: str) -> bool:
    return all(content_words(word, lang) for lang in langs())
