"""How much of a question a text covers: content words, stemmed, with the vocabulary's synonyms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from elysia_guard.domain.question import LANGS, Lang
from elysia_guard.language.stems import content_words, stem
from elysia_guard.language.text import words

MIN_WEIGHT = 0.01
"""What the commonest word still counts."""


@dataclass(frozen=True, kw_only=True, slots=True)
class QueryTerms:
    """The content words of a question; each is covered by itself or by any of its synonyms.

    ``weights[i]`` is how much a word counts, 0 to 1 by its rarity: a word that stands in every
    passage says nothing of this one. ``synonyms[i]`` are the other labels for ``words[i]``, each a tuple of words that must all occur.
    """

    words: tuple[str, ...]
    weights: tuple[float, ...]
    synonyms: tuple[tuple[tuple[str, ...], ...], ...]
    lang: Lang

    @property
    def expansion(self) -> str:
        """The words to search for: the content words and the words of their synonyms."""
        extra = (part for group in self.synonyms for label in group for part in label)
        return " ".join(dict.fromkeys((*self.words, *extra)))

    def covered_by(self, text: str, lang: str) -> frozenset[str]:
        """Return the content words that a text in some language covers."""
        keys = _keys(text, self.lang, lang if lang in LANGS else self.lang)
        return frozenset(
            word
            for word, labels in zip(self.words, self.synonyms, strict=True)
            if self._occurs((word,), keys) or any(self._occurs(label, keys) for label in labels)
        )

    def coverage(self, text: str, lang: str) -> float:
        """Return the share, 0 to 1, of the content words covered, by weight; 1 without any."""
        if not self.words:
            return 1.0
        covered = self.covered_by(text, lang)
        pairs = list(zip(self.words, self.weights, strict=True))
        return sum(weight for word, weight in pairs if word in covered) / sum(self.weights)

    def _occurs(self, label: Sequence[str], keys: frozenset[str]) -> bool:
        return all(part in keys or stem(part, self.lang) in keys for part in label)


def query_terms(
    topic: str,
    lang: Lang,
    synonyms: Sequence[Sequence[str]] = (),
    *,
    rarity: Mapping[str, float] | None = None,
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
    )


@lru_cache(maxsize=20_000)
def _keys(text: str, first: Lang, second: Lang) -> frozenset[str]:
    found = set(words(text))
    return frozenset(
        found | {stem(word, first) for word in found} | {stem(word, second) for word in found}
    )
