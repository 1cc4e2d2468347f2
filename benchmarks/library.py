"""A made-up knowledge base of any size: words by Zipf's law, sections as in MADR, drawn vectors."""

from __future__ import annotations

import math
import random
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from pathlib import Path

import numpy as np
from vocabulary import CODAS, ONSETS, VOWELS

from elysia_guard.adapters.embedders import BundledEmbedder
from elysia_guard.domain.kinds import STANDING_KINDS
from elysia_guard.language.pack import packs
from elysia_guard.ports import Vector

FUNCTION_WORDS = {
    "en": "the of and to a in is that for it as with be on by are this an from or which at".split(),
    "nl": "de van het een en in is dat op te voor met die zijn aan niet door om als bij".split(),
}
FUNCTION_SHARE = 0.45
INVENTED = 30_000
SECTIONS = {
    "en": ("Context and Problem Statement", "Decision Drivers", "Considered Options",
           "Decision Outcome", "Consequences", "More Information"),
    "nl": ("Context en probleemstelling", "Drijfveren", "Overwogen opties",
           "Besluit", "Gevolgen", "Meer informatie"),
}  # fmt: skip
LISTED = (1, 2, 4)
"""The sections that are lists."""
QUESTIONS = {
    "en": ("How do we handle {} and {}?", "What did we decide about {} for {}?"),
    "nl": ("Hoe gaan we om met {} en {}?", "Wat is er besloten over {} voor {}?"),
}


@dataclass(frozen=True, kw_only=True)
class Words:
    """The words of a language: what is spoken of, and all of them by how often they are used."""

    topics: Sequence[str]
    known: int
    all: Sequence[str]
    heaped: Sequence[float]

    @classmethod
    def of(cls, lang: str, rng: random.Random) -> Words:
        """Rank the glossary's words first, in a random order, then invented ones."""
        rows = [row for pack in packs().values() for row in pack.glossary.items()]
        named = packs()[lang].glossary.items()
        both = [words for _, words in named] or [english for english, _ in rows]
        topics = sorted({word for words in both for word in words.split()})
        rng.shuffle(topics)
        known = len(topics)
        topics += sorted(
            {
                "".join(rng.choice(part) for part in (ONSETS, VOWELS, CODAS, VOWELS, CODAS))
                for _ in range(INVENTED)
            }
        )
        common = FUNCTION_WORDS[lang]
        weights = zipf(len(common), FUNCTION_SHARE) + zipf(len(topics), 1 - FUNCTION_SHARE)
        return cls(
            topics=topics, known=known, all=[*common, *topics], heaped=list(accumulate(weights))
        )

    def sentence(self, about: Sequence[str], rng: random.Random) -> str:
        """Put words in a row, among them one that the document is about."""
        drawn = rng.choices(self.all, cum_weights=self.heaped, k=rng.randint(8, 22))
        drawn[rng.randrange(len(drawn))] = rng.choice(about)
        return " ".join(drawn).capitalize() + "."


def zipf(count: int, share: float) -> list[float]:
    """Weights that fall as the rank grows, of some sum."""
    weights = [1 / (rank + 2.7) for rank in range(count)]
    return [weight * share / sum(weights) for weight in weights]


class Library:
    """Writes the documents, and the questions on the first of them."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder = folder
        self._seed = seed
        self._words = {lang: Words.of(lang, random.Random(seed)) for lang in SECTIONS}
        self.documents = 0

    def grow(self, chunks: int) -> None:
        """Write documents until there are so many chunks, one a section."""
        while self.documents * len(SECTIONS["en"]) < chunks:
            path = self.folder / f"{self.documents // 1000:03}" / f"{self.documents:06}.md"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(self._document(self.documents), encoding="utf-8")
            self.documents += 1

    def question(self, turn: int, documents: int) -> str:
        """Ask about one of the first documents, half as often in the other language."""
        rng = random.Random(f"{self._seed} {turn}")
        number = rng.randrange(documents)
        lang, about = self._subject(number)
        form = rng.choice(QUESTIONS[lang])
        return form.format(*rng.sample(about, 2))

    def _subject(self, number: int) -> tuple[str, list[str]]:
        """The language of a document, and what it is about: three known words and a new one."""
        rng = random.Random(f"{self._seed}, {number}")
        lang = rng.choice(sorted(SECTIONS))
        words = self._words[lang]
        return lang, [*rng.sample(words.topics[: words.known], 3), rng.choice(words.topics)]

    def _document(self, number: int) -> str:
        lang, about = self._subject(number)
        words, rng = self._words[lang], random.Random(f"{self._seed}. {number}")
        kind = STANDING_KINDS[number % 3]
        title = " ".join(about).capitalize()
        front = (
            f"---\nidentifier: {kind.prefix}-{number:06}\ntype: {kind}\ntitle: {title}\n"
            f"status: accepted\ndate: 2024-01-17\nlang: {lang}\n---\n\n# {title}\n"
        )
        parts = [front]
        for place, heading in enumerate(SECTIONS[lang]):
            sentences = [words.sentence(about, rng) for _ in range(rng.randint(3, 7))]
            mark, between = ("- ", "\n- ") if place in LISTED else ("", " ")
            parts.append(f"\n## {heading}\n\n{mark}{between.join(sentences)}\n")
        return "".join(parts)


class DrawnVectors:
    """Stands in for the model: a vector drawn from the checksum of a text, near its title's."""

    dimension = BundledEmbedder.dimension

    @cached_property
    def model_id(self) -> str:
        """The model's own, so that what it has embedded stays."""
        return BundledEmbedder().model_id

    async def embed(self, texts: Sequence[str]) -> Sequence[Vector]:
        """Draw a vector for each text."""
        return [self._drawn(text) + self._drawn(text.partition("\n")[0]) for text in texts]

    def _drawn(self, text: str) -> Vector:
        drawn = np.random.default_rng(zlib.crc32(text.encode()))
        half: Vector = drawn.standard_normal(self.dimension, dtype=np.float32) / math.sqrt(
            2 * self.dimension
        )
        return half
