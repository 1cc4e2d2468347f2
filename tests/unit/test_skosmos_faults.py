"""Every way in which Skosmos can fail: the right error, in time, and nothing left behind.

The clock is the test's: it moves when the server is too late. How long a call takes by the clock on
the wall, ``benchmarks/skosmos.py`` measures. ``SKOSMOS_FAULT_CALLS=200`` makes 200 calls for each.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from dataclasses import replace

import pytest
from tests.golden.skosmos.server import LATE, SECRET, Fault, SkosmosServer

from elysia_guard.adapters.cached import Cached, Matches, MemoryStore
from elysia_guard.adapters.skosmos import (
    AsyncSkosmosClient,
    SKOSMOSError,
    SkosmosService,
    SKOSMOSTimeout,
)
from elysia_guard.domain.errors import SourceUnavailableError
from elysia_guard.ports import TerminologySource
from elysia_guard.testing.clock import FakeClock

CALLS = int(os.environ.get("SKOSMOS_FAULT_CALLS", "16"))
AT_A_TIME = 8
DEADLINE_S = 0.3


@pytest.fixture(scope="module")
def server() -> Iterator[SkosmosServer]:
    with SkosmosServer() as running:
        yield running


@pytest.fixture(autouse=True)
def clock(server: SkosmosServer) -> Iterator[FakeClock]:
    """The time of the clients: it moves when the server is too late, and at no other moment."""
    clock = FakeClock()
    server.on_late = lambda: clock.advance(DEADLINE_S)
    yield clock
    server.on_late = lambda: None
    server.fault, server.slow_s = None, 0.4
    server.faulty = {"search", "data"}
    server.open_connections(0)


def service(server: SkosmosServer) -> SkosmosService:
    return SkosmosService(base_url=server.url, vocabularies={"iec": ""})


async def failures(source: TerminologySource, count: int) -> list[SourceUnavailableError]:
    """Make many calls, some at a time, and return how they ended."""
    todo, errors = iter(range(count)), []

    async def caller() -> None:
        for number in todo:
            with pytest.raises(SourceUnavailableError) as caught:
                await source.lookup(f"CIMXML {number}", lang="en")
            errors.append(caught.value)

    await asyncio.gather(*(caller() for _ in range(AT_A_TIME)))
    return errors


def check(errors: list[SourceUnavailableError], fault: Fault) -> None:
    """All are of the fault's kind, and none tells what is for nobody's eyes."""
    assert {error.source for error in errors} == {"skosmos"}
    assert {type(error) for error in errors} == {SKOSMOSTimeout if fault in LATE else SKOSMOSError}
    for message in {f"{error!s} {error!r} {error.__cause__!r}" for error in errors}:
        for inside in (SECRET, "127.0.0.1", "http", "<html", "sparql", "Errno"):
            assert inside not in message


async def turns(count: int = 5) -> None:
    """Let the loop close the generators that httpx leaves to it."""
    for _ in range(count):
        await asyncio.sleep(0)


@pytest.mark.parametrize("fault", list(Fault))
async def test_c9_each_fault_ends_with_the_deadline_and_leaves_nothing_behind(
    server: SkosmosServer, clock: FakeClock, fault: Fault
) -> None:
    """However Skosmos fails, a look-up ends with the right error, at its deadline at the latest.

    Nothing is kept, no task and no connection is left; then it works again.
    """
    store: MemoryStore[Matches] = MemoryStore()
    server.fault = fault
    async with AsyncSkosmosClient(service(server), clock=clock) as client:
        source = Cached(client, store=store, clock=clock)
        errors = await failures(source, CALLS)
        server.fault = None
        assert len(errors) == CALLS
        check(errors, fault)
        assert len(store) == 0
        await turns()
        assert asyncio.all_tasks() == {asyncio.current_task()}
        (match,) = await source.lookup("CIMXML", lang="en")
        assert len(store) == 1
        assert match.concept.uri == "http://vocab.example/iec/c002"
        assert server.open_connections(AT_A_TIME) <= AT_A_TIME
    assert server.open_connections(0) == 0


@pytest.mark.parametrize(("whole", "answers"), [(False, True), (True, False)])
async def test_c9_two_slow_requests_share_one_deadline(
    server: SkosmosServer, clock: FakeClock, whole: bool, answers: bool
) -> None:
    """200 ms for the search and as long for the data are too long; one of them is not."""
    pauses_s = iter([0.0, 60.0])

    def late() -> None:
        server.slow_s = next(pauses_s)
        clock.advance(0.2)

    server.fault, server.on_late = Fault.SLOW, late
    asked = replace(service(server), whole=whole)
    async with AsyncSkosmosClient(asked, clock=clock) as client:
        if answers:
            assert await client.lookup("CIMXML", lang="en")
            return
        with pytest.raises(SKOSMOSTimeout, match="300 ms"):
            await client.lookup("CIMXML", lang="en")


async def test_an_unknown_vocabulary_is_named(server: SkosmosServer) -> None:
    """The way out is to correct its id; one that is unknown spoils no other's error."""
    vocabularies = {"iec": "", "no such": ""}
    asked = SkosmosService(base_url=server.url, vocabularies=vocabularies)
    async with AsyncSkosmosClient(asked, clock=FakeClock()) as client:
        with pytest.raises(SKOSMOSError, match="no vocabulary 'no such'; check its id"):
            await client.lookup("CIMXML", lang="en")


async def test_one_vocabulary_that_fails_fails_the_lookup(server: SkosmosServer) -> None:
    """What the other one says may be half of the truth, so the other request is not waited for."""
    server.fault, server.faulty = Fault.HANGING, {"iec/search"}
    server.on_late = lambda: None
    asked = SkosmosService(base_url=server.url, vocabularies={"nosuch": "", "iec": ""})
    async with AsyncSkosmosClient(asked, clock=FakeClock()) as client, asyncio.timeout(60):
        with pytest.raises(SKOSMOSError, match="no vocabulary 'nosuch'"):
            await client.lookup("asset", lang="en")
