"""The words of follow-ups in one language, by their role, from ``packs/*/followups.toml``."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from elysia_guard.domain.question import Lang
from elysia_guard.language.by_kinds import kept_by_kinds
from elysia_guard.language.kinds import names_as_words
from elysia_guard.language.pack import pack
from elysia_guard.language.stems import is_content_word
from elysia_guard.language.text import words

SHORTEST_END = 5
"""Letters of the name of a kind that a compound may end in."""


@dataclass(frozen=True, kw_only=True)
class FollowupWords:
    """What a language's pack says; a role is a path in it, such as ``refers.thing``."""

    lang: Lang
    phrases: Mapping[str, frozenset[tuple[str, ...]]]
    """The phrases of each role, in lower-case words."""
    plain: Mapping[str, Mapping[str, str]]
    """The tables whose values are texts: wordings, contractions, pronominal adverbs."""
    longest: Mapping[str, int]
    no_noun: re.Pattern[str]
    comparing: re.Pattern[str]

    def has(self, role: str, word: str) -> bool:
        """Tell whether one word plays a role."""
        return (word,) in self.phrases.get(role, frozenset())

    def words(self, role: str) -> set[str]:
        """Return the single words of a role."""
        return {phrase[0] for phrase in self.phrases.get(role, ()) if len(phrase) == 1}

    def match(self, role: str, said: Sequence[str], at: int = 0) -> int:
        """Return how many words the longest phrase of a role has that stands at a place, or 0."""
        known = self.phrases.get(role, frozenset())
        for length in range(min(self.longest.get(role, 0), len(said) - at), 0, -1):
            if tuple(said[at : at + length]) in known:
                return length
        return 0

    def member(self, group: str, word: str) -> str:
        """Return which role of a group a word plays ('owner' of ``asked``); empty for none."""
        found = (role for role in self.phrases if role.startswith(f"{group}."))
        return next((role.rpartition(".")[2] for role in found if self.has(role, word)), "")

    def worded(self, name: str, **values: str) -> str:
        """Return a wording with its values filled in."""
        return self.plain["whole"][name].format_map(values)

    def is_closed(self, word: str) -> bool:
        """Tell whether a word may not begin what an article stands before."""
        roles = ("grammar.function", "grammar.verbs", "grammar.asks", "refers.thing", "refers.pair")
        return word in self.plain["refers.adverbs"] or any(
            self.has(role, word) for role in (*roles, "dummy.continues")
        )

    def is_content(self, word: str) -> bool:
        """Tell whether a word says what a text is about."""
        return (
            is_content_word(word, self.lang)
            and not self.is_closed(word)
            and not self.has("grammar.fillers", word)
        )

    def ends_in_kind(self, word: str) -> bool:
        """Tell whether a longer word ends in the name of a kind: 'tls-besluit', 'leitprinzip'."""
        return any(
            len(name) >= SHORTEST_END and word != name and word.endswith(name)
            for role, names in self.phrases.items()
            if role.startswith("kinds.")
            for (name,) in names
        )

    def is_known(self, word: str) -> bool:
        """Tell whether a word has a part in follow-ups, and so names no term by itself."""
        groups = ("asked", "kinds", "numbers", "lists", "refers")
        return not self.is_content(word) or any(self.member(group, word) for group in groups)

    def compares(self, word: str) -> bool:
        """Tell whether a word holds things against each other: 'vergelijk', 'difference'."""
        return bool(self.comparing.match(word))

    def is_no_noun(self, word: str) -> bool:
        """Tell whether the last word of a clause looks like a verb or adjective: 'goedgekeurd'."""
        return bool(self.no_noun.search(word))


@kept_by_kinds()
def followup_words(lang: Lang) -> FollowupWords:
    """Return the words of a language.

    Raises:
        PackError: the language has no ``followups.toml``.
    """
    phrases: dict[str, frozenset[tuple[str, ...]]] = {}
    plain: dict[str, Mapping[str, str]] = {}
    tables = pack(lang).table("followups")
    shapes = tables["grammar"].pop("no_nouns")
    _flatten(tables, "", phrases, plain)
    return FollowupWords(
        lang=lang,
        phrases=phrases,
        plain=plain,
        longest={role: max(map(len, known), default=0) for role, known in phrases.items()},
        no_noun=re.compile("|".join(shapes) or r"(?!)"),
        comparing=_either(pack(lang).table("comparisons")["comparing"]),
    )


def _either(words: Sequence[str]) -> re.Pattern[str]:
    """Match one of some words; one that ends in a star is the beginning of several."""
    shapes = (re.escape(word).replace(r"\*", r"\w*") for word in words)
    return re.compile(rf"(?:{'|'.join(shapes)})\Z")


def _flatten(
    table: Mapping[str, Any],
    path: str,
    phrases: dict[str, frozenset[tuple[str, ...]]],
    plain: dict[str, Mapping[str, str]],
) -> None:
    for key, value in table.items():
        role = f"{path}.{key}" if path else key
        if isinstance(value, list):
            phrases[role] = frozenset(map(in_words, cast(list[str], value)))
        elif all(isinstance(each, str) for each in value.values()):
            plain[role] = {word.replace("\u2019", "'"): said for word, said in value.items()}
        else:
            _flatten(value, role, phrases, plain)


def in_words(phrase: str) -> tuple[str, ...]:
    """Split a phrase into words; one that is written onto the next may stand alone: "l'".

    The name of a kind is one word, of however many it is made: 'request for comments'.
    """
    parts = phrase.split()
    found = [word for part in parts for word in ([part] if part.endswith("'") else words(part))]
    return tuple(" ".join(found[start:end]) for start, end in names_as_words(found))
