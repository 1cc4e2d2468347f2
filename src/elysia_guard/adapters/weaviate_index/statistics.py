"""How often words stand in the passages, and the BM25 score that follows from it.

Weaviate scores each collection, and each shard of it, by counts of its own, so that its scores
cannot be compared across them. These are of the whole index, and score as the embedded one does.
"""

from __future__ import annotations

import base64
import json
import math
import re
import zlib
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from elysia_guard.adapters.hybrid import search_terms, stems_in, stems_of
from elysia_guard.domain.document import Passage
from elysia_guard.language.text import without_marks

K1, B = 1.2, 0.75
WORD_WEIGHT, STEM_WEIGHT = 0.5, 1.0
"""A word that stands in the text as it was asked counts half as much again as its stem."""
LEAST_IDF = 1e-6
_WORD = re.compile(r"[^\W_]+")
# From the beginning of a word: else one without end is looked through from each of its letters.
_JOINED = re.compile(r"(?<![^\W_])[^\W_]++(?:'[^\W_]++)+")


def folded(text: str) -> str:
    """A text in small letters, without diacritics."""
    return (text if text.isascii() else without_marks(text)).casefold().replace("\u2019", "'")


def text_words(text: str) -> tuple[list[str], list[str]]:
    """The words of a text, and those that an apostrophe joins: "customer's" is two, and one."""
    plain = folded(text)
    return _WORD.findall(plain), _JOINED.findall(plain) if "'" in plain else []


def passage_stems(passage: Passage) -> str:
    """The stems of a passage, its title and its headings, joined by blanks."""
    document = passage.document
    text = f"{document.title} {passage.section} {passage.text}"
    return " ".join(_WORD.findall(folded(stems_of(text, document.lang))))


def stored_stems(word: str, held: Iterable[str]) -> list[str]:
    """What a passage that holds a word, in one of its documents' languages, is stored with."""
    parts = (_WORD.match(folded(each)) for each in stems_in(word, held))
    return [part[0] for part in parts if part]


@dataclass(frozen=True, slots=True)
class Terms:
    """What a query is searched by: its content words, and their stems in each language.

    Two stems that only their diacritics tell apart count twice, as they do in the embedded index.
    """

    words: tuple[str, ...]
    stems: tuple[str, ...]

    @classmethod
    def of(cls, query: str, held: Iterable[str]) -> Terms:
        """Read a query; nothing in it is syntax. ``held`` are the languages of the documents."""
        found, stemmed = search_terms(query, held)
        stems = (_WORD.match(folded(word)) for word in stemmed)
        return cls(tuple(map(folded, found)), tuple(stem[0] for stem in stems if stem))


@dataclass(frozen=True, slots=True)
class Statistics:
    """Counts over the passages of a generation.

    ``held`` says of a term in how many passages it stands as a word of the text, as a stem, and
    as either.
    """

    passages: int
    terms: int
    held: Mapping[str, tuple[int, int, int]]

    @classmethod
    def count(cls, passages: Iterable[tuple[str, str]]) -> Statistics:
        """Count the (text, stems) of each passage."""
        in_texts: Counter[str] = Counter()
        in_stems: Counter[str] = Counter()
        in_either: Counter[str] = Counter()
        number = terms = 0
        for text, stems in passages:
            (found, joined), stemmed = text_words(text), stems.split()
            number, terms = number + 1, terms + len(found) + len(stemmed)
            in_texts.update({*found, *joined})
            in_stems.update({*stemmed})
            in_either.update({*found, *joined, *stemmed})
        return cls(
            number,
            terms,
            {term: (in_texts[term], in_stems[term], count) for term, count in in_either.items()},
        )

    def frequencies(self, terms: frozenset[str]) -> dict[str, int]:
        """In how many passages each term stands, as a word or as a stem; 0 for one of none."""
        return {term: self.held.get(term, (0, 0, 0))[2] for term in terms}

    def counts(self) -> dict[str, int]:
        """In how many passages each word of their texts stands."""
        return {term: in_text for term, (in_text, _, _) in self.held.items() if in_text}

    def score(self, terms: Terms, text: str, stems: str) -> float | None:
        """The BM25 score of a passage; None if it shares no term."""
        (found, joined), stemmed = text_words(text), stems.split()
        in_text, in_stems = Counter([*found, *joined]), Counter(stemmed)
        length = len(found) + len(stemmed)
        damping = K1 * (1 - B + B * length * self.passages / max(self.terms, 1))
        shared = [
            (weight * count, self._idf(term, column))
            for column, asked, counts, weight in (
                (0, terms.words, in_text, WORD_WEIGHT),
                (1, terms.stems, in_stems, STEM_WEIGHT),
            )
            for term in asked
            if (count := counts[term])
        ]
        if not shared:
            return None
        return sum(idf * often * (K1 + 1) / (often + damping) for often, idf in shared)

    def _idf(self, term: str, column: int) -> float:
        held = self.held.get(term, (0, 0, 0))[column]
        return max(math.log((self.passages - held + 0.5) / (held + 0.5)), LEAST_IDF)

    def packed(self) -> str:
        """Write it as one short text."""
        plain = json.dumps([self.passages, self.terms, self.held], ensure_ascii=False)
        return base64.b64encode(zlib.compress(plain.encode())).decode()

    @classmethod
    def unpacked(cls, text: str) -> Statistics:
        """Read it back."""
        passages, terms, held = json.loads(zlib.decompress(base64.b64decode(text)))
        return cls(passages, terms, {term: (a, b, c) for term, (a, b, c) in held.items()})
