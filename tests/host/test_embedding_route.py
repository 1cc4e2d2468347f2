"""A model server that goes away and comes back, on the tree's route: real HTTP, the real tree."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.host.scripted import AnyModel
from tests.unit.model_server import Fault, LoopbackModels
from tests.unit.served_world import QUESTION, ServedWorld

from elysia_guard.edge.elysia import TreeAsker


@pytest.fixture
def world(tmp_path: Path) -> Iterator[ServedWorld]:
    with LoopbackModels() as models:
        made = ServedWorld(tmp_path, models)
        yield made
        made.wiring.close()


@pytest.mark.without_models("wrong", "slow", "broken", reason="they add flags of their own")
async def test_the_tree_answers_by_words_and_recovers(
    any_model: AnyModel, world: ServedWorld
) -> None:
    """Opens after five failures, tries again after thirty seconds, closes after two successes."""
    tree = TreeAsker(world.wiring)
    assert (await tree.ask(QUESTION)).retrieval_quality.confidence_score == 0.85
    world.models.fault = Fault.CLOSED
    for _ in range(5):
        reply = await tree.ask(QUESTION)
        assert reply.retrieval_quality.fallback_reasons == ("bm25_only",)
    asked = len(world.models.requests)
    reply = await tree.ask(QUESTION)
    assert reply.route == "tree"
    assert reply.retrieval_quality.fallback_reasons == ("bm25_only", "circuit_open")
    assert reply.retrieval_quality.confidence_score == 0.68
    assert len(world.models.requests) == asked
    assert world.state == 2
    assert world.counted("embedding_fallback_total") == 6
    world.models.fault = None
    world.clock.advance(30)
    for _ in range(2):
        assert not (await tree.ask(QUESTION)).retrieval_quality.degraded
    assert world.state == 0
