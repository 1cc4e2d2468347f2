"""A refusal asks what is meant, and says how far the nearest passage is (IR0001)."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.unit.small_world import THRESHOLDS, World

from elysia_guard.domain.concept import Concept, Text
from elysia_guard.domain.document import DocumentKind
from elysia_guard.domain.refusal import RefusalReason
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


def test_what_is_known_is_not_asked_about() -> None:
    """Nor what a vocabulary that is beyond the question would have to define."""
    bare = Concept(uri="urn:x", vocabulary="v", preferred=(Text(value="flurb", lang="en"),))
    undefined = World(terminology=FakeTerminology([*CONCEPTS, bare])).ask("What is a flurb?")
    outside = World().ask("What is FooBarBaz?", kind=DocumentKind.POLICY)
    missing = World().ask("What does ADR-0050 decide?")
    for reply in (undefined, outside, missing):
        assert reply.refused
        assert "Could you clarify" not in reply.answer
        assert "propose it" not in reply.answer


def test_a_far_search_tells_its_distance() -> None:
    """The distance that was measured, beside the one that is allowed."""
    strict = replace(THRESHOLDS, default=replace(THRESHOLDS.default, distance_threshold=0.01))
    reply = World(thresholds=strict).ask("How are connections encrypted?")
    (read,) = [
        item
        for step in reply.trace
        for item in step.readings
        if item.gate == "distance" and not item.passed
    ]
    assert isinstance(read.value, float)
    assert f"distance {read.value:.3f}, at most 0.010" in reply.answer
