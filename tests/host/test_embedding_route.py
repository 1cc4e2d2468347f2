"""A model server that goes away and comes back, on the tree's route: real HTTP, the real tree."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.host.runs import assert_well_formed, run
from tests.host.scripted import AnyModel
from tests.unit.model_server import Fault, LoopbackModels
from tests.unit.served_world import QUESTION, ServedWorld

from elysia_guard.edge.elysia import GuardedTree, TreeAsker
from elysia_guard.edge.elysia.host import Settings
from elysia_guard.guard import Guard
from elysia_guard.testing.fake_index import HashEmbedder

pytestmark = pytest.mark.host


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


@pytest.mark.without_models("wrong", "slow", "broken", reason="they add flags of their own")
async def test_the_tree_tells_of_a_second_model_that_is_away(
    any_model: AnyModel, world: ServedWorld
) -> None:
    """As the direct route does; the confidence is the first model's, and stays."""
    second = HashEmbedder(model_id="other@1", dimension=32)
    world.wiring.__dict__["second_embedder"] = second
    await world.wiring.fill_index()
    tree = TreeAsker(world.wiring)
    assert (await tree.ask(QUESTION)).retrieval_quality.fallback_reasons == ()
    second.down = True
    reply = await tree.ask(QUESTION)
    assert reply.route == "tree"
    assert reply.retrieval_quality.fallback_reasons == ("first_embedder_only",)
    assert reply.retrieval_quality.confidence_score == 0.85


@pytest.mark.without_models("wrong", "slow", "broken", reason="they add flags of their own")
async def test_the_reader_is_told_in_the_chat(
    any_model: AnyModel, world: ServedWorld, user_settings: Settings
) -> None:
    """The sentence of IR0003 stands under the answer."""
    world.models.fault = Fault.ERROR
    done = await run(GuardedTree(wiring=world.wiring, settings=user_settings), QUESTION)
    assert_well_formed(done)
    assert "This response uses simplified search (bm25_only)." in done.texts[0]


def test_questions_from_loop_after_loop_share_a_client(world: ServedWorld) -> None:
    """As Elysia's synchronous calls and notebook cells ask."""
    guard = Guard(wiring=world.wiring)
    before = world.models.connections
    for _ in range(3):
        assert not guard.ask(QUESTION).retrieval_quality.degraded
    assert world.models.connections == before + 1
