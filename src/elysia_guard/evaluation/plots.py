"""Charts as inline SVG: no script, no network, colours from the page, a title for every mark."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from elysia_guard.evaluation.axes import (
    LEFT,
    TOP,
    WIDTH,
    Frame,
    Scale,
    axes,
    drawing,
    framed,
    legend,
    mark,
    round_up,
    written,
)
from elysia_guard.evaluation.markup import Markup, tag

ROW = 30
LABELS = 150
DECADE = 10.0
CROWDED = 5


@dataclass(frozen=True, kw_only=True, slots=True)
class Series:
    """A line: its name, its points, and 1 or 2 for its colour and dash."""

    name: str
    points: Sequence[tuple[float, float]]
    style: int


def lines(
    series: Sequence[Series],
    *,
    title: str,
    x_label: str,
    marks: Sequence[float] = (),
    shares: bool = True,
) -> Markup:
    """Draw lines over a limit, with a vertical mark at each value in force.

    Args:
        series: the lines.
        title: what the chart shows.
        x_label: what runs along the bottom.
        marks: values of x to mark.
        shares: the values run from 0 to 1; else they are counts from 0.
    """
    xs = [x for item in series for x, _ in item.points]
    highest = max((y for item in series for _, y in item.points), default=0.0)
    top = 1.0 if shares else round_up(highest)
    frame = framed(min(xs), max(xs), top)
    parts = [
        *axes(frame, x_label=x_label, shares=shares),
        *(mark(frame, value) for value in marks),
        *(_line(frame, item, shares=shares) for item in series),
        *legend([(item.name, item.style) for item in series]),
    ]
    ends = "; ".join(
        f"{item.name} from {written(item.points[0][1], shares=shares)}"
        f" to {written(item.points[-1][1], shares=shares)}"
        for item in series
    )
    return drawing(*parts, title=title, described=ends, height=frame.height)


def reliability(bins: Sequence[tuple[float, float, int]], *, title: str) -> Markup:
    """Draw (confidence, share right, number of answers) beside the diagonal of perfect honesty."""
    frame = framed(0.0, 1.0, 1.0, height=300)
    most = max((number for *_, number in bins), default=1)
    diagonal = tag(
        "line", x1=frame.x(0), y1=frame.y(0), x2=frame.x(1), y2=frame.y(1), class_="diagonal"
    )
    dots = []
    for confidence, right, number in bins:
        x, y = frame.x(confidence), frame.y(right)
        radius = 4 + 10 * math.sqrt(number / most)
        told = f"{number} answers at confidence {confidence:.2f}: {right:.0%} right"
        below = y - radius - 5 < TOP + 8
        dots += [
            tag("circle", tag("title", told), cx=x, cy=y, r=radius, class_="dot s1"),
            tag(
                "text",
                number,
                x=x,
                y=y + radius + 12 if below else y - radius - 5,
                text_anchor="middle",
            ),
        ]
    label = tag("text", "share that is right", x=LEFT - 34, y=16, class_="legend")
    return drawing(
        *axes(frame, x_label="confidence of the answers (mean of a bin)", shares=True),
        diagonal,
        *dots,
        label,
        title=title,
        described=f"{len(bins)} bins; on the diagonal, confidence is the share that is right",
        height=frame.height,
    )


def pairs(rows: Sequence[tuple[str, int, int]], *, names: tuple[str, str], title: str) -> Markup:
    """Draw two bars beside each other for each row."""
    most = max((value for _, *values in rows for value in values), default=1)
    scale = Scale(low=0, high=most or 1, start=LABELS, end=WIDTH - 34)
    parts = list(legend([(names[0], 1), (names[1], 2)], boxes=True))
    for place, (name, *values) in enumerate(rows):
        top = TOP + 4 + place * ROW
        parts.append(tag("text", name, x=LABELS - 6, y=top + 15, text_anchor="end"))
        for style, value in enumerate(values, start=1):
            y = top + (style - 1) * 11
            told = f"{name}, {names[style - 1]}: {value}"
            parts += [
                tag(
                    "rect",
                    tag("title", told),
                    x=LABELS,
                    y=y,
                    width=scale(value) - LABELS,
                    height=9,
                    class_=f"bar s{style}",
                ),
                tag("text", value, x=scale(value) + 4, y=y + 9, class_="small"),
            ]
    return drawing(
        *parts,
        title=title,
        described="; ".join(
            f"{name}: {first} {names[0]}, {second} {names[1]}" for name, first, second in rows
        ),
        height=TOP + len(rows) * ROW + 8,
    )


def spans(rows: Sequence[tuple[str, float, float]], *, title: str) -> Markup:
    """Draw p50 and p95 of each row on a logarithmic axis of milliseconds."""
    values = [max(value, 0.01) for _, *both in rows for value in both] or [1.0]
    low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    scale = Scale(low=low, high=max(high, low + 1), start=LABELS, end=WIDTH - 76)
    bottom = TOP + len(rows) * ROW
    parts = [*legend([("p50", 1), ("p95", 2)], boxes=True), *_decades(scale, bottom)]
    parts.append(tag("text", "ms (logarithmic)", x=LABELS, y=bottom + 30, class_="small"))
    for place, (name, p50, p95) in enumerate(rows):
        parts += _span(name, p50, p95, scale=scale, y=TOP + place * ROW + ROW / 2)
    return drawing(
        *parts,
        title=title,
        described="; ".join(
            f"{name}: p50 {p50:.1f} ms, p95 {p95:.1f} ms" for name, p50, p95 in rows
        ),
        height=bottom + 36,
    )


def _decades(scale: Scale, bottom: float) -> Iterator[Markup]:
    """Draw a line for every power of ten; where they stand close, every second has its number."""
    powers = range(int(scale.low), int(scale.high) + 1)
    for power in powers:
        x = scale(power)
        yield tag("line", x1=x, y1=TOP, x2=x, y2=bottom, class_="grid")
        if len(powers) <= CROWDED or (power - powers[-1]) % 2 == 0:
            label = f"{DECADE**power:g}"
            yield tag("text", label, x=x, y=bottom + 14, text_anchor="middle", class_="small")


def _span(name: str, p50: float, p95: float, *, scale: Scale, y: float) -> list[Markup]:
    start, end = (scale(math.log10(max(value, 0.01))) for value in (p50, p95))
    return [
        tag("text", name, x=LABELS - 10, y=y + 4, text_anchor="end"),
        tag("line", x1=start, y1=y, x2=end, y2=y, class_="span"),
        tag(
            "circle",
            tag("title", f"{name}: p50 {p50:.2f} ms"),
            cx=start,
            cy=y,
            r=5,
            class_="dot s1",
        ),
        tag(
            "circle", tag("title", f"{name}: p95 {p95:.2f} ms"), cx=end, cy=y, r=5, class_="dot s2"
        ),
        tag(
            "text",
            f"{p50:.1f} · {p95:.1f}",
            x=WIDTH - 2,
            y=y + 4,
            text_anchor="end",
            class_="small",
        ),
    ]


def _line(frame: Frame, series: Series, *, shares: bool) -> Markup:
    places = [(frame.x(x), frame.y(y)) for x, y in series.points]
    dots = [
        tag(
            "circle",
            tag("title", f"{series.name} {written(value, shares=shares)} at {at:.2f}"),
            cx=x,
            cy=y,
            r=2.2,
            class_=f"dot s{series.style}",
        )
        for (x, y), (at, value) in zip(places, series.points, strict=True)
    ]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    return tag("g", tag("polyline", points=path, class_=f"line s{series.style}"), *dots)
