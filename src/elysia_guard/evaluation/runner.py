"""Asking every question of a golden set, a few at a time."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from elysia_guard.domain.errors import GuardError
from elysia_guard.domain.response import RAGResponse
from elysia_guard.evaluation.golden import Case
from elysia_guard.ports import Clock

WARM_UP = "How do we warm up?"
"""Asked before anything is measured: the first question loads the models."""

Progress = Callable[[int, int], None]
"""Told how many questions are done, of how many."""


Control = Callable[[str], Awaitable[object]]
"""Puts a question to the store alone, as without a guard.

Raises:
    GuardError: it could not be asked.
"""


class Asker(Protocol):
    """What is evaluated: the guarded tree, the direct route, or anything that answers."""

    async def ask(self, query: str, /, *, request_id: str | None) -> RAGResponse:
        """Answer one question.

        Raises:
            GuardError: it could not be asked.
        """


@dataclass(frozen=True, kw_only=True, slots=True)
class Run:
    """One question asked: its response and how long it took, or why it could not be asked.

    ``control_ms`` is what the same question took without the guard; None where that was not asked,
    or the store could not be.
    """

    case: Case
    latency_ms: float
    control_ms: float | None = None
    response: RAGResponse | None = None
    error: str = ""


async def run(
    cases: Sequence[Case],
    asker: Asker,
    *,
    control: Control | None = None,
    concurrency: int = 1,
    clock: Clock = time.perf_counter,
    progress: Progress | None = None,
) -> list[Run]:
    """Ask every question; the runs come in the order of the questions.

    Args:
        cases: the questions.
        asker: who answers them.
        control: asked the same, right after each answer, so that what slows one down slows both.
        concurrency: how many at a time; above 1 they wait for each other and latencies grow.
        clock: measures the latencies.
        progress: told after each question.
    """
    places = asyncio.Semaphore(concurrency)
    done = 0

    async def ask(case: Case) -> Run:
        nonlocal done
        async with places:
            finished = await _ask(case, asker, clock)
            if control:
                finished = replace(finished, control_ms=await _control(case, control, clock))
        done += 1
        if progress:
            progress(done, len(cases))
        return finished

    return list(await asyncio.gather(*(ask(case) for case in cases)))


async def _ask(case: Case, asker: Asker, clock: Clock) -> Run:
    started = clock()
    response, error = None, ""
    try:
        response = await asker.ask(case.query, request_id=f"eval-{case.id}")
    except GuardError as err:
        error = f"{type(err).__name__}: {err}"
    return Run(case=case, latency_ms=(clock() - started) * 1000, response=response, error=error)


async def _control(case: Case, control: Control, clock: Clock) -> float | None:
    started = clock()
    try:
        await control(case.query)
    except GuardError:
        return None
    return (clock() - started) * 1000
