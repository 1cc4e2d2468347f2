"""The lines and ruled tables of a PDF page, in reading order."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from statistics import median

from pdfminer.layout import (
    IndexAssigner,
    LAParams,
    LTChar,
    LTComponent,
    LTContainer,
    LTCurve,
    LTFigure,
    LTPage,
    LTTextBox,
    LTTextLine,
)

from elysia_guard.language.text import clean

_LAYOUT = LAParams(boxes_flow=None, all_texts=True)
_FLOW = LAParams()
_MAX_FLOWING = 150
"""Boxes of which the flow is worked out: the time for it grows with their square."""
_MAX_LEADS = 2_000
"""Lines of a page whose leads are sought: the time for it grows with their square."""
_SMALLEST = 2.0
_THIN = 3.0
_NEAR = 3.0
_SHORTEST = 6.0
_MAX_RULES = 2_000
"""More lines than that are a drawing."""
_EDGE = 0.11

BULLET = r"[•●▪■◦○‣▸►–—\uf0a7\uf0b7\uf0d8\uf02d\u00b7-]"
_LEAD = re.compile(rf"{BULLET}|\(?(?:\d{{1,3}}(?:\.\d{{1,3}})*[.)]?|[a-zA-Z][.)])|.{{1,40}}:")
_BOLD = re.compile(r"bold|black|heavy|semibold|demi", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True, slots=True)
class PdfLine:
    """A line of text; ``begins`` tells the first of its group of lines, y grows upwards."""

    text: str
    size: float
    bold: bool
    x0: float
    x1: float
    y: float
    page: int
    begins: bool
    width: float
    edge: bool
    """Whether it stands where running heads and page numbers do."""


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


Found = PdfLine | Table


def read_page(page: LTPage, number: int) -> list[Found]:
    """Return the lines and tables of a page; a table stands where its first line stood."""
    page.analyze(_LAYOUT)
    tables = tables_of(page, number)
    found = [item for box in _boxes(page) for item in _of_box(box, page, tables, number)]
    # A table is met once for each of its characters.
    return _with_leads(dict.fromkeys(found))


def _boxes(page: LTPage) -> list[LTTextBox]:
    boxes = list(_all_boxes(page))
    if len(boxes) <= _MAX_FLOWING:
        assigner = IndexAssigner()
        for group in page.group_textboxes(_FLOW, boxes):
            group.analyze(_FLOW)
            assigner.run(group)
        boxes.sort(key=lambda box: box.index)
    return boxes


def _all_boxes(container: LTContainer[LTComponent]) -> Iterator[LTTextBox]:
    for item in container:
        if isinstance(item, LTTextBox):
            yield item
        elif isinstance(item, LTFigure):
            yield from _all_boxes(item)


def _of_box(box: LTTextBox, page: LTPage, tables: Sequence[Table], number: int) -> Iterator[Found]:
    begins = True
    for line in box:
        if not isinstance(line, LTTextLine):
            continue
        chars = [char for char in line if isinstance(char, LTChar)]
        inside = [table_at(tables, char) for char in chars]
        for char, table in zip(chars, inside, strict=True):
            if table:
                table.put(char)
                yield table
        outside = {id(char) for char, table in zip(chars, inside, strict=True) if not table}
        rest = [c for c in chars if id(c) in outside and c.upright and c.size >= _SMALLEST]
        text = "".join(
            item.get_text() for item in line if not isinstance(item, LTChar) or id(item) in outside
        ).strip()
        if text and rest:
            yield _line(text, rest, page=page, number=number, begins=begins)
            begins = False


def _line(
    text: str, chars: Sequence[LTChar], *, page: LTPage, number: int, begins: bool
) -> PdfLine:
    y0, y1 = min(char.y0 for char in chars), max(char.y1 for char in chars)
    inked = [char for char in chars if char.get_text().strip()] or list(chars)
    height = page.height or 1.0
    return PdfLine(
        text=text,
        size=median(char.size for char in inked),
        bold=sum(bool(_BOLD.search(char.fontname)) for char in inked) > 0.9 * len(inked),
        x0=min(char.x0 for char in chars),
        x1=max(char.x1 for char in chars),
        y=(y0 + y1) / 2,
        page=number,
        begins=begins,
        width=page.width,
        edge=y1 - page.y0 < _EDGE * height or page.y1 - y0 < _EDGE * height,
    )


def _with_leads(found: Iterable[Found]) -> list[Found]:
    """Join a bullet, number or label with what stands to its right, where a gap parts them."""
    items = list(found)
    lines = [item for item in items if isinstance(item, PdfLine)]
    if len(lines) > _MAX_LEADS:
        return items
    taken: set[int] = set()
    joined: dict[int, PdfLine] = {}
    for lead in (line for line in lines if _LEAD.fullmatch(line.text)):
        right = _right_of(lead, [line for line in lines if id(line) not in taken])
        if right and id(lead) not in taken:
            text = f"{lead.text} {right.text}"
            joined[id(right)] = replace(
                joined.get(id(right), right), text=text, x0=lead.x0, begins=True
            )
            taken.add(id(lead))
    return [
        joined.get(id(item), item) if isinstance(item, PdfLine) else item
        for item in items
        if id(item) not in taken
    ]


def _right_of(lead: PdfLine, lines: Sequence[PdfLine]) -> PdfLine | None:
    near = [
        line
        for line in lines
        if line is not lead
        and abs(line.y - lead.y) < 0.5 * max(line.size, lead.size)
        and 0 <= line.x0 - lead.x1 < 0.35 * lead.width
    ]
    return min(near, key=lambda line: line.x0, default=None)


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
