"""What the guard costs: its two routes, its search and its cold start, beside what they stand on.

Ratios are of medians within this run; absolute times are of this machine.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from contextlib import redirect_stdout
from importlib.metadata import version
from pathlib import Path
from typing import Any

from elysia_guard import config as configuration
from elysia_guard.direct import Guard
from elysia_guard.domain.document import Filters
from elysia_guard.wiring import Wiring

QUESTIONS = {
    "term, found": "What is CIMXML?",
    "term, unknown": "What is FooBarBaz?",
    "decision by number": "What does ADR-0012 decide?",
    "decision that is not": "What does ADR-9999 decide?",
    "list": "List all principles",
    "search": "How do we ensure grid stability?",
    "search, Dutch": "Hoe gaan we om met netcongestie?",
}


async def times_ms(work: Callable[[], Awaitable[object]], rounds: int) -> list[float]:
    """Time a coroutine function, after one unmeasured round."""
    await work()
    taken = []
    for _ in range(rounds):
        started = time.perf_counter()
        await work()
        taken.append((time.perf_counter() - started) * 1000)
    return sorted(taken)


def summary(taken: list[float]) -> dict[str, float]:
    """Median, 95th and 99th percentile, in milliseconds."""
    marks = statistics.quantiles(taken, n=100, method="inclusive")
    return {"p50_ms": statistics.median(taken), "p95_ms": marks[94], "p99_ms": marks[98]}


def cold_s(*command: str, runs: int = 5) -> float:
    """The median wall time of a whole process, in seconds."""
    taken = []
    for _ in range(runs):
        started = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True)  # noqa: S603
        taken.append(time.perf_counter() - started)
    return statistics.median(taken)


async def measure(wiring: Wiring, rounds: int) -> dict[str, Any]:
    """Measure both routes per kind of question, and a search beside the bare model and index."""
    from elysia_guard.edge.elysia import TreeAsker

    guard, tree = Guard(wiring=wiring), TreeAsker(wiring)
    routes: dict[str, dict[str, dict[str, float]]] = {}
    for name, question in QUESTIONS.items():
        direct = await times_ms(lambda question=question: guard.aask(question), rounds)
        with redirect_stdout(sys.stderr):
            through = await times_ms(lambda question=question: tree.ask(question), rounds)
        routes[name] = {"direct": summary(direct), "tree": summary(through)}
    question = QUESTIONS["search"]
    vector = await wiring.embedder.embed_question(question)

    async def bare() -> None:
        found = await wiring.embedder.embed_question(question)
        await wiring.index.search(question, found, filters=Filters(), limit=12)

    embedding = await times_ms(lambda: wiring.embedder.embed_question(question), rounds)
    searching = await times_ms(
        lambda: wiring.index.search(question, vector, filters=Filters(), limit=12), rounds
    )
    return {
        "routes": routes,
        "embedding": summary(embedding),
        "searching": summary(searching),
        "bare_search": summary(await times_ms(bare, rounds)),
        "guarded_search": summary(await times_ms(lambda: guard.aask(question), rounds)),
    }


def cold() -> dict[str, float]:
    """Measure cold starts beside a bare interpreter."""
    program = str(Path(sys.executable).with_name("elysia-guard"))
    return {
        "python -c pass": cold_s(sys.executable, "-c", "pass"),
        "import elysia_guard": cold_s(sys.executable, "-c", "import elysia_guard"),
        "elysia-guard --help": cold_s(program, "--help"),
        "ask, a term": cold_s(program, "ask", QUESTIONS["term, found"]),
        "ask, a search": cold_s(program, "ask", QUESTIONS["search"]),
    }


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=100, help="measured calls of each (100)")
    parser.add_argument("--json", action="store_true", help="print JSON")
    given = parser.parse_args()
    wiring = Wiring(configuration.load())
    wiring.ensure_index()
    info = asyncio.run(wiring.index.info())
    measured = asyncio.run(measure(wiring, given.rounds))
    if given.json:
        result = {
            "versions": {name: version(name) for name in ("elysia-guard", "elysia-ai", "numpy")},
            "python": platform.python_version(),
            "passages": info.passages,
            "model": info.model_id,
            "rounds": given.rounds,
            **measured,
            "cold_s": cold(),
        }
        print(json.dumps(result, indent=2))
        return
    print(f"{info.passages} passages, {info.model_id}, {given.rounds} rounds", end="")
    print(f", Python {platform.python_version()}")
    print_routes(measured["routes"])
    print_search(measured)
    print("\ncold start, seconds")
    started = cold()
    for name, seconds in started.items():
        print(f"{name:24}{seconds:8.2f}{seconds / started['python -c pass']:8.1f}x")


def print_routes(routes: dict[str, dict[str, dict[str, float]]]) -> None:
    """Print a row a kind of question, and what the tree costs over the direct route."""
    print(
        f"\n{'milliseconds':24}{'direct p50':>12}{'p95':>8}{'p99':>8}{'tree p50':>12}{'ratio':>9}"
    )
    for name, both in routes.items():
        direct, tree = both["direct"], both["tree"]
        print(f"{name:24}{direct['p50_ms']:12.2f}{direct['p95_ms']:8.2f}", end="")
        print(f"{direct['p99_ms']:8.2f}{tree['p50_ms']:12.2f}", end="")
        print(f"{tree['p50_ms'] / direct['p50_ms']:8.1f}x")


def print_search(measured: dict[str, Any]) -> None:
    """Print what the guard adds to the model and the index it searches with."""
    bare, guarded = (measured[key]["p50_ms"] for key in ("bare_search", "guarded_search"))
    parts = (measured[key]["p50_ms"] for key in ("embedding", "searching"))
    print(f"\na guarded search {guarded:.2f} ms, bare {bare:.2f} ms: {guarded / bare:.2f}x")
    print("of which embedding {:.2f} ms, index {:.2f} ms".format(*parts))


if __name__ == "__main__":
    main()
