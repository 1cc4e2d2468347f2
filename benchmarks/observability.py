"""What it costs to be watched: answers of the direct route with metrics and logs, and without.

With and without alternate, in one run over the same parts. ``observers`` is the time inside them:
while a question is answered, and its part of what is counted later, many questions at once.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import statistics
import sys
import time

from elysia_guard import config as configuration
from elysia_guard.domain.events import Event
from elysia_guard.guard import Guard
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


def main() -> int:
    """Measure and print; return 1 if watching takes more than its share."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=300, help="measured answers of each (300)")
    parser.add_argument("--json", action="store_true", help="print JSON")
    given = parser.parse_args()
    results = run(given.rounds)
    # As if each kind was asked as often. Differences of medians would drown in the searches' noise.
    observers = sum(row["observers"] for row in results.values())
    share = observers / sum(row["unwatched"] for row in results.values())
    largest = max(row["share"] for row in results.values())
    if given.json:
        shown = {"milliseconds": results, "share": share, "largest": largest, "limit": LIMIT}
        print(json.dumps(shown, indent=2))
    else:
        show(results)
        each = observers / len(results) * 1000
        print(f"metrics and logs take {each:.0f} \u00b5s, {share:.2%} of a direct-route answer")
        print("(the mean over these questions, each asked as often)")
        print(f"at most {largest:.1%} of one kind's, limit {LIMIT:.0%}: {verdict(largest)}")
    return int(largest > LIMIT)


def verdict(share: float) -> str:
    """Say whether the limit is met."""
    return "met" if share <= LIMIT else "not met"


def show(results: dict[str, dict[str, float]]) -> None:
    """Print a row a kind of question."""
    print(f"{'median, milliseconds':24}{'unwatched':>10}{'watched':>10}{'':>9}", end="")
    print(f"{'observers':>11}{'share':>8}{f'< {LIMIT:.0%}':>9}{'at INFO':>10}")
    for name, row in results.items():
        more = row["watched"] / row["unwatched"] - 1
        print(f"{name:24}{row['unwatched']:10.3f}{row['watched']:10.3f}{more:+9.1%}", end="")
        print(f"{row['observers']:11.4f}{row['share']:8.1%}", end="")
        print(f"{verdict(row['share']):>9}{row['at INFO']:10.3f}")


if __name__ == "__main__":
    sys.exit(main())
