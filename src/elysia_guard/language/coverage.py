"""How much of a question a text covers: content words, stemmed, with words that mean the same.

The vocabulary's synonyms mean the same, and a word's name in another language, by the glossary,
nearly so. Words of like meaning, by a model, count by their likeness.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import chain, repeat
from operator import mul
from typing import TYPE_CHECKING, NamedTuple

from elysia_guard.domain.question import Lang
from elysia_guard.language.glossary import named
from elysia_guard.language.pack import SPOKEN_FIRST, langs
from elysia_guard.language.sentences import units
from elysia_guard.language.stems import content_words, is_content_word, stem
from elysia_guard.language.text import words

if TYPE_CHECKING:
    from elysia_guard.domain.document import Passage
    from elysia_guard.domain.evidence import Evidence

MIN_WEIGHT = 0.01
"""What the commonest word still counts."""
NAMED = 0.9
"""How much of a word its name in another language covers, by the glossary."""

Likeness = Mapping[str, Mapping[str, float]]
"""For each word those of like meaning, and how alike: above 0, to 1 (the same)."""


class SentenceDegrees(NamedTuple):
    """Of each content word how much, 0 to 1, is covered above a passage and by its sentences."""

    above: list[float]
    sentences: list[list[float]]

    @property
    def covered(self) -> list[float]:
        """What all of it covers together."""
        return [max(each) for each in zip(self.above, *self.sentences, strict=True)]


@dataclass(frozen=True, kw_only=True)
class QueryTerms:
    """The content words of a question; each is covered by itself or by any of its synonyms.

    ``weights[i]`` is how much a word counts, 0 to 1 by its rarity: a word that stands in every
    passage says nothing of this one. ``synonyms[i]`` are the other labels for ``words[i]``, each a
    tuple of words that must all occur. ``likeness`` holds words of like meaning, of any language.
    """

    words: tuple[str, ...]
    weights: tuple[float, ...]
    synonyms: tuple[tuple[tuple[str, ...], ...], ...]
    lang: Lang
    likeness: Likeness = field(default_factory=dict)

    @property
    def weight(self) -> float:
        """What all content words together count: of two rare ones, 2."""
        return math.fsum(self.weights)

    @property
    def expansion(self) -> str:
        """The words to search for: the content words and the words of their synonyms."""
        extra = (part for group in self.synonyms for label in group for part in label)
        return " ".join(dict.fromkeys((*self.words, *extra)))

    def covered_by(self, text: str, lang: str) -> frozenset[str]:
        """Return the content words that a text in some language covers in full."""
        degrees = self._degrees(_keys(text, self.lang, lang if lang in langs() else self.lang))
        return frozenset(word for word, at in zip(self.words, degrees, strict=True) if at == 1.0)

    def coverage(self, text: str, lang: str) -> float:
        """Return the share, 0 to 1, of the content words covered, by weight; 1 without any.

        Words of like meaning count as much as they are alike.
        """
        if not self.words:
            return 1.0
        keys = _keys(text, self.lang, lang if lang in langs() else self.lang)
        return self._total(self._degrees(keys)) / self._whole

    def coverage_by(self, passage: Passage) -> float:
        """Return the share, 0 to 1, of the content words that a passage's best sentence covers.

        The title and the headings count as part of each sentence, words of like meaning as much as
        they are alike, and each word by its weight; 1 without any.
        """
        known = passage.id, passage.text
        if known not in self._covered:
            under = map(self.share, self.under(passage))
            self._covered[known] = max(under, default=self.share(self.degrees_by(passage).above))
        return self._covered[known]

    def degrees_by(self, passage: Passage) -> SentenceDegrees:
        """Tell what the title and the headings of a passage cover, and what each sentence does."""
        known = passage.id, passage.text
        if known not in self._measured:
            above, *sentences = map(self._degrees, _keys_of(passage, self.lang))
            self._measured[known] = SentenceDegrees(above, sentences)
        return self._measured[known]

    def under(self, passage: Passage) -> list[list[float]]:
        """Tell how much of each content word stands in each sentence or above the passage."""
        known = passage.id, passage.text
        if known not in self._under:
            above, sentences = self.degrees_by(passage)
            self._under[known] = [list(map(max, above, own)) for own in sentences]
        return self._under[known]

    def names(self, at: int, word: str, lang: str) -> bool:
        """Tell whether a word of a text in some language is a content word, or means alike."""
        keys = _keys(word, self.lang, lang if lang in langs() else self.lang)
        return any(place == at for key in keys for place, _ in self._covering.get(key, ()))

    def share(self, degrees: Iterable[float]) -> float:
        """Return the share, 0 to 1, of the content words, of each of which so much is covered."""
        return self._total(degrees) / self._whole if self.words else 1.0

    def _total(self, degrees: Iterable[float]) -> float:
        return math.fsum(map(mul, self.weights, degrees))

    def _degrees(self, keys: frozenset[str]) -> list[float]:
        """Tell of each content word how much of it some words cover, 0 to 1."""
        degrees = [0.0] * len(self.words)
        for key in self._covering.keys() & keys:
            for at, degree in self._covering[key]:
                if degree > degrees[at]:  # noqa: PLR1730  a call of max each time is what costs
                    degrees[at] = degree
        for at, label in self._phrases:
            if degrees[at] < 1.0 and all(not forms.isdisjoint(keys) for forms in label):
                degrees[at] = 1.0
        return degrees

    @cached_property
    def _measured(self) -> dict[tuple[str, str], SentenceDegrees]:
        """The degrees of the passages that were looked at: one search asks for them twice."""
        return {}

    @cached_property
    def _under(self) -> dict[tuple[str, str], list[list[float]]]:
        return {}

    @cached_property
    def _covered(self) -> dict[tuple[str, str], float]:
        """What the best sentence of each of them covers."""
        return {}

    @cached_property
    def _whole(self) -> float:
        return sum(self.weights)

    @cached_property
    def _covering(self) -> dict[str, list[tuple[int, float]]]:
        """For each single word that covers content words: which, and how much of them."""
        found: dict[str, list[tuple[int, float]]] = {}
        for at, word in enumerate(self.words):
            labels = [label[0] for label in self.synonyms[at] if len(label) == 1]
            same = {form for label in (word, *labels) for form in self._forms(label)}
            alike = self.likeness.get(word, {})
            called = {name: max(NAMED, alike.get(name, 0.0)) for name in _names(word, self.lang)}
            for key, degree in {**alike, **called, **dict.fromkeys(same, 1.0)}.items():
                found.setdefault(key, []).append((at, degree))
        return found

    @cached_property
    def _phrases(self) -> list[tuple[int, list[frozenset[str]]]]:
        """The synonyms of several words, with the content word that each is one of."""
        return [
            (at, [self._forms(part) for part in label])
            for at, labels in enumerate(self.synonyms)
            for label in labels
            if len(label) > 1
        ]

    def _forms(self, word: str) -> frozenset[str]:
        return frozenset({word, stem(word, self.lang)})


def query_terms(
    topic: str,
    lang: Lang,
    synonyms: Sequence[Sequence[str]] = (),
    *,
    rarity: Mapping[str, float] | None = None,
    likeness: Likeness | None = None,
) -> QueryTerms:
    """Take the content words of a topic and attach the synonym groups they take part in.

    Each group holds labels of one concept, the one found in the topic first; its words share the
    group's other labels. Without ``rarity`` every word counts the same.
    """
    found = content_words(topic, lang)
    stemmed = {word: stem(word, lang) for word in found}
    attached: dict[str, list[tuple[str, ...]]] = {word: [] for word in found}
    for group in synonyms:
        label, *others = (tuple(words(text)) for text in group)
        inside = {stem(part, lang) for part in label}
        for word in found:
            if stemmed[word] in inside or word in label:
                attached[word].extend(other for other in others if other)
    return QueryTerms(
        words=tuple(found),
        weights=tuple(max((rarity or {}).get(word, 1.0), MIN_WEIGHT) for word in found),
        synonyms=tuple(tuple(attached[word]) for word in found),
        lang=lang,
        likeness=likeness or {},
    )


def asked_of(evidence: Evidence, topic: str, lang: Lang, *, weighted: bool = True) -> QueryTerms:
    """Take the content words of a topic, with what the evidence knows of them.

    ``weighted``: a rare word counts for more than a common one. Gates, answer and ways on ask for
    the same of one evidence: they are given the same, with what it has measured of passages.
    """
    rarity = evidence.rarity if weighted else _UNWEIGHTED
    return _asked(_Known(evidence.synonyms, rarity, evidence.likeness), topic, lang)


_UNWEIGHTED: Mapping[str, float] = {}


class _Known:
    """What evidence knows of words: the same only where it is the very same, not by its values."""

    def __init__(
        self, synonyms: Sequence[Sequence[str]], rarity: Mapping[str, float], likeness: Likeness
    ) -> None:
        self.synonyms, self.rarity, self.likeness = synonyms, rarity, likeness

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, _Known)
            and self.synonyms is other.synonyms
            and self.rarity is other.rarity
            and self.likeness is other.likeness
        )

    def __hash__(self) -> int:
        return hash((id(self.synonyms), id(self.rarity), id(self.likeness)))


@lru_cache(maxsize=32)  # the questions under way
def _asked(known: _Known, topic: str, lang: Lang) -> QueryTerms:
    return query_terms(topic, lang, known.synonyms, rarity=known.rarity, likeness=known.likeness)


@lru_cache(maxsize=20_000)
def _names(word: str, lang: Lang) -> frozenset[str]:
    """The stems of what a word is called in the other languages."""
    return frozenset(stem(name, other) for name, other in named(word, lang))


@lru_cache(maxsize=4_000)
def passage_words(passage: Passage) -> tuple[str, ...]:
    """The content words of a passage, its title and its headings, each once."""
    lang = _language_of(passage, SPOKEN_FIRST)
    every = chain.from_iterable(_words_of(passage))
    return tuple(word for word in dict.fromkeys(every) if is_content_word(word, lang))


@lru_cache(maxsize=100)  # a search's passages, between the two that ask for them
def _words_of(passage: Passage) -> tuple[list[str], ...]:
    """The words above a passage, its title and its headings, and then those of each sentence."""
    above = words(f"{passage.document.title}\n{passage.section}")
    return above, *map(words, units(passage.text, passage.document.lang))


@lru_cache(maxsize=4_000)
def _keys_of(passage: Passage, asked: Lang) -> tuple[frozenset[str], ...]:
    """What ``_words_of`` a passage can be found by, in the language asked in and its own."""
    own = _language_of(passage, asked)
    return tuple(_with_stems(found, asked, own) for found in _words_of(passage))


@lru_cache(maxsize=4_000)
def _keys(text: str, first: Lang, second: Lang) -> frozenset[str]:
    """The words of a text and their stems, in one language or two."""
    return _with_stems(words(text), first, second)


def _with_stems(found: Sequence[str], first: Lang, second: Lang) -> frozenset[str]:
    keys = {*found, *map(stem, found, repeat(first))}
    if second != first:
        keys.update(map(stem, found, repeat(second)))
    return frozenset(keys)


def _language_of(passage: Passage, otherwise: Lang) -> Lang:
    """The language of a passage's document; where it is none that is read here, another."""
    lang = passage.document.lang
    return lang if lang in langs() else otherwise
