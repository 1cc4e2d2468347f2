"""Whom to turn to: what a refusal says last, where the settings name somebody."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.unit.small_world import World

from elysia_guard import Guard
from elysia_guard.config import load
from elysia_guard.domain.response import RAGResponse
from elysia_guard.language.catalogue import catalogue
from elysia_guard.wiring import Wiring

CONTACT = "the architecture team, architecture@example.org"


def ask(question: str, contact: str = CONTACT) -> RAGResponse:
    world = World()
    world.pipeline = replace(world.pipeline, contact=contact)
    return world.ask(question)


@pytest.mark.parametrize(
    ("question", "lang"),
    [
        ("What does ADR-0050 decide?", "en"),
        ("Wat besluit ADR-0050?", "nl"),
        ("Was entscheidet ADR-0050?", "de"),
    ],
)
def test_a_refusal_says_last_whom_to_contact(question: str, lang: str) -> None:
    """In the language of the question, in the words of the settings."""
    reply = ask(question)
    assert reply.refused
    assert reply.answer.endswith(catalogue(lang)["refusal.contact"].format(contact=CONTACT))
    assert reply.answer.count(CONTACT) == 1


def test_a_search_that_finds_nothing_says_it_too() -> None:
    reply = ask("Which walrus keeps the tide tables of the northern coast?")
    assert reply.refused
    assert reply.answer.endswith(CONTACT)


@pytest.mark.parametrize(
    "question", ["What does ADR-0012 decide?", "Thank you!", "What is a transformer?"]
)
def test_nothing_but_a_refusal_says_it(question: str) -> None:
    assert CONTACT not in ask(question).answer


def test_the_settings_reach_the_pipeline() -> None:
    config = load(environ={"ELYSIA_GUARD_CONTACT": CONTACT})
    wiring = Wiring(config)
    try:
        assert Guard(wiring=wiring).ask("What does ADR-0999 decide?").answer.endswith(CONTACT)
    finally:
        wiring.close()
