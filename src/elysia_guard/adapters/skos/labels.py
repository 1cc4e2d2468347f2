"""The labels of concepts: what a term names, what is near it, what a text mentions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import chain
from typing import NamedTuple

import numpy as np
from rapidfuzz import fuzz, process

from elysia_guard.domain.concept import Concept, LabelRole, TermMatch, Text
from elysia_guard.domain.question import Lang
from elysia_guard.language.pack import langs
from elysia_guard.language.spelling import unqualified
from elysia_guard.language.stems import (
    Stems,
    forms,
    inflected,
    is_stop_word,
    primary,
    stem,
    stemmers,
)
from elysia_guard.language.text import fold, folded, normalise, words

NEAR = 80.0
"""WRatio, 0 to 100, from which a label is suggested."""
FOREIGN = 3.0
"""What a suggestion through a label in another language than the asked one loses, of 100."""
SHARING = 300
"""How many labels are looked at because they share a word; those with the rarest come first."""
SHORTEST_WORD = 3
ALIKE = 65.0
"""Letters in common, 0 to 100, from which a label looks like a term."""
CANDIDATES = 5_000
"""How many labels are compared letter by letter; those with the likeliest letters come first."""
SHORTLIST = 50

_ROLES = {LabelRole.PREFERRED: 0, LabelRole.ALTERNATIVE: 1, LabelRole.HIDDEN: 2}


class IndexedLabel(NamedTuple):
    """A label and the position of its concept in the vocabulary."""

    position: int
    text: Text
    role: LabelRole
    key: str


class LabelSpan(NamedTuple):
    """A run of words in a text that is somebody's label."""

    start: int
    length: int


class AlikeLabels:
    """Folded labels, to be compared with a term in milliseconds."""

    def __init__(self, labels: Iterable[str]) -> None:
        self._labels = sorted(set(labels))
        self._lengths = np.array([len(label) for label in self._labels], dtype=np.int64)
        self._letters = np.array([_letters(label) for label in self._labels], dtype=np.uint64)

    def like(self, term: str) -> Sequence[str]:
        """Return the labels that share most letters with a folded term, the best first."""
        # One letter more or less changes one bit at most, and a ratio is 1 - changes / length.
        changes = np.bitwise_count(self._letters ^ np.uint64(_letters(term)))
        changes = np.maximum(changes, np.abs(self._lengths - len(term)))
        apart = changes / (self._lengths + max(len(term), 1))
        places = np.flatnonzero(apart <= 1 - ALIKE / 100)
        if len(places) > CANDIDATES:
            places = places[np.argsort(apart[places], kind="stable")[:CANDIDATES]]
        alike = process.extract(
            term,
            [self._labels[place] for place in places],
            scorer=fuzz.ratio,
            score_cutoff=ALIKE,
            limit=SHORTLIST,
        )
        return [label for label, _, _ in alike]


class LabelIndex:
    """The labels of concepts, by every form in which a person may write them.

    Results come in the order of the concepts.
    """

    def __init__(self, concepts: Sequence[Concept]) -> None:
        self._concepts = concepts
        self._exact: dict[str, list[IndexedLabel]] = defaultdict(list)
        self._folded: dict[str, list[IndexedLabel]] = defaultdict(list)
        self._stemmed: dict[tuple[Lang, Stems], list[IndexedLabel]] = defaultdict(list)
        self._longest: dict[tuple[Lang, str], int] = defaultdict(int)
        self._containing: dict[tuple[Lang, str], list[IndexedLabel]] = defaultdict(list)
        self._unqualified: dict[str, list[IndexedLabel]] = defaultdict(list)
        self._stemmers = cache(stemmers)
        for position, concept in enumerate(concepts):
            for text, role in LabelRole.of(concept):
                self._add(IndexedLabel(position, text, role, normalise(text.value)))
        self._alike_labels = AlikeLabels(
            key for key, labels in self._folded.items() if any(map(_is_name, labels))
        )

    def _add(self, label: IndexedLabel) -> None:
        if not label.key:
            return
        self._exact[label.key].append(label)
        if bare := unqualified(label.key):
            self._unqualified[bare].append(label)
        if bare := folded(label.key):
            self._folded[bare].append(label)
        found = words(label.key)
        for lang in self._stemmers(label.text.lang) if found else ():
            every = list(forms(found, lang))
            for stems in every:
                self._stemmed[lang, stems].append(label)
                first = (lang, stems[0])
                self._longest[first] = max(self._longest[first], len(stems))
            for word in set(chain(*every)) if _is_name(label) else ():
                self._containing[lang, word].append(label)

    def find(self, term: str, lang: Lang) -> list[TermMatch]:
        """Return the concepts that the term names, by the first way of matching that finds any."""
        for labels in self._tiers(normalise(term)):
            if labels:
                return [
                    TermMatch(
                        concept=self._concepts[label.position], label=label.text, role=label.role
                    )
                    for label in _best(labels, lang)
                ]
        return []

    def _tiers(self, key: str) -> Iterator[list[IndexedLabel]]:
        yield from _by_role(self._exact.get(key, []))
        folded = self._folded.get(fold(key), [])
        # 'power-transformer' means the power transformer, not the class PowerTransformer.
        same_words = [label for label in folded if _bare_words(label.key) == _bare_words(key)]
        yield [label for label in same_words if _is_name(label)]
        yield from _by_role(folded)
        yield [
            label
            for label in self._inflected(words(key), langs())
            if _is_name(label) and _symbols(label.key) == _symbols(key)
        ]
        yield [label for label in self._unqualified.get(key, ()) if _is_name(label)]

    def _inflected(self, found: Sequence[str], langs: Iterable[Lang]) -> list[IndexedLabel]:
        return [
            label
            for lang in langs
            for stems in forms(found, lang)
            for label in self._stemmed.get((lang, stems), ())
            if _differ_in_ending_only(found, words(label.key), lang)
        ]

    def nearest(self, term: str, lang: Lang, limit: int) -> list[Concept]:
        """Return the concepts with the labels nearest to the term, the asked language first."""
        key = normalise(term)
        shortlist = list(dict.fromkeys([*self._alike(fold(key)), *self._sharing_a_word(key, lang)]))
        scored = process.extract(
            key,
            [label.key for label in shortlist],
            scorer=fuzz.WRatio,
            score_cutoff=NEAR,
            limit=None,
        )
        best: dict[int, float] = {}
        for text, score, place in scored:
            label = shortlist[place]
            # A label that holds the term or is held by it scores high, however much is left over.
            worth = (score + fuzz.ratio(key, text)) / 2
            worth -= 0.0 if _speaks(label, lang) else FOREIGN
            best[label.position] = max(worth, best.get(label.position, 0.0))
        ranked = sorted(best, key=lambda position: (-round(best[position], 6), position))
        return [self._concepts[position] for position in ranked[:limit]]

    def _alike(self, term: str) -> Iterator[IndexedLabel]:
        for key in self._alike_labels.like(term):
            yield from filter(_is_name, self._folded[key])

    def _sharing_a_word(self, key: str, lang: Lang) -> Iterator[IndexedLabel]:
        found = [w for w in words(key) if len(w) >= SHORTEST_WORD and not is_stop_word(w, lang)]
        sharing = [
            self._containing.get((spoken, stem(word, spoken)), ())
            for word in found
            for spoken in langs()
        ]
        room = SHARING
        for labels in sorted(sharing, key=len):
            room -= len(labels)
            if room < 0:
                return
            yield from labels

    def mentions(self, text: str, lang: Lang) -> list[tuple[str, ...]]:
        """Return, for each label in the text, all names of its concept, the found label first.

        The longest label wins where two overlap; one that names several concepts gives each.
        """
        spans = self._spans(words(normalise(text)), lang)
        taken: set[int] = set()
        kept: list[LabelSpan] = []
        for span in sorted(spans, key=lambda span: (-span.length, span.start)):
            places = range(span.start, span.start + span.length)
            if taken.isdisjoint(places):
                taken.update(places)
                kept.append(span)
        groups = [
            _names(self._concepts[label.position], label)
            for span in sorted(kept)
            for label in _best(_names_or_all(spans[span]), lang)
        ]
        return list(dict.fromkeys(groups))

    def _spans(self, found: list[str], lang: Lang) -> dict[LabelSpan, list[IndexedLabel]]:
        spans: dict[LabelSpan, list[IndexedLabel]] = defaultdict(list)
        for spoken in langs():
            for start, word in enumerate(found):
                longest = max(self._longest.get((spoken, f[0]), 0) for f in forms([word], spoken))
                for length in range(1, min(longest, len(found) - start) + 1):
                    if length == 1 and _says_nothing(word, {lang, spoken}):
                        continue
                    labels = self._inflected(found[start : start + length], (spoken,))
                    if labels:
                        spans[LabelSpan(start, length)].extend(labels)
        return spans


def _is_name(label: IndexedLabel) -> bool:
    return label.role is not LabelRole.HIDDEN


def _by_role(labels: Sequence[IndexedLabel]) -> Iterator[list[IndexedLabel]]:
    """Names first, then hidden labels."""
    yield [label for label in labels if _is_name(label)]
    yield [label for label in labels if not _is_name(label)]


def _speaks(label: IndexedLabel, lang: Lang) -> bool:
    return primary(label.text.lang) in (lang, None)


def _best(labels: Sequence[IndexedLabel], lang: Lang) -> list[IndexedLabel]:
    """One label for each concept; other languages count only where the asked one has none."""
    spoken = [label for label in labels if _speaks(label, lang)] or labels
    best: dict[int, IndexedLabel] = {}
    for label in sorted(spoken, key=lambda label: (label.position, _ROLES[label.role])):
        best.setdefault(label.position, label)
    return list(best.values())


def _names_or_all(labels: Sequence[IndexedLabel]) -> Sequence[IndexedLabel]:
    return [label for label in labels if _is_name(label)] or labels


def _names(concept: Concept, found: IndexedLabel) -> tuple[str, ...]:
    texts = (found.text, *concept.preferred, *concept.alternative)
    return tuple(dict.fromkeys(text.value for text in texts))


def _says_nothing(word: str, langs: Iterable[Lang]) -> bool:
    return len(word) == 1 or any(is_stop_word(word, lang) for lang in langs)


def _bare_words(key: str) -> list[str]:
    return [fold(word) for word in words(key)]


def _symbols(key: str) -> list[str]:
    """What words leave out and yet tells terms apart: 'C' is not 'C++'."""
    return [char for char in fold(key) if not char.isalnum()]


def _differ_in_ending_only(found: Sequence[str], label: Sequence[str], lang: Lang) -> bool:
    return all(inflected(one, other, lang) for one, other in zip(found, label, strict=True))


def _letters(text: str) -> int:
    """Mark in 64 bits which letters occur, and which occur twice."""
    bits = 0
    for char in text:
        bit = 1 << ord(char) % 32
        bits |= bit << 32 if bits & bit else bit
    return bits
