"""What is shown early of several parts, of comparisons and of what only came near."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace

from tests.unit.made_writers import (
    CIM,
    MADE_UP,
    SURE,
    TLS,
    Plan,
    Say,
    Scripted,
    Together,
    seated,
    writing,
)
from tests.unit.small_world import KNOWLEDGE, World, hit
from tests.unit.test_joining import CIM_PART, TLS_PART
from tests.unit.test_taken_apart import TWO as TWO_SEARCHES
from tests.unit.test_told import ALSO, PARTNER_RULES, hits

from elysia_guard.domain.claim import Claim, Proved, Told, Written
from elysia_guard.domain.evidence import Evidence
from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.mode import Mode
from elysia_guard.domain.question import Lang
from elysia_guard.domain.response import RAGResponse
from elysia_guard.domain.shown import Shown
from elysia_guard.running import run_anywhere

TWO = f"{CIM_PART[:-1]} and {TLS_PART}"
HEDGED = "I cannot be sure"
TURNS = 100
"""So often others have their turn before a writer goes on: what can be shown is shown then."""


def world_of(writer: object, **desk: object) -> World:
    world = World(thresholds=SURE, passages=(*KNOWLEDGE, *PARTNER_RULES))
    return seated(writer, world, **desk)


def told_of(world: World, inquiry: Inquiry) -> tuple[list[Shown], RAGResponse]:
    """Return what is shown before the end, and the reply."""
    shown: list[Shown] = []
    inquiry.show = shown.append
    reply = world.reply(inquiry)
    return shown, reply


def thinking(say: Say, text: str) -> tuple[list[Shown], RAGResponse]:
    world = world_of(Scripted(say), planner=Plan(), mode=Mode.THINKING)
    return told_of(world, world.begin(text))


class WhileAnother(Scripted):
    """Writes to one part only when something was shown."""

    def __init__(self, say: Say, part: str, shown: asyncio.Event) -> None:
        super().__init__(say)
        self.part, self.shown = part, shown

    async def __call__(
        self,
        question: str,
        told: Sequence[Told],
        /,
        *,
        lang: Lang,
        failed: Sequence[Proved] = (),
    ) -> Written:
        if self.part in question:
            await self.shown.wait()
        return await super().__call__(question, told, lang=lang, failed=failed)


class SentenceBySentence(Scripted):
    """Tells its sentences one by one, and notes how much was shown before each, and at the end."""

    def __init__(self, *sentences: str) -> None:
        super().__init__(writing(*((each, each) for each in sentences)))
        self.seen: Callable[[], int] = int
        self.shown: list[int] = []

    async def streamed(
        self,
        question: str,
        told: Sequence[Told],
        /,
        *,
        lang: Lang,
        heard: Callable[[Claim], None],
    ) -> Written:
        written = await self(question, told, lang=lang)
        for claim in written.claims:
            heard(claim)
            for _ in range(TURNS):
                await asyncio.sleep(0)
            self.shown.append(self.seen())
        return written


class TestParts:
    def test_the_first_waits_for_none_and_the_second_for_the_first(self) -> None:
        """The last is written first, and shown with the whole: nothing stands before its turn."""
        writer = Together(2)
        world = world_of(writer)
        shown, reply = told_of(world, world.begin(TWO))
        assert writer.done[0] == TLS_PART
        assert len(shown) == 1
        assert shown[0].text.startswith(f"**{CIM_PART}**")
        assert f"{CIM} [source:1]" in shown[0].text
        assert TLS not in shown[0].text
        assert shown[0].sources == reply.sources[:1]
        assert reply.answer.startswith(f"{shown[0].text}\n\n**{TLS_PART}**")

    def test_a_part_is_shown_while_another_is_written(self) -> None:
        """Else the writer of the second would wait for ever."""
        seen = asyncio.Event()
        world = world_of(WhileAnother(writing((CIM, CIM), (TLS, TLS)), TLS_PART, seen))
        inquiry = world.begin(TWO)
        inquiry.show = lambda _: seen.set()
        reply = world.reply(inquiry)
        assert TLS in reply.answer.split(f"**{TLS_PART}**")[1]

    def test_one_that_is_refused_is_shown_in_its_place(self) -> None:
        world = world_of(Scripted(writing((CIM, CIM))))
        text = f"What does ADR-0099 decide and {CIM_PART}"
        shown, reply = told_of(world, world.begin(text))
        assert "ADR-0099 does not exist" in shown[0].text
        assert shown[0].sources == ()
        assert reply.answer.startswith(shown[0].text)
        assert f"{CIM} [source:1]" in reply.answer

    def test_no_part_shows_its_sentences_by_themselves(self) -> None:
        """They are bound all the same, so that nobody's answer depends on who listens."""
        writer = SentenceBySentence(TLS)
        world = world_of(writer)
        inquiry = world.begin(TWO_SEARCHES)
        writer.seen = lambda: len(inquiry.revealed)
        reply = world.reply(inquiry)
        assert max(writer.shown) <= 1
        assert len(inquiry.revealed) == 1
        assert reply.answer.startswith(inquiry.revealed[0].text)


class TestThinking:
    def test_one_answer_to_all_parts_comes_at_once(self) -> None:
        shown, reply = thinking(writing((CIM, CIM), (TLS, TLS)), TWO_SEARCHES)
        assert shown == []
        assert reply.mode is Mode.THINKING

    def test_it_is_shown_before_what_stands_beside_it(self) -> None:
        text = f"{TWO_SEARCHES[:-1]} and who owns ADR-0099?"
        shown, reply = thinking(writing((CIM, CIM), (TLS, TLS)), text)
        assert len(shown) == 1
        assert CIM in shown[0].text
        assert TLS in shown[0].text
        assert "ADR-0099 does not exist" not in shown[0].text
        assert reply.answer.startswith(shown[0].text)

    def test_what_answers_one_part_alone_is_not_shown_as_the_answer_to_all(self) -> None:
        """Each is written by itself then, and the first shown under its words."""
        shown, reply = thinking(writing((TLS, TLS)), TWO_SEARCHES)
        assert len(shown) == 1
        assert shown[0].text.startswith("**")
        assert reply.answer.startswith(shown[0].text)


class TestByDifficulty:
    def test_several_parts_are_thought_about_as_one(self) -> None:
        writer = Scripted(writing((CIM, CIM), (TLS, TLS)))
        world = world_of(writer, planner=Plan(), mode=Mode.BY_DIFFICULTY)
        reply = world.reply(world.begin(TWO_SEARCHES))
        assert len(writer.asked) == 1
        assert reply.mode is Mode.THINKING
        notes = [step.note for step in reply.trace if step.stage == "planning"]
        assert notes[0].startswith("by difficulty thinking: 2 parts")
        assert len([note for note in notes if "difficulty" in note]) == 1

    def test_what_is_refused_is_not_taken_apart(self) -> None:
        plan = Plan("Are connections encrypted?", "Does the canteen cook?")
        world = world_of(Scripted(writing((TLS, TLS))), planner=plan, mode=Mode.BY_DIFFICULTY)
        reply = world.reply(world.begin("Does the canteen cook meatballs on Fridays?"))
        assert reply.refused
        assert plan.asked == []


def hedged(world: World, text: str, *, beside: bool = False) -> Inquiry:
    """Return a question that the gates have judged, and would hedge."""
    inquiry = world.begin(text)

    async def judged() -> None:
        await world.pipeline.gather(inquiry)
        world.pipeline.judge(inquiry)

    run_anywhere(judged())
    inquiry.verdict = inquiry.decided().at_most(0.8)
    if beside:
        own, near = hit("ADR-0027#1"), hits(PARTNER_RULES)
        inquiry.evidence = Evidence(hits=(own, *near))
        inquiry.verdict = replace(inquiry.decided(), support=(own,), beside=near)
    return inquiry


def shown_at(world: World, writer: SentenceBySentence, inquiry: Inquiry) -> RAGResponse:
    """Return the reply; the writer knows what was shown when."""
    writer.seen = lambda: sum("[source:" in each.text for each in inquiry.revealed)
    reply = world.reply(inquiry)
    assert reply.answer.startswith("\n\n".join(each.text for each in inquiry.revealed))
    assert reply.answer.startswith(HEDGED)
    return reply


def test_one_side_of_a_comparison_waits_for_the_other() -> None:
    writer = SentenceBySentence(CIM, TLS)
    world = world_of(writer)
    inquiry = hedged(world, "Compare ADR-0012 and ADR-0027")
    shown_at(world, writer, inquiry)
    assert writer.shown == [0, 2]


def test_what_came_near_waits_for_an_answer() -> None:
    """Alone it would be none; behind one it is shown at once."""
    before, behind = SentenceBySentence(ALSO, TLS), SentenceBySentence(TLS, ALSO)
    for writer in (before, behind):
        world = world_of(writer)
        inquiry = hedged(world, "How are connections encrypted?", beside=True)
        reply = shown_at(world, writer, inquiry)
        assert ALSO in reply.answer
    assert before.shown == [0, 2]
    assert behind.shown == [1, 2]


def test_two_sentences_of_one_writing_may_rest_on_the_same_words() -> None:
    """Only of a second writing is left out what rests on words that were shown already."""
    named = f"According to ADR-0027, {TLS[0].lower()}{TLS[1:]}"
    world = world_of(Scripted(writing((TLS, TLS), (MADE_UP, TLS), (named, TLS))))
    reply = world.reply(hedged(world, "How are connections encrypted?"))
    assert TLS in reply.answer
    assert named in reply.answer
