"""Phrases found in a text at once, however many there are: as written, and in other inflections."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Final, Literal, NamedTuple

from ahocorasick_rs import AhoCorasick

from elysia_guard.domain.concept import Label
from elysia_guard.domain.question import Lang
from elysia_guard.language.stems import forms, inflected

_View = Literal["plain"] | Lang
_PLAIN: Final = "plain"


class Phrase(NamedTuple):
    """What is looked for: its words, the languages that it may be inflected in, what it is.

    A label of the vocabulary, or the place of a document in the catalogue.
    """

    words: tuple[str, ...]
    langs: tuple[Lang, ...]
    value: Label | int


class FoundPhrase(NamedTuple):
    """A phrase among the words of a text, from ``first`` to before ``last``.

    ``exact`` tells that only case, blanks and hyphens may differ.
    """

    first: int
    last: int
    phrase: Phrase
    exact: bool


class Phrases:
    """Finds phrases among words, with or without blanks in them, and by their stems.

    All stand in a few automata, one of the words as they are and one of the stems of each language:
    a text is read as often as there are automata, whatever the number of phrases.
    """

    def __init__(self, phrases: Iterable[Phrase]) -> None:
        known: dict[_View, dict[str, list[Phrase]]] = {_PLAIN: {}}
        for phrase in phrases:
            for view, key in set(_keys(phrase)):
                known.setdefault(view, {}).setdefault(key, []).append(phrase)
        self._known = {view: list(keyed.values()) for view, keyed in known.items()}
        self._automata = {view: AhoCorasick(keyed) for view, keyed in known.items() if keyed}

    def find(self, words: Sequence[str]) -> list[FoundPhrase]:
        """Return every phrase among the words, each once, exact ones first; they may overlap."""
        found: dict[tuple[int, int, int], FoundPhrase] = {}
        for view, automaton in self._automata.items():
            for parts in (words,) if view == _PLAIN else forms(words, view):
                for item in self._found(automaton, view, parts, words):
                    found.setdefault((item.first, item.last, id(item.phrase)), item)
        return list(found.values())

    def _found(
        self, automaton: AhoCorasick, view: _View, parts: Sequence[str], words: Sequence[str]
    ) -> Iterator[FoundPhrase]:
        starts, ends, place = {}, {}, 0
        for number, part in enumerate(parts):
            starts[place] = number
            place += len(part)
            ends[place] = number + 1
        known = self._known[view]
        text = "".join(parts)
        for which, start, end in automaton.find_matches_as_indexes(text, overlapping=True):
            if start in starts and end in ends:
                first, last = starts[start], ends[end]
                for phrase in known[which]:
                    if view == _PLAIN or _same(words[first:last], phrase.words, view):
                        yield FoundPhrase(first, last, phrase, view == _PLAIN)


def _keys(phrase: Phrase) -> Iterator[tuple[_View, str]]:
    if key := "".join(phrase.words):
        yield _PLAIN, key
        for lang in phrase.langs:
            for stems in forms(phrase.words, lang):
                yield lang, "".join(stems)


def _same(found: Sequence[str], words: Sequence[str], lang: Lang) -> bool:
    """Hold word against word; where one is written together, all of them as one."""
    if len(found) != len(words):
        found, words = ["".join(found)], ["".join(words)]
    return all(_inflected(one, other, lang) for one, other in zip(found, words, strict=True))


_inflected = lru_cache(maxsize=50_000)(inflected)
