"""An answer that is kept, on both routes: asked of a model once, whoever asks."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from tests.guide_server import GuideServer, lazy, said_to
from tests.host.runs import run
from tests.host.scripted import ScriptedLM, hang, load_as_models
from tests.host.test_tools_planned import Tickets

from elysia_guard import Guard
from elysia_guard.config import LanguageModelSection
from elysia_guard.domain.events import RecallEnded
from elysia_guard.domain.mode import Mode
from elysia_guard.edge.elysia import GuardedTree, guard
from elysia_guard.edge.elysia.host import Settings
from elysia_guard.wiring import Wiring

ASKED = "How is the stability of the grid ensured?"
NAMED = "What does ADR-0012 say about mapping?"


async def answering(prompt: str) -> str:
    """Answer the prompt of a tree's own model: plan nothing, point at the first unit."""
    return said_to(prompt.splitlines()[-1], lazy)


class Heard(list[str]):
    """What came of looking for answers."""

    def __call__(self, event: object) -> None:
        if isinstance(event, RecallEnded):
            self.append(event.outcome)


def remembering(wiring: Wiring, **section: Any) -> tuple[Wiring, Heard]:
    llm = LanguageModelSection(**section)
    made = Wiring(wiring.config.model_copy(update={"llm": llm, "log_level": "ERROR"}))
    made.observers.append(heard := Heard())
    return made, heard


@pytest.fixture
def server() -> Iterator[GuideServer]:
    with GuideServer(lazy) as made:
        yield made


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> ScriptedLM:
    """The tree's own model."""
    made = ScriptedLM(answering)
    load_as_models(monkeypatch, made)
    return made


@pytest.mark.parametrize("question", [ASKED, NAMED])
@pytest.mark.parametrize("first", ["direct", "tree"])
async def test_each_route_gives_again_what_the_other_was_told(
    wiring: Wiring, server: GuideServer, question: str, first: str
) -> None:
    """Word for word, and on the way that it is asked by."""
    made, heard = remembering(wiring, url=server.url, model="m")

    async def direct() -> Any:
        return await Guard(wiring=made).aask(question)

    async def tree() -> Any:
        return (await run(GuardedTree(wiring=made, settings=Settings()), question)).reply

    ways = [direct, tree] if first == "direct" else [tree, direct]
    new, again = [await way() for way in ways]
    made.close()
    assert heard == ["miss", "hit"]
    # A named document is not planned for.
    assert len(server.asked_to("plan")) == (question == ASKED)
    assert len(server.asked_to("point")) == 1
    assert (again.answer, again.sources, again.mode) == (new.answer, new.sources, Mode.AUTO)
    assert again.request_id != new.request_id
    assert again.trace[-1].stage == "cache"


async def test_whoever_waits_for_a_page_that_goes_away_is_answered(
    wiring: Wiring, model: ScriptedLM, model_settings: Settings
) -> None:
    """Its call is stopped; theirs is their own."""
    asked = asyncio.Event()

    async def never(prompt: str) -> None:
        asked.set()
        await hang(prompt)

    model.answers = [never, answering]
    made, _ = remembering(wiring)
    leaving = asyncio.create_task(run(GuardedTree(wiring=made, settings=model_settings), ASKED))
    await asyncio.wait_for(asked.wait(), timeout=5)
    waiting = asyncio.create_task(run(GuardedTree(wiring=made, settings=model_settings), ASKED))
    for _ in range(100):
        await asyncio.sleep(0)
    leaving.cancel()
    done = await asyncio.wait_for(waiting, timeout=10)
    made.close()
    assert done.reply
    assert done.reply.mode is Mode.AUTO


async def test_what_a_tool_of_somebody_elses_may_take_is_asked_of_the_model(
    wiring: Wiring, server: GuideServer
) -> None:
    """What was answered without the tool says nothing of what it would find; nor is it kept."""
    made, heard = remembering(wiring, url=server.url, model="m")
    await Guard(wiring=made).aask(ASKED)
    before = list(heard)
    tree = GuardedTree(wiring=made, settings=Settings())
    tree.add_tool(guard(Tickets()))
    await run(tree, ASKED)
    made.close()
    assert heard == before == ["miss"]
