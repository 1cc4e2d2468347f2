"""A definition is asserted where a meaning is asked, and hedged where more is asked of the term."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.unit.small_world import World

from elysia_guard.adapters.embedders import BundledEmbedder
from elysia_guard.adapters.intent_model import LogisticIntents
from elysia_guard.adapters.skos import SkosFile
from elysia_guard.domain.response import ReplyOutcome

VOCABULARY = Path(__file__).parents[2] / "data" / "vocabulary" / "vennet.ttl"


@pytest.fixture(scope="module")
def world() -> World:
    world = World(terminology=SkosFile.load([VOCABULARY]))
    world.hear(LogisticIntents(BundledEmbedder()))
    return world


@pytest.mark.parametrize(
    "query",
    [
        "What does busbar mean in 1950?",
        "What is a busbar made of?",
        "What is not a busbar?",
        "What did redispatch mean before?",
        "Wat betekent redispatch in het Belgische recht?",
        "Was bedeutet Redispatch im Strafrecht?",
        "Que signifie redispatching en droit belge ?",
    ],
)
def test_what_is_asked_beyond_a_meaning_is_hedged(world: World, query: str) -> None:
    reply = world.ask(query)
    assert reply.outcome is ReplyOutcome.HEDGED


@pytest.mark.parametrize(
    "query",
    [
        "What does busbar mean exactly?",
        "What is redispatch, please?",
        "What does redispatch stand for again?",
        "What is redispatch and what is a busbar?",
        "Wat betekent redispatch ook alweer precies?",
        "Was bedeutet Redispatch eigentlich \u00fcberhaupt?",
        "Que signifie le redispatching exactement ?",
        "A customer asks me about the P1 port on his meter, what is that thing?",
    ],
)
def test_words_that_ask_no_more_leave_it_asserted(world: World, query: str) -> None:
    reply = world.ask(query)
    assert reply.outcome is ReplyOutcome.ASSERTED
