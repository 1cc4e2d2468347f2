"""What charts are made of: scales, axes, legends, and the drawing around them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from elysia_guard.evaluation.markup import Markup, tag

WIDTH = 360
LEFT, RIGHT, TOP, BOTTOM = 42, 12, 30, 36


@dataclass(frozen=True, kw_only=True, slots=True)
class Scale:
    """Maps values to pixels, linearly."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        """Return where a value lies; one beyond the ends lies at the end."""
        share = (value - self.low) / ((self.high - self.low) or 1.0)
        return self.start + min(max(share, 0.0), 1.0) * (self.end - self.start)


@dataclass(frozen=True, kw_only=True, slots=True)
class Frame:
    """The scales of a chart with two axes."""

    x: Scale
    y: Scale
    height: int = 220


def drawing(*parts: Markup, title: str, described: str, height: float) -> Markup:
    """Return an SVG that says what it shows to who cannot see it."""
    return tag(
        "svg",
        tag("title", title),
        tag("desc", described),
        *parts,
        viewBox=f"0 0 {WIDTH} {height:.0f}",
        role="img",
        aria_label=f"{title}. {described}",
    )


def framed(low: float, high: float, top: float, *, height: int = 220) -> Frame:
    """Return the scales of a chart from ``low`` to ``high``, and from 0 to ``top``."""
    return Frame(
        x=Scale(low=low, high=high, start=LEFT, end=WIDTH - RIGHT),
        y=Scale(low=0.0, high=top, start=height - BOTTOM, end=TOP),
        height=height,
    )


def axes(frame: Frame, *, x_label: str, shares: bool, counted: bool = False) -> list[Markup]:
    """Draw the grid, the numbers at both axes and the name of the lower one.

    Args:
        frame: the scales.
        x_label: what runs along the bottom.
        shares: the numbers at the side are shares; else they are counts.
        counted: the numbers along the bottom are counts, at four equal steps.
    """
    parts: list[Markup] = []
    for step in range(5):
        value = frame.y.high * step / 4
        y = frame.y(value)
        parts += [
            tag("line", x1=LEFT, y1=y, x2=WIDTH - RIGHT, y2=y, class_="grid"),
            tag(
                "text",
                written(value, shares=shares),
                x=LEFT - 6,
                y=y + 4,
                text_anchor="end",
                class_="small",
            ),
        ]
    for value in _quarters(frame.x) if counted else _ticks(frame.x):
        parts.append(
            tag(
                "text",
                f"{value:.0f}" if counted else f"{value:.1f}",
                x=frame.x(value),
                y=frame.height - BOTTOM + 15,
                text_anchor="middle",
                class_="small",
            )
        )
    middle = (LEFT + WIDTH - RIGHT) / 2
    parts.append(
        tag("text", x_label, x=middle, y=frame.height - 4, text_anchor="middle", class_="small")
    )
    return parts


def _quarters(scale: Scale) -> list[float]:
    return [scale.low + (scale.high - scale.low) * step / 4 for step in range(5)]


def _ticks(scale: Scale) -> list[float]:
    """Every fifth, from the first one inside."""
    first, last = math.ceil(scale.low * 5 - 1e-9), math.floor(scale.high * 5 + 1e-9)
    return [n / 5 for n in range(first, last + 1)]


def mark(frame: Frame, value: float) -> Markup:
    """Draw an upright line at a value that is in force."""
    x = frame.x(value)
    return tag(
        "line",
        tag("title", f"in force: {value:.2f}"),
        x1=x,
        y1=TOP - 4,
        x2=x,
        y2=frame.height - BOTTOM,
        class_="mark",
    )


def legend(names: Sequence[tuple[str, int]], *, boxes: bool = False) -> list[Markup]:
    """Name the colours: beside a line, or beside a box."""
    parts: list[Markup] = []
    x = 8.0
    for name, style in names:
        if boxes:
            parts.append(tag("rect", x=x, y=8, width=12, height=9, class_=f"bar s{style}"))
        else:
            parts.append(tag("line", x1=x, y1=12, x2=x + 18, y2=12, class_=f"line s{style}"))
        start = x + (17 if boxes else 23)
        parts.append(tag("text", name, x=start, y=16, class_="legend"))
        x = start + 7.2 * len(name) + 14
    return parts


def written(value: float, *, shares: bool) -> str:
    """Write a share with two digits, a count with none."""
    return f"{value:.2f}" if shares else f"{value:.0f}"


def round_up(value: float) -> float:
    """The next number that four steps divide evenly."""
    return max(4.0, math.ceil(value / 4) * 4.0)
