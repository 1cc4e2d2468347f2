"""Questions that ask for a status by the words in which the documents themselves write it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from elysia_guard.domain.document import DocumentKind
from elysia_guard.domain.question import Intent, Lang
from elysia_guard.language.lists.intents import list_intent
from elysia_guard.language.states import State, known_state
from elysia_guard.language.stems import content_words
from elysia_guard.language.text import words

_STAND_INS = (State.REJECTED, State.DEPRECATED, State.SUPERSEDED, State.PROPOSED)
# 'Accepted, implemented', 'Reverted by discussion 12', 'On hold (see 7)': what comes first is the
# status, the rest is said about it.
_FIRST = re.compile(r"\s*(?:[,;:(/\u2013\u2014]|\s-\s|\b(?:by|door|durch|von|until|tot|bis)\b)")


_STATUS = re.compile(
    r"\b(?:with|have|has|having|in|whose|met|hebben|heeft|mit|haben|hat|im)"
    r"(?: (?:the|a|de|een|den|dem|einen))? status(?: (?:of|is|van|von|ist))?\s*[:=]?\s*"
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
) -> Intent | None:
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
    intent = list_intent(asked, given, lang)
    if intent is None:
        return None
    labels = tuple(item.label for item in named)
    found = _in_place(intent.scope.statuses, stand_in, labels, statuses)
    return replace(intent, scope=replace(intent.scope, statuses=found)) if found else None


def _in_place(
    read: Sequence[str], stand_in: str, labels: tuple[str, ...], statuses: Iterable[str]
) -> tuple[str, ...]:
    """Put the labels where their stand-in was read; what is denied leaves all the others."""
    if stand_in in read:
        return (*(item for item in read if item != stand_in), *labels)
    others = {_label(item) for item in statuses if not known_state(item)} - set(labels)
    return (*read, *sorted(others)) if read else ()


def _named(text: str, statuses: Iterable[str]) -> list[_Named]:
    """Find the statuses without a known meaning that a text names, the longest first."""
    unknown = {status for status in statuses if status and not known_state(status)}
    labels = {_label(status) for status in unknown}
    found = []
    for label in sorted(labels, key=lambda item: (-len(item), item)):
        parts = words(label)
        if parts and any(content_words(label, lang) for lang in ("en", "nl", "de")):
            spelt = r"[\W_]+".join(map(re.escape, parts))
            pattern = re.compile(rf"(?<![\w-]){spelt}(?![\w-])", re.IGNORECASE)
            if pattern.search(text):
                found.append(_Named(label=label, pattern=pattern))
                text = pattern.sub(" ", text)
    return found


def _said(text: str, given: DocumentKind | None, lang: Lang) -> list[_Named]:
    """Find what the words call a status that no document has: 'with the status Shelved'."""
    match = _STATUS.search(text)
    read = list_intent(text, given, lang) if match else None
    if match is None or read is None or read.scope.statuses or not read.topic:
        return []
    written = match["written"]
    return [_Named(label=written, pattern=re.compile(re.escape(written)))]


def _label(status: str) -> str:
    """The words of a status without signs and what is said about it: 'Reverted'."""
    bare = re.sub(r"\A[\W_]+", "", status)
    return (_FIRST.split(bare)[0] or bare).strip(" .").casefold()
