"""What a look-up in Skosmos costs, and how it ends when Skosmos fails.

Skosmos is an emulation on loopback, in a thread of the same process: ratios say more than times.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import platform
import statistics
import sys
import time
import tracemalloc
from collections.abc import Awaitable, Callable
from importlib.metadata import version
from pathlib import Path

import httpx

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.golden.skosmos.server import IEC_AND_LEGAL, Fault, SkosmosServer, nobody_there

from elysia_guard.adapters.background import BackgroundLoop
from elysia_guard.adapters.cached import MAX_SIZE, Cached, Matches, MemoryStore
from elysia_guard.adapters.skosmos import AsyncSkosmosClient, SkosmosService
from elysia_guard.domain.errors import SourceUnavailableError
from elysia_guard.resilience import calls
from elysia_guard.wiring.skosmos_client import SKOSMOSClient

TERM = "CIMXML"
AT_ONCE = 1_000
CALLS_AT_A_TIME = 8


async def median_ms(work: Callable[[], Awaitable[object]], rounds: int) -> float:
    """Time a coroutine function, after ten unmeasured rounds."""
    for _ in range(10):
        await work()
    taken = []
    for _ in range(rounds):
        started = time.perf_counter()
        await work()
        taken.append((time.perf_counter() - started) * 1000)
    return statistics.median(taken)


async def overhead(server: SkosmosServer, rounds: int) -> dict[str, float]:
    """Look-ups beside the bare requests that they consist of, in milliseconds."""
    api = f"{server.url}/rest/v1/iec"
    search = f"{api}/search?query={TERM}&labellang=en&fields=definition"
    uri = "http%3A%2F%2Fvocab.example%2Fiec%2Fc002"
    data = f"{api}/data?uri={uri}&format=application/json"
    service = {"base_url": server.url, "vocabularies": {"iec": ""}, "timeout_ms": 10_000}
    async with (
        httpx.AsyncClient() as bare,
        AsyncSkosmosClient(SkosmosService(**service, whole=False)) as once,  # type: ignore[arg-type]
        AsyncSkosmosClient(SkosmosService(**service)) as whole,  # type: ignore[arg-type]
    ):

        async def two() -> None:
            (await bare.get(search)).json()
            (await bare.get(data)).json()

        async def one() -> None:
            (await bare.get(search)).json()

        return {
            "httpx, one request": await median_ms(one, rounds),
            "look-up, one request": await median_ms(lambda: once.lookup(TERM, lang="en"), rounds),
            "httpx, two requests": await median_ms(two, rounds),
            "look-up, whole": await median_ms(lambda: whole.lookup(TERM, lang="en"), rounds),
        }


async def cache_hits(server: SkosmosServer, rounds: int) -> dict[str, float]:
    """What is kept, asked in the same loop, through another loop, and synchronously: in µs."""
    async with AsyncSkosmosClient(SkosmosService(base_url=server.url, timeout_ms=10_000)) as client:
        cached = Cached(client)
        here = await median_ms(lambda: cached.lookup(TERM, lang="en"), rounds)
    loop = BackgroundLoop()
    there_client = AsyncSkosmosClient(SkosmosService(base_url=server.url, timeout_ms=10_000))
    there = calls.through(Cached(there_client), loop.call, "lookup", "concepts")
    through = await median_ms(lambda: there.lookup(TERM, lang="en"), rounds)
    loop.run(there_client.aclose())
    loop.close()
    with SKOSMOSClient(server.url, timeout_ms=10_000) as client:

        async def synchronous() -> None:
            client.lookup(TERM)

        blocking = await median_ms(synchronous, rounds)
    return {
        "in the same loop": here * 1000,
        "through a loop of its own": through * 1000,
        "SKOSMOSClient.lookup": blocking * 1000,
    }


async def at_once(server: SkosmosServer) -> dict[str, int]:
    """A thousand look-ups at once: of one term, and of as many terms."""
    service = SkosmosService(base_url=server.url, whole=False, timeout_ms=60_000)
    async with AsyncSkosmosClient(service) as client:
        cached = Cached(client)
        before = len(server.requests)
        await asyncio.gather(*(cached.lookup(TERM, lang="en") for _ in range(AT_ONCE)))
        one = len(server.requests) - before
        server.most_busy = server.busy = 0
        connections = server.connections
        with server.holding():
            terms = asyncio.gather(*(cached.lookup(f"t {n}", lang="en") for n in range(AT_ONCE)))
            await asyncio.to_thread(server.wait_until_asked, before + one + service.max_concurrency)
        await terms
        return {
            "requests for one term": one,
            "requests for 1,000 terms": len(server.requests) - before - one,
            "of them at a time, at most": server.most_busy,
            "connections": server.connections - connections + 1,
            "the cap": service.max_concurrency,
        }


async def full_cache(server: SkosmosServer) -> dict[str, float]:
    """The memory of a full cache of concepts with their definitions."""
    store: MemoryStore[Matches] = MemoryStore()
    service = SkosmosService(base_url=server.url, timeout_ms=60_000)
    async with AsyncSkosmosClient(service) as client:
        found = tuple(await client.lookup(TERM, lang="en"))
        tracemalloc.start()
        before = tracemalloc.get_traced_memory()[0]
        for number in range(MAX_SIZE):
            # A concept of its own each time, as distinct terms would bring.
            await store.put(f"iec\nen\nterm {number}", _copy(found), ttl_s=600)
        taken = tracemalloc.get_traced_memory()[0] - before
        tracemalloc.stop()
    return {"entries": float(len(store)), "MB": taken / 1e6, "bytes an entry": taken / len(store)}


def _copy(found: Matches) -> Matches:
    from pydantic import TypeAdapter

    adapter = TypeAdapter(Matches)
    return adapter.validate_json(adapter.dump_json(found))


async def faults(server: SkosmosServer, calls: int) -> dict[str, dict[str, object]]:
    """How each fault ends, over many calls: the error, and how long the calls took."""
    ended: dict[str, dict[str, object]] = {}
    for fault in [None, *Fault]:
        server.fault = fault
        url = server.url if fault else nobody_there()
        async with AsyncSkosmosClient(
            SkosmosService(base_url=url, vocabularies={"iec": ""})
        ) as client:
            taken, errors = await _calls(client, calls)
            server.fault = None
            well = not fault or bool(await client.lookup(TERM, lang="en"))
        marks = statistics.quantiles(taken, n=100, method="inclusive")
        ended[fault.value if fault else "refuses the connection"] = {
            "error": " ".join(sorted(errors)),
            "p50_ms": statistics.median(taken),
            "p99_ms": marks[98],
            "max_ms": max(taken),
            "left_open": server.open_connections(0),
            "well_again": well,
        }
    return ended


async def _calls(client: AsyncSkosmosClient, calls: int) -> tuple[list[float], set[str]]:
    taken: list[float] = []
    errors: set[str] = set()
    todo = iter(range(calls))

    async def caller() -> None:
        for number in todo:
            started = time.perf_counter()
            try:
                await client.lookup(f"{TERM} {number}", lang="en")
                errors.add("none")
            except SourceUnavailableError as err:
                errors.add(type(err).__name__)
            taken.append((time.perf_counter() - started) * 1000)

    await asyncio.gather(*(caller() for _ in range(CALLS_AT_A_TIME)))
    return taken, errors


async def measure(rounds: int, calls: int) -> dict[str, object]:
    """Measure everything against one server."""
    with SkosmosServer(IEC_AND_LEGAL) as server:
        return {
            "versions": {name: version(name) for name in ("elysia-guard", "httpx", "pyoxigraph")},
            "python": platform.python_version(),
            "rounds": rounds,
            "lookup_ms": await overhead(server, rounds),
            "cache_hit_us": await cache_hits(server, rounds),
            "at_once": await at_once(server),
            "full_cache": await full_cache(server),
            "fault_calls": calls,
            "faults": await faults(server, calls),
        }


def show(result: dict[str, object]) -> None:
    """Print for people."""
    print(f"Python {result['python']}, {result['rounds']} rounds, medians")
    looked: dict[str, float] = result["lookup_ms"]  # type: ignore[assignment]
    for name, ms in looked.items():
        print(f"  {name:28}{ms:8.2f} ms")
    ratios = (
        looked["look-up, one request"] / looked["httpx, one request"],
        looked["look-up, whole"] / looked["httpx, two requests"],
    )
    print(f"  over bare httpx: {ratios[0]:.2f}x with one request, {ratios[1]:.2f}x whole")
    print("\na term that is kept")
    for name, us in result["cache_hit_us"].items():  # type: ignore[attr-defined]
        print(f"  {name:28}{us:8.1f} µs")
    print(f"\n{AT_ONCE:,} look-ups at once")
    for name, number in result["at_once"].items():  # type: ignore[attr-defined]
        print(f"  {name:28}{number:8,}")
    print("\na full cache")
    for name, number in result["full_cache"].items():  # type: ignore[attr-defined]
        print(f"  {name:28}{number:10,.1f}")
    print(f"\nfaults, {result['fault_calls']} calls each, {CALLS_AT_A_TIME} at a time")
    print(f"  {'Skosmos …':38}{'p50':>8}{'p99':>8}{'max':>8}  left open  then well")
    for name, end in result["faults"].items():  # type: ignore[attr-defined]
        times = f"{end['p50_ms']:8.1f}{end['p99_ms']:8.1f}{end['max_ms']:8.1f}"
        print(f"  {name:38}{times}  {end['left_open']:9}  {end['well_again']!s:5}  {end['error']}")


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=1_000, help="measured calls of each (1,000)")
    parser.add_argument("--calls", type=int, default=200, help="calls per fault (200)")
    parser.add_argument("--json", action="store_true", help="print JSON")
    given = parser.parse_args()
    result = asyncio.run(measure(given.rounds, given.calls))
    print(json.dumps(result, indent=2)) if given.json else show(result)


if __name__ == "__main__":
    main()
