"""Every way in which Skosmos can fail: the right error, in time, and nothing left behind.

``SKOSMOS_FAULT_CALLS=200`` makes 200 calls for each (``benchmarks/skosmos.py`` prints such a run).
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Iterator
from dataclasses import replace

import pytest
from tests.golden.skosmos.server import LATE, SECRET, Fault, SkosmosServer, nobody_there

from elysia_guard.adapters.cached import Cached, Matches, MemoryStore
from elysia_guard.adapters.skosmos import (
    AsyncSkosmosClient,
    Service,
    SKOSMOSError,
    SKOSMOSTimeout,
)
from elysia_guard.domain.errors import SourceUnavailableError
from elysia_guard.domain.question import Intent, IntentKind
from elysia_guard.domain.refusal import RefusalReason
from elysia_guard.domain.thresholds import Calibration, Limits, Thresholds
from elysia_guard.stages.gates.terminology import terminology_gate
from elysia_guard.stages.terminology import look_up

CALLS = int(os.environ.get("SKOSMOS_FAULT_CALLS", "40"))
AT_A_TIME = 8
LIMIT_MS = 330.0
TICK_S = 0.005
STALL_MS = 100.0

LIMITS = Limits(
    distance_threshold=0.5,
    min_query_coverage=0.2,
    calibration=Calibration(intercept=0, similarity=1, coverage=1, lexical=0),
    source="default",
)
THRESHOLDS = Thresholds(default=LIMITS, collections={}, skos_match=0.98)

ASKED = Intent(kind=IntentKind.TERMINOLOGY, reason="a test says so", term="CIMXML")


@pytest.fixture(scope="module")
def server() -> Iterator[SkosmosServer]:
    with SkosmosServer() as running:
        yield running


@pytest.fixture(autouse=True)
def well_again(server: SkosmosServer) -> Iterator[None]:
    yield
    server.fault = None
    server.faulty = {"search", "data"}
    server.open_connections(0)


def service(server: SkosmosServer) -> Service:
    return Service(base_url=server.url, vocabularies={"iec": ""})


class Run:
    """Many calls of one client: how each ended, and how long it took."""

    def __init__(self) -> None:
        self.errors: list[BaseException] = []
        self.took_ms: list[float] = []
        self.stalled_ms = 0.0
        """How long the event loop stood still at the worst: a collection of garbage among many
        tests, or a machine that does other things. No deadline of a program can help that."""

    async def calls(self, source: Cached, count: int) -> None:
        todo = iter(range(count))

        async def caller() -> None:
            for number in todo:
                started = time.perf_counter()
                try:
                    await source.lookup(f"CIMXML {number}", lang="en")
                except SourceUnavailableError as err:
                    self.errors.append(err)
                self.took_ms.append((time.perf_counter() - started) * 1000)

        def tick(due: float) -> None:
            self.stalled_ms = max(self.stalled_ms, (loop.time() - due) * 1000)
            self.ticks = loop.call_later(TICK_S, tick, loop.time() + TICK_S)

        loop = asyncio.get_running_loop()
        tick(loop.time())
        await asyncio.gather(*(caller() for _ in range(AT_A_TIME)))
        self.ticks.cancel()

    @property
    def p99_ms(self) -> float:
        return sorted(self.took_ms)[max(0, round(len(self.took_ms) * 0.99) - 1)]


def check_errors(run: Run, kind: type[Exception]) -> None:
    """All are of a kind; a machine that stood still may turn the calls under way into timeouts."""
    others = [error for error in run.errors if type(error) is not kind]
    if run.stalled_ms >= STALL_MS:
        assert len(others) <= AT_A_TIME
        assert {type(error) for error in others} <= {SKOSMOSTimeout}
    else:
        assert others == []
    for message in {f"{error!s} {error!r} {error.__cause__!r}" for error in run.errors}:
        for inside in (SECRET, "127.0.0.1", "http", "<html", "sparql", "Errno"):
            assert inside not in message


async def turns(count: int = 5) -> None:
    """Let the loop close the generators that httpx leaves to it."""
    for _ in range(count):
        await asyncio.sleep(0)


@pytest.mark.slow
@pytest.mark.parametrize("fault", list(Fault))
async def test_each_fault_ends_in_time_and_leaves_nothing_behind(
    server: SkosmosServer, fault: Fault
) -> None:
    """The right error within 330 ms (p99), nothing kept, no task, no connection; then it works."""
    store: MemoryStore[Matches] = MemoryStore()
    run, server.fault = Run(), fault
    async with AsyncSkosmosClient(service(server)) as client:
        source = Cached(client, store=store)
        await run.calls(source, CALLS)
        server.fault = None
        assert len(run.errors) == CALLS
        check_errors(run, SKOSMOSTimeout if fault in LATE else SKOSMOSError)
        assert run.p99_ms <= LIMIT_MS + run.stalled_ms, (
            f"{run.p99_ms:.0f}, stalled {run.stalled_ms:.0f}"
        )
        assert len(store) == 0
        await turns()
        assert asyncio.all_tasks() == {asyncio.current_task()}
        (match,) = await source.lookup("CIMXML", lang="en")
        assert len(store) == 1
        assert match.concept.uri == "http://vocab.example/iec/c002"
        assert server.open_connections(AT_A_TIME) <= AT_A_TIME
    assert server.open_connections(0) == 0


@pytest.mark.slow
@pytest.mark.parametrize("fault", list(Fault))
async def test_a_fault_after_the_search_is_one_too(server: SkosmosServer, fault: Fault) -> None:
    """The same total deadline holds where the search was well and the data are not."""
    run, server.fault, server.faulty = Run(), fault, {"data"}

    class SameTerm(Cached):
        async def lookup(self, term: str, **options: object):  # type: ignore[no-untyped-def, override]
            return await client.lookup("CIMXML", lang="en")

    async with AsyncSkosmosClient(service(server)) as client:
        await run.calls(SameTerm(client), AT_A_TIME)
        check_errors(run, SKOSMOSTimeout if fault in LATE else SKOSMOSError)
        assert max(run.took_ms) <= LIMIT_MS + run.stalled_ms
    assert server.open_connections(0) == 0


async def test_two_slow_requests_share_one_deadline(server: SkosmosServer) -> None:
    """200 ms for the search and as long for the data are too long; one of them is not."""
    server.fault, server.slow_s = Fault.SLOW, 0.2
    try:
        async with AsyncSkosmosClient(service(server)) as client:
            with pytest.raises(SKOSMOSTimeout, match="300 ms"):
                await client.lookup("CIMXML", lang="en")
        async with AsyncSkosmosClient(replace(service(server), whole=False)) as client:
            assert await client.lookup("CIMXML", lang="en")
    finally:
        server.slow_s = 0.4


async def test_a_refused_connection_is_an_error(server: SkosmosServer) -> None:
    """Nobody listens: no timeout, and no address in the message."""
    run = Run()
    async with AsyncSkosmosClient(Service(base_url=nobody_there())) as client:
        await run.calls(Cached(client), CALLS)
    assert len(run.errors) == CALLS
    check_errors(run, SKOSMOSError)
    assert run.p99_ms <= LIMIT_MS


async def test_a_redirect_is_not_followed(server: SkosmosServer) -> None:
    """Where it leads is nobody's vocabulary."""
    server.fault = Fault.REDIRECT
    before = server.connections
    async with AsyncSkosmosClient(service(server)) as client:
        with pytest.raises(SKOSMOSError, match="status 302"):
            await client.lookup("CIMXML", lang="en")
    assert server.connections == before + 1


async def test_a_body_is_read_up_to_a_megabyte(server: SkosmosServer) -> None:
    """Announced or not."""
    async with AsyncSkosmosClient(service(server)) as client:
        for server.fault in (Fault.HUGE, Fault.HUGE_UNANNOUNCED):
            with pytest.raises(SKOSMOSError, match="more than 1,000,000 bytes"):
                await client.lookup("CIMXML", lang="en")


async def test_an_unknown_vocabulary_is_named(server: SkosmosServer) -> None:
    """The way out is to correct its id; one that is unknown spoils no other's error."""
    vocabularies = {"iec": "", "no such": ""}
    asked = Service(base_url=server.url, vocabularies=vocabularies)
    async with AsyncSkosmosClient(asked) as client:
        with pytest.raises(SKOSMOSError, match="no vocabulary 'no such'; check its id"):
            await client.lookup("CIMXML", lang="en")


async def test_one_vocabulary_that_fails_fails_the_lookup(server: SkosmosServer) -> None:
    """What the other one says may be half of the truth, so the other request is not waited for."""
    server.fault = Fault.HANGING
    vocabularies = {"nosuch": "", "iec": ""}
    asked = Service(base_url=server.url, vocabularies=vocabularies, timeout_ms=5_000)
    server.faulty = {"search"}
    started = time.perf_counter()
    async with AsyncSkosmosClient(asked) as client:
        server.fault = None
        with pytest.raises(SKOSMOSError):
            await client.lookup("asset", lang="en")
    assert time.perf_counter() - started < 2


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        (Fault.HANGING, RefusalReason.TERMINOLOGY_TIMEOUT),
        (Fault.ERROR, RefusalReason.TERMINOLOGY_ERROR),
        (Fault.LOGIN, RefusalReason.TERMINOLOGY_ERROR),
    ],
)
async def test_the_question_is_refused_with_the_right_reason(
    server: SkosmosServer, fault: Fault, reason: RefusalReason
) -> None:
    """An outage never looks like an unknown term."""
    server.fault = fault
    async with AsyncSkosmosClient(service(server)) as client:
        evidence = await look_up(client, ASKED, "en")
        assert terminology_gate("CIMXML", evidence, THRESHOLDS).reason is reason
        (failure,) = evidence.missing
        assert (failure.source, failure.timeout) == ("skosmos", fault in LATE)
        server.fault = None
        evidence = await look_up(client, ASKED, "en")
        assert terminology_gate("CIMXML", evidence, THRESHOLDS).reason is None
        evidence = await look_up(client, replace(ASKED, term="FooBarBaz"), "en")
        verdict = terminology_gate("FooBarBaz", evidence, THRESHOLDS)
        assert verdict.reason is RefusalReason.TERMINOLOGY_NOT_FOUND
