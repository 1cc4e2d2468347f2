"""The words of a question about a document, each with what it does there: field, event, place.

A pack (``language/packs/<lang>/fields.toml``) names the words by role; nothing here knows a
language. A word that has no role, and is no function word, is content: a matter is made of those.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rapidfuzz.distance import OSA

from elysia_guard.domain.question import Lang
from elysia_guard.language.pack import langs
from elysia_guard.language.stems import function_word_counts, is_content_word, stem
from elysia_guard.language.text import words_in_place
from elysia_guard.reading.asked_roles import RoleWords, role_words

Span = tuple[int, int]

DOCUMENT = "document named"
"""The role of a span that names a document, all its words together."""
NUMBERED = "number of a version"
"""The role of a word that numbers a version of a document: 'v1.0'."""
CONTENT = "content"
"""The role of a word that has none other."""

_CLEARLY = 2
_LEADING = 3
_SHORTEST_MISTYPED = 4
_SENTENCE = re.compile(r"[?!]|\.(?=\s|$)")
_BREAK = re.compile(r"[?!;:]|[.,](?=\s|$)|\u2026|[()\u2013\u2014]|\s-+\s|\.{2,}")
_JOINS = "-."
"""Marks within a name: 'CIM-besluit', 'TLS 1.2'."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Word:
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


_LENT = frozenset(
    "status date owner driver approval version consequences alternatives context approve happen"
    " own rely state when why filler of purpose said".split()
)
"""The roles that a word may have in another language: 'ADR-16 datum', taken for English."""


def asked_words(text: str, lang: Lang, spans: Sequence[Span]) -> list[Word]:
    """Cut a question into words with their roles; each span is one word, which names a document.

    ``lang`` is what the question was taken for; its words may say that it is in another.
    """
    placed = list(_placed(text, spans))
    plain = ["" if named else _plain(text[start:end]) for start, end, named in placed]
    lang = _spoken(" ".join(plain), lang)
    clauses = _counted(text, placed, _BREAK)
    sentences = _counted(text, placed, _SENTENCE)
    roles = [
        frozenset({DOCUMENT}) if named else _roles(word, lang)
        for word, (_, _, named) in zip(plain, placed, strict=True)
    ]
    for at, among in _in_phrases(plain, clauses, role_words(lang)):
        roles[at] |= among
    for at in range(len(plain)):
        if _is_version(plain, roles, at):
            roles[at] = frozenset({"document", NUMBERED})
    return [
        Word(
            text=word,
            start=start,
            end=end,
            clause=clause,
            sentence=sentence,
            roles=found or frozenset({CONTENT}) if _counts(word, found, lang) else found,
        )
        for word, (start, end, _), clause, sentence, found in zip(
            plain, placed, clauses, sentences, roles, strict=True
        )
    ]


def _spoken(text: str, lang: Lang) -> Lang:
    """The language by the function words beside the titles, where they clearly say another."""
    counts = function_word_counts(text)
    most = max(counts, key=lambda each: counts[each])
    return most if counts[most] >= counts.get(lang, 0) + _CLEARLY else lang


def _plain(word: str) -> str:
    return word.casefold().replace("\u2019", "'")


def _is_version(plain: Sequence[str], roles: Sequence[frozenset[str]], at: int) -> bool:
    """Tell whether a word numbers a version of a document: 'v1', 'version 1.2'."""
    if not plain[at][-1:].isdigit():
        return False
    if plain[at][0] == "v" and plain[at][1:].isdigit():
        return True
    while at > 0 and plain[at].isdigit():
        at -= 1
    return "version" in roles[at] or (plain[at][:1] == "v" and plain[at][1:].isdigit())


def _placed(text: str, spans: Sequence[Span]) -> Iterator[tuple[int, int, bool]]:
    """Where each word stands, and whether it names a document."""
    at = 0
    whole = sorted(_in_full(text, span) for span in spans)
    for start, end in [*whole, (len(text), len(text))]:
        for match in words_in_place(text, at, max(at, start)):
            yield match.start(), match.end(), False
        if start < end:
            yield start, end, True
        at = max(at, end)


def _in_full(text: str, span: Span) -> Span:
    """A span with what is written onto it: 'CIM-besluit', 'TLS 1.2'."""
    start, end = span
    while start and (text[start - 1].isalnum() or _joins(text, start - 1)):
        start -= 1
    while end < len(text) and (text[end].isalnum() or _joins(text, end)):
        end += 1
    return start, end


def _joins(text: str, at: int) -> bool:
    around = text[max(at - 1, 0) : at] + text[at + 1 : at + 2]
    return text[at] in _JOINS and around.isalnum() and len(around) > 1


def _counted(
    text: str, placed: Sequence[tuple[int, int, bool]], mark: re.Pattern[str]
) -> list[int]:
    """The number of the clause or sentence of each word."""
    found: list[int] = []
    number = at = 0
    for start, end, _ in placed:
        if found:
            # One character more: a point is none that a digit follows.
            broken = mark.search(text[at : start + 1])
            number += bool(broken and at + broken.start() < start)
        found.append(number)
        at = end
    return found


def _counts(word: str, roles: frozenset[str], lang: Lang) -> bool:
    """Tell whether a word without a role says something."""
    return bool(word) and not roles and is_content_word(word, lang)


def _roles(word: str, lang: Lang) -> frozenset[str]:
    """The roles of a word in its language; of a content word that it lacks, in the others'."""
    own = role_words(lang)
    if found := own.roles(word) or own.roles(word.removesuffix("'s")):
        return found
    if not is_content_word(word, lang) or word.isdigit():
        return frozenset()
    if found := _of_compound(word, own) or _mistyped(word, own):
        return found
    others = (role_words(other) for other in langs() if other != lang)
    each = (other.forms.get(word) or _of_compound(word, other) for other in others)
    return next((found & _LENT for found in each if found and found & _LENT), frozenset())


def _of_compound(word: str, own: RoleWords) -> frozenset[str]:
    """'Goedkeuringsdatum' is the date of an approval, 'einddatum' the end of a matter."""
    for head, role in own.heads:
        if word.endswith(head) and len(word) > len(head) + 1:
            first = word.removesuffix(head).rstrip("-")
            of = own.roles(first) or own.roles(first.removesuffix("s"))
            return frozenset({role}) if of else frozenset()
    return frozenset()


def _mistyped(word: str, own: RoleWords) -> frozenset[str]:
    """The role of a noun of a field that differs by one slip within: 'ownr', 'eignaar'."""
    if len(word) < _SHORTEST_MISTYPED:
        return frozenset()
    for head, role in own.heads:
        alike = head[:_LEADING] == word[:_LEADING] and head[-1] == word[-1]
        if alike and OSA.distance(word, head) == 1:
            return frozenset({role})
    return frozenset()


def _in_phrases(
    plain: Sequence[str], clauses: Sequence[int], own: RoleWords
) -> Iterator[tuple[int, frozenset[str]]]:
    """Yield the roles that words have together, within a clause and in their order."""
    bare = [stem(word, own.lang) for word in plain]
    for at, word in enumerate(bare):
        for parts, role in own.phrases.get(word, ()):
            for place in _follow(bare, clauses, at, parts):
                yield place, frozenset({role})


def _follow(
    plain: Sequence[str], clauses: Sequence[int], at: int, parts: tuple[str, ...]
) -> list[int]:
    """Where the words of a phrase stand that begins here; empty where not all do.

    Between the two parts of a separable verb any words may stand ('keurde ADR-12 goed').
    """
    places = [at]
    end = at + clauses[at:].count(clauses[at])
    apart = False
    for part in parts[1:]:
        if not part:
            apart = True
            continue
        after = places[-1] + 1
        until = end if apart else min(after + 1, end)
        found = next((place for place in range(after, until) if plain[place] == part), None)
        if found is None:
            return []
        places.append(found)
        apart = False
    return places
