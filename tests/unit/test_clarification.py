"""Clarification: the next message picks a choice, and the conversation remembers it."""

from __future__ import annotations

import pytest
from tests.unit.small_world import World, cited

from elysia_guard.domain.conversation import Choice, Conversation, QuestionBack
from elysia_guard.domain.question import Lang
from elysia_guard.domain.reading import Definition, Relation
from elysia_guard.domain.refusal import RefusalReason
from elysia_guard.language.catalogue import say
from elysia_guard.reading import choice_parsing
from elysia_guard.testing.terminology import ASSET, REGULATED_ASSET

AMBIGUOUS = RefusalReason.TERMINOLOGY_AMBIGUOUS
NOTHING = "No list is on offer that has such a place."


@pytest.fixture(scope="module")
def world() -> World:
    return World()


@pytest.fixture
def talk() -> Conversation:
    return Conversation()


class TestTerms:
    @pytest.mark.parametrize(
        ("pick", "chosen"),
        [
            ("the second", REGULATED_ASSET.uri),
            ("1", ASSET.uri),
            ("last", REGULATED_ASSET.uri),
            (REGULATED_ASSET.uri, REGULATED_ASSET.uri),
            (f"<{ASSET.uri}>", ASSET.uri),
            ("asset (Terms of the law)", REGULATED_ASSET.uri),
            ("Terms of the grid", ASSET.uri),
            ("the one of the law, please", REGULATED_ASSET.uri),
        ],
    )
    def test_the_next_message_picks(
        self, world: World, talk: Conversation, pick: str, chosen: str
    ) -> None:
        """By place, by name, by vocabulary or by URI, without typing the question again."""
        asked_back = world.ask("What is an asset?", conversation=talk)
        assert asked_back.refusal_reason is AMBIGUOUS
        reply = world.ask(pick, conversation=talk)
        assert not reply.refused
        assert cited(reply) == [chosen]

    def test_the_other_meanings_are_told(self, world: World, talk: Conversation) -> None:
        """So that the way back is known."""
        world.ask("What is an asset?", conversation=talk)
        reply = world.ask("the first", conversation=talk)
        assert "there are others: regulated asset (Terms of the law)" in reply.answer

    def test_a_choice_is_remembered(self, world: World, talk: Conversation) -> None:
        """The same term, asked again in another form, is not asked back."""
        world.ask("What is an asset?", conversation=talk)
        world.ask("the second", conversation=talk)
        reply = world.ask("Define Asset", conversation=talk)
        assert cited(reply) == [REGULATED_ASSET.uri]
        assert world.ask("Define asset").refusal_reason is AMBIGUOUS

    def test_another_meaning_can_be_asked_for_later(self, world: World, talk: Conversation) -> None:
        """Its full name is a term of its own."""
        world.ask("What is an asset?", conversation=talk)
        world.ask("the second", conversation=talk)
        reply = world.ask("What is asset (Terms of the grid)?", conversation=talk)
        assert cited(reply) == [ASSET.uri]

    @pytest.mark.parametrize("again", ["asset", "What is an asset?"])
    def test_a_meaning_once_chosen_holds_however_it_is_asked_for_again(
        self, world: World, talk: Conversation, again: str
    ) -> None:
        """As a question, or as the bare term."""
        world.ask("What is an asset?", conversation=talk)
        world.ask("the second", conversation=talk)
        assert cited(world.ask(again, conversation=talk)) == [REGULATED_ASSET.uri]

    def test_a_place_that_is_not_there_is_asked_back(
        self, world: World, talk: Conversation
    ) -> None:
        """And the list is still open."""
        world.ask("What is an asset?", conversation=talk)
        assert world.ask("the seventh", conversation=talk).refusal_reason is AMBIGUOUS
        assert cited(world.ask("the second", conversation=talk)) == [REGULATED_ASSET.uri]

    def test_another_question_closes_the_list(self, world: World, talk: Conversation) -> None:
        """Nobody is held to a choice."""
        world.ask("What is an asset?", conversation=talk)
        assert world.ask("What is a meter?", conversation=talk).refusal_reason is None
        assert talk.question_back is None
        assert talk.settled == {}

    @pytest.mark.parametrize(("asked", "lang"), [("Wat is een asset?", "nl"), ("asset", "en")])
    def test_the_answer_keeps_the_language_of_the_question(
        self, world: World, talk: Conversation, asked: str, lang: Lang
    ) -> None:
        """'2' has none of its own."""
        assert world.ask(asked, conversation=talk).refusal_reason is AMBIGUOUS
        assert world.ask("2", conversation=talk).lang == lang

    def test_without_a_conversation_a_pick_is_no_question(self, world: World) -> None:
        """Nothing is remembered between people."""
        world.ask("What is an asset?")
        assert NOTHING in world.ask("the second").answer


class TestWaysOn:
    @pytest.mark.parametrize(
        ("pick", "place"),
        [("the second", 1), ("2", 1), ("de eerste", 0), ("die letzte bitte", -1), ("option 3", 2)],
    )
    def test_c7_a_way_on_is_picked_by_its_place(self, world: World, pick: str, place: int) -> None:
        """After a refusal 'the second' asks the second question that was proposed."""
        talk = Conversation()
        refused = world.ask("What does ADR-0050 decide?", conversation=talk)
        assert refused.refused
        proposed = refused.suggestions[place].question
        reply = world.ask(pick, conversation=talk)
        assert cited(reply)[:1] == cited(world.ask(proposed))[:1]
        assert reply.trace[0].note.startswith(f"entity: it picks '{proposed}'")

    @pytest.mark.parametrize("pick", ["the second", "nummer zwei", "de laatste", "the ninth one"])
    def test_c7_where_nothing_is_offered_nothing_is_picked(self, world: World, pick: str) -> None:
        """'the second' with nothing on offer, or beyond what is, answers nothing else instead."""
        talk = Conversation()
        world.ask("What does ADR-0012 decide?", conversation=talk)
        reply = world.ask(pick, conversation=talk)
        assert not reply.sources
        assert reply.answer == say(reply.lang, "clarify.nothing_offered")
        world.ask("What does ADR-0050 decide?", conversation=talk)
        assert NOTHING in world.ask("the ninth", conversation=talk).answer
        assert world.ask("the second", conversation=talk).sources

    def test_c7_ways_on_are_those_of_the_last_reply(self, world: World) -> None:
        """An answer in between takes the offer back; a number alone is then a question again."""
        talk = Conversation()
        world.ask("What does ADR-0050 decide?", conversation=talk)
        world.ask("What is a transformer?", conversation=talk)
        assert talk.ways_on is None
        assert "12" in world.ask("12", conversation=talk).answer


class TestDocuments:
    @pytest.mark.parametrize(
        ("pick", "cites"),
        [
            ("the first", "ADR-0012"),
            ("2", "PCP-0012"),
            ("the principle", "PCP-0012"),
            ("het besluit", "ADR-0012"),
            ("PCP-0012", "PCP-0012"),
        ],
    )
    def test_a_bare_number_is_picked_too(
        self, world: World, talk: Conversation, pick: str, cites: str
    ) -> None:
        """By place, by kind or by name."""
        assert world.ask("What does 12 say?", conversation=talk).refusal_reason is AMBIGUOUS
        reply = world.ask(pick, conversation=talk)
        assert cited(reply) == [cites]

    def test_a_place_that_is_not_there_is_asked_back(
        self, world: World, talk: Conversation
    ) -> None:
        """With the same documents."""
        world.ask("What does 12 say?", conversation=talk)
        assert world.ask("the third", conversation=talk).refusal_reason is AMBIGUOUS
        assert talk.question_back is not None
        assert len(talk.question_back.choices) == 2


def test_a_picked_meaning_is_asked_what_was_asked_of_the_term() -> None:
    """'Synonyms of CIM', then 'the second': the synonyms of that meaning."""
    offered = tuple(Choice(names=(f"CIM {n}",), uri=f"https://v.example/{n}") for n in (1, 2))
    asked = QuestionBack(subject="CIM", lang="en", choices=offered, relation=Relation.SYNONYMS)
    picked = choice_parsing.resume("the second", asked)
    assert picked is not None
    assert picked.asks == Definition(term="CIM", uri=offered[1].uri, relation=Relation.SYNONYMS)
