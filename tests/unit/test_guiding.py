"""A model plans and points, over the small world: what it is told, and what becomes of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from tests.unit.made_guides import (
    ASKED,
    CIM,
    FALLBACK,
    SURE,
    TLS,
    Pointer,
    Scripted,
    guided,
    planning,
    pointing,
    says_no,
)
from tests.unit.small_world import DECISION, KNOWLEDGE, POLICY, THRESHOLDS, World, document

from elysia_guard.domain.document import SectionRole
from elysia_guard.domain.errors import SourceUnavailableError
from elysia_guard.domain.mode import Mode
from elysia_guard.domain.pointing import (
    Plan,
    PointedVerdict,
    Pointing,
    PointingCalibration,
    UnitOfSource,
)
from elysia_guard.domain.profiles import PROFILES, ProfileName
from elysia_guard.domain.response import RAGResponse, ReplyOutcome
from elysia_guard.ports import Vector
from elysia_guard.testing.fake_index import HashEmbedder


class NoVectors(HashEmbedder):
    """A model of vectors that fills an index, and is away for questions."""

    async def embed_question(self, text: str, **_kinds: Any) -> Vector:
        raise SourceUnavailableError("away", source="embeddings")


TWO = "How are connections encrypted, and which language do we use for the domain?"


def ask(
    guide: Scripted,
    text: str = ASKED,
    *,
    mode: Mode | None = None,
    world: World | None = None,
    **settings: object,
) -> RAGResponse:
    made = guided(guide, world, **settings)
    inquiry = made.begin(text)
    for each in inquiry.every:
        each.mode = mode
    return made.reply(inquiry)


def many(count: int) -> World:
    """A world of so many documents more, none of which tells of connections."""
    more = [
        each
        for n in range(200, 200 + count)
        for each in document(POLICY, n, f"Painting {n}", (SectionRole.SUBSTANCE, f"Paint no. {n}."))
    ]
    return World(passages=(*KNOWLEDGE, *more), thresholds=SURE)


class TestWhatIsShown:
    def test_units_stand_in_the_order_of_their_section(self) -> None:
        """However the model orders them; each once, under its document."""
        reply = ask(Scripted(point=pointing(FALLBACK, TLS, FALLBACK)))
        assert reply.answer.index(TLS) < reply.answer.index(FALLBACK)
        assert reply.answer.count(FALLBACK) == 1
        assert {item.doc_id for item in reply.sources} == {"ADR-0027"}
        assert (reply.mode, reply.written_by) == (Mode.AUTO, "scripted@point+1")

    def test_of_a_paragraph_the_sentence_that_tells_is_marked(self) -> None:
        """The rest stands beside it: nothing is cut out."""
        told = "Doors are green. Passwords are hashed with Argon2. Nobody may paint windows."
        more = document(POLICY, 91, "More", (SectionRole.SUBSTANCE, told))
        world = World(passages=(*KNOWLEDGE, *more), thresholds=SURE)
        guide = Scripted(plan=planning("POL-0091"), point=pointing("Argon2"))
        reply = ask(guide, "Which algorithm hashes passwords?", world=world)
        marked = told.replace(
            "Passwords are hashed with Argon2.", "**Passwords are hashed with Argon2.**"
        )
        assert marked in reply.answer

    def test_documents_stand_in_the_order_of_the_model(self) -> None:
        guide = Scripted(plan=planning("ADR-0012", "ADR-0027"), point=pointing(CIM, TLS))
        reply = ask(guide, TWO)
        assert [item.doc_id for item in reply.sources] == ["ADR-0012", "ADR-0027"]

    @pytest.mark.parametrize(
        ("verdict", "said"),
        [
            (PointedVerdict.PARTLY, "Part of what you ask is said here:"),
            (PointedVerdict.CONTRADICTS, "No: the source says"),
        ],
    )
    def test_what_is_no_plain_answer_says_so_first(
        self, verdict: PointedVerdict, said: str
    ) -> None:
        reply = ask(Scripted(point=pointing(TLS, verdict=verdict)))
        assert reply.answer.index(said) < reply.answer.index(TLS)

    def test_an_answer_of_its_own_is_hedged(self) -> None:
        """However sure rules would be of something else."""
        guide = Scripted(
            plan=planning("ADR-0012", searches=["domain language"]), point=pointing(CIM)
        )
        reply = ask(guide, "Which words do we take for what we talk about?")
        assert reply.outcome is ReplyOutcome.HEDGED

    def test_where_rules_assert_the_same_it_is_asserted(self) -> None:
        assert World(thresholds=SURE).ask(ASKED).outcome is ReplyOutcome.ASSERTED
        assert ask(Scripted(point=pointing(TLS))).outcome is ReplyOutcome.ASSERTED

    @pytest.mark.parametrize(
        ("words", "verdict"),
        [(TLS, PointedVerdict.CONTRADICTS), (TLS, PointedVerdict.PARTLY), (CIM, None)],
    )
    def test_where_it_says_otherwise_it_is_hedged(
        self, words: str, verdict: PointedVerdict | None
    ) -> None:
        """Rules assert a passage; another one, or no plain yes, is not what they assert."""
        plan = planning("ADR-0012", searches=["domain language"])
        guide = Scripted(
            plan=plan, point=pointing(words, verdict=verdict or PointedVerdict.ANSWERS)
        )
        reply = ask(guide)
        assert words in reply.answer
        assert reply.outcome is ReplyOutcome.HEDGED

    def test_its_no_leaves_in_doubt_what_rules_assert(self) -> None:
        reply = ask(Scripted())
        assert reply.outcome is ReplyOutcome.HEDGED
        assert TLS in reply.answer


class TestCalibrated:
    @pytest.mark.parametrize(
        ("model", "right", "outcome"),
        [
            ("scripted@point+1", 0.98, ReplyOutcome.ASSERTED),
            ("scripted@point+1", 0.9, ReplyOutcome.HEDGED),
            ("another@point+1", 0.98, ReplyOutcome.HEDGED),
        ],
    )
    def test_it_is_asserted_where_it_was_right_often_enough(
        self, model: str, right: float, outcome: ReplyOutcome
    ) -> None:
        """97 in 100, and of that very model and prompt."""
        worth = PointingCalibration(model=model, answers=right)
        world = World(thresholds=replace(SURE, pointing=worth, asserted_from=0.97))
        guide = Scripted(
            plan=planning("ADR-0012", searches=["domain language"]), point=pointing(CIM)
        )
        reply = ask(guide, "Which words do we take for what we talk about?", world=world)
        assert reply.outcome is outcome


class TestWhatItIsTold:
    def test_the_plan_is_of_the_catalogue(self) -> None:
        """Every document by its title, no approval record; and the question as it was typed."""
        guide = Scripted(point=pointing(TLS))
        ask(guide)
        (told,) = guide.planned
        known = {each.document.id for each in KNOWLEDGE if not each.document.approval}
        assert {each.id for each in told.catalogue} == known
        assert told.question == ASKED

    def test_of_a_large_catalogue_the_likeliest(self) -> None:
        guide = Scripted(point=pointing(TLS))
        ask(guide, world=many(400))
        (told,) = guide.planned
        assert len(told.catalogue) <= 150
        assert "ADR-0027" in {each.id for each in told.catalogue}

    def test_of_a_kind_that_is_named_the_others_too(self) -> None:
        """'Decision making' names no kind, and a model sees of each document which it is."""
        guide = Scripted(point=pointing(TLS))
        ask(guide, "What do our decisions say about encrypted connections?")
        (told,) = guide.planned
        assert {each.kind for each in told.catalogue} > {DECISION}

    def test_documents_of_the_plan_come_first_and_the_nearest_stay(self) -> None:
        guide = Scripted(plan=planning("ADR-0012"), point=pointing(TLS))
        ask(guide)
        (told,) = guide.pointed
        assert told.documents[0] == "ADR-0012"
        assert "ADR-0027" in told.documents

    def test_places_beyond_the_catalogue_are_none(self) -> None:
        reply = ask(Scripted(plan=Plan(documents=(-1, 10_000)), point=pointing(TLS)))
        assert TLS in reply.answer

    def test_units_fit_into_what_may_be_told(self) -> None:
        guide = Scripted(point=pointing(TLS))
        ask(guide, max_chars=300)
        (told,) = guide.pointed
        assert 0 < sum(len(each.text) for each in told.units) <= 300

    def test_of_a_named_document_nothing_is_planned_and_no_other_told(self) -> None:
        guide = Scripted(point=pointing(TLS))
        ask(guide, "What does ADR-0027 say about encrypted connections?")
        assert not guide.planned
        assert {name.removesuffix("D") for name in guide.pointed[0].documents} == {"ADR-0027"}

    def test_without_vectors_it_is_asked_all_the_same(self) -> None:
        """By words alone: a model of vectors that is away is no reason to leave this one out."""
        world = World(thresholds=SURE, embedder=NoVectors())
        guide = Scripted(plan=planning("ADR-0027", searches=["TLS"]), point=pointing(TLS))
        assert TLS in ask(guide, world=world).answer
        assert guide.calls == 2

    def test_terms_that_it_names_are_defined(self) -> None:
        plan = Plan(terms=("transformer",))
        guide = Scripted(plan=plan, point=pointing(TLS))
        ask(guide)
        assert list(guide.pointed[0].defined) == ["transformer"]

    def test_definitions_of_terms_are_told(self) -> None:
        guide = Scripted(point=pointing(TLS))
        ask(guide, "Which connections of a transformer have to be encrypted?")
        assert guide.pointed[0].defined

    @pytest.mark.parametrize(
        "question",
        ["What is a transformer?", "What does ADR-0027 decide?", "Who approved ADR-0027?",
         "List all decisions", "Thanks", "What is the status of ADR-0027?"],
    )  # fmt: skip
    def test_terms_identities_fields_and_lists_ask_nothing(self, question: str) -> None:
        guide = Scripted(point=pointing(TLS))
        ask(guide, question)
        assert guide.calls == 0

    def test_in_mode_instant_nothing_is_asked(self) -> None:
        guide = Scripted(point=pointing(TLS))
        assert ask(guide, mode=Mode.INSTANT).mode is Mode.INSTANT
        assert guide.calls == 0


class TestSeveralParts:
    def test_searches_are_read_as_one(self) -> None:
        """A model reads the whole question: two calls, not four."""
        guide = Scripted(plan=planning("ADR-0027", "ADR-0012"), point=pointing(TLS, CIM))
        reply = ask(guide, TWO)
        assert guide.calls == 2
        assert guide.pointed[0].question == TWO
        assert all(words in reply.answer for words in (TLS, CIM))

    def test_where_the_model_fails_the_parts_are_answered_by_rules(self) -> None:
        away = SourceUnavailableError("away", source="llm")
        reply = ask(Scripted(plan=away, point=away), TWO)
        alone = World(thresholds=SURE).ask(TWO)
        assert reply.sources == alone.sources
        assert reply.retrieval_quality.fallback_reasons == ("llm_error",)

    def test_asked_again_it_is_answered_again(self) -> None:
        world = guided(Scripted(plan=planning("ADR-0027"), point=pointing(TLS, CIM)))
        first, second = (world.reply(world.begin(TWO)) for _ in range(2))
        assert first.answer == second.answer


class TestNamed:
    BOTH = "What do ADR-0027 and ADR-0012 say about language or TLS?"

    def test_where_several_are_named_each_has_its_say(self) -> None:
        """A model that points at one alone does not leave the other out."""
        reply = ask(Scripted(point=pointing(CIM)), self.BOTH)
        alone = World(thresholds=SURE).ask(self.BOTH)
        assert reply.sources == alone.sources
        assert reply.mode is Mode.INSTANT

    def test_what_it_says_of_each_is_shown(self) -> None:
        reply = ask(Scripted(point=pointing(CIM, TLS)), self.BOTH)
        assert {item.doc_id for item in reply.sources} == {"ADR-0012", "ADR-0027"}
        assert reply.mode is Mode.AUTO


class TestThinking:
    def test_it_looks_at_further_documents_where_the_first_do_not_answer(self) -> None:
        guide = Scripted(plan=planning("ADR-0012"), point=pointing("Nobody says this."))
        ask(guide, mode=Mode.THINKING)
        first, second = guide.pointed
        assert not set(first.documents) & set(second.documents)

    def test_what_answers_at_once_needs_one_look(self) -> None:
        guide = Scripted(point=pointing(TLS))
        assert ask(guide, mode=Mode.THINKING).mode is Mode.THINKING
        assert len(guide.pointed) == 1


class TestFollowUps:
    def test_it_is_told_what_was_asked_before(self) -> None:
        guide = Scripted(plan=Plan(question="Which fallback is there?"), point=pointing(FALLBACK))
        world = guided(guide)
        first = world.begin(ASKED)
        world.reply(first)
        second = world.begin(
            "And is there a fallback for older ones?", conversation=first.conversation
        )
        world.reply(second)
        shown = "ADR-0027: Use TLS to protect connections"
        assert guide.planned[-1].talk == (f"{ASKED} [shown: {shown}]",)
        assert guide.pointed[-1].question == "Which fallback is there?"


class TestFallingBack:
    @pytest.mark.parametrize("first", [pointing(TLS, verdict=PointedVerdict.PARTLY), says_no])
    def test_where_a_second_look_fails_the_first_stands(self, first: Pointer) -> None:
        """From thinking to what auto says; it is warned of, and not complete."""
        looks = iter((first, None))

        def point(units: Sequence[UnitOfSource]) -> Pointing:
            if look := next(looks):
                return look(units)
            raise SourceUnavailableError("down", source="llm")

        guide = Scripted(point=point)
        thought, auto = ask(guide, mode=Mode.THINKING), ask(Scripted(point=first))
        assert len(guide.pointed) == 2
        assert (thought.sources, thought.outcome) == (auto.sources, auto.outcome)
        assert thought.sources
        assert [item.type for item in thought.warnings] == ["PIPELINE_ERROR"]
        assert (thought.complete, auto.complete) == (False, True)


class TestBesideTheGates:
    @pytest.mark.parametrize(
        "name", [ProfileName.AINSTEIN, ProfileName.RELEVANCE_GUARD, ProfileName.MULTI_GATE]
    )
    def test_a_profile_that_is_its_gates_refuses_what_they_refuse(self, name: ProfileName) -> None:
        """Where all are combined, it answers what likeness refuses, hedged."""
        question, limits = "Which words do we take for what we talk about?", PROFILES[name]
        worlds = [World(thresholds=THRESHOLDS.under(limits)) for _ in range(2)]
        assert worlds[0].ask(question).refusal_reason == "not_relevant"
        guide = Scripted(
            plan=planning("ADR-0012", searches=["domain language"]), point=pointing(CIM)
        )
        assert ask(guide, question, world=worlds[1]).refusal_reason == "not_relevant"
        reply = ask(guide, question, world=World(thresholds=THRESHOLDS))
        assert (reply.outcome, CIM in reply.answer) == (ReplyOutcome.HEDGED, True)

    def test_its_no_is_the_reading_of_a_gate(self) -> None:
        """With who says so, and no word of a reason."""
        reply = ask(Scripted())
        (read,) = (
            each for step in reply.trace for each in step.readings if each.gate == "pointing"
        )
        assert (read.passed, read.value, read.source) == (False, "no", "scripted@point+1")
        assert read.reason == "not_relevant"
