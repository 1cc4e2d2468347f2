"""The three outcomes on the page: their shares along both limits, and what a limit costs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from elysia_guard.evaluation import markup, outcome_plots
from elysia_guard.evaluation.markup import Markup, table, tag
from elysia_guard.evaluation.outcome_plots import Curve, Dot, Layer
from elysia_guard.evaluation.outcome_sweeps import ANSWERED_FROM, ASSERTED_FROM

Counts = Mapping[str, Any]

NOTES = {
    ANSWERED_FROM: "A search below this confidence is refused. The line is the share of answerable"
    " questions that are shown the right passage, a refusal's mentions too.",
    ASSERTED_FROM: "From this confidence on an answer is asserted, below it is hedged. Swept as if"
    " a search had no ceiling, to show what asserting more of them would cost.",
}
HEAD = (
    "asserted",
    "right",
    "precision",
    "hedged",
    "right",
    "shown",
    "near misses asserted",
    "near misses hedged",
)


def section(report: Mapping[str, Any]) -> Markup:
    """Return the section; nothing where nothing was swept."""
    swept = {item["key"]: item for item in report["outcome_sweeps"]}
    if not swept:
        return Markup()
    return markup.section(
        "Three outcomes, and what the limits make of them",
        tag(
            "p",
            "Tuning questions only. The dashed upright line, and the ring, are the limit in force.",
        ),
        *(part for item in swept.values() for part in _limit(item)),
        _costs(swept),
    )


def _limit(item: Counts) -> Iterator[Markup]:
    key, points = item["key"], item["points"]
    values = [point["value"] for point in points]
    shown = Layer(
        name="shown",
        style="shown",
        shares=[point["shown_share"] for point in points],
    )
    drawn = (
        ("Answerable questions", answerable(points), shown),
        ("Near misses, which must be refused", near_misses(points), None),
    )
    figures = [
        tag(
            "figure",
            tag("h3", title),
            outcome_plots.stack(
                values,
                layers,
                title=f"{title} over {key}",
                x_label=_spaced(key),
                in_force=item["in_force"],
                over=over,
            ),
        )
        for title, layers, over in drawn
    ]
    yield tag("h3", f"Over {_spaced(key)}")
    yield tag("div", *figures, class_="grid-of")
    yield tag("p", NOTES[key], class_="soft")
    yield _table(item)


def answerable(points: Sequence[Counts]) -> list[Layer]:
    """Say what becomes of answerable questions, as shares of all of them."""
    asserted = [_of(point["asserted_right"], point["answerable"]) for point in points]
    hedged = [_of(point["hedged_right"], point["answerable"]) for point in points]
    wrong = [_of(_wrong(point), point["answerable"]) for point in points]
    refused = [max(0.0, 1.0 - sum(shares)) for shares in zip(asserted, hedged, wrong, strict=True)]
    return [
        Layer(name="asserted", style="asserted", shares=asserted),
        Layer(name="hedged", style="hedged", shares=hedged),
        Layer(name="wrong", style="wrong", shares=wrong),
        Layer(name="refused", style="refused", shares=refused),
    ]


def near_misses(points: Sequence[Counts]) -> list[Layer]:
    """Say what becomes of near misses, as shares of all of them."""
    asserted = [point["near_misses_asserted_share"] for point in points]
    hedged = [point["near_misses_hedged_share"] for point in points]
    refused = [max(0.0, 1.0 - sum(shares)) for shares in zip(asserted, hedged, strict=True)]
    return [
        Layer(name="asserted", style="asserted", shares=asserted),
        Layer(name="hedged", style="hedged", shares=hedged),
        Layer(name="refused", style="refused", shares=refused),
    ]


def _wrong(point: Counts) -> int:
    """Answers to answerable questions from other sources alone."""
    answered = point["asserted"] + point["hedged"]
    right = point["asserted_right"] + point["hedged_right"]
    near = point["near_misses_asserted"] + point["near_misses_hedged"]
    wrong: int = answered - right - near
    return wrong


def _costs(swept: Mapping[str, Counts]) -> Markup:
    answered, asserted = swept[ANSWERED_FROM], swept[ASSERTED_FROM]
    now = _nearest(answered)
    curves = [
        Curve(
            name="asserted",
            dots=[_asserted(point) for point in asserted["points"]],
            in_force=_asserted(now),
            style=1,
        ),
        Curve(
            name="asserted or hedged",
            dots=[_answered(point) for point in answered["points"]],
            in_force=_answered(now),
            style=2,
        ),
    ]
    title = "Right answers against near misses answered"
    return tag(
        "figure",
        tag("h3", title),
        outcome_plots.costs(
            curves,
            title=title,
            x_label="near misses answered, of all near misses",
            y_label="right answers, of what is answerable",
        ),
        tag(
            "figcaption",
            "Up and to the left is better. Numbers at dots are values of the limit:"
            f" {_spaced(ASSERTED_FROM)} for what is asserted, {_spaced(ANSWERED_FROM)} for both.",
        ),
        class_="single",
    )


def _nearest(item: Counts) -> Counts:
    """The point of a sweep that is in force, or nearest to it."""
    found: Counts = min(item["points"], key=lambda point: abs(point["value"] - item["in_force"]))
    return found


def _asserted(point: Counts) -> Dot:
    return Dot(
        value=point["value"],
        cost=point["near_misses_asserted_share"],
        gain=_of(point["asserted_right"], point["answerable"]),
    )


def _answered(point: Counts) -> Dot:
    return Dot(
        value=point["value"],
        cost=point["near_misses_asserted_share"] + point["near_misses_hedged_share"],
        gain=_of(point["asserted_right"] + point["hedged_right"], point["answerable"]),
    )


def _table(item: Counts) -> Markup:
    rows = [
        (
            f"{point['value']:.2f}",
            point["asserted"],
            point["asserted_right"],
            f"{point['asserted_precision']:.3f}",
            point["hedged"],
            point["hedged_right"],
            f"{point['shown_share']:.3f}",
            point["near_misses_asserted"],
            point["near_misses_hedged"],
        )
        for point in item["points"]
    ]
    name = _spaced(item["key"])
    return tag(
        "details",
        tag("summary", "The figures as a table"),
        table((name, *HEAD), rows, caption=f"Outcomes over {name}"),
    )


def _of(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


def _spaced(name: str) -> str:
    return name.replace("_", " ")
