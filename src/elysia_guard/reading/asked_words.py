"""The words of a question about a document, each with what it does there: field, event, place.

A pack (``language/packs/<lang>/fields.toml``) names the words by role; nothing here knows a
language. A word that has no role, and is no function word, is content: a matter is made of those.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from rapidfuzz.distance import OSA

from elysia_guard.domain.question import Lang
from elysia_guard.language.pack import langs
from elysia_guard.language.pack import pack as language_pack
from elysia_guard.language.stems import is_content_word, stem
from elysia_guard.language.text import words, words_in_place

Span = tuple[int, int]

GAP = "\u2026"
"""Between the words of a phrase: any others may stand there."""

DOCUMENT = "document named"
"""The role of a span that names a document, all its words together."""
NUMBERED = "number of a version"
"""The role of a word that numbers a version of a document: 'v1.0'."""
CONTENT = "content"
"""The role of a word that has none other."""

_LEADING = 3
_SHORTEST_HEAD = 5
_SHORTEST_MISTYPED = 4
_SENTENCE = re.compile(r"[?!]|\.(?=\s|$)")
_BREAK = re.compile(r"[?!;:]|[.,](?=\s|$)|\u2026|[()\u2013\u2014]|\s-+\s|\.{2,}")
_BEFORE = re.compile(r"[\w-]+-$|\w+$")
_AFTER = re.compile(r"([.-]?\w+)+")


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


@dataclass(frozen=True, kw_only=True)
class RoleWords:
    """The words of one language by what they do."""

    forms: Mapping[str, frozenset[str]]
    stems: Mapping[str, tuple[tuple[str, frozenset[str]], ...]]
    """The words that have a stem, each with its roles."""
    phrases: Mapping[str, tuple[tuple[tuple[str, ...], str], ...]]
    """Words that count together, by the first of them, and their role."""
    heads: tuple[tuple[str, str], ...]
    """Nouns of fields with their role: 'datum' in 'goedkeuringsdatum'."""
    lang: Lang

    def roles(self, word: str) -> frozenset[str]:
        """The roles of one word, as it is written and as an inflection of another."""
        inflected = (
            roles
            for listed, roles in self.stems.get(stem(word, self.lang), ())
            if word.startswith(listed[:-2])
        )
        return frozenset(self.forms.get(word, frozenset())).union(*inflected)


def _parts(item: str, lang: Lang) -> tuple[str, ...]:
    """The words of a phrase; '' stands for any words between them."""
    pieces = ((*(stem(word, lang) for word in words(piece)), "") for piece in item.split(GAP))
    return tuple(part for piece in pieces for part in piece)[:-1]


@cache
def role_words(lang: Lang) -> RoleWords:
    """Read the words of a language; without any, all that is asked is a matter."""
    tables = language_pack(lang).table("fields", optional=True)
    forms: dict[str, set[str]] = {}
    stems: dict[str, dict[str, set[str]]] = {}
    phrases: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    for table, roles in tables.items():
        for role, listed in roles.items():
            for item in listed:
                parts = _parts(item, lang)
                if len(parts) > 1:
                    phrases.setdefault(parts[0], []).append((parts, role))
                    continue
                (word,) = words(item)
                forms.setdefault(word, set()).add(role)
                if table in _INFLECTED or role in _INFLECTED:
                    stems.setdefault(parts[0], {}).setdefault(word, set()).add(role)
    heads = [
        (item, role)
        for role, listed in tables.get("facts", {}).items()
        for item in listed
        if item.isalpha() and len(item) >= _SHORTEST_HEAD
    ]
    return RoleWords(
        forms={word: frozenset(roles) for word, roles in forms.items()},
        stems={
            bare: tuple((word, frozenset(roles)) for word, roles in among.items())
            for bare, among in stems.items()
        },
        phrases={word: tuple(each) for word, each in phrases.items()},
        heads=tuple(sorted(heads, key=lambda head: -len(head[0]))),
        lang=lang,
    )


_INFLECTED = frozenset({"sides", "events", "states", "body", "document"})
"""Tables and roles whose words are inflected; the others are written as they are said."""


def asked_words(text: str, lang: Lang, spans: Sequence[Span]) -> list[Word]:
    """Cut a question into words with their roles; each span is one word, which names a document."""
    placed = list(_placed(text, spans))
    plain = ["" if named else _plain(text[start:end]) for start, end, named in placed]
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
    before, after = _BEFORE.search(text, 0, start), _AFTER.match(text, end)
    return before.start() if before else start, after.end() if after else end


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
    return next((found for found in each if found), frozenset())


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
