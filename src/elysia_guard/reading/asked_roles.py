"""The words of a language by what they do in a question about a document, from its pack.

They stand in ``fields.toml``; a language without that file reads every question as one for a
matter.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from elysia_guard.domain.question import Lang
from elysia_guard.language.pack import pack
from elysia_guard.language.stems import stem
from elysia_guard.language.text import words

GAP = "\u2026"
"""Between the words of a phrase: any others may stand there."""
_SHORTEST_HEAD = 5
_INFLECTED = frozenset({"sides", "events", "states", "body", "document"})
"""Tables and roles whose words are inflected; the others are written as they are said."""


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
    tables = pack(lang).table("fields", optional=True)
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
