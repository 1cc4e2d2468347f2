"""The words of a question and the parts that they play in it, as the language packs name them.

A pack holds, for each role, words and short phrases of a closed class. A ``*`` in a word stands
for any letters ('unterscheid*'), a word ``…`` in a phrase for any words ('keurde … goed').
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

from elysia_guard.domain.question import Lang
from elysia_guard.language.own_kinds import kept_by_kinds
from elysia_guard.language.pack import pack
from elysia_guard.language.spelling import near
from elysia_guard.language.stems import stem
from elysia_guard.language.text import words

SHORTEST_MENDED = 7
"""Letters of a word that is understood with a slip in it."""
GAP: Final = "\u2026"
_Entry = tuple[str, tuple[re.Pattern[str] | str, ...]]
_Ends = tuple[str, str, int]
"""The first and the last letter of a word, which a slip leaves as they are, and how many it has."""


class _Begun(NamedTuple):
    """What a word begins: the roles that it plays by itself, and phrases of several words."""

    alone: dict[str, int]
    phrases: list[_Entry]
    followed: dict[str, list[_Entry]]
    """Phrases by the word that must follow at once."""


class Roles:
    """Which words play which role in a language.

    The words of the roles that ``inflected`` names count in their inflections too, and then those
    of all phrases do.
    """

    def __init__(
        self, table: Mapping[str, Sequence[str]], lang: Lang, inflected: Collection[str] = ()
    ) -> None:
        self.table: Final = table
        self._inflected = inflected
        self._stemmed = lang if inflected else None
        self._exact: dict[str, list[_Entry]] = {}
        self._stems: dict[str, list[_Entry]] = {}
        self._open: list[_Entry] = []
        for role, phrases in table.items():
            for phrase in phrases:
                first, *rest = phrase.casefold().split()
                entry = (role, (_wanted(first), *(_wanted(self._key(word)) for word in rest)))
                if "*" in first:
                    self._open.append(entry)
                    continue
                self._exact.setdefault(first, []).append(entry)
                if role in inflected or (inflected and rest):
                    self._stems.setdefault(self._key(first), []).append(entry)
        opening = (first for _, (first, *_) in self._open if isinstance(first, re.Pattern))
        self._opening = re.compile("|".join(first.pattern for first in opening))
        self._long: dict[_Ends, list[str]] = {}
        for word in self._exact:
            if len(word) >= SHORTEST_MENDED:
                self._long.setdefault((word[0], word[-1], len(word)), []).append(word)
        self._begun_by = lru_cache(maxsize=5_000)(self._beginning)

    def of(self, said: Sequence[str]) -> list[dict[str, int]]:
        """For each word the roles that it plays, and over how many words: the longest phrase.

        The words are in lower case; an empty one plays none.
        """
        played = [self._begun_by(word).alone.copy() for word in said]
        for place, role, places in self._phrases(said):
            length = places[-1] - place + 1
            played[place][role] = max(length, played[place].get(role, 0))
        return played

    def within(self, said: Sequence[str]) -> list[frozenset[str]]:
        """For each word the roles of all phrases that it belongs to."""
        played = [set(self._begun_by(word).alone) for word in said]
        for _, role, places in self._phrases(said):
            for place in places:
                played[place].add(role)
        return list(map(frozenset, played))

    def _phrases(self, said: Sequence[str]) -> Iterator[tuple[int, str, list[int]]]:
        keys = [self._key(word) for word in said] if self._stemmed else said
        for place, (word, after) in enumerate(zip(said, (*keys[1:], ""), strict=False)):
            begun = self._begun_by(word)
            for role, phrase in (*begun.followed.get(after, ()), *begun.phrases):
                if places := _places(phrase, keys, place):
                    yield place, role, places

    def _beginning(self, word: str) -> _Begun:
        begun = _Begun(alone={}, phrases=[], followed={})
        for role, phrase in self._entries(word) if word else ():
            if len(phrase) == 1:
                begun.alone[role] = 1
            elif isinstance(phrase[1], str) and phrase[1] != GAP:
                begun.followed.setdefault(phrase[1], []).append((role, phrase))
            else:
                begun.phrases.append((role, phrase))
        return begun

    def _entries(self, word: str) -> tuple[_Entry, ...]:
        known = [*self._exact.get(word, ())]
        if self._opening.fullmatch(word):
            known += (each for each in self._open if _is(word, each[1][0]))
        known += [each for each in self._stems.get(self._key(word), ()) if each not in known]
        base, apostrophe, _ = word.partition("'")
        if apostrophe and base:
            known += self._entries(base)  # 'that's', 'we've'
        if not known and word.isalpha() and len(word) >= SHORTEST_MENDED - 1:
            ends = ((word[0], word[-1], len(word) + more) for more in (-1, 0, 1))
            alike = [other for each in ends for other in self._long.get(each, ())]
            meant = near(word, alike, 1) if alike else ()
            found = (entry for other in meant for entry in self._exact[other])
            known = [entry for entry in found if entry[0] not in self._inflected]
        return tuple(known)

    def _key(self, word: str) -> str:
        return stem(word, self._stemmed) if self._stemmed else word


class _Table(dict[str, list[str]]):
    """The words of each role; none for a role that a pack does not have."""

    def __missing__(self, role: str) -> list[str]:
        return []


@kept_by_kinds()
def roles(lang: Lang, *names: str, inflected: Collection[str] = ()) -> Roles:
    """Return the roles of some files of a language pack, together: ``roles("en", "clauses")``.

    ``inflected`` are the groups of a file, and the roles, whose words are inflected; words that
    are written with a hyphen are then two.
    """
    table, found = _Table(), set[str]()
    for name in names:
        for group, role, phrases in _listed(pack(lang).table(name, optional=True)):
            table.setdefault(role, []).extend(map(_apart, phrases) if inflected else phrases)
            if {group, role} & set(inflected):
                found.add(role)
    return Roles(table, lang, found)


def _listed(table: Mapping[str, Any], group: str = "") -> Iterator[tuple[str, str, list[str]]]:
    """The roles of a file with their words, and the group that each stands in."""
    for name, held in table.items():
        if isinstance(held, dict):
            yield from _listed(held, name)
        else:
            yield group, name, held


def _apart(phrase: str) -> str:
    parts = phrase.split()
    return " ".join(part if "*" in part else " ".join(words(part)) or part for part in parts)


def _wanted(word: str) -> re.Pattern[str] | str:
    if "*" not in word:
        return word
    return re.compile(".*".join(map(re.escape, word.split("*"))))


def _places(phrase: Sequence[re.Pattern[str] | str], said: Sequence[str], place: int) -> list[int]:
    """Where the words of a phrase stand, of which the first is at a place; empty if not all do."""
    found, apart = [place], False
    for wanted in phrase[1:]:
        if wanted == GAP:
            apart = True
            continue
        following = range(found[-1] + 1, len(said) if apart else min(found[-1] + 2, len(said)))
        at = next((at for at in following if _is(said[at], wanted)), None)
        if at is None:
            return []
        found.append(at)
        apart = False
    return found


def _is(word: str, wanted: re.Pattern[str] | str) -> bool:
    return word == wanted if isinstance(wanted, str) else bool(wanted.fullmatch(word))
