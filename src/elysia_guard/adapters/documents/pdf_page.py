"""The lines and ruled tables of a PDF page, in reading order."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from statistics import median

from pdfminer.layout import (
    IndexAssigner,
    LAParams,
    LTChar,
    LTComponent,
    LTContainer,
    LTFigure,
    LTPage,
    LTTextBox,
    LTTextLine,
)

from elysia_guard.adapters.documents.pdf_tables import Table, table_at, tables_of

_LAYOUT = LAParams(boxes_flow=None, all_texts=True)
_FLOW = LAParams()
_MAX_FLOWING = 150
"""Boxes of which the flow is worked out: the time for it grows with their square."""
_MAX_LEADS = 2_000
"""Lines of a page whose leads are sought: the time for it grows with their square."""
_SMALLEST = 2.0
_EDGE = 0.11

BULLET = r"[•●▪■◦○‣▸►–—\uf0a7\uf0b7\uf0d8\uf02d\u00b7-]"
_LEAD = re.compile(rf"{BULLET}|\(?(?:\d{{1,3}}(?:\.\d{{1,3}})*[.)]?|[a-zA-Z][.)])|.{{1,40}}:")
_BOLD = re.compile(r"bold|black|heavy|semibold|demi", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True, slots=True)
class Line:
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


Found = Line | Table


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


def _line(text: str, chars: Sequence[LTChar], *, page: LTPage, number: int, begins: bool) -> Line:
    y0, y1 = min(char.y0 for char in chars), max(char.y1 for char in chars)
    inked = [char for char in chars if char.get_text().strip()] or list(chars)
    height = page.height or 1.0
    return Line(
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
    lines = [item for item in items if isinstance(item, Line)]
    if len(lines) > _MAX_LEADS:
        return items
    taken: set[int] = set()
    joined: dict[int, Line] = {}
    for lead in (line for line in lines if _LEAD.fullmatch(line.text)):
        right = _right_of(lead, [line for line in lines if id(line) not in taken])
        if right and id(lead) not in taken:
            text = f"{lead.text} {right.text}"
            joined[id(right)] = replace(
                joined.get(id(right), right), text=text, x0=lead.x0, begins=True
            )
            taken.add(id(lead))
    return [
        joined.get(id(item), item) if isinstance(item, Line) else item
        for item in items
        if id(item) not in taken
    ]


def _right_of(lead: Line, lines: Sequence[Line]) -> Line | None:
    near = [
        line
        for line in lines
        if line is not lead
        and abs(line.y - lead.y) < 0.5 * max(line.size, lead.size)
        and 0 <= line.x0 - lead.x1 < 0.35 * lead.width
    ]
    return min(near, key=lambda line: line.x0, default=None)
