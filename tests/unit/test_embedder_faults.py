"""Every way in which a model server can fail: the right error, in time, and nothing given away."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Iterator

import pytest
from tests.golden.skosmos.server import nobody_there
from tests.unit.model_server import KEY, LASTING, LATE, LATE_S, SECRET, Fault, LoopbackModels

from elysia_guard.adapters.embedders.served import ModelServer
from elysia_guard.adapters.http import (
    LastingError,
)
from elysia_guard.domain.errors import SourceTimeoutError, SourceUnavailableError
from elysia_guard.testing.clock import FakeClock

CALLS = 4
TIMEOUT_S = 0.5
KINDS = ("ollama", "openai")


@pytest.fixture(scope="module")
def models() -> Iterator[LoopbackModels]:
    with LoopbackModels() as running:
        yield running


@pytest.fixture(autouse=True)
def clock(models: LoopbackModels) -> Iterator[FakeClock]:
    """The time of the clients: it moves when the server is too late, and at no other moment."""
    clock = FakeClock()
    models.on_late = lambda: clock.advance(TIMEOUT_S)
    yield clock
    models.fault, models.slow_s, models.on_late = None, LATE_S, lambda: None


async def failing(server: ModelServer, text: str = "Which voltage?") -> SourceUnavailableError:
    """Ask a question that fails, and return how."""
    async with server.client(timeout_s=TIMEOUT_S, clock=FakeClock()) as model:
        with pytest.raises(SourceUnavailableError) as caught:
            await model.embed_question(text)
    return caught.value


async def nothing_left() -> None:
    """Let the loop close the generators that httpx leaves to it; nothing else may be left."""
    for _ in range(10_000):
        if asyncio.all_tasks() == {asyncio.current_task()}:
            break
        await asyncio.sleep(0)
    assert asyncio.all_tasks() == {asyncio.current_task()}


def gives_nothing_away(err: BaseException) -> None:
    """No address, no key, and not a word of what the server wrote."""
    for link in (err, err.__cause__):
        for inside in (SECRET, KEY, "127.0.0.1", "http", "<html", "Errno"):
            assert inside not in f"{link!s} {link!r}"


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("fault", list(Fault))
async def test_c9_each_fault_ends_with_the_deadline_and_leaves_nothing_behind(
    models: LoopbackModels, clock: FakeClock, fault: Fault, kind: str
) -> None:
    """However a model server fails, a call ends with the right error, at its deadline at latest.

    No task and no connection is left; then it works again.
    """
    models.fault = fault
    async with models.server(kind, api_key=KEY).client(timeout_s=TIMEOUT_S, clock=clock) as model:

        async def ask() -> None:
            with pytest.raises(SourceUnavailableError) as caught:
                await model.embed_question("Which voltage?")
            err = caught.value
            assert err.source == "embeddings"
            assert isinstance(err, SourceTimeoutError) is (fault in LATE)
            assert isinstance(err, LastingError) is (fault in LASTING)
            gives_nothing_away(err)

        await asyncio.gather(*(ask() for _ in range(CALLS)))
        await nothing_left()
        models.fault = None
        assert len(await model.embed_question("Which voltage?")) == model.dimension
    assert models.open_connections(0) == 0


@pytest.mark.parametrize(
    ("fault", "way_out"),
    [
        (Fault.UNAUTHORISED, r"refuses the key \(status 401\).*embedder\.server\.api_key_env"),
        (Fault.NO_MODEL, r"no such model.*\(status 404\).*embedder\.server\.model"),
        (Fault.TOO_LONG, r"turned a text down \(status 400\).*embedder\.server\.max_chars"),
        (Fault.WRONG_DIMENSION, r"vector of 128 dimensions; embedder\.server\.dimension is 64"),
        (Fault.BUSY, "OpenAI answered with status 429"),
        (Fault.TOO_FEW, "OpenAI sent 0 vectors for 1 texts"),
    ],
)
async def test_an_error_names_the_way_out(
    models: LoopbackModels, fault: Fault, way_out: str
) -> None:
    """One line that names what to look at."""
    models.fault = fault
    err = await failing(models.server("openai", api_key=KEY))
    assert re.search(way_out, str(err)), str(err)


@pytest.mark.parametrize("kind", KINDS)
async def test_the_key_is_sent_and_never_shown(
    models: LoopbackModels, kind: str, caplog: pytest.LogCaptureFixture
) -> None:
    """Not by any log at its most talkative, nor by what is printed of an object."""
    server = models.server(kind, api_key=KEY)
    with caplog.at_level(logging.DEBUG):
        logging.getLogger("httpx").setLevel(logging.NOTSET)
        async with server.client(timeout_s=2, clock=FakeClock()) as model:
            await model.embed_question("Which voltage?")
            shown = f"{server!r} {model!r} {vars(model)!r}"
    assert models.requests[-1].headers["Authorization"] == f"Bearer {KEY}"
    assert KEY not in shown + caplog.text
    assert str(models.port) not in f"{server!r} {model!r}"
    assert not [record for record in caplog.records if record.name == "httpx"]


async def test_a_key_that_no_header_can_carry_is_not_shown_either() -> None:
    """h11 would repeat it."""
    server = ModelServer(
        kind="openai", url=nobody_there(), model="m", dimension=4, api_key=f"{KEY}\nX: y"
    )
    gives_nothing_away(await failing(server))


@pytest.mark.parametrize(("texts", "answers"), [(1, True), (2, False)])
async def test_c9_batches_share_one_deadline(
    models: LoopbackModels, clock: FakeClock, texts: int, answers: bool
) -> None:
    """300 ms for one batch is in time, twice that is not."""
    pauses_s = iter([0.0, 60.0])

    def late() -> None:
        models.slow_s = next(pauses_s)
        clock.advance(0.3)

    models.fault, models.on_late = Fault.SLOW, late
    server = models.server("ollama", batch_size=1)
    async with server.client(timeout_s=TIMEOUT_S, clock=clock) as model:
        if answers:
            assert len(await model.embed(["one"] * texts)) == texts
            return
        with pytest.raises(SourceTimeoutError, match=r"Ollama did not answer within 0\.5 s"):
            await model.embed(["one"] * texts)
