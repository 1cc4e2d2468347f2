"""What the gates do to passages, and what other limits would do: the same as asking again."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.unit.evaluation_samples import case
from tests.unit.small_world import COLLECTIONS, LIMITS, THRESHOLDS, World

from elysia_guard.domain.calibration import Calibration
from elysia_guard.domain.thresholds import Thresholds
from elysia_guard.evaluation import metrics, probing, scoring, sweeps
from elysia_guard.evaluation.golden import Case
from elysia_guard.evaluation.runner import Run
from elysia_guard.evaluation.scoring import Score
from elysia_guard.evaluation.sweeps import Sweeper

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
    ("key", "value"),
    [
        ("distance_threshold", 0.6),
        ("distance_threshold", 0.9),
        ("distance_threshold", 2.0),
        ("min_query_coverage", 0.0),
        ("min_query_coverage", 0.8),
        ("min_confidence", 0.2),
        ("min_confidence", 0.9),
    ],
)
async def test_a_sweep_finds_what_asking_again_would(key: str, value: float) -> None:
    """Every value of every limit, judged from the record, is what the gates would have said."""
    if key == "min_confidence":
        changed = replace(THRESHOLDS, min_confidence=value)
    else:
        changed = replace(THRESHOLDS, default=replace(LIMITS, **{key: value}))
    again = await scores(world(changed))
    of = world()
    found = await probing.searches(of.pipeline, CASES[:6])
    point = Sweeper(of.pipeline, found, await scores(of)).point(key, value)
    quality = metrics.quality(again)
    assert (point.precision, point.recall) == (quality.precision, quality.recall)
    assert point.wrong_answers == sum(item.wrong_answer for item in again)
    assert point.wrong_refusals == sum(item.wrong_refusal for item in again)


async def test_every_limit_is_swept_around_its_value() -> None:
    of = world()
    found = await probing.searches(of.pipeline, CASES[:6])
    swept = sweeps.sweeps(of.pipeline, found, await scores(of))
    assert [(item.key, item.in_force) for item in swept] == [
        ("distance_threshold", (0.9,)),
        ("min_query_coverage", (0.5,)),
        ("min_confidence", (0.6,)),
    ]
    for item in swept:
        assert item.points[0].value < item.in_force[0] < item.points[-1].value
        assert len({(p.recall, p.wrong_answers, p.wrong_refusals) for p in item.points}) > 1


async def test_what_was_searched_by_words_alone_keeps_its_score() -> None:
    """Without a vector there is no distance that a limit could be held against."""
    of = world()
    found = await probing.searches(of.pipeline, CASES[:6])
    scored = await scores(of)
    strict = ("min_confidence", 1.0)
    assert (
        Sweeper(of.pipeline, found, scored).point(*strict).recall < metrics.quality(scored).recall
    )
    for item in found:
        item.inquiry.evidence = replace(item.inquiry.evidence, fallbacks=("bm25_only",))
    kept = Sweeper(of.pipeline, found, scored).point(*strict)
    assert kept.recall == metrics.quality(scored).recall
