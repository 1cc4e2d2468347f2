"""The words of a language that have a part in follow-ups, and those for kinds of documents."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, cast

from elysia_guard.domain.document import DocumentKind
from elysia_guard.domain.question import Lang
from elysia_guard.language.kinds import nouns, numbered, prefixes
from elysia_guard.language.own_kinds import kept_by_kinds
from elysia_guard.language.pack import pack
from elysia_guard.language.text import words
from elysia_guard.reading.naming_words import naming_words

_CLOSED: Final = (
    "clauses.auxiliaries",
    "clauses.perfect",
    "clauses.prepositions",
    "clauses.adverbs",
    "clauses.persons",
    "clauses.question_words",
    "clauses.additive",
    "refers.it",
    "refers.they",
    "refers.fillers",
)


@dataclass(frozen=True, kw_only=True)
class FollowupWords:
    """What a language's pack says; a role is a path in it, such as ``refers.it``."""

    phrases: Mapping[str, frozenset[tuple[str, ...]]]
    plain: Mapping[str, Mapping[str, str]]
    """The tables whose values are texts: wordings, languages, pronominal adverbs."""
    no_noun: re.Pattern[str]

    def match(self, role: str, said: Sequence[str], at: int = 0) -> int:
        """Return how many words the longest phrase of a role has that stands at a place, or 0."""
        known, left = self.phrases.get(role, frozenset()), len(said) - at
        sizes = (size for size in self._sizes.get(role, ()) if size <= left)
        return next((size for size in sizes if tuple(said[at : at + size]) in known), 0)

    @cached_property
    def _sizes(self) -> Mapping[str, list[int]]:
        """How many words the phrases of a role have, the longest first."""
        return {
            role: sorted({len(each) for each in known if each}, reverse=True)
            for role, known in self.phrases.items()
        }

    def has(self, role: str, word: str) -> bool:
        """Tell whether one word plays a role."""
        return (word,) in self.phrases.get(role, frozenset())

    def words(self, role: str) -> set[str]:
        """Return the single words of a role."""
        return {each[0] for each in self.phrases.get(role, ()) if len(each) == 1}

    @cached_property
    def known(self) -> frozenset[str]:
        """The single words that have a part in follow-ups, and so name no term by themselves."""
        return frozenset(
            phrase[0]
            for role, phrases in self.phrases.items()
            if not role.startswith("clauses.")
            for phrase in phrases
            if len(phrase) == 1
        )

    def is_closed(self, word: str) -> bool:
        """Tell whether a word is of a closed class, and no article or what one stands before."""
        return word in self.adverbs or any(self.has(role, word) for role in _CLOSED)

    @cached_property
    def adverbs(self) -> Mapping[str, str]:
        """Pronominal adverbs, each with the preposition that it holds: of 'daarvan' 'van'."""
        found = ((role, each) for role, known in self.phrases.items() for each in known)
        held = [(role, each) for role, each in found if role.startswith("adverbs.")]
        return {
            each[0]: role.removeprefix("adverbs.") for role, each in reversed(held) if not each[1:]
        }

    def worded(self, name: str, **values: str) -> str:
        """Return a wording with its values filled in."""
        return self.plain["whole"][name].format_map(values)


@kept_by_kinds()
def followup_words(lang: Lang) -> FollowupWords:
    """Return the words of a language."""
    phrases: dict[str, frozenset[tuple[str, ...]]] = {}
    plain: dict[str, Mapping[str, str]] = {}
    tables = {**pack(lang).table("followups"), "clauses": pack(lang).table("clauses")}
    for name, table in tables.items():
        for key, value in table.items():
            if isinstance(value, list):
                said = cast(list[str], value)
                phrases[f"{name}.{key}"] = frozenset(map(_in_words, said))
            else:
                plain[name] = {**plain.get(name, {}), key: value}
    shapes = tables["refers"]["verbs"]
    return FollowupWords(
        phrases=phrases, plain=plain, no_noun=re.compile("|".join(shapes) or r"(?!)")
    )


def _in_words(phrase: str) -> tuple[str, ...]:
    """Split a phrase into words; one that is written onto the next may stand alone: "l'"."""
    parts = ([each] if each.endswith("'") else words(each) for each in phrase.split())
    return tuple(word for part in parts for word in part)


@kept_by_kinds()
def kind_words() -> Mapping[str, tuple[DocumentKind, bool]]:
    """Return the words for kinds of documents, with their kind, and whether they name several."""
    found = {word: (kind, False) for word, kind in prefixes().items()}
    for many in (True, False):
        for kind in numbered():
            found |= {" ".join(words(noun)): (kind, many) for noun in nouns(kind, many=many)}
    several = naming_words().several.items()
    return {word: (next(iter(kinds)), True) for word, kinds in several if len(kinds) == 1} | found
