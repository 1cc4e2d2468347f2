"""Several servers over one store, behind a proxy that sends each question to another of them."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from tests import dialogues
from tests.contract.postgres_server import LIVE, own_schema, written_out
from tests.dialogues import Dialogue
from tests.e2e.house import BROWSER, PATIENCE_S, House
from tests.host.chat_server import ChatServer
from tests.round_robin import RoundRobin

from elysia_guard import config as configuration
from elysia_guard.wiring import Wiring

pytestmark = BROWSER


async def scripted(index: Path, count: int) -> list[Dialogue]:
    shipped = configuration.load(environ={})
    own = shipped.model_copy(update={"index": shipped.index.model_copy(update={"path": index})})
    return await dialogues.written(count, Wiring(own))


def workers_of(parent: int) -> list[psutil.Process]:
    """The processes that answer: multiprocessing has one more, which keeps its books."""
    found = psutil.Process(parent).children()
    return [item for item in found if "spawn_main" in " ".join(item.cmdline())]


async def check(address: str, played: list[Dialogue]) -> None:
    """Every reply is what one server alone would say, and stands in its conversation."""
    for dialogue in played:
        assert dialogue.replies == list(dialogue.expected)
        said = list(zip(dialogue.questions, dialogue.replies, strict=True))
        assert await dialogues.shown(address, dialogue) == said


@pytest.fixture(params=["file", pytest.param("server", marks=LIVE)])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The address of a store that is empty."""
    if request.param == "file":
        yield f"sqlite:///{tmp_path / 'conversations.sqlite'}"
        return
    with own_schema() as url:
        yield written_out(url)


async def test_each_question_of_a_dialogue_goes_to_another_server(
    index: Path, tmp_path: Path, model: ChatServer, store: str
) -> None:
    """No reply is lost or crossed, over websockets and HTTP, in five dialogues at once."""
    houses = [House(index, tmp_path, model) for _ in range(2)]
    for house in houses:
        house._environment["ELYSIA_GUARD_CONVERSATIONS__SHARED"] = "true"
        house._environment["ELYSIA_GUARD_CONVERSATIONS__URL"] = store
        del house._environment["ELYSIA_GUARD_CONVERSATIONS__PATH"]
    played = await scripted(index, 5)
    ports = [house.port for house in houses]
    with houses[0].chat(), houses[1].chat(), RoundRobin(ports) as proxy:
        await dialogues.play(proxy.url, played, at_once=5, told=lambda: None)
        assert proxy.moves == sum(len(dialogue.questions) - 1 for dialogue in played)
        assert [item.again for item in played] == [0] * len(played)
        await check(proxy.url, played)
    assert houses[0].problems() == []


async def test_a_worker_that_is_killed_loses_nothing_that_was_answered(
    index: Path, house: House
) -> None:
    """Another takes its place, and the questions that it had are asked again."""
    played = await scripted(index, 5)
    with house.chat("--workers", "2") as server, RoundRobin([house.port]) as proxy:
        before = workers_of(server.pid)
        answered = 0

        def told() -> None:
            nonlocal answered
            answered += 1
            if answered == 10:
                os.kill(before[0].pid, signal.SIGKILL)

        await dialogues.play(proxy.url, played, at_once=5, told=told)
        await check(proxy.url, played)
        before[0].wait(PATIENCE_S)
        assert not before[0].is_running()
        assert before[1].is_running()
        assert len(before) == 2
        assert answered == 25
    assert not before[1].is_running()
    (replaced,) = house.lines_with("another takes its place")
    assert f"worker {before[0].pid} ended" in replaced
    assert house.problems() == []
