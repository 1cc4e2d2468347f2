"""An answer is given again where the same is asked and nothing it rests on has changed."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest
from tests.contract.answers_contract import ANSWER
from tests.unit.made_guides import ASKED, FALLBACK, SURE, TLS, Scripted, pointing, says_no
from tests.unit.small_world import DECISION, KNOWLEDGE, World, cited, index, named

from elysia_guard.adapters.cached import MemoryStore
from elysia_guard.domain.conversation import Conversation
from elysia_guard.domain.document import Document
from elysia_guard.domain.errors import SourceTimeoutError, SourceUnavailableError
from elysia_guard.domain.events import AnswerKept, RecallEnded
from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.mode import Mode
from elysia_guard.domain.origin import Against, Origin, OriginState
from elysia_guard.domain.pointing import Plan, PointedVerdict, Pointing
from elysia_guard.domain.quality import RetrievalQuality
from elysia_guard.domain.refusal import RefusalReason
from elysia_guard.domain.response import RAGResponse, ResponseWarning
from elysia_guard.domain.saved import TELLING, may_be_kept
from elysia_guard.domain.scope import EVERYTHING, CollectionScope
from elysia_guard.pipeline.answer_cache import AnswerMemory
from elysia_guard.ports import Origins
from elysia_guard.stages.guiding import Guidance
from elysia_guard.testing.fake_index import HashEmbedder
from elysia_guard.testing.terminology import CONCEPTS, METER, FakeTerminology

DEFAULT = {"auto": 300.0, "thinking": 900.0}
WHOLE = {"instant": 120.0, **DEFAULT}
LATER = "2027"
WAIT_S = 10.0
"""As long as one answer may take."""
assert ANSWER.response.validation
VALIDATION = ANSWER.response.validation


class Moving(Origins):
    """Sources that stay as they were, until a test says otherwise."""

    def __init__(self) -> None:
        self.state = OriginState.UNCHANGED
        self.against = Against.FILE

    async def documents(
        self, documents: Sequence[Document], *, read: Collection[str] = ()
    ) -> Mapping[str, Origin]:
        return dict.fromkeys((each.id for each in documents), self._now)

    async def concepts(self, uris: Sequence[str]) -> Mapping[str, Origin]:
        return dict.fromkeys(uris, self._now)

    @property
    def _now(self) -> Origin:
        return Origin(state=self.state, against=self.against)


class Remembering(World):
    """A world with a guide that remembers answers, and handles on each part."""

    def __init__(
        self,
        guide: Scripted | None = None,
        *,
        lifetimes: Mapping[str, float] = DEFAULT,
        **parts: Any,
    ) -> None:
        super().__init__(thresholds=SURE, **parts)
        self.guide = guide or Scripted(point=pointing(TLS, FALLBACK))
        self.origins = Moving()
        self.store = MemoryStore(clock=self.clock)
        self.memory = AnswerMemory(
            store=self.store,
            lifetimes=lifetimes,
            configuration="settings",
            wait_s=dict.fromkeys(WHOLE, WAIT_S),
            clock=self.clock,
        )
        self.pipeline = replace(
            self.pipeline,
            guidance=Guidance(guide=self.guide, clock=self.clock),
            origins=self.origins,
            memory=self.memory,
            deadline_clock=self.clock,
        )

    @property
    def outcomes(self) -> list[str]:
        """What came of looking for answers, in order."""
        return [event.outcome for event in self.events if isinstance(event, RecallEnded)]

    @property
    def calls(self) -> int:
        """How often the guide was asked, to plan or to point."""
        return self.guide.calls

    def change(self, **parts: Any) -> None:
        self.pipeline = replace(self.pipeline, **parts)


async def begun(world: World, text: str = ASKED, *, id_: str = "req-2", **given: Any) -> Inquiry:
    return await world.pipeline.begin(text, request_id=id_, route="direct", **given)


async def asked(world: World, text: str = ASKED, **given: Any) -> RAGResponse:
    return await world.pipeline.answer(await begun(world, text, **given))


def steps(reply: RAGResponse) -> list[str]:
    return [step.stage for step in reply.trace]


class TestGivenAgain:
    async def test_the_same_question_asks_no_model_and_no_index_again(self) -> None:
        """The answer is the same; id and trace are those of the new request."""
        world = Remembering()
        first = await asked(world, id_="req-1")
        embedded = world.embedder.calls  # type: ignore[attr-defined]
        second = await asked(world, f"  {ASKED} ", id_="req-2")
        assert world.outcomes == ["miss", "hit"]
        assert world.calls == 2
        assert world.embedder.calls == embedded  # type: ignore[attr-defined]
        assert second == replace(first, request_id="req-2", trace=second.trace)
        assert steps(second) == ["router", "cache"]
        assert second.trace[-1].note.startswith("cached: ")
        assert [event.mode for event in world.events if isinstance(event, AnswerKept)] == ["auto"]
        assert "gates" in steps(first)
        assert "cache" not in steps(first)

    @pytest.mark.parametrize(("mode", "seconds"), WHOLE.items())
    async def test_an_answer_lives_as_long_as_its_mode_says(
        self, mode: str, seconds: float
    ) -> None:
        """ADR-0031: 2, 5 and 15 minutes; what is kept longest ago is not looked at."""
        world = Remembering(lifetimes={mode: seconds})
        world.guide.point_with = pointing(TLS)
        inquiry = await begun(world, mode=Mode(mode))
        reply = replace(await world.pipeline.answer(inquiry), mode=Mode(mode))
        # As an answer that came out in this mode, whatever made it.
        again = await begun(world, mode=Mode(mode))
        await world.pipeline.recall(again)
        again.verdict = inquiry.verdict
        cache = world.pipeline.steps.cache
        assert cache
        assert again.place
        await cache.keep(again.place, again, reply, [(named("ADR-0027"),)])
        world.events.clear()
        world.clock.advance(seconds - 1)
        await asked(world, mode=Mode(mode))
        world.clock.advance(1)
        await asked(world, mode=Mode(mode))
        assert world.outcomes == ["hit", "miss"]

    async def test_what_was_thought_about_is_kept_for_longer(self) -> None:
        """Its sources may be others than the first search found."""
        world = Remembering()
        first = await asked(world, mode=Mode.THINKING)
        calls = world.calls
        world.clock.advance(899)
        second = await asked(world, mode=Mode.THINKING)
        assert (first.mode, second.answer) == (Mode.THINKING, first.answer)
        assert world.outcomes == ["miss", "hit"]
        assert world.calls == calls

    async def test_a_conversation_goes_on_as_after_a_new_answer(self) -> None:
        """A follow-up refers to what the answer was about."""
        fresh, again = Conversation(), Conversation()
        world = Remembering()
        await asked(world, conversation=fresh)
        await asked(world, conversation=again)
        assert world.outcomes == ["miss", "hit"]
        assert again == fresh
        follow = "And what about ADR 12?"
        one = await asked(world, follow, conversation=fresh)
        other = await asked(world, follow, conversation=again)
        assert (one.answer, cited(one)) == (other.answer, cited(other))


class TestNeverKept:
    @pytest.mark.parametrize(
        "said",
        [
            {"point": SourceUnavailableError("down", source="llm")},
            {"point": SourceTimeoutError("late", source="llm")},
            {"plan": SourceUnavailableError("down", source="llm"), "point": pointing(TLS)},
            {"point": Pointing(verdict=PointedVerdict.ANSWERS, units=(99,))},
            {"point": Pointing(verdict=PointedVerdict.ANSWERS)},
            {"point": says_no},
        ],
    )
    async def test_what_a_model_failed_at(self, said: dict[str, Any]) -> None:
        """It is asked again the next time, and then its answer is shown."""
        world = Remembering(Scripted(**said))
        await asked(world)
        assert len(world.store) == 0
        world.guide.plan_with, world.guide.point_with = Plan(), pointing(TLS)
        assert (await asked(world)).mode is Mode.AUTO
        assert len(world.store) == 1
        assert world.outcomes == ["miss", "miss"]

    @pytest.mark.parametrize(
        ("text", "state"),
        [
            ("Who painted the office?", OriginState.UNCHANGED),
            ("What does unheard-of mean?", OriginState.UNCHANGED),
            (ASKED, OriginState.CHANGED),
            (ASKED, OriginState.UNREACHABLE),
        ],
    )
    async def test_refusals_and_what_rests_on_other_sources(
        self, text: str, state: OriginState
    ) -> None:
        """The next may be answered; nothing is held against a source that is not as it was."""
        world = Remembering(lifetimes=WHOLE)
        world.origins.state = state
        assert (await asked(world, text)).refused or text == ASKED
        assert len(world.store) == 0

    async def test_while_something_is_away(self) -> None:
        """What is found by words alone is no answer to keep; nor one of an index that fails."""
        world = Remembering(lifetimes=WHOLE)
        world.embedder.down = True  # type: ignore[attr-defined]
        assert (await asked(world)).fallback_mode
        assert len(world.store) == 0
        world.index.down = True
        assert (await asked(world)).refused
        assert world.outcomes == ["miss"]

    async def test_what_a_tool_of_somebody_else_returned(self) -> None:
        """Whoever waits for the answer makes their own."""
        world = Remembering(lifetimes=WHOLE)
        inquiry = await begun(world)
        await world.pipeline.recall(inquiry)
        await world.pipeline.weigh(inquiry, KNOWLEDGE[:2], source="tool")
        world.pipeline.judge(inquiry)
        await world.pipeline.conclude(inquiry)
        assert len(world.store) == 0
        assert len(world.memory.turns) == 0

    @pytest.mark.parametrize(
        "changes",
        [
            {"refused": True},
            {"refusal_reason": RefusalReason.TERMINOLOGY_AMBIGUOUS},
            {"sources": ()},
            {"validation": None},
            {"validation": replace(VALIDATION, against=("file", "result"))},
            {"complete": False},
            {"retrieval_quality": RetrievalQuality.from_retrieval(0.29, ())},
            {"retrieval_quality": RetrievalQuality.from_retrieval(0.9, ("bm25_only",))},
            {"retrieval_quality": RetrievalQuality.from_retrieval(0.9, ("llm_timeout",))},
            *({"warnings": (ResponseWarning(type=type_, message=""),)} for type_ in TELLING),
        ],
    )
    def test_what_is_no_whole_and_verified_answer(self, changes: dict[str, Any]) -> None:
        """Each alone is enough."""
        assert may_be_kept(ANSWER.response)
        assert not may_be_kept(replace(ANSWER.response, **changes))

    def test_what_is_little_and_proved(self) -> None:
        """From 0.3 on an answer is kept, also one that warns of its document's status."""
        weak = RetrievalQuality.from_retrieval(0.3, ())
        old = (ResponseWarning(type="SUPERSEDED", message=""),)
        assert may_be_kept(replace(ANSWER.response, retrieval_quality=weak, warnings=old))


class TestWhatHasChanged:
    @pytest.mark.parametrize(
        "state", [OriginState.CHANGED, OriginState.GONE, OriginState.UNREACHABLE]
    )
    async def test_a_source_is_looked_at_again(self, state: OriginState) -> None:
        """An answer whose file has changed since is made anew, and tells of it."""
        world = Remembering()
        await asked(world)
        world.origins.state = state
        reply = await asked(world)
        assert world.outcomes == ["miss", "stale"]
        assert [item.type for item in reply.warnings]

    async def test_a_concept_that_means_something_else(self) -> None:
        """A server's vocabulary has no version: what is cited is compared."""
        world = Remembering(lifetimes=WHOLE)
        text = "What does meter mean?"
        await asked(world, text)
        said = tuple(replace(each, value=LATER) for each in METER.definitions)
        concepts = [replace(METER, definitions=said), *(c for c in CONCEPTS if c != METER)]
        world.change(terminology=FakeTerminology(concepts, name="Test"))
        assert LATER in (await asked(world, text)).answer
        assert world.outcomes == ["miss", "stale"]

    async def test_an_index_that_is_another_forgets_the_answers_of_the_last(self) -> None:
        """They would never be asked for again."""
        world = Remembering()
        await asked(world)
        assert len(world.store) == 1
        more = [*KNOWLEDGE, replace(KNOWLEDGE[0], id="ADR-0012#9", position=9)]
        world.change(index=index(more, HashEmbedder()))
        inquiry = await begun(world)
        await world.pipeline.recall(inquiry)
        assert world.outcomes == ["miss", "miss"]
        assert len(world.store) == 0

    async def test_a_vocabulary_that_is_another(self) -> None:
        """Its synonyms serve the search, whatever is cited."""
        world = Remembering()
        await asked(world)
        world.change(terminology=FakeTerminology(CONCEPTS[:2], name="Test"))
        await asked(world)
        assert world.outcomes == ["miss", "miss"]
        assert len(world.store) == 1


class TestWhatAnAnswerDependsOn:
    async def test_narrow_and_wide_questions_keep_theirs_side_by_side(self) -> None:
        """None takes the answers of the others for those of an index that is no more."""
        world = Remembering()
        scopes = (EVERYTHING, CollectionScope.of_kind(DECISION), replace(EVERYTHING, asked=("x",)))
        for scope in (*scopes, *scopes):
            await asked(world, scope=scope)
        assert world.outcomes == ["miss"] * 3 + ["hit"] * 3

    async def test_another_mode_model_or_setting(self) -> None:
        """Each asks anew, and comes back to its own."""
        world = Remembering()
        await asked(world)
        own = world.pipeline
        other = Scripted(point=world.guide.point_with, model_id="scripted@point+other")
        world.change(guidance=Guidance(guide=other, clock=world.clock))
        await asked(world)
        world.change(guidance=own.guidance, memory=replace(world.memory, configuration="others"))
        await asked(world)
        world.change(memory=world.memory)
        await asked(world, mode=Mode.THINKING)
        inquiry = await begun(world)
        await world.pipeline.recall(inquiry, models=("a tree's own",))
        assert world.outcomes == ["miss"] * 5
        world.pipeline = own
        await asked(world)
        assert world.outcomes[5:] == ["hit"]

    @pytest.mark.parametrize("text", [ASKED.upper(), ASKED.lower(), ASKED.rstrip("?")])
    async def test_what_the_stages_can_tell_apart_is_another_question(self, text: str) -> None:
        """Otherwise what somebody asked before would decide what this one gets."""
        world = Remembering()
        await asked(world)
        await asked(world, text)
        assert world.outcomes == ["miss", "miss"]

    async def test_a_follow_up_is_one_of_its_conversation(self) -> None:
        """The same words after another question are another question; in like talks they hit."""
        world = Remembering(lifetimes=WHOLE)
        talks = [Conversation() for _ in range(3)]
        for talk, first in zip(talks, ["ADR 12", "ADR 27", "ADR 12"], strict=True):
            await asked(world, f"What does {first} say?", conversation=talk)
        world.events.clear()
        replies = [await asked(world, "Who owns it?", conversation=talk) for talk in talks]
        assert world.outcomes[0] == world.outcomes[1] == "miss"
        assert cited(replies[0]) == cited(replies[2]) != cited(replies[1])


class Slow(Scripted):
    """A guide that says what to search for when it is let go."""

    def __init__(self, **said: Any) -> None:
        super().__init__(**said)
        self.go, self.began = asyncio.Event(), asyncio.Event()

    async def plan(self, question: str, catalogue: Sequence[Document], /, **told: Any) -> Plan:
        self.began.set()
        await self.go.wait()
        return await super().plan(question, catalogue, **told)


async def settled() -> None:
    """Let all tasks go on as far as they can."""
    for _ in range(100):
        await asyncio.sleep(0)


class TestAtOnce:
    async def test_the_same_question_at_once_is_one(self) -> None:
        """Nine wait for the first."""
        guide = Slow(point=pointing(TLS))
        world = Remembering(guide)
        replies = [asyncio.create_task(asked(world, id_=f"req-{n}")) for n in range(10)]
        await guide.began.wait()
        guide.go.set()
        told = await asyncio.gather(*replies)
        assert guide.calls == 2
        assert sorted(world.outcomes) == ["miss", *["shared"] * 9]
        assert {reply.answer for reply in told} == {told[0].answer}
        assert [reply.request_id for reply in told] == [f"req-{n}" for n in range(10)]

    async def test_whoever_waits_too_long_gets_the_quotes(self) -> None:
        """One that is never concluded, nor left, takes nobody more time than one answer has."""
        world = Remembering()
        await world.pipeline.recall(lost := await begun(world))
        waiting = asyncio.create_task(asked(world))
        await settled()
        world.clock.advance(WAIT_S)
        reply = await waiting
        assert reply.mode is Mode.INSTANT
        assert reply.retrieval_quality.fallback_reasons == ("llm_timeout",)
        assert world.calls == 0
        assert (await asked(world)).mode is Mode.AUTO
        world.pipeline.leave(lost)
        assert len(world.memory.turns) == 0
