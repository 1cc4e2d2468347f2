"""Several things asked at once, relations of terms, and lists by date, over the whole pipeline."""

from __future__ import annotations

import pytest
from tests.unit.small_world import DECISION, KNOWLEDGE, POLICY, World, cited, document

from elysia_guard.domain.concept import Concept, Text
from elysia_guard.domain.conversation import Conversation
from elysia_guard.domain.document import DocumentKind, SectionRole
from elysia_guard.domain.reading import Comparison, Definition, Listing, Named, Order, Relation
from elysia_guard.domain.refusal import RefusalReason
from elysia_guard.testing.terminology import CONCEPTS, Failure, FakeTerminology


def test_each_part_is_answered_under_its_words() -> None:
    """The sources of the second count on from those of the first."""
    reply = World().ask("What does ADR-0012 decide and who owns it?")
    assert not reply.refused
    first, second = reply.answer.split("**who owns ADR-0012?**")
    assert "We use CIM as the domain language." in first
    assert "Owner: The board" in second
    assert [source.n for source in reply.sources] == list(range(1, len(reply.sources) + 1))
    assert f"[source:{len(reply.sources)}]" in second


def test_a_part_that_cannot_be_answered_is_named_beside_the_other() -> None:
    """The answer of the one is no answer of the other."""
    reply = World().ask("What does ADR-0012 decide and who owns ADR-0099?")
    assert not reply.refused
    told = reply.answer.split("**who owns ADR-0099?**")[1]
    assert "ADR-0099 does not exist in the knowledge base." in told
    assert cited(reply) == ["ADR-0012"]


def test_a_question_is_refused_where_every_part_is() -> None:
    """Both reasons are told."""
    reply = World().ask("who owns ADR-0098 and what does ADR-0099 decide?")
    assert reply.refused
    assert "ADR-0098 does not exist" in reply.answer
    assert "ADR-0099 does not exist" in reply.answer


def test_two_kinds_of_things_are_two_parts() -> None:
    """A meaning comes from the vocabulary, a number from the catalogue."""
    reply = World().ask("what is a power transformer, and how many policies are there?")
    assert "Machine without moving parts" in reply.answer
    assert "There is 1 policy:" in reply.answer
    assert len(cited(reply)) == len(("transformer", "POL-0003"))


def test_an_outage_is_told_of_the_part_that_needs_the_source() -> None:
    """What needs no vocabulary is answered."""
    vocabulary = FakeTerminology(CONCEPTS, name="Test")
    world = World(terminology=vocabulary)
    world.ask("what is a meter?")
    vocabulary.failure = Failure.TIMEOUT
    reply = world.ask("define power transformer and tell me what ADR-0012 decides")
    assert "did not answer in time" in reply.answer
    assert cited(reply) == ["ADR-0012"]


def test_what_is_said_before_a_question_is_what_it_is_about() -> None:
    """The occasion is no question of its own."""
    inquiry = World().begin("I present ADR-0027 tomorrow. What does it decide?")
    assert not inquiry.further
    assert isinstance(inquiry.asks, Named)
    assert [item.number for item in inquiry.asks.references] == [27]


def test_documents_that_are_compared_are_told_one_after_the_other() -> None:
    """A number alone is of the kind of the other."""
    inquiry = World().begin("compare ADR-0012 and 27")
    assert isinstance(inquiry.asks, Named)
    assert {item.identity for item in inquiry.asks.references} == {
        item.identity for item in (KNOWLEDGE[0].document, KNOWLEDGE[5].document)
    }
    assert cited(World().ask("compare ADR-0012 and ADR-0027")) == ["ADR-0012", "ADR-0027"]


def test_terms_that_are_compared_are_defined_one_after_the_other() -> None:
    """No decision about one of them is quoted in their place."""
    world = World()
    asked = "what is the difference between a meter and a power transformer?"
    assert isinstance(world.begin(asked).asks, Comparison)
    reply = world.ask(asked)
    assert "Device that measures energy." in reply.answer
    assert "Machine without moving parts" in reply.answer


@pytest.mark.parametrize(
    ("asked", "relation", "quoted"),
    [
        ("broader term of power transformer", Relation.BROADER, "Part of the grid that carries"),
        ("which terms are related to power transformer?", Relation.RELATED, "Device that measures"),
        ("welke begrippen zijn verwant aan vermogenstransformator?", Relation.RELATED, "energie"),
        ("synonyms of power transformer", Relation.SYNONYMS, "transformer"),
    ],
)
def test_a_relation_is_answered_with_the_concepts_and_their_definitions(
    asked: str, relation: Relation, quoted: str
) -> None:
    """Not with the definition of the term itself."""
    world = World()
    asks = world.begin(asked).asks
    assert isinstance(asks, Definition)
    assert asks.relation is relation
    reply = world.ask(asked)
    assert not reply.refused
    assert any(quoted in source.quote for source in reply.sources)
    assert "its windings share one core" not in reply.answer


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("which terms fall under power transformer?", "names no narrower terms for it"),
        ("broader term of meter", "names no broader term for it"),
        ("synonyms of meter", "names no other word for it"),
        ("which terms are related to asset (Terms of the grid)?", "names no related terms for it"),
        ("broader term of flumox", "is not a term of the vocabulary"),
    ],
)
def test_that_the_vocabulary_names_none_is_said(asked: str, told: str) -> None:
    """It is neither made up nor replaced by the term's own definition."""
    reply = World().ask(asked)
    assert reply.refused
    assert reply.refusal_reason is RefusalReason.TERMINOLOGY_NOT_FOUND
    assert told in reply.answer


def test_a_relative_without_definition_is_named_and_a_deprecated_one_left_out() -> None:
    """The label is then what is quoted."""

    def concept(name: str, **values: object) -> Concept:
        return Concept(
            uri=f"https://example.org/{name}",
            vocabulary="test",
            preferred=(Text(value=name, lang="en"),),
            **values,  # type: ignore[arg-type]
        )

    uris = ("https://example.org/spoke", "https://example.org/rim", "https://example.org/old")
    vocabulary = FakeTerminology(
        [
            concept("wheel", narrower=uris),
            concept("spoke"),
            concept("rim", definitions=(Text(value="The outer part.", lang="en"),)),
            concept("old", deprecated=True),
        ]
    )
    reply = World(terminology=vocabulary).ask("which terms fall under wheel?")
    assert [source.quote for source in reply.sources] == ["spoke", "The outer part."]
    assert "old" not in reply.answer.split("Narrower terms of 'wheel':")[1].split("\n\n")[1]


def test_a_mistyped_term_is_told_as_it_is_written_right() -> None:
    """What was understood stands above the answer."""
    reply = World().ask("broader term of power transformr")
    assert "You wrote 'power transformr'; the vocabulary has 'power transformer'." in reply.answer
    assert "Broader terms of 'power transformer':" in reply.answer


def test_a_relation_of_a_term_of_two_meanings_is_asked_back() -> None:
    """Which of them is meant, nobody knows."""
    reply = World().ask("which terms fall under asset?")
    assert reply.refusal_reason is RefusalReason.TERMINOLOGY_AMBIGUOUS


def test_a_relation_that_cannot_be_looked_up_is_an_outage() -> None:
    """And not a term without relatives."""
    vocabulary = FakeTerminology(CONCEPTS, name="Test")
    world = World(terminology=vocabulary)
    world.ask("what is a meter?")
    vocabulary.failure = Failure.UNAVAILABLE
    reply = world.ask("broader term of power transformer")
    assert reply.refusal_reason is RefusalReason.TERMINOLOGY_ERROR


def dated(number: int, title: str, date: str, kind: DocumentKind = DECISION) -> list[object]:
    return list(document(kind, number, title, (SectionRole.SUBSTANCE, f"{title}."), date=date))


@pytest.fixture
def dates() -> World:
    passages = [
        *dated(1, "First rule", "2024-05-01"),
        *dated(2, "Second rule", "2025-01-15"),
        *dated(3, "Third rule", "2025-01-15"),
        *dated(4, "Fourth rule", "2023-12-31"),
        *dated(5, "Fifth rule", ""),
        *dated(1, "Open data", "2026-01-01", POLICY),
    ]
    return World(passages=passages)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("asked", "order", "expected"),
    [
        ("the oldest decision", Order.OLDEST, ["ADR-0004"]),
        ("the two oldest decisions", Order.OLDEST, ["ADR-0004", "ADR-0001"]),
        ("newest decisions", Order.NEWEST, ["ADR-0002", "ADR-0003", "ADR-0001", "ADR-0004"]),
        ("the newest policy", Order.NEWEST, ["POL-0001"]),
        ("de oudste twee besluiten", Order.OLDEST, ["ADR-0004", "ADR-0001"]),
        ("die drei neuesten Entscheidungen", Order.NEWEST, ["ADR-0002", "ADR-0003", "ADR-0001"]),
    ],
)
def test_the_newest_and_the_oldest_are_told_by_date(
    dates: World, asked: str, order: Order, expected: list[str]
) -> None:
    """So many as are asked for, in the order of their dates, which are shown."""
    asks = dates.begin(asked).asks
    assert isinstance(asks, Listing)
    assert asks.order is order
    reply = dates.ask(asked)
    assert cited(reply) == expected
    assert f"{len(expected)} " in reply.answer


def test_of_two_of_one_date_none_is_left_out(dates: World) -> None:
    """Which of them came first, no source says."""
    reply = dates.ask("the newest decision")
    assert cited(reply) == ["ADR-0002", "ADR-0003"]
    assert "2025-01-15" in reply.answer


def test_what_bears_no_date_is_told_and_left_out(dates: World) -> None:
    """A list by date holds what has one."""
    reply = dates.ask("the oldest decision")
    assert "Left out, as they do not state a date that tells: 1 of 5 decisions." in reply.answer


def test_how_many_begins_with_the_number() -> None:
    """And then tells which."""
    reply = World().ask("how many principles are there?")
    assert reply.answer.startswith("There are 2 principles:")


def test_a_follow_up_may_be_in_two_parts() -> None:
    """Each is about what was said before."""
    talk, world = Conversation(), World()
    world.ask("What does ADR-0012 decide?", conversation=talk)
    reply = world.ask("who approved it and what does ADR-0027 decide?", conversation=talk)
    assert "Ada Lovelace" in reply.answer
    assert "TLS 1.3" in reply.answer
