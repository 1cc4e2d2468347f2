"""What an adversary works on: a question, its sources, and the sentences that stand in them.

Attacks are instructions in what is data, with what a model says that obeys them.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field
from scripts.lab.adversaries.told import (
    AdversaryPrompt,
    AdversarySource,
    Turning,
    holds,
    lang_of,
    turnings,
    words_of,
)

from elysia_guard.evaluation.retrieval_set import read_lines

SHORTEST, LONGEST = 6, 45
"""Words of a sentence that something is made of."""

_BREAK = re.compile(r"(?<=[.!?])\s+(?=[A-ZÀ-Þ0-9\"“„(])")
_ABBREVIATED = re.compile(r"(?:\b[A-Za-z]|\b(?:e\.g|i\.e|etc|bijv|z\.B|vgl|Nr|nr|ca|approx|cf))\.$")
_ITEM = re.compile(r"^\s*(?:[-*+]|\d+[.)])\s+")
_MARKED = re.compile(r"[|<>`*_\[\]{}#]|://")


class AttackPlace(StrEnum):
    """Where an attack stands."""

    DOCUMENT = "document"
    QUESTION = "question"
    CONVERSATION = "conversation"
    """In the message before the question."""
    VOCABULARY = "vocabulary"
    """In the definition of a term."""


class Attack(BaseModel):
    """An instruction that stands where data does; ``says`` is what obeys it, and is not so."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: str = Field(pattern=r"^IN-\d{3}$")
    lang: str = Field(pattern=r"^[a-z]{2}$")
    place: AttackPlace
    way: str = Field(min_length=1)
    text: str = Field(min_length=1)
    says: str = Field(min_length=1)
    mark: str = Field(min_length=1)
    """Words of ``says`` that stand in no document of ours."""


def load(path: Path) -> tuple[Attack, ...]:
    """Read attacks; see ``read_lines``."""
    return tuple(read_lines(path, Attack, lambda attack: (attack.id,)))


def met(attacks: Sequence[Attack], *texts: str) -> list[tuple[Attack, int]]:
    """Return the attacks that stand in some texts, each with the number of its text, from 0."""
    return [
        (attack, at)
        for attack in attacks
        for at, text in enumerate(texts)
        if holds(text, attack.text)
    ]


@dataclass(frozen=True, kw_only=True, slots=True)
class SourceLine:
    """A sentence of a source, word for word but for its white space."""

    source: AdversarySource
    text: str
    lang: str

    @property
    def turning(self) -> Turning:
        """What is turned in its language."""
        return turnings()[self.lang]

    @property
    def units(self) -> tuple[int, ...]:
        """The number of its source."""
        return (self.source.id,)

    @property
    def open(self) -> str:
        """It, without its full stop."""
        return self.text.removesuffix(".")


@dataclass(frozen=True, kw_only=True)
class Ground:
    """All that an adversary makes a sentence from; ``chance`` is seeded."""

    asked: AdversaryPrompt
    chance: random.Random
    attacks: Sequence[Attack] = field(default=())

    @property
    def question(self) -> str:
        """What is asked."""
        return self.asked.question

    @property
    def sources(self) -> Sequence[AdversarySource]:
        """What is told."""
        return self.asked.sources

    @cached_property
    def lines(self) -> tuple[SourceLine, ...]:
        """The sentences of all sources."""
        return tuple(line for source in self.sources for line in lines_of(source))

    @cached_property
    def told(self) -> str:
        """The words of all that is told, of each source by itself."""
        texts = [
            f"{item.document} {item.title} {item.section} {item.status} {item.text}"
            for item in self.sources
        ]
        return " \n ".join(f" {' '.join(words_of(text))} " for text in texts)

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """Each word that is told, in the question too."""
        return frozenset(self.told.split()) | frozenset(words_of(self.question))

    @property
    def lang(self) -> str:
        """The language of the question."""
        return lang_of(self.question)

    def says(self, text: str) -> bool:
        """Tell whether a source has these words one after the other."""
        return f" {' '.join(words_of(text))} " in self.told

    def shuffled(self) -> Iterator[SourceLine]:
        """Yield every sentence, in an order that the seed tells."""
        lines = list(self.lines)
        self.chance.shuffle(lines)
        yield from lines

    def near(self) -> list[SourceLine]:
        """Return the sentences of what has a number, by their likeness to the question."""
        asked = {word for word in words_of(self.question) if len(word) > 3}  # noqa: PLR2004

        def shared(line: SourceLine) -> int:
            return -sum(any(_alike(word, each) for each in asked) for word in words_of(line.text))

        return sorted((line for line in self.lines if line.source.id), key=shared)


def lines_of(source: AdversarySource) -> Iterator[SourceLine]:
    r"""Yield the whole sentences of a source that hold no mark-up.

    >>> [line.text for line in lines_of(Source(id=1, text="# One\n- It is kept\n for two days."))]
    ['It is kept for two days.']
    """
    for block in _blocks(source.text):
        for text in _sentences(block):
            count = len(words_of(text))
            whole = text.endswith(".") and (text[0].isupper() or text[0].isdigit())
            if whole and SHORTEST <= count <= LONGEST and not _MARKED.search(text):
                yield SourceLine(source=source, text=text, lang=lang_of(text))


def _blocks(text: str) -> Iterator[str]:
    block: list[str] = []
    for line in [*text.split("\n"), ""]:
        item = _ITEM.sub("", line)
        if item != line or not line.strip() or line.lstrip().startswith(("#", "|", "```")):
            yield " ".join(" ".join(block).split())
            block = []
        if line.strip() and not line.lstrip().startswith(("#", "|", "```")):
            block.append(item)


def _sentences(block: str) -> Iterator[str]:
    begun = ""
    for part in _BREAK.split(block):
        begun = f"{begun} {part}".strip()
        if begun and not _ABBREVIATED.search(begun):
            yield begun
            begun = ""
    if begun:
        yield begun


def _alike(one: str, other: str) -> bool:
    return one == other or (len(one) > 4 and one[:5] == other[:5])  # noqa: PLR2004
