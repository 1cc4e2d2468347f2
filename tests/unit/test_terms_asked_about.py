"""A refusal asks what is meant, and says how far the nearest passage is (IR0001)."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.unit.small_world import THRESHOLDS, World, cited

from elysia_guard.domain.concept import Concept, Text
from elysia_guard.domain.conversation import Conversation
from elysia_guard.domain.document import DocumentKind
from elysia_guard.domain.refusal import RefusalReason
from elysia_guard.domain.response import RAGResponse
from elysia_guard.language.pack import langs
from elysia_guard.testing.terminology import CONCEPTS, FakeTerminology

CLARIFY = "Could you clarify what you mean by 'FooBarBaz'?"
PROPOSE = "If 'FooBarBaz' belongs in the vocabulary Test, propose it to whoever keeps that."


def test_an_unknown_term_is_asked_about() -> None:
    """What is meant by it, in which context; and how it gets into the vocabulary, by name."""
    reply = World().ask("What is FooBarBaz?")
    assert reply.refusal_reason is RefusalReason.TERMINOLOGY_NOT_FOUND
    first, second = reply.answer.splitlines()[-2:]
    assert first.startswith(f"- {CLARIFY}")
    assert "context" in first
    assert second == f"- {PROPOSE}"


@pytest.mark.parametrize(
    ("query", "lang"),
    [
        ("Wat is een flurb?", "nl"),
        ("Was ist ein Flurb?", "de"),
        ("Qu'est-ce qu'un flurb ?", "fr"),
    ],
)
def test_it_is_asked_about_in_the_language_of_the_question(query: str, lang: str) -> None:
    """The term stands in the question and in the proposal, as it was written."""
    assert lang in langs()
    reply = World().ask(query)
    assert (reply.lang, reply.refused) == (lang, True)
    assert all("flurb" in line.casefold() for line in reply.answer.splitlines()[-2:])
    assert "Could you" not in reply.answer


def asked_then(*messages: str) -> RAGResponse:
    """The reply to the last of some messages of one conversation."""
    talk, world = Conversation(), World()
    return [world.ask(message, conversation=talk) for message in messages][-1]


@pytest.mark.parametrize(
    "said",
    [
        "in the context of encryption",
        "the one that encrypts connections",
        "a way to encrypt connections",
        "It is used for encrypted connections",
    ],
)
def test_what_is_said_then_is_about_the_term(said: str) -> None:
    """It is looked for together with the term, of which no word of ours says anything."""
    reply = asked_then("What is FooBarBaz?", said)
    assert any("FooBarBaz" in step.note for step in reply.trace if step.stage == "router")
    assert "FooBarBaz" not in reply.answer or reply.refused


@pytest.mark.parametrize(
    "said", ["I mean a transformer", "the transformer", "the transformer one", "transformer"]
)
@pytest.mark.parametrize("first", ["What is FooBarBaz?", "Define FooBarBaz"])
def test_a_term_that_is_named_then_is_what_was_meant(first: str, said: str) -> None:
    """Its meaning is told, as if it had been asked for."""
    assert cited(asked_then(first, said)) == cited(asked_then("What is a transformer?")) != []


@pytest.mark.parametrize(
    ("first", "said"),
    [
        ("Wat is een flurb?", "in de context van encryptie"),
        ("Was ist ein Flurb?", "im Zusammenhang mit Netzen"),
        ("Qu'est-ce qu'un flurb ?", "dans le contexte des réseaux"),
    ],
)
def test_what_is_said_then_is_about_the_term_in_every_language(first: str, said: str) -> None:
    notes = [step.note for step in asked_then(first, said).trace if step.stage == "router"]
    assert any("flurb" in note.casefold() for note in notes)


@pytest.mark.parametrize(
    "said",
    [
        "What does ADR-12 decide?",
        "ADR-12",
        "How are connections encrypted?",
        "encryption of connections",
        "List all principles",
        "thanks",
    ],
)
def test_who_asks_something_else_then_is_not_held_to_the_term(said: str) -> None:
    """A question, a document, a search and small talk are what they are alone."""
    held, alone = asked_then("What is FooBarBaz?", said), asked_then(said)
    assert (held.answer, cited(held)) == (alone.answer, cited(alone))


def test_what_is_known_is_not_asked_about() -> None:
    """Nor what a vocabulary that is beyond the question would have to define."""
    bare = Concept(uri="urn:x", vocabulary="v", preferred=(Text(value="flurb", lang="en"),))
    undefined = World(terminology=FakeTerminology([*CONCEPTS, bare])).ask("What is a flurb?")
    assert "gives no definition of 'flurb'" in undefined.answer
    outside = World().ask("What is FooBarBaz?", kind=DocumentKind.POLICY)
    missing = World().ask("What does ADR-0050 decide?")
    for reply in (undefined, outside, missing):
        assert reply.refused is (reply is not undefined)
        assert "Could you clarify" not in reply.answer
        assert "propose it" not in reply.answer


def test_a_far_search_tells_its_distance_in_the_trace_alone() -> None:
    """The figure that was measured, and the one allowed, are no words of a refusal."""
    strict = replace(THRESHOLDS, default=replace(THRESHOLDS.default, distance_threshold=0.01))
    reply = World(thresholds=strict).ask("How are connections encrypted?")
    (read,) = [
        item
        for step in reply.trace
        for item in step.readings
        if item.gate == "distance" and not item.passed
    ]
    assert isinstance(read.value, float)
    assert read.threshold == 0.01 < read.value
    assert "No passage is near enough to your question." in reply.answer
    assert f"{read.value:.3f}" not in reply.answer
    assert "0.01" not in reply.answer
