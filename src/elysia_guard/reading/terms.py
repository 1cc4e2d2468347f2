"""Terms of the vocabulary that a question mentions, by any label of theirs.

Labels, and titles too, are phrases that are found at once, however many there are: as written, and
in other inflections.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from typing import Final, Literal, NamedTuple

from ahocorasick_rs import AhoCorasick

from elysia_guard.domain.concept import Label, LabelRole
from elysia_guard.domain.question import Lang
from elysia_guard.language.spelling import unqualified
from elysia_guard.language.stems import forms, inflected, is_stop_word, primary, stemmers
from elysia_guard.reading.mentions import PossibleMention, Rank, TermSpan
from elysia_guard.reading.tokens import Token, words_of

_View = Literal["plain"] | Lang
_PLAIN: Final = "plain"
EXACT: Final = 0.98
"""The chance that a term is meant whose label stands there."""
INFLECTED: Final = 0.95

Said = Sequence[tuple[Label, tuple[str, ...]]]
"""Labels, each with its words."""


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


def said(labels: Iterable[Label]) -> Said:
    """Return labels with their words; one without letters or figures names nothing."""
    found = ((label, words_of(label.text.value)) for label in labels)
    return [(label, words) for label, words in found if words]


def phrases(labels: Said) -> Iterator[Phrase]:
    """Give what to look for: each label, also without what stands in brackets behind it."""
    spoken = cache(lambda tag: tuple(stemmers(tag)))
    for label, words in labels:
        yield Phrase(words, spoken(label.text.lang), label)
        if bare := unqualified(label.text.value):
            yield Phrase(words_of(bare), spoken(label.text.lang), label)


def mentioned(
    found: Iterable[FoundPhrase], text: str, tokens: Sequence[Token], lang: Lang
) -> Iterator[PossibleMention]:
    """Give every mention; they may overlap. Of equals the better label counts alone."""
    spans: dict[tuple[int, int], dict[Label, _Rank]] = defaultdict(dict)
    for item in found:
        label, said = item.phrase.value, tokens[item.first : item.last]
        if isinstance(label, Label) and _says_something(said, label, text, lang):
            spans[item.first, item.last][label] = _rank(item, label)
    for (first, last), ranked in spans.items():
        best = min(ranked.values())
        equal = [label for label, rank in ranked.items() if rank == best]
        spoken = [label for label in equal if primary(label.text.lang) in {lang, None}] or equal
        by_uri = {label.uri: label for label in reversed(spoken)}
        meant = tuple(TermSpan(uri=uri, label=by_uri[uri].text.value) for uri in sorted(by_uri))
        exact = not best[0]
        chance = (EXACT if exact else INFLECTED) / len(meant)
        yield PossibleMention(Rank.KNOWN, first, last, meant, chance, exact)


_Rank = tuple[bool, bool, bool, bool]


def _rank(item: FoundPhrase, label: Label) -> _Rank:
    """Exact before inflected, living before deprecated, names before hidden labels.

    And words that are apart as they are in the label: 'power-transformer' is no 'PowerTransformer'.
    """
    apart = item.last - item.first != len(item.phrase.words)
    return not item.exact, label.deprecated, label.role is LabelRole.HIDDEN, apart


def _says_something(said: Sequence[Token], label: Label, text: str, lang: Lang) -> bool:
    """A letter names nothing, a function word only as an abbreviation: 'IT' is not 'it'."""
    if len(said) > 1:
        return True
    (token,) = said
    langs = {lang, *stemmers(label.text.lang)}
    if len(token.word) > 1 and not any(is_stop_word(token.said, each) for each in langs):
        return True
    written = text[token.start : token.end]
    return written == label.text.value and len(written) > 1 and written.isupper()
