"""Where time goes, and what was expected beside what came: the tables behind the figures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean

from elysia_guard.evaluation.golden import ExpectedRoute
from elysia_guard.evaluation.metrics import Latency, percentile
from elysia_guard.evaluation.scoring import Score

ANSWER = "answer"
ANY_REASON = "any_reason"
REST = "around_the_stages"
"""The time of a question that no stage accounts for: on the tree, Elysia's own."""

Matrix = dict[str, dict[str, int]]
"""How often each expectation (outer) came out as what (inner); what never occurs is left out."""


@dataclass(frozen=True, kw_only=True, slots=True)
class StageLatency(Latency):
    """Percentiles of one stage, over the questions that went through it."""

    count: int


def latency_by_stage(scores: Sequence[Score]) -> dict[str, StageLatency]:
    """Measure each stage, in the order of the way; a stage met twice adds up."""
    times: dict[str, list[float]] = {}
    places: dict[str, list[int]] = {}
    for item in scores:
        spent: dict[str, float] = {}
        for place, step in enumerate(item.response.trace):
            spent[step.stage] = spent.get(step.stage, 0.0) + step.elapsed_ms
            places.setdefault(step.stage, []).append(place)
        for stage, elapsed_ms in spent.items():
            times.setdefault(stage, []).append(elapsed_ms)
    measured = {
        stage: _percentiles(times[stage])
        for stage in sorted(times, key=lambda at: fmean(places[at]))
    }
    if scores:
        rest = [max(item.latency_ms - _in_stages(item), 0.0) for item in scores]
        measured[REST] = _percentiles(rest)
    return measured


def _in_stages(item: Score) -> float:
    return sum(step.elapsed_ms for step in item.response.trace)


def _percentiles(values: Sequence[float]) -> StageLatency:
    ordered = sorted(values)
    return StageLatency(
        p50_ms=percentile(ordered, 0.50),
        p95_ms=percentile(ordered, 0.95),
        p99_ms=percentile(ordered, 0.99),
        max_ms=ordered[-1],
        count=len(ordered),
    )


def routes(scores: Iterable[Score]) -> Matrix:
    """Count where questions went, by where they belong.

    A response that agrees with the expected route counts there; else with the first that fits.
    """
    return _counted((item.case.expected.route, _route(item)) for item in scores)


def _route(item: Score) -> ExpectedRoute:
    return item.case.expected.route if item.route_right else min(item.routes)


def outcomes(scores: Iterable[Score]) -> Matrix:
    """Count what came of questions, by what should: ``answer``, or the reason to abstain."""
    return _counted((_expected(item), _actual(item)) for item in scores)


def _expected(item: Score) -> str:
    if not item.case.expected.abstain:
        return ANSWER
    return item.case.expected.reason or ANY_REASON


def _actual(item: Score) -> str:
    return item.response.refusal_reason or ANSWER


def _counted(pairs: Iterable[tuple[str, str]]) -> Matrix:
    matrix: Matrix = {}
    for (expected, actual), count in sorted(Counter(pairs).items()):
        matrix.setdefault(str(expected), {})[str(actual)] = count
    return matrix
