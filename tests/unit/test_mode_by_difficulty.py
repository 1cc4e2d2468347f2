"""Mode by difficulty: quotes where one sentence answers, thinking where several documents do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from tests.unit.made_writers import CIM, FALLBACK, TLS, Scripted, writing
from tests.unit.small_world import THRESHOLDS, World

from elysia_guard.config import AnswerCacheSection, WriterSection
from elysia_guard.domain.draft import Block, Draft, Quote
from elysia_guard.domain.mode import ASKABLE, Mode
from elysia_guard.domain.question import Lang
from elysia_guard.domain.response import RAGResponse
from elysia_guard.stages.writing import Desk, difficulty


class Planner:
    """Takes nothing apart."""

    async def __call__(self, _question: str, /, *, lang: Lang) -> Sequence[str]:
        return ()


def ask(text: str, *, ceiling: float = 0.95, mode: Mode | None = None) -> tuple[RAGResponse, World]:
    world = World(thresholds=replace(THRESHOLDS, search_ceiling=ceiling))
    writer = Scripted(writing((TLS, TLS), (CIM, CIM)))
    desk = Desk(writer=writer, planner=Planner(), mode=Mode.BY_DIFFICULTY, clock=world.clock)
    world.pipeline = replace(world.pipeline, desk=desk)
    inquiry = world.begin(text)
    for each in inquiry.every:
        each.mode = mode
    return world.reply(inquiry), world


def planned(reply: RAGResponse) -> list[str]:
    return [step.note for step in reply.trace if step.stage == "planning"]


@pytest.mark.parametrize(
    ("text", "ceiling", "mode"),
    [
        ("Compare ADR-0012 and ADR-0027", 0.8, Mode.THINKING),
        ("How are connections encrypted?", 0.8, Mode.AUTO),
        ("How are connections encrypted?", 0.95, Mode.INSTANT),
    ],
)
def test_it_is_told_by_the_reading_and_by_what_is_found(
    text: str, ceiling: float, mode: Mode
) -> None:
    """The trace says which mode it came to, and why; what is asserted in a sentence is quoted."""
    reply, _ = ask(text, ceiling=ceiling)
    (told, *_) = planned(reply)
    assert told.startswith(f"by difficulty {mode}: ")


def test_what_no_passage_answers_is_no_ones_to_write() -> None:
    """No call is made for a term, and the trace says nothing of a mode."""
    reply, _ = ask("What is CIM?")
    assert planned(reply) == []
    assert reply.mode is Mode.INSTANT


def test_a_question_may_say_it_itself() -> None:
    reply, _ = ask("How are connections encrypted?", mode=Mode.INSTANT)
    assert reply.mode is Mode.INSTANT
    assert planned(reply) == []


def drafted(*sentences: tuple[str, str]) -> Draft:
    """A draft that quotes sentences of documents, by their id."""
    world = World()
    found = world.ask("How are connections encrypted?")
    sources = [
        replace(found.sources[0], n=n, doc_id=doc_id, quote=text)
        for n, (doc_id, text) in enumerate(sentences, start=1)
    ]
    quotes = tuple(Quote(text=item.quote, source=item.n) for item in sources)
    return Draft(blocks=(Block(quotes=quotes),), sources=tuple(sources), origins=(), cited=())


@pytest.mark.parametrize(
    ("confidence", "parts", "sentences", "mode"),
    [
        (0.9, 1, [("A", TLS)], Mode.INSTANT),
        (0.8, 1, [("A", TLS)], Mode.AUTO),
        (0.9, 1, [("A", TLS), ("A", FALLBACK)], Mode.AUTO),
        (0.9, 1, [("A", TLS), ("B", CIM)], Mode.THINKING),
        (0.9, 2, [("A", TLS)], Mode.THINKING),
    ],
)
def test_how_hard_a_question_is(
    confidence: float, parts: int, sentences: list[tuple[str, str]], mode: Mode
) -> None:
    """One sentence that is asserted is quoted; parts and several documents are thought about."""
    world = World()
    inquiry = world.begin("How are connections encrypted?")
    world.reply(inquiry)
    inquiry.verdict = replace(inquiry.decided(), confidence=confidence)
    found = difficulty(inquiry, lambda: drafted(*sentences), parts=parts)
    assert found.mode is mode
    assert found.why


def test_no_answer_comes_out_so() -> None:
    """Each comes out in the mode that it was made in."""
    reply, _ = ask("How are connections encrypted?", ceiling=0.8)
    assert reply.mode is Mode.AUTO
    assert Mode.BY_DIFFICULTY in ASKABLE


def test_settings_may_name_it() -> None:
    """The writer's section takes it, and the cache looks for what may have been kept."""
    assert WriterSection(mode="by_difficulty").mode == "by_difficulty"
    assert AnswerCacheSection().lifetimes["by_difficulty"] == 900.0
    assert AnswerCacheSection(enabled=False).lifetimes == {}
