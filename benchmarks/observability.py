"""What it costs to be watched: answers of the direct route with metrics and logs, and without.

With and without alternate, in one process over the same parts. ``observers`` is the time inside
them: while a question is answered, and its part of what is counted later, many questions at once.
Several processes measure one after the other; the figures are their medians, and ``noise`` is half
of how far their shares lie apart. A limit is missed where even a share less its noise is beyond it.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import statistics
import subprocess
import sys
import time

from elysia_guard import config as configuration
from elysia_guard.direct import Guard
from elysia_guard.domain.events import Event
from elysia_guard.observability.logs import log_events
from elysia_guard.ports import Observer
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
LIMIT = 0.05
"""The share of a direct-route answer that watching may take, whatever is asked."""
MISSED = "not met"
TOGETHER = 100
"""Questions that are counted at once, as in service."""


def logs_at(level: str) -> Observer:
    """An observer that writes its lines, and throws them away."""
    before, sys.stderr = sys.stderr, open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123
    try:
        return log_events(level=level)
    finally:
        sys.stderr = before


class Stopwatch:
    """An observer that adds up what others take."""

    def __init__(self, observers: list[Observer]) -> None:
        self._observers = observers
        self.taken_s = 0.0

    def __call__(self, event: Event, /) -> None:
        """Pass an event on."""
        started = time.perf_counter()
        for observe in self._observers:
            observe(event)
        self.taken_s += time.perf_counter() - started


async def measure(
    guard: Guard, question: str, ways: dict[str, list[Observer]], rounds: int
) -> dict[str, float]:
    """Return the median time of an answer each way, and what the observers take of it, in ms."""
    watch = Stopwatch(ways["watched"])
    taken: dict[str, list[float]] = {way: [] for way in (*ways, "observers")}
    order = list(ways)
    for turn in range(rounds + 1):
        for way in order if turn % 2 else reversed(order):
            guard.wiring.observers[:] = ways[way]
            taken[way].append(await times_ms(guard, question))
        guard.wiring.observers[:] = [watch]
        watch.taken_s = 0.0
        await guard.aask(question)
        taken["observers"].append(watch.taken_s * 1000)
    # The first of each warms up.
    medians = {way: statistics.median(times[1:]) for way, times in taken.items()}
    medians["observers"] += await counting_ms(guard, question)
    return medians | {"share": medians["observers"] / medians["unwatched"]}


async def counting_ms(guard: Guard, question: str, batches: int = 3) -> float:
    """Return what counting the events of one question takes, in ms, as the median of batches."""
    metrics = guard.wiring.metrics
    guard.wiring.observers[:] = [metrics]
    taken = []
    for _ in range(batches):
        metrics.settle()
        for _ in range(TOGETHER):
            await guard.aask(question)
        started = time.perf_counter()
        metrics.settle()
        taken.append((time.perf_counter() - started) * 1000 / TOGETHER)
    return statistics.median(taken)


async def times_ms(guard: Guard, question: str) -> float:
    """Ask once."""
    started = time.perf_counter()
    await guard.aask(question)
    return (time.perf_counter() - started) * 1000


def run(rounds: int) -> dict[str, dict[str, float]]:
    """Measure every kind of question; searches, which take long, a tenth as often."""
    wiring = Wiring(configuration.load())
    wiring.ensure_index()
    guard = Guard(wiring=wiring)
    ways: dict[str, list[Observer]] = {
        "unwatched": [],
        "watched": [wiring.metrics, logs_at("WARNING")],
        "at INFO": [wiring.metrics, logs_at("INFO")],
    }

    def often(name: str) -> int:
        return max(rounds // 10, 1) if name.startswith("search") else rounds

    return {
        name: asyncio.run(measure(guard, question, ways, often(name)))
        for name, question in QUESTIONS.items()
    }


def runs(count: int, rounds: int) -> dict[str, dict[str, float]]:
    """Measure in several processes: what differs between two of them, no single one can see."""
    found = []
    for turn in range(count):
        print(f"run {turn + 1} of {count}", file=sys.stderr)
        command = [sys.executable, __file__, "--runs", "1", "--rounds", str(rounds), "--json"]
        done = subprocess.run(command, check=True, stdout=subprocess.PIPE)  # noqa: S603
        found.append(json.loads(done.stdout)["milliseconds"])
    return {
        name: {
            **{key: statistics.median(one[name][key] for one in found) for key in found[0][name]},
            "noise": apart([one[name]["share"] for one in found]),
        }
        for name in QUESTIONS
    }


def apart(shares: list[float]) -> float:
    """Return half of how far some shares lie apart."""
    return (max(shares) - min(shares)) / 2


def main() -> int:
    """Measure and print; return 1 if watching takes more than its share, beyond the noise."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=200, help="measured answers of each (200)")
    parser.add_argument("--runs", type=int, default=5, help="processes that measure (5)")
    parser.add_argument("--json", action="store_true", help="print JSON")
    given = parser.parse_args()
    if given.runs > 1:
        results = runs(given.runs, given.rounds)
    else:
        results = {name: {**row, "noise": 0.0} for name, row in run(given.rounds).items()}
    # As if each kind was asked as often. Differences of medians would drown in the searches' noise.
    observers = sum(row["observers"] for row in results.values())
    share = observers / sum(row["unwatched"] for row in results.values())
    largest = max(results.values(), key=lambda row: row["share"] - row["noise"])
    if given.json:
        worst = {"largest": largest["share"], "noise": largest["noise"]}
        shown = {"milliseconds": results, "share": share, **worst, "limit": LIMIT}
        print(json.dumps(shown, indent=2))
    else:
        show(results)
        each = observers / len(results) * 1000
        print(f"metrics and logs take {each:.0f} \u00b5s, {share:.2%} of a direct-route answer")
        print("(the mean over these questions, each asked as often)")
        said = f"{largest['share']:.1%} \u00b1 {largest['noise']:.1%}"
        print(f"at most {said} of one kind's, limit {LIMIT:.0%}: {verdict(largest)}")
    return int(given.runs > 1 and verdict(largest) == MISSED)


def verdict(row: dict[str, float]) -> str:
    """Say whether the limit is met, missed, or too near to tell."""
    if row["share"] <= LIMIT:
        return "met"
    return MISSED if row["share"] - row["noise"] > LIMIT else "in noise"


def show(results: dict[str, dict[str, float]]) -> None:
    """Print a row a kind of question."""
    print(f"{'median, milliseconds':24}{'unwatched':>10}{'watched':>10}{'':>9}", end="")
    print(f"{'observers':>11}{'share':>8}{'noise':>8}{f'< {LIMIT:.0%}':>9}{'at INFO':>10}")
    for name, row in results.items():
        more = row["watched"] / row["unwatched"] - 1
        print(f"{name:24}{row['unwatched']:10.3f}{row['watched']:10.3f}{more:+9.1%}", end="")
        print(f"{row['observers']:11.4f}{row['share']:8.1%}{row['noise']:8.1%}", end="")
        print(f"{verdict(row):>9}{row['at INFO']:10.3f}")


if __name__ == "__main__":
    sys.exit(main())
