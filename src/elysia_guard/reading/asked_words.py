"""The words of a question about a document, each with what it does there: field, event, place.

A pack (``language/packs/<lang>/fields.toml``) names the words by role; nothing here knows a
language. A word that has no role, and is no function word, is content: a matter is made of those.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from elysia_guard.domain.question import Lang
from elysia_guard.language.own_kinds import kept_by_kinds
from elysia_guard.language.pack import langs
from elysia_guard.language.stems import function_word_counts, is_content_word
from elysia_guard.reading.roles import roles
from elysia_guard.reading.tagged import TaggedToken, tokens

Span = tuple[int, int]

DOCUMENT = "document named"
"""The role of a span that names a document, all its words together."""
NUMBERED = "number of a version"
"""The role of a word that numbers a version of a document: 'v1.0'."""
CONTENT = "content"
"""The role of a word that has none other."""

_INFLECTED = ("sides", "events", "states", "body", "document", "tell")
"""Groups and roles of the pack whose words are inflected."""
_LENT = frozenset("status date owner approval approve state filler".split())
"""The roles that a word may have in another language."""
_SENTENCE = frozenset("?!.")
_BREAK = frozenset("? ! ; : . , .. ... \u2026 ( ) - -- \u2013 \u2014".split())
_BEFORE = re.compile(r"(?:[^\W_][-.]?)+$")
_AFTER = re.compile(r"(?:[-.]?[^\W_])+")


class AskedWord(NamedTuple):
    """One word, or one named document, and where it stands.

    ``clause`` and ``sentence`` count those of the question from 0.
    """

    text: str
    start: int
    end: int
    clause: int
    sentence: int
    roles: frozenset[str]

    @property
    def is_document(self) -> bool:
        """Whether it names a document."""
        return DOCUMENT in self.roles

    @property
    def is_content(self) -> bool:
        """Whether it says something that is no matter of documents as such."""
        return CONTENT in self.roles


class _Named(NamedTuple):
    start: int
    end: int
    means: object = None


def asked_words(text: str, lang: Lang, spans: Sequence[Span]) -> list[AskedWord]:
    """Cut a question into words with their roles; each span is one word, which names a document.

    ``lang`` is what the question was taken for; its words may say that it is in another.
    """
    named = tuple(_Named(*_in_full(text, span)) for span in spans)
    found = tokens(text, lang, named, quotes=False, hyphens=False)
    lang = _spoken(" ".join(token.word for token in found), lang)
    known = roles(lang, "fields", inflected=_INFLECTED)
    played = known.within([token.word for token in found])
    words: list[AskedWord] = []
    clause = sentence = 0
    for token, own in zip(found, played, strict=True):
        if token.is_mention or token.is_word:
            words.append(
                AskedWord(
                    text=token.word,
                    start=token.start,
                    end=token.end,
                    clause=clause,
                    sentence=sentence,
                    roles=_roles(token, own, words, lang),
                )
            )
        else:
            clause += token.word in _BREAK
            sentence += token.word in _SENTENCE
    return words


def _roles(
    token: TaggedToken, own: frozenset[str], before: Sequence[AskedWord], lang: Lang
) -> frozenset[str]:
    if token.is_mention:
        return frozenset({DOCUMENT})
    number = token.word.removeprefix("v")
    follows = bool(before) and "version" in before[-1].roles
    if number.replace(".", "").isdecimal() and (follows or number != token.word):
        return frozenset({"document", NUMBERED})
    if own or not is_content_word(token.word, lang):
        return own
    return _lent(token.word, lang) or frozenset({CONTENT})


@kept_by_kinds(maxsize=5_000)
def _lent(word: str, lang: Lang) -> frozenset[str]:
    """What a word does in another language: 'ADR-16 datum', taken for English."""
    others = (other for other in langs() if other != lang)
    found = (roles(other, "fields", inflected=_INFLECTED).within([word])[0] for other in others)
    return next((each & _LENT for each in found if each & _LENT), frozenset())


def _spoken(text: str, lang: Lang) -> Lang:
    """The language by the function words beside the titles, where they say another."""
    counts = function_word_counts(text)
    most = max(counts, key=lambda each: counts[each])
    return most if counts[most] > counts.get(lang, 0) else lang


def _in_full(text: str, span: Span) -> Span:
    """A span with what is written onto it: 'CIM-besluit', 'TLS 1.2'."""
    start, end = span
    before, after = _BEFORE.search(text[:start]), _AFTER.match(text, end)
    return before.start() if before else start, after.end() if after else end
