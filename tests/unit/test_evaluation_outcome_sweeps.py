"""The three outcomes at other limits: the same as asking again, and drawn to be read."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Sequence
from dataclasses import replace

import pytest
from tests.unit.evaluation_samples import built
from tests.unit.small_world import LIMITS, THRESHOLDS, World, document
from tests.unit.test_evaluation_sweeps import CASES, scores, world

from elysia_guard.domain.calibration import Calibration
from elysia_guard.domain.document import DocumentKind, SectionRole
from elysia_guard.domain.response import ReplyOutcome
from elysia_guard.evaluation import outcome_charts, outcome_plots, page, probing
from elysia_guard.evaluation.certainty import certainty
from elysia_guard.evaluation.outcome_plots import Curve, Dot, Layer
from elysia_guard.evaluation.outcome_sweeps import (
    ANSWERED_FROM,
    ASSERTED_FROM,
    OutcomeSweep,
    figures,
    outcome_sweeps,
)
from elysia_guard.evaluation.runner import Run
from elysia_guard.evaluation.scoring import score_all

ASKED = CASES[:6]
CEILING = 0.75


async def swept(of: World) -> dict[str, OutcomeSweep]:
    found = await probing.searches(of.pipeline, ASKED)
    return {item.key: item for item in outcome_sweeps(of.pipeline, found, await scores(of))}


def bounded() -> World:
    """Searches are never surer than three quarters."""
    return world(replace(THRESHOLDS, search_ceiling=CEILING))


@pytest.mark.parametrize("value", [0.2, 0.6, 0.8, 1.0])
async def test_what_is_answered_from_another_confidence_is_what_asking_again_gives(
    value: float,
) -> None:
    limits = replace(THRESHOLDS, search_ceiling=CEILING)
    again = certainty(await scores(world(replace(limits, min_confidence=value))))
    sweep = (await swept(bounded()))[ANSWERED_FROM]
    (point,) = (point for point in sweep.points if point.value == value)
    assert point.counts == again


async def test_the_value_in_force_is_named_and_changes_nothing() -> None:
    of = bounded()
    found = await swept(of)
    assert found[ANSWERED_FROM].in_force == THRESHOLDS.min_confidence
    now = next(item for item in found[ANSWERED_FROM].points if item.value == 0.6)
    assert now.counts == certainty(await scores(of))


async def test_more_is_asserted_from_a_lower_confidence_and_the_same_is_shown() -> None:
    """Between asserted and hedged nothing but the caveat differs."""
    points = (await swept(bounded()))[ASSERTED_FROM].points
    asserted = [point.counts.asserted for point in points]
    assert asserted == sorted(asserted, reverse=True)
    assert asserted[0] > asserted[-1]
    assert len({point.counts.shown for point in points}) == 1
    assert len({point.counts.asserted + point.counts.hedged for point in points}) == 1


async def test_asserting_is_swept_as_if_a_search_had_no_ceiling() -> None:
    """Under one, no search would be asserted from a confidence above it, however sure it is."""
    of = bounded()
    above = [point for point in (await swept(of))[ASSERTED_FROM].points if point.value == 0.8]
    searched = [item for item in await scores(of) if item.case.expected.route == "adr"]
    in_force = [item for item in searched if item.response.outcome is ReplyOutcome.ASSERTED]
    assert above[0].counts.asserted > len(in_force)


COUNTED = "How many gas gateways are there today?"


async def test_what_would_be_quoted_is_judged_again_too() -> None:
    """A count as of today is refused whatever the limits: an earlier document does not know it."""
    text = "There are 140 gas gateways."
    made = document(DocumentKind.DECISION, 41, "Replace gateways", (SectionRole.SUBSTANCE, text))
    sure = Calibration(intercept=5.0, similarity=0.0, coverage=0.0, lexical=0.0)
    limits = replace(THRESHOLDS, default=replace(LIMITS, calibration=sure))
    of = World(passages=tuple(made), thresholds=limits)
    asked = [CASES[0].model_copy(update={"query": COUNTED})]
    found = await probing.searches(of.pipeline, asked)
    reply = await of.pipeline.answer(of.begin(COUNTED))
    answered, _ = score_all([Run(case=item, latency_ms=1.0, response=reply) for item in asked])
    for sweep in outcome_sweeps(of.pipeline, found, answered):
        assert {(each.counts.asserted, each.counts.hedged) for each in sweep.points} == {(0, 0)}


def report_of(points: Sequence[tuple[float, int, int]]) -> dict[str, object]:
    """Both sweeps of 10 answerable questions and 10 near misses, made up."""
    made = [
        {
            "value": value,
            "answerable": 10,
            "near_misses": 10,
            "asserted": asserted + 1,
            "asserted_right": asserted,
            "asserted_precision": asserted / (asserted + 1),
            "hedged": hedged + 2,
            "hedged_right": hedged,
            "shown_share": 0.9,
            "near_misses_asserted": 1,
            "near_misses_asserted_share": 0.1,
            "near_misses_hedged": 1,
            "near_misses_hedged_share": 0.1,
        }
        for value, asserted, hedged in points
    ]
    return {
        "outcome_sweeps": [
            {"key": ANSWERED_FROM, "in_force": 0.6, "points": made},
            {"key": ASSERTED_FROM, "in_force": 0.85, "points": made},
        ]
    }


def test_the_layers_of_a_stack_are_all_questions() -> None:
    """Asserted, hedged, answered wrongly and refused: each question is one of them."""
    points = report_of([(0.5, 4, 3), (0.6, 3, 2)])["outcome_sweeps"][0]["points"]  # type: ignore[index]
    for layers in (outcome_charts.answerable(points), outcome_charts.near_misses(points)):
        for shares in zip(*(layer.shares for layer in layers), strict=True):
            assert sum(shares) == pytest.approx(1.0)
    wrong = outcome_charts.answerable(points)[2]
    assert (wrong.name, wrong.shares[0]) == ("wrong", pytest.approx(0.1))


def test_the_section_shows_both_limits_and_what_they_cost() -> None:
    shown = outcome_charts.section(report_of([(0.5, 4, 3), (0.6, 3, 2), (0.9, 1, 1)]))
    assert shown.count("<svg") == 5
    assert shown.count("The figures as a table") == 2
    assert "Near misses, which must be refused" in shown
    ET.fromstring(shown)  # noqa: S314  our own


def test_a_report_without_sweeps_has_no_section() -> None:
    assert "Three outcomes, and what" not in page.render(built())


async def test_a_sweep_is_told_with_every_count_and_share() -> None:
    found = figures((await swept(bounded()))[ANSWERED_FROM])
    point = found["points"][0]  # type: ignore[index]
    assert {"value", "asserted_precision", "shown_share", "near_misses_hedged"} <= set(point)


def test_labels_of_dots_stand_clear_of_each_other() -> None:
    """A dot in a crowd, or at the very edge, has its figures in its title alone."""
    dots = [Dot(value=n / 100, cost=0.3 + n / 5000, gain=0.5) for n in range(20)]
    edge = Dot(value=0.99, cost=0.5, gain=0.9)
    curve = Curve(name="asserted", dots=[*dots, edge], in_force=dots[0], style=1)
    drawn = outcome_plots.costs([curve], title="t", x_label="x", y_label="y")
    assert drawn.count(f"{dots[3].value:.2f}</text>") == 0
    assert drawn.count("<circle") == len(dots) + 2
    assert ">in force</text>" in drawn


def test_rings_in_one_place_are_labelled_once() -> None:
    dot = Dot(value=0.85, cost=0.3, gain=0.4)
    curves = [Curve(name=name, dots=[dot], in_force=dot, style=1) for name in ("one", "other")]
    drawn = outcome_plots.costs(curves, title="t", x_label="x", y_label="y")
    assert (drawn.count('class="ring'), drawn.count(">in force</text>")) == (2, 1)


def test_a_ring_at_the_left_edge_has_its_label_beside_it() -> None:
    dot = Dot(value=0.85, cost=0.0, gain=0.4)
    drawn = outcome_plots.costs(
        [Curve(name="asserted", dots=[dot], in_force=dot, style=1)],
        title="t",
        x_label="x",
        y_label="y",
    )
    assert ">in force</text>" in drawn


def test_a_stack_says_what_it_shows_to_who_cannot_see_it() -> None:
    layer = Layer(name="asserted", style="asserted", shares=[1.0, 0.25])
    drawn = outcome_plots.stack(
        [0.2, 1.0], [layer], title="Answerable", x_label="limit", in_force=0.6
    )
    assert "asserted from 1.00 at 0.20 to 0.25 at 1.00" in drawn
