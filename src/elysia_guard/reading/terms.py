"""Terms of the vocabulary that a question mentions, by any label of theirs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from elysia_guard.domain.concept import Label, LabelRole
from elysia_guard.domain.question import Lang
from elysia_guard.language.inflections import primary, stemmers
from elysia_guard.language.stems import is_stop_word
from elysia_guard.reading.phrases import Found, Phrase, Phrases
from elysia_guard.reading.tokens import Token, words_of

EXACT: Final = 0.98
"""The chance that a term is meant whose label stands there."""
INFLECTED: Final = 0.95


class Mentioned(NamedTuple):
    """The labels, of one concept each, that stand from ``first`` to before ``last``."""

    first: int
    last: int
    labels: tuple[Label, ...]
    exact: bool

    @property
    def chance(self) -> float:
        """The probability that the first is meant."""
        return (EXACT if self.exact else INFLECTED) / len(self.labels)


class Terms:
    """The labels of a vocabulary, found in questions."""

    def __init__(self, labels: Iterable[Label]) -> None:
        """Take the labels; one without letters or figures names nothing."""
        self._phrases = Phrases(
            Phrase(words, tuple(stemmers(label.text.lang)), label)
            for label in labels
            if (words := words_of(label.text.value))
        )

    def find(self, text: str, tokens: Sequence[Token], lang: Lang) -> list[Mentioned]:
        """Return every mention; they may overlap. Of equals the better label counts alone."""
        spans: dict[tuple[int, int], list[Found[Label]]] = defaultdict(list)
        for item in self._phrases.find([token.word for token in tokens]):
            if _says_something(item, text, tokens, lang):
                spans[item.first, item.last].append(item)
        return [self._mentioned(*span, found, lang) for span, found in spans.items()]

    def _mentioned(
        self, first: int, last: int, found: Sequence[Found[Label]], lang: Lang
    ) -> Mentioned:
        best = min(_rank(item) for item in found)
        equal = [item.phrase.value for item in found if _rank(item) == best]
        spoken = [label for label in equal if primary(label.text.lang) in {lang, None}] or equal
        by_uri = {label.uri: label for label in reversed(spoken)}
        labels = tuple(by_uri[uri] for uri in sorted(by_uri))
        return Mentioned(first, last, labels, exact=best[0] == 0)


def _rank(item: Found[Label]) -> tuple[bool, bool, bool, bool]:
    """Exact before inflected, living before deprecated, names before hidden labels.

    And words that are apart as they are in the label: 'power-transformer' is no 'PowerTransformer'.
    """
    label = item.phrase.value
    apart = len(item.phrase.words) != item.last - item.first
    return not item.exact, label.deprecated, label.role is LabelRole.HIDDEN, apart


def _says_something(item: Found[Label], text: str, tokens: Sequence[Token], lang: Lang) -> bool:
    """A letter names nothing, a function word only as an abbreviation: 'IT' is not 'it'."""
    if item.last - item.first > 1:
        return True
    token, label = tokens[item.first], item.phrase.value
    langs = {lang, *stemmers(label.text.lang)}
    if len(token.word) > 1 and not any(is_stop_word(token.said, each) for each in langs):
        return True
    written = text[token.start : token.end]
    return written == label.text.value and len(written) > 1 and written.isupper()
