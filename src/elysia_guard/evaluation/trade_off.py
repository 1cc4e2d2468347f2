"""Charts of a trade-off: wrong answers against wrong refusals, along ``min_confidence``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from elysia_guard.evaluation.axes import Frame, axes, drawing, framed, legend, round_up
from elysia_guard.evaluation.markup import Markup, tag

RADIUS = 6


@dataclass(frozen=True, kw_only=True, slots=True)
class Place:
    """A place in the chart: what was counted at one value of ``min_confidence``."""

    min_confidence: float
    wrong_refusals: int
    wrong_answers: int

    @property
    def told(self) -> str:
        """The place in words."""
        return (
            f"{self.wrong_answers} wrong answers and {self.wrong_refusals} wrong refusals at"
            f" min_confidence {self.min_confidence:.2f}"
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class Curve:
    """A line of places: its name, and the one of them that is ringed (``marked``)."""

    name: str
    places: Sequence[Place]
    marked: Place


def trade_off(curves: Sequence[Curve], *, title: str) -> Markup:
    """Draw one line, or two: refusals run to the right and answers upwards, so 0, 0 is best."""
    places = [place for curve in curves for place in curve.places]
    right = round_up(max(place.wrong_refusals for place in places))
    top = round_up(max(place.wrong_answers for place in places))
    frame = framed(0.0, right, top, height=260)
    parts = axes(frame, x_label="wrong refusals", shares=False, counted=True)
    middle = (frame.y.start + frame.y.end) / 2
    turned = f"rotate(-90 10 {middle:.0f})"
    parts.append(
        tag(
            "text",
            "wrong answers",
            x=10,
            y=middle,
            text_anchor="middle",
            transform=turned,
            class_="small",
        )
    )
    for style, curve in enumerate(curves, start=1):
        parts += _line(frame, curve, style)
    for style, curve in enumerate(curves, start=1):
        parts += _ring(frame, curve, style)
    parts += legend([(curve.name, style) for style, curve in enumerate(curves, start=1)])
    return drawing(
        *parts,
        title=title,
        described="; ".join(f"{curve.name}: {curve.marked.told}" for curve in curves),
        height=frame.height,
    )


def _line(frame: Frame, curve: Curve, style: int) -> list[Markup]:
    at = [(frame.x(place.wrong_refusals), frame.y(place.wrong_answers)) for place in curve.places]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in at)
    dots = [
        tag("circle", tag("title", place.told), cx=x, cy=y, r=2.6, class_=f"dot s{style}")
        for (x, y), place in zip(at, curve.places, strict=True)
    ]
    return [tag("polyline", points=path, class_=f"line s{style}"), *dots]


def _ring(frame: Frame, curve: Curve, style: int) -> list[Markup]:
    place = curve.marked
    x, y = frame.x(place.wrong_refusals), frame.y(place.wrong_answers)
    radius = RADIUS + (style - 1) * 3
    ring = tag(
        "circle",
        tag("title", f"{curve.name}: {place.told}"),
        cx=x,
        cy=y,
        r=radius,
        class_=f"ring s{style}",
    )
    # Above the first ring and beneath the second, so that both can be read where they meet.
    below = style > 1 and y + radius + 14 < frame.y(0)
    label = tag(
        "text",
        f"{place.min_confidence:.2f}",
        x=x + radius + 3,
        y=y + radius + 10 if below else y - radius - 7,
        class_="small",
    )
    return [ring, label]
