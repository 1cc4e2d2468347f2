"""From the lines of a PDF to headings, paragraphs, list items and table rows."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import groupby

from elysia_guard.adapters.documents.content import BlockKind, ContentBlock, Item, rows_as_text
from elysia_guard.adapters.documents.pdf_page import BULLET, Found, PdfLine, Table
from elysia_guard.language.pack import packs
from elysia_guard.language.text import clean

_ITEM = re.compile(rf"(?:(?P<bullet>{BULLET})|(?P<mark>\(?(?:\d{{1,3}}|[a-z])[.)]))\s+(?=\S)")
_NUMBERED = re.compile(r"(\d{1,3}(?:\.\d{1,3})*)\.?\s+(?=\S)")
_CLOSED = re.compile(r"[.!?:;][\"'”’)\]]*$")
_NO_HEADING_ENDS = (".", ",", ";", ":")
_LONGEST_HEADING = 200
_LONGEST_BOLD = 90
_LARGER = 1.12
_LIGATURES = str.maketrans(
    {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"}
)


def items_of(pages: Sequence[Sequence[Found]]) -> list[Item]:
    """Return headings and blocks, in reading order."""
    found = _without_furniture(pages)
    lines = [item for item in found if isinstance(item, PdfLine)]
    body = _body_size(lines)
    words = frozenset(word for line in lines for word in line.text.casefold().split())
    levels = _levels([line for line in lines if _is_heading(line, body)], body)
    return list(_Text(body=body, words=words, levels=levels).items(found))


def _without_furniture(pages: Sequence[Sequence[Found]]) -> list[Found]:
    """Drop page numbers, and what is repeated at the edge of most pages."""
    repeated: Counter[str] = Counter()
    for page in pages:
        repeated.update({_bare(item) for item in page if isinstance(item, PdfLine) and item.edge})
    often = max(2, round(0.5 * len(pages)))
    return [
        item
        for page in pages
        for item in page
        if not (
            isinstance(item, PdfLine)
            and item.edge
            and (_page_number().fullmatch(item.text) or repeated[_bare(item)] >= often)
        )
    ]


@cache
def _page_number() -> re.Pattern[str]:
    """'Page 3 of 12', in every language."""
    files = [item.documents.files for item in packs().values()]
    page = "|".join(word for item in files for word in item.page)
    of = "|".join(word for item in files for word in item.page_of)
    return re.compile(rf"(?:{page})?\s*\d{{1,4}}(?:\s*(?:{of}|/|-)\s*\d{{1,4}})?", re.IGNORECASE)


def _bare(line: PdfLine) -> str:
    return re.sub(r"\d+", "0", line.text)


def _body_size(lines: Sequence[PdfLine]) -> float:
    """Return the size of most characters."""
    sizes: Counter[float] = Counter()
    for line in lines:
        sizes[round(line.size * 2) / 2] += len(line.text)
    return sizes.most_common(1)[0][0] if sizes else 0.0


def _is_heading(line: PdfLine, body: float) -> bool:
    text = line.text.strip()
    if not any(char.isalpha() for char in text) or re.match(BULLET, text):
        return False
    if line.size >= _LARGER * body:
        return len(text) <= _LONGEST_HEADING
    return (
        line.bold
        and line.size >= 0.95 * body
        and len(text) <= _LONGEST_BOLD
        and not text.endswith(_NO_HEADING_ENDS)
    )


Style = tuple[float, int]


def _style(line: PdfLine) -> Style:
    """Return what ranks a heading: its size, then how deep it is numbered."""
    number = _NUMBERED.match(line.text)
    return -round(line.size * 2) / 2, number[1].count(".") if number else 0


def _levels(headings: Sequence[PdfLine], body: float) -> dict[Style, int]:
    styles = sorted({_style(line) for line in headings if line.size >= _LARGER * body})
    bold = sorted({_style(line) for line in headings if line.size < _LARGER * body})
    return {style: level for level, style in enumerate([*styles, *bold], start=1)}


@dataclass(kw_only=True, slots=True)
class _Text:
    """Lines on their way to paragraphs."""

    body: float
    words: frozenset[str]
    levels: dict[Style, int]
    _held: list[PdfLine] = field(default_factory=list)

    def items(self, found: Sequence[Found]) -> Iterator[Item]:
        for kind, group in groupby(found, key=self._sort):
            if kind == "table":
                yield from _table_rows([item for item in group if isinstance(item, Table)])
                continue
            lines = [item for item in group if isinstance(item, PdfLine)]
            yield from self._headings(lines) if kind == "heading" else self._blocks(lines)

    def _sort(self, item: Found) -> str:
        if isinstance(item, Table):
            return "table"
        return "heading" if _is_heading(item, self.body) else "text"

    def _headings(self, lines: Sequence[PdfLine]) -> Iterator[Item]:
        """Yield headings; one that runs over several lines is one."""
        held: list[PdfLine] = []
        for line in lines:
            if held and not _runs_on(held[-1], line):
                yield self._heading(held)
                held = []
            held.append(line)
        yield self._heading(held)

    def _heading(self, lines: Sequence[PdfLine]) -> Item:
        return self.levels[_style(lines[0])], self._joined(lines)

    def _blocks(self, lines: Sequence[PdfLine]) -> Iterator[ContentBlock]:
        held: list[PdfLine] = []
        for line in lines:
            if held and self._begins(held, line):
                yield self._block(held)
                held = []
            held.append(line)
        if held:
            yield self._block(held)

    def _begins(self, held: Sequence[PdfLine], line: PdfLine) -> bool:
        """Tell a line that begins a paragraph or item from one that goes on with it."""
        before = held[-1]
        if _ITEM.match(line.text):
            return True
        closed = bool(_CLOSED.search(before.text))
        if line.begins:
            return closed or not line.text[:1].islower()
        widest = max(item.x1 for item in held)
        return closed and before.x1 < widest - 0.2 * (widest - before.x0) and len(held) > 1

    def _block(self, lines: Sequence[PdfLine]) -> ContentBlock:
        text, page = self._joined(lines), lines[0].page
        item = _ITEM.match(lines[0].text)
        if item is None:
            return ContentBlock(text=text, page=page)
        if item["bullet"]:
            text = "- " + clean(_ITEM.sub("", self._raw(lines), count=1))
        return ContentBlock(text=text, kind=BlockKind.ITEM, page=page)

    def _joined(self, lines: Sequence[PdfLine]) -> str:
        return clean(self._raw(lines))

    def _raw(self, lines: Sequence[PdfLine]) -> str:
        """Join lines, and words that are hyphenated at the end of one."""
        text = ""
        for line in lines:
            text = self._with(text, line.text) if text else line.text
        return text.translate(_LIGATURES)

    def _with(self, text: str, line: str) -> str:
        if text.endswith("\u00ad"):
            return text[:-1] + line
        head, hyphen, tail = text.rpartition("-")
        if not hyphen or tail or not head[-1:].isalpha() or not line[:1].islower():
            return f"{text} {line}"
        first, *_ = line.split()
        start = head.split()[-1]
        if f"{start}-{first}".casefold() in self.words:
            return text + line
        return head + line


def _runs_on(before: PdfLine, line: PdfLine) -> bool:
    return (
        line.page == before.page
        and abs(line.size - before.size) < 0.5  # noqa: PLR2004  points
        and 0 < before.y - line.y < 1.8 * line.size
        and not _NUMBERED.match(line.text)
        and (not line.begins or before.x1 > 0.6 * before.width)
    )


def _table_rows(tables: Sequence[Table]) -> Iterator[ContentBlock]:
    """Yield the rows of tables; one that goes on overleaf keeps its headers."""
    headers: list[str] = []
    last: Table | None = None
    for table in tables:
        rows = table.texts()
        if last and last.goes_on(table) and headers:
            rows = [headers, *(row for row in rows if row != headers)]
        elif len(rows) == 1:  # a frame: there are no headers
            rows = [["" for _ in rows[0]], *rows]
        yield from rows_as_text(rows, page=table.page)
        headers, last = rows[0] if rows else [], table
