"""Charts of the three outcomes: what becomes of questions along a limit, and what it costs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from elysia_guard.evaluation.axes import (
    LEFT,
    Frame,
    axes,
    drawing,
    framed,
    legend,
    mark,
)
from elysia_guard.evaluation.markup import Markup, tag

HEIGHT = 250
RING = 6
LETTER, LINE = 6.2, 11
"""About the width of a letter and the height of a line of a label, in pixels."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Layer:
    """One outcome in a stack: its name, its style, and its share at every value."""

    name: str
    style: str
    shares: Sequence[float]


@dataclass(frozen=True, kw_only=True, slots=True)
class Dot:
    """What one value of a limit costs (to the right) and gains (upwards), both shares."""

    value: float
    cost: float
    gain: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Curve:
    """The dots of one limit, in its order, and the one in force, which need not be among them."""

    name: str
    dots: Sequence[Dot]
    in_force: Dot
    style: int


def stack(
    values: Sequence[float],
    layers: Sequence[Layer],
    *,
    title: str,
    x_label: str,
    in_force: float,
    over: Layer | None = None,
) -> Markup:
    """Draw layers on top of each other along a limit; together they are all questions.

    Args:
        values: the values of the limit.
        layers: the outcomes, the lowest first.
        title: what the chart shows.
        x_label: the limit.
        in_force: its value in force, marked by an upright line.
        over: a further share, drawn as a line.
    """
    frame = framed(values[0], values[-1], 1.0, height=HEIGHT)
    parts = axes(frame, x_label=x_label, shares=True)
    floor = [0.0] * len(values)
    for layer in layers:
        roof = [low + share for low, share in zip(floor, layer.shares, strict=True)]
        parts.append(_area(frame, values, floor, roof, layer))
        floor = roof
    if over:
        parts.append(_over(frame, values, over))
    parts += [mark(frame, in_force), *_named(layers, over)]
    return drawing(*parts, title=title, described=_ends(values, layers), height=frame.height)


def _area(
    frame: Frame,
    values: Sequence[float],
    floor: Sequence[float],
    roof: Sequence[float],
    layer: Layer,
) -> Markup:
    there = [(frame.x(x), frame.y(y)) for x, y in zip(values, roof, strict=True)]
    back = [(frame.x(x), frame.y(y)) for x, y in zip(values, floor, strict=True)][::-1]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in (*there, *back))
    return tag("polygon", tag("title", layer.name), points=path, class_=f"area {layer.style}")


def _over(frame: Frame, values: Sequence[float], over: Layer) -> Markup:
    places = [(frame.x(x), frame.y(y)) for x, y in zip(values, over.shares, strict=True)]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    return tag("polyline", tag("title", over.name), points=path, class_=f"line {over.style}")


def _named(layers: Sequence[Layer], over: Layer | None) -> Iterator[Markup]:
    """Name the colours, each beside its box, and the line beside a piece of it."""
    x = 6.0
    for layer in layers:
        yield tag("rect", x=x, y=8, width=12, height=9, class_=f"area {layer.style}")
        yield tag("text", layer.name, x=x + 16, y=16, class_="legend")
        x += 16 + 6.4 * len(layer.name) + 11
    if over:
        yield tag("line", x1=x, y1=12, x2=x + 16, y2=12, class_=f"line {over.style}")
        yield tag("text", over.name, x=x + 20, y=16, class_="legend")


def _ends(values: Sequence[float], layers: Sequence[Layer]) -> str:
    return "; ".join(
        f"{layer.name} from {layer.shares[0]:.2f} at {values[0]:.2f}"
        f" to {layer.shares[-1]:.2f} at {values[-1]:.2f}"
        for layer in layers
    )


def costs(curves: Sequence[Curve], *, title: str, x_label: str, y_label: str) -> Markup:
    """Draw what each limit gains against what it costs; up and to the left is best.

    The value in force of each is ringed.
    """
    most = max(dot.cost for curve in curves for dot in (*curve.dots, curve.in_force))
    frame = framed(0.0, max(0.2, most * 1.08), 1.0, height=HEIGHT + 40)
    middle = (frame.y.start + frame.y.end) / 2
    parts = axes(frame, x_label=x_label, shares=True)
    parts.append(
        tag(
            "text",
            y_label,
            x=10,
            y=middle,
            text_anchor="middle",
            transform=f"rotate(-90 10 {middle:.0f})",
            class_="small",
        )
    )
    labels = _Labels(frame)
    rings = [part for curve in curves for part in _ringed(frame, curve, labels)]
    for curve in curves:
        parts += _curve(frame, curve, labels)
    parts += [*rings, *legend([(curve.name, curve.style) for curve in curves])]
    described = "; ".join(f"{curve.name}: {_told(curve.in_force)} in force" for curve in curves)
    return drawing(*parts, title=title, described=described, height=frame.height)


class _Labels:
    """Writes beside dots, where there is room: labels stand clear of each other and of the axes."""

    def __init__(self, frame: Frame) -> None:
        self._right, self._floor = frame.x.end, frame.y.start
        self._taken: list[tuple[float, float, float]] = []

    def beside(self, x: float, y: float, text: str) -> Markup | None:
        """Return a label whose first letter stands at a place; None where there is no room."""
        width = LETTER * len(text)
        if x + width > self._right or y > self._floor - 3 or not self._free(x, y, width):
            return None
        self._taken.append((x, y, width))
        return tag("text", text, x=x, y=y, class_="small")

    def _free(self, x: float, y: float, width: float) -> bool:
        return all(
            abs(y - high) > LINE or x > at + long + 3 or at > x + width + 3
            for at, high, long in self._taken
        )


def _curve(frame: Frame, curve: Curve, labels: _Labels) -> Iterator[Markup]:
    places = [(frame.x(dot.cost), frame.y(dot.gain)) for dot in curve.dots]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    yield tag("polyline", points=path, class_=f"line s{curve.style}")
    for (x, y), dot in zip(places, curve.dots, strict=True):
        told = tag("title", f"{curve.name}: {_told(dot)}")
        yield tag("circle", told, cx=x, cy=y, r=2.6, class_=f"dot s{curve.style}")
        # The curves bend to the right, so that their lower side is the free one.
        if label := labels.beside(x + 6, y + 12, f"{dot.value:.2f}"):
            yield label


def _ringed(frame: Frame, curve: Curve, labels: _Labels) -> Iterator[Markup]:
    dot = curve.in_force
    x, y = frame.x(dot.cost), frame.y(dot.gain)
    told = tag("title", f"{curve.name}, in force: {_told(dot)}")
    yield tag("circle", told, cx=x, cy=y, r=RING, class_=f"ring s{curve.style}")
    above = x - 30 > LEFT
    at = (x - 30, y - RING - 6) if above else (x + RING + 4, y + 4)
    if label := labels.beside(*at, "in force"):
        yield label


def _told(dot: Dot) -> str:
    return f"{dot.gain:.3f} against {dot.cost:.3f} at {dot.value:.2f}"
