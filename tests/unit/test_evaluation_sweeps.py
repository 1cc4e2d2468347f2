"""What the gates do to passages, and what other limits would do: the same as asking again."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.unit.evaluation_samples import case
from tests.unit.small_world import COLLECTIONS, LIMITS, THRESHOLDS, World

from elysia_guard.domain.refusal import GateReading
from elysia_guard.domain.thresholds import Calibration, Thresholds
from elysia_guard.evaluation import probing, scoring, sweeps
from elysia_guard.evaluation.golden import Case
from elysia_guard.evaluation.runner import Run
from elysia_guard.evaluation.scoring import Score
from elysia_guard.evaluation.sweeps import Limit, Sweeper

HALF_SURE = Calibration(intercept=-2.0, similarity=2.0, coverage=2.0, lexical=1.0)


def asked(number: int, query: str, *ids: str, **changes: object) -> Case:
    return case(*ids, number=number, query=query, category="semantic_search", **changes)


CASES = (
    asked(1, "Which options were there for a domain language?", "ADR-0012"),
    asked(2, "When are the measurements of trains deleted?", "POL-0003"),
    asked(3, "How are connections encrypted?", "ADR-0027"),
    asked(4, "Who feeds the walrus?"),
    asked(5, "What does ADR-0012 decide?", "ADR-0012"),
    asked(6, "What is CIM?"),
    asked(7, "How are replicas kept?", "PCP-0010", split="held_out"),
    asked(8, "?!"),
    asked(9, "Tell me what is what about it all"),
)


def world(thresholds: Thresholds = THRESHOLDS) -> World:
    return World(
        thresholds=replace(thresholds, default=replace(thresholds.default, calibration=HALF_SURE))
    )


async def scores(of: World) -> list[Score]:
    found = []
    for item in CASES[:6]:
        reply = await of.pipeline.answer(of.begin(item.query))
        found.append(scoring.score(Run(case=item, latency_ms=1.0), reply))
    return found


async def test_only_tuning_questions_that_go_to_a_search_are_probed() -> None:
    """Named documents and terms have no gates of passages; what cannot be asked has none."""
    found = await probing.searches(world().pipeline, CASES)
    assert {"GS-001", "GS-002", "GS-003", "GS-004"} <= {item.case.id for item in found}
    assert not {"GS-005", "GS-006", "GS-007", "GS-008"} & {item.case.id for item in found}


async def test_effects_count_what_each_gate_turns_away() -> None:
    of = world()
    found = await probing.searches(of.pipeline, CASES)
    effects = probing.effects(found, COLLECTIONS)
    assert list(effects) == sorted(effects)
    for gates in effects.values():
        assert set(gates) == {"distance", "term_coverage", "confidence"}
    measured = [passage for item in found for passage in item.passages]
    together = [gates["term_coverage"] for gates in effects.values()]
    assert sum(item.passages for item in together) == len(measured)
    refused = sum(not passage.readings[1].passed for passage in measured)
    assert sum(item.turned_away for item in together) == refused > 0
    assert all(len(set(item.questions)) == len(item.questions) for item in together)
    assert all(item.right_turned_away <= item.turned_away for item in together)


@pytest.mark.parametrize(
    ("key", "gate", "value"),
    [
        ("distance_threshold", "distance", 0.6),
        ("distance_threshold", "distance", 0.9),
        ("distance_threshold", "distance", 2.0),
        ("min_query_coverage", "term_coverage", 0.0),
        ("min_query_coverage", "term_coverage", 0.8),
        ("min_confidence", "confidence", 0.2),
        ("min_confidence", "confidence", 0.9),
    ],
)
async def test_a_sweep_finds_what_asking_again_would(key: str, gate: str, value: float) -> None:
    """Every value of every limit, judged from the record, is what the gates would have said."""
    if key == "min_confidence":
        changed = replace(THRESHOLDS, min_confidence=value)
    else:
        changed = replace(THRESHOLDS, default=replace(LIMITS, **{key: value}))
    again = await scores(world(changed))
    of = world()
    found = await probing.searches(of.pipeline, CASES[:6])
    limit = Limit(key=key, gate=gate, values=(value,))
    (point,) = (await Sweeper(of.pipeline, found, await scores(of)).sweep(limit)).points
    assert point.wrong_answers == sum(item.wrong_answer for item in again)
    assert point.wrong_refusals == sum(item.wrong_refusal for item in again)


async def test_every_limit_is_swept_around_its_value() -> None:
    of = world()
    found = await probing.searches(of.pipeline, CASES[:6])
    swept = await sweeps.sweeps(of.pipeline, found, await scores(of))
    assert [(item.key, item.in_force) for item in swept] == [
        ("distance_threshold", (0.9,)),
        ("min_query_coverage", (0.5,)),
        ("min_confidence", (0.6,)),
    ]
    for item in swept:
        assert item.points[0].value < item.in_force[0] < item.points[-1].value
        assert len({(p.recall, p.wrong_answers, p.wrong_refusals) for p in item.points}) > 1


def reading(value: float | None, *, gate: str, source: str = "default") -> GateReading:
    return GateReading(gate=gate, passed=True, value=value, threshold=0.5, source=source)


@pytest.mark.parametrize(
    ("item", "limit", "passes"),
    [
        (reading(0.5, gate="distance"), 0.4, False),
        (reading(0.5, gate="distance"), 0.6, True),
        (reading(0.5, gate="confidence"), 0.6, False),
        (reading(0.5, gate="confidence"), 0.4, True),
        (reading(None, gate="term_coverage"), 0.9, True),  # another language: not compared
        (reading(0.5, gate="distance", source="bm25_only"), 0.1, True),
        (reading(0.4999, gate="confidence"), 0.5, True),  # rounded for the record
    ],
)
async def test_a_measure_is_held_against_another_limit(
    item: GateReading, limit: float, passes: bool
) -> None:
    """What was not measured keeps its verdict, and so does the limit in force."""
    of = world()
    (search, *_) = await probing.searches(of.pipeline, CASES[:1])
    right = next(each for each in search.passages if each.hit.passage.document.id == "ADR-0012")
    alone = replace(search, passages=(replace(right, readings=(item,)),))
    sweeper = Sweeper(of.pipeline, [alone], (await scores(of))[:1])
    swept = await sweeper.sweep(Limit(key="min_confidence", gate=item.gate, values=(limit,)))
    assert (swept.points[0].wrong_refusals == 0) is passes
