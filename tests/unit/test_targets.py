"""What the requirement documents want of figures and no evaluation of all questions tells.

Times are of the processor, of what ships, measured by this very run: nothing here waits for a
network, and what else runs on a machine is not the guard's.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest

from elysia_guard import config as configuration
from elysia_guard.edge import evaluating
from elysia_guard.edge.evaluating import Plan
from elysia_guard.evaluation import golden, metrics
from elysia_guard.evaluation.runner import Run
from elysia_guard.wiring import Wiring

ROOT = Path(__file__).parents[2]
QUESTIONS = ROOT / "data" / "evaluation" / "golden_queries.jsonl"
EVERY = 12


@dataclass(frozen=True, kw_only=True)
class Measured:
    """Some of the golden questions asked, each with and without the guard, and each read alone."""

    runs: list[Run]
    reading_ms: list[float]


async def measure(wiring: Wiring, plan: Plan) -> Measured:
    cases = golden.load(QUESTIONS).cases[::EVERY]
    runs = await evaluating.asked(cases, wiring, plan, clock=time.process_time)
    reading_ms = []
    for case in cases:
        started = time.process_time()
        await wiring.pipeline.begin(case.query, request_id="read", route="direct")
        reading_ms.append((time.process_time() - started) * 1000)
    return Measured(runs=runs, reading_ms=sorted(reading_ms))


@pytest.fixture(scope="module")
def measured() -> Iterator[Measured]:
    settings = configuration.load(environ={})
    plan = Plan(settings=settings, golden=QUESTIONS, route="direct", shown=False)
    with closing(evaluating.wiring_of(plan)) as wiring:
        yield asyncio.run(measure(wiring, plan))


def test_less_than_100_ms_are_added_to_a_plain_search(measured: Measured) -> None:
    """IR0003, TD-080, ADR-004 and ADR-0031 allow that, 95th percentile: with all the guard does."""
    added = [run.latency_ms - run.control_ms for run in measured.runs if run.control_ms]
    assert len(added) == len(measured.runs) >= 100
    assert 0 < metrics.latency(added)["p95_ms"] < 100


def test_questions_are_read_in_less_than_20_ms(measured: Measured) -> None:
    """IR0001 allows that much for telling what is asked, before anything is looked up."""
    assert len(measured.reading_ms) >= 100
    assert 0 < metrics.percentile(measured.reading_ms, 0.95) < 20


def test_invented_sentences_were_shown_to_nobody() -> None:
    """When the golden set was last asked with models that invent: IR0001 allows one in 1,000.

    None of so many on both routes means, 95 times in 100, fewer than three in so many.
    """
    text = (ROOT / "docs" / "internals" / "adversaries.md").read_text(encoding="utf-8")
    (line,) = [
        row for row in text.splitlines() if row.startswith("| **all** |") and " 0 | " in row
    ][:1]
    made, shown, made_on_tree, shown_on_tree, *plain = (
        int(cell.replace(",", "")) for cell in line.strip("| ").split(" | ")[1:]
    )
    assert (shown, shown_on_tree) == (0, 0)
    assert 3 / (made + made_on_tree) < 0.001
    assert plain[0] == plain[1] > 0
