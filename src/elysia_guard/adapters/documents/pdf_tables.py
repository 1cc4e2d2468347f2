"""Tables of a PDF page, told by the rules between their cells."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from pdfminer.layout import LTChar, LTComponent, LTContainer, LTCurve, LTFigure, LTPage

from elysia_guard.language.text import clean

_THIN = 3.0
_NEAR = 3.0
_SHORTEST = 6.0
_MAX_RULES = 2_000
"""More lines than that are a drawing."""


@dataclass(frozen=True, kw_only=True, slots=True)
class _Rule:
    """A straight line: where it lies across, and from where to where it runs."""

    at: float
    start: float
    end: float
    upright: bool


@dataclass(kw_only=True, slots=True, eq=False)
class Table:
    """A grid of cells; ``columns`` and ``rows`` are the places of its rules, rows upwards."""

    columns: tuple[float, ...]
    rows: tuple[float, ...]
    page: int
    cells: dict[tuple[int, int], list[LTChar]] = field(default_factory=dict)

    def holds(self, char: LTChar) -> bool:
        """Tell whether a character stands inside."""
        x, y = _middle(char)
        return self.columns[0] < x < self.columns[-1] and self.rows[0] < y < self.rows[-1]

    def put(self, char: LTChar) -> None:
        """Place a character in its cell."""
        x, y = _middle(char)
        cell = (bisect_right(self.rows, y), bisect_right(self.columns, x))
        self.cells.setdefault(cell, []).append(char)

    def texts(self) -> list[list[str]]:
        """Return the texts of the cells, row by row from the top."""
        found = [
            [_text(self.cells.get((row, column), ())) for column in range(1, len(self.columns))]
            for row in range(len(self.rows) - 1, 0, -1)
        ]
        return [row for row in found if any(row)]

    def goes_on(self, other: Table) -> bool:
        """Tell whether another table, on the next page, has the same columns."""
        return (
            other.page == self.page + 1
            and len(other.columns) == len(self.columns)
            and all(
                abs(left - right) < _NEAR
                for left, right in zip(self.columns, other.columns, strict=True)
            )
        )


def tables_of(page: LTPage, number: int) -> list[Table]:
    """Find the grids of at least two columns."""
    rules = list(dict.fromkeys(rule for item in _drawn(page) for rule in _rules(item)))
    if len(rules) > _MAX_RULES:
        return []
    found = []
    for group in _groups(rules):
        columns = _places(rule.at for rule in group if rule.upright)
        rows = _places(rule.at for rule in group if not rule.upright)
        if len(columns) > 2 and len(rows) > 1:  # noqa: PLR2004  the rules of two cells
            found.append(Table(columns=columns, rows=rows, page=number))
    return found


def table_at(tables: Sequence[Table], char: LTChar) -> Table | None:
    """Return the table that a character stands in."""
    return next((table for table in tables if table.holds(char)), None)


def _drawn(container: LTContainer[LTComponent]) -> Iterator[LTComponent]:
    for item in container:
        if isinstance(item, LTFigure):
            yield from _drawn(item)
        elif isinstance(item, LTCurve):
            yield item


def _rules(item: LTComponent) -> Iterator[_Rule]:
    """Yield the rules of a line or of a rectangle's four sides."""
    if item.width <= _THIN and item.height >= _SHORTEST:
        yield _Rule(at=(item.x0 + item.x1) / 2, start=item.y0, end=item.y1, upright=True)
    elif item.height <= _THIN and item.width >= _SHORTEST:
        yield _Rule(at=(item.y0 + item.y1) / 2, start=item.x0, end=item.x1, upright=False)
    elif item.height > _SHORTEST and item.width > _SHORTEST:
        for x in (item.x0, item.x1):
            yield _Rule(at=x, start=item.y0, end=item.y1, upright=True)
        for y in (item.y0, item.y1):
            yield _Rule(at=y, start=item.x0, end=item.x1, upright=False)


def _groups(rules: Sequence[_Rule]) -> list[list[_Rule]]:
    """Gather rules that meet each other, directly or by others."""
    waiting = list(rules)
    groups = []
    while waiting:
        group = [waiting.pop()]
        for rule in group:  # it grows while it is walked
            met = [other for other in waiting if _meet(rule, other)]
            waiting = [other for other in waiting if not _meet(rule, other)]
            group += met
        groups.append(group)
    return groups


def _meet(one: _Rule, other: _Rule) -> bool:
    if one.upright == other.upright:
        overlap = one.start - _NEAR <= other.end and other.start - _NEAR <= one.end
        return overlap and abs(one.at - other.at) <= _NEAR
    return (
        one.start - _NEAR <= other.at <= one.end + _NEAR
        and other.start - _NEAR <= one.at <= other.end + _NEAR
    )


def _places(values: Iterable[float]) -> tuple[float, ...]:
    """Return sorted places, those that lie together as one."""
    places: list[float] = []
    for value in sorted(values):
        if not places or value - places[-1] > _NEAR:
            places.append(value)
    return tuple(places)


def _text(chars: Iterable[LTChar]) -> str:
    """Write the characters of a cell, line by line."""
    ordered = sorted(chars, key=lambda char: (-round(_middle(char)[1] / 4), char.x0))
    lines = []
    for _, group in groupby(ordered, key=lambda char: round(_middle(char)[1] / 4)):
        line, end = "", None
        for char in group:
            gap = end is not None and char.x0 - end > 0.2 * char.size
            line += (" " if gap else "") + char.get_text()
            end = char.x1
        lines.append(line)
    return clean(" ".join(lines))


def _middle(char: LTChar) -> tuple[float, float]:
    return (char.x0 + char.x1) / 2, (char.y0 + char.y1) / 2
