"""The words of a question and the parts that they play in it, as the language packs name them.

A pack holds, for each role, words and short phrases of a closed class. A ``*`` in a word stands
for any letters: 'unterscheid*'.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import Final

from rapidfuzz.distance import OSA

from elysia_guard.domain.question import Lang
from elysia_guard.language.pack import pack

SHORTEST_MENDED = 7
"""Letters of a word that is understood with a slip in it."""
_Entry = tuple[str, tuple[re.Pattern[str] | str, ...]]


class Roles:
    """Which words play which role in a language."""

    def __init__(self, table: Mapping[str, Sequence[str]]) -> None:
        self.table: Final = table
        self._exact: dict[str, list[_Entry]] = {}
        self._open: list[_Entry] = []
        for role, phrases in table.items():
            for phrase in phrases:
                first, *rest = (_wanted(word) for word in phrase.casefold().split())
                entry = (role, (first, *rest))
                if isinstance(first, str):
                    self._exact.setdefault(first, []).append(entry)
                else:
                    self._open.append(entry)
        self._long = [word for word in self._exact if len(word) >= SHORTEST_MENDED]
        self._begun_by = lru_cache(maxsize=5_000)(self._entries)

    def of(self, words: Sequence[str]) -> list[dict[str, int]]:
        """For each word the roles that it plays, and over how many words: the longest phrase.

        The words are in lower case; an empty one plays none.
        """
        played: list[dict[str, int]] = []
        for place, word in enumerate(words):
            roles: dict[str, int] = {}
            for role, phrase in self._begun_by(word) if word else ():
                length = len(phrase)
                if length > roles.get(role, 0) and _follows(phrase[1:], words[place + 1 :]):
                    roles[role] = length
            played.append(roles)
        return played

    def _entries(self, word: str) -> tuple[_Entry, ...]:
        known = [*self._exact.get(word, ()), *(each for each in self._open if _fits(each[1], word))]
        base, apostrophe, _ = word.partition("'")
        if apostrophe and base:
            known += self._entries(base)  # 'that's', 'we've'
        if not known and word.isalpha() and len(word) >= SHORTEST_MENDED - 1:
            meant = (other for other in self._long if _slipped(word, other))
            known = [entry for other in meant for entry in self._exact[other]]
        return tuple(known)


class _Table(dict[str, list[str]]):
    """The words of each role; none for a role that a pack does not have."""

    def __missing__(self, role: str) -> list[str]:
        return []


def roles(lang: Lang, *names: str) -> Roles:
    """Return the roles of some files of a language pack, together: ``roles("en", "clauses")``."""
    return _roles(lang, names)


@cache
def _roles(lang: Lang, names: tuple[str, ...]) -> Roles:
    table = _Table()
    for name in names:
        for role, phrases in _pack(lang, name):
            table.setdefault(role, []).extend(phrases)
    return Roles(table)


def _pack(lang: Lang, name: str) -> Iterator[tuple[str, list[str]]]:
    return iter(pack(lang).table(name, optional=True).items())


def _wanted(word: str) -> re.Pattern[str] | str:
    if "*" not in word:
        return word
    return re.compile(".*".join(map(re.escape, word.split("*"))))


def _fits(phrase: Sequence[re.Pattern[str] | str], word: str) -> bool:
    first = phrase[0]
    return not isinstance(first, str) and bool(first.fullmatch(word))


def _follows(phrase: Sequence[re.Pattern[str] | str], words: Sequence[str]) -> bool:
    return len(phrase) <= len(words) and all(
        word == wanted if isinstance(wanted, str) else bool(wanted.fullmatch(word))
        for wanted, word in zip(phrase, words, strict=False)
    )


def _slipped(word: str, other: str) -> bool:
    near = abs(len(word) - len(other)) <= 1 and word[0] == other[0] and word[-1] == other[-1]
    return near and OSA.distance(word, other) == 1
