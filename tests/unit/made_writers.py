"""Writers and planners as a test wants them, and what they may say."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace

from tests.unit.small_world import THRESHOLDS, World

from elysia_guard.domain.document import Passage
from elysia_guard.domain.manuscript import Pointer, Written
from elysia_guard.domain.question import Lang
from elysia_guard.stages.writing import AnswerGenerator

TLS = "Connections are encrypted with TLS 1.3."
CIM = "We use CIM as the domain language."
FALLBACK = "TLS 1.2 is a fallback."
ASKED = "How are connections encrypted?"
MADE_UP = "Connections are encrypted with TLS 9.9 since 1842."
SURE = replace(THRESHOLDS, search_ceiling=0.95)
"""Limits by which a search may be asserted."""

Say = Callable[[Sequence[Passage]], Written]


class Scripted:
    """A writer that writes what a test wants, and remembers what it was told."""

    model_id = "scripted@write"

    def __init__(self, say: Say | Exception) -> None:
        self.say = say
        self.asked: list[tuple[str, Sequence[Passage], Lang]] = []

    async def __call__(self, question: str, told: Sequence[Passage], /, *, lang: Lang) -> Written:
        self.asked.append((question, told, lang))
        if isinstance(self.say, Exception):
            raise self.say
        return self.say(told)


def source_of(words: str, told: Sequence[Passage]) -> int:
    return next((n for n, each in enumerate(told, start=1) if words in each.text), 99)


def writing(*sentences: tuple[str, str]) -> Say:
    """Write sentences, each with the number of the source that has some words."""

    def say(told: Sequence[Passage]) -> Written:
        return Written(
            answers=True,
            pointers=tuple(
                Pointer(text=text, sources=(source_of(words, told),)) for text, words in sentences
            ),
        )

    return say


def says_no(_told: Sequence[Passage]) -> Written:
    return Written(answers=False)


class Together:
    """A writer that writes nothing until every part was asked, and then the last part first."""

    model_id = "together@write"

    def __init__(self, parts: int) -> None:
        self.parts = parts
        self.asked: list[str] = []
        self.done: list[str] = []
        self._turn = asyncio.Condition()

    async def __call__(self, question: str, told: Sequence[Passage], /, *, lang: Lang) -> Written:
        mine = len(self.asked)
        self.asked.append(question)
        async with self._turn:
            self._turn.notify_all()
            await self._turn.wait_for(
                lambda: len(self.asked) == self.parts and len(self.done) == self.parts - 1 - mine
            )
            self.done.append(question)
            self._turn.notify_all()
        named = CIM if "CIM" in question else TLS
        return Written(answers=True, pointers=(Pointer(text=named),))


class Plan:
    """A planner that takes every question apart in one way."""

    def __init__(self, *parts: str, failure: Exception | None = None) -> None:
        self.parts, self.failure = parts, failure
        self.asked: list[str] = []

    async def __call__(self, question: str, /, *, lang: Lang) -> Sequence[str]:
        self.asked.append(question)
        if self.failure:
            raise self.failure
        return self.parts


def seated(writer: object, world: World | None = None, **desk: object) -> World:
    """Return a world, the small one unless another is given, in which this writer writes."""
    world = world or World(thresholds=SURE)
    seat = AnswerGenerator(writer=writer, clock=world.clock, **desk)  # type: ignore[arg-type]
    world.pipeline = replace(world.pipeline, generator=seat)
    return world
