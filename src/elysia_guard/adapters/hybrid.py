"""What passage indexes do alike: which words they search by, and how rankings are fused."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Generic, Protocol, TypeAlias, TypeVar

from elysia_guard.domain.document import Document
from elysia_guard.domain.question import Lang
from elysia_guard.domain.search_weights import AS_EVER, Field, SearchWeights, WeightsByKind
from elysia_guard.language.glossary import translations
from elysia_guard.language.pack import SPOKEN_FIRST, langs
from elysia_guard.language.spelling import NearSpellings, counted
from elysia_guard.language.stems import content_words, function_word_counts, stem
from elysia_guard.language.text import without_marks, words

HARDLY_ANY = 4
"""Of a question one word in so many says nothing; of words to search for fewer do."""
RANK_CONSTANT = 10
"""The lower, the more the first places of a ranking count; 10 was the best of 5 to 60."""
RESERVED = 3
WORDS, PASSAGE, SENTENCE = 2.0, 1.0, 1.0
"""What the rankings by words, by passage and by sentence count: words as much as meaning."""

Key = TypeVar("Key", int, str)
Shares: TypeAlias = tuple[tuple[tuple[Field, ...], float], ...]
"""Which share of the words asked for stands in exactly these fields; together 1, or none."""


class TermCounts(Protocol):
    """What an index knows of its terms."""

    def frequencies(self, terms: frozenset[str]) -> Mapping[str, int]:
        """In how many passages each term stands, as a word or as a stem; 0 for one of none."""

    def counts(self) -> Mapping[str, int]:
        """In how many passages each word of their texts stands."""


def rarity_of(
    asked: Sequence[str], lang: Lang, held: TermCounts, passages: int
) -> dict[str, float]:
    """Return how rare each word or its stem is among so many passages, from 0 to 1.

    See ``ports.PassageIndex``.
    """

    def frequency(word: str) -> int:
        forms = frozenset({without_marks(word), without_marks(stem(word, lang))})
        return min(max(held.frequencies(forms).values()), passages)

    if not passages:
        return dict.fromkeys(asked, 1.0)
    most = math.log(passages + 1)
    return {word: math.log((passages + 1) / (frequency(word) + 1)) / most for word in asked}


def weights_of(stems: Iterable[str], held: TermCounts, passages: int) -> dict[str, float]:
    """Return what each stem, without its diacritics, counts by its rarity, above 0."""
    found = held.frequencies(frozenset(map(without_marks, stems)))
    return {each: math.log((passages + 2) / (count + 1)) for each, count in found.items()}


def holds(word: str, held: TermCounts) -> bool:
    """Tell whether a passage holds a word, or its stem in some language."""
    forms = {without_marks(word), *(without_marks(stem(word, lang)) for lang in langs())}
    return any(held.frequencies(frozenset(forms)).values())


def near_spellings(documents: Iterable[Document], held: TermCounts) -> NearSpellings:
    """Return what finds words of titles and texts that are written nearly alike."""
    titles = (word for each in documents for word in words(without_marks(each.title)))
    return NearSpellings(counted(titles, held.counts()))


def stems_of(text: str, lang: str) -> str:
    """The stems of a text in its document's language, to be searched beside its words."""
    known = _stemmed_as(lang)
    return " ".join(stem(word, known) for word in words(text))


def search_terms(
    query: str, held: Iterable[str], *, most: int = 100
) -> tuple[list[str], list[str]]:
    """The content words of a query, and the stems to search by.

    A word is stemmed in every language that documents are in, since a Dutch term may stand in an
    English question. To its own stems come those of what it is called in these languages
    (``language.glossary``), ``most`` of them again.

    Args:
        query: the words to search for.
        held: the languages of the documents, as they state them.
        most: words, and names of words in other languages.
    """
    spoken = _spoken(query)
    found = [word for lang in spoken for word in content_words(query, lang)]
    found = list(dict.fromkeys(found))[:most]
    stemmed = tuple(dict.fromkeys(map(_stemmed_as, held))) or langs()
    own = dict.fromkeys(each for word in found for each in stems_in(word, stemmed))
    read = [lang for lang in langs() if lang in stemmed or lang in spoken]
    names = (name for word in found for lang in read for name in translations(word, lang))
    translated = dict.fromkeys(stem(name, lang) for name, lang in names if lang in stemmed)
    return found, list(own | dict(islice(translated.items(), most)))


def stems_in(word: str, held: Iterable[str]) -> tuple[str, ...]:
    """The stems of a word in the languages of the documents, as they state them."""
    stemmed = dict.fromkeys(map(_stemmed_as, held)) or langs()
    return tuple(dict.fromkeys(stem(word, lang) for lang in stemmed))


def _spoken(query: str) -> list[str]:
    """The languages that the function words of a query tell; all where it has hardly any.

    There is then next to nothing to leave out, and a word of one may be a name in another: 'AI'.
    """
    counts = function_word_counts(query)
    most = max(counts.values())
    told = most * HARDLY_ANY >= len(words(query))
    return [lang for lang, count in counts.items() if count == most or not told]


def _stemmed_as(lang: str) -> str:
    """The language in which a document of some language is stemmed."""
    return lang if lang in langs() else SPOKEN_FIRST


@dataclass(frozen=True, kw_only=True, slots=True)
class Legs(Generic[Key]):
    """The rankings of one search, each with the best first, before they are fused.

    ``words`` holds the score of each passage that words find. ``meaning`` are the rankings by
    passage and by sentence; none without a vector.
    ``documents`` holds the document of each passage found, and ``shares`` in which fields words
    were found, where that is asked for.
    """

    words: Mapping[Key, float]
    meaning: Sequence[Sequence[Key]]
    documents: Mapping[Key, Document]
    shares: Mapping[Key, Shares] = field(default_factory=dict)


def fuse(
    rankings: Sequence[Sequence[Key]], *, weigh: Callable[[Key], Sequence[float]]
) -> list[tuple[Key, float]]:
    """Merge rankings by reciprocal rank, by what ``weigh`` says of a key in each; ties by key."""
    scores: dict[Key, float] = {}
    for number, ranking in enumerate(rankings):
        for rank, key in enumerate(ranking, start=1):
            scores[key] = scores.get(key, 0.0) + weigh(key)[number] / (RANK_CONSTANT + rank)
    return sorted(scores.items(), key=lambda item: (-item[1], item[0]))


def best(
    fused: Sequence[tuple[Key, float]], rankings: Sequence[Sequence[Key]], limit: int
) -> list[tuple[Key, float]]:
    """The first of the fused ranking, with places kept for the first of each ranking alone."""
    reserved = {key for ranking in rankings for key in ranking[:RESERVED]}
    keys = [key for key, _ in fused]
    kept = [key for key in keys if key in reserved][:limit]
    others = [key for key in keys if key not in reserved]
    chosen = set(kept + others[: limit - len(kept)])
    return [item for item in fused if item[0] in chosen]


def ranked(legs: Legs[Key], weights: WeightsByKind, limit: int) -> list[tuple[Key, float]]:
    """Fuse the rankings of a search by the weights of each passage's kind; return the best."""

    def of(key: Key) -> SearchWeights:
        return weights.get(legs.documents[key].kind, AS_EVER)

    words = _by_words(legs, of)
    if not legs.meaning:
        return best(fuse([words], weigh=lambda _: (1.0,)), [words], limit)
    counts = {each: _counts(each) for each in {*weights.values(), AS_EVER}}
    rankings: list[Sequence[Key]] = [words]
    rankings += legs.meaning
    fused = fuse(rankings, weigh=lambda key: counts[of(key)])
    return best(fused, rankings[:-1], limit)


def _by_words(legs: Legs[Key], of: Callable[[Key], SearchWeights]) -> list[Key]:
    """The passages that words find, with what a word counts in its field; ties stay as found."""
    if not legs.shares:
        return list(legs.words)
    scores = {
        key: score * factor(legs.shares.get(key, ()), of(key)) for key, score in legs.words.items()
    }
    return sorted(scores, key=lambda key: -scores[key])


def _counts(weights: SearchWeights) -> tuple[float, ...]:
    """What each ranking counts: words, passage, sentence."""
    words, meaning = 2 * (1 - weights.alpha), 2 * weights.alpha
    return (words * WORDS, meaning * PASSAGE, meaning * SENTENCE)


def by_fields(weights: WeightsByKind) -> bool:
    """Whether it matters for some kind in which field a word stands."""
    return any(each.by_field for each in weights.values())


def factor(shares: Shares, weights: SearchWeights) -> float:
    """Return what to multiply the score of a passage by; 1 where every field counts alike.

    A word counts as much as the field does that counts most among those that hold it.
    """
    if not shares or not weights.by_field:
        return 1.0
    return sum(share * max(map(weights.of, fields)) for fields, share in shares)
