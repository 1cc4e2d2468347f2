"""What every format is turned into: sections of plain text that can be quoted as they stand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from enum import Enum, auto
from functools import cache

from elysia_guard.adapters.documents.front_matter import FrontMatter
from elysia_guard.language.pack import packs
from elysia_guard.language.pack_files import ParticularsSection
from elysia_guard.language.text import clean


@cache
def particular_names() -> Mapping[str, str]:
    """What a line or a table at the top of a document calls a particular, in every language."""
    return {
        label: item.name.replace("_", "-")
        for spoken in packs().values()
        for item in fields(ParticularsSection)
        for label in getattr(spoken.documents.particulars, item.name)
    }


@cache
def _headers() -> tuple[frozenset[str], frozenset[str]]:
    """What heads the names and the values of a table; nothing does too."""
    tables = [item.documents.tables for item in packs().values()]
    names = (word for item in tables for word in item.name)
    values = (word for item in tables for word in item.value)
    return frozenset({"", *names}), frozenset({"", *values})


class UnreadableError(Exception):
    """A file that holds no document to read; the message is the reason that a report gives."""


class BlockKind(Enum):
    """What a block is, which decides how it joins its neighbours."""

    PARAGRAPH = auto()
    ITEM = auto()
    ROW = auto()
    CODE = auto()


@dataclass(frozen=True, kw_only=True, slots=True)
class Block:
    """A paragraph, list item, table row or piece of code; ``page`` counts from 1, 0 is none."""

    text: str
    kind: BlockKind = BlockKind.PARAGRAPH
    page: int = 0


@dataclass(kw_only=True, slots=True)
class Section:
    """What stands under one heading, up to the next; ``path`` leaves the title out."""

    path: tuple[str, ...]
    blocks: list[Block] = field(default_factory=list)


@dataclass(frozen=True, kw_only=True, slots=True)
class Content:
    """What a file holds.

    ``heading`` is its first heading of level 1. ``front`` is what its writer says about it in so
    many words (front matter, custom properties); ``properties`` is what a word processor noted,
    which counts less than what the text says.
    """

    heading: str
    sections: Sequence[Section]
    front: FrontMatter = field(default_factory=dict)
    properties: FrontMatter = field(default_factory=dict)


TITLE = 0
"""The level of a heading that is the title for certain."""

Item = Block | tuple[int, str]
"""A block, or a heading with its level."""


class Outline:
    """Gathers blocks under headings: the first of level 1 is the title, the others nest."""

    def __init__(self, *, title: str = "") -> None:
        self.title = title
        self._sections = [Section(path=())]
        self._open: list[tuple[int, str]] = []

    def heading(self, level: int, text: str) -> None:
        """Begin a section."""
        if level == 1 and not self.title:
            self.title, self._open = text, []
        else:
            self._open = [(lvl, head) for lvl, head in self._open if lvl < level]
            self._open.append((level, text))
        self._sections.append(Section(path=tuple(head for _, head in self._open if head)))

    def add(self, *blocks: Block) -> None:
        """Put blocks into the section that is open."""
        self._sections[-1].blocks.extend(blocks)

    @property
    def sections(self) -> list[Section]:
        """The sections that hold text, in reading order."""
        return [section for section in self._sections if section.blocks]


def outlined(found: Iterable[Item], *, title: str) -> tuple[str, Sequence[Section]]:
    """Return the title, and the sections; ``title`` is what a file's properties call it.

    Of several headings of level 1 the first is no title, unless the properties agree.
    """
    items = list(found)
    headings = [item for item in items if not isinstance(item, Block)]
    marked = next((text for level, text in headings if level == TITLE), "")
    first, *others = [text for level, text in headings if level == 1] or [""]
    chapters = bool(others) and first.casefold() not in title.casefold()
    outline = Outline(title=marked or (title if chapters else ""))
    for item in items:
        if isinstance(item, Block):
            outline.add(item)
        elif item[0] != TITLE:
            outline.heading(*item)
    return outline.title, outline.sections


def rows_as_text(rows: Sequence[Sequence[str]], *, page: int = 0) -> Iterator[Block]:
    """Yield each row of a table as 'Header: value; Header: value.', without its empty cells."""
    if not rows:
        return
    headers, *body = rows
    properties = _are_properties(headers)
    if _is_property(headers):
        properties, body = True, list(rows)
    for row in body:
        pairs = [(row[0].rstrip(" :"), row[1])] if properties else zip(headers, row, strict=False)
        cells = [f"{head}: {value}" if head else value for head, value in pairs if value]
        if cells:
            text = "; ".join(cells).rstrip(".") + "."
            yield Block(text=text, kind=BlockKind.ROW, page=page)


def clean_lines(text: str) -> str:
    """Clean each line, and drop the empty ones."""
    return "\n".join(line for raw in text.split("\n") if (line := clean(raw)))


def _are_properties(headers: Sequence[str]) -> bool:
    """Tell a table of names and values: 'Decision: Accepted.' reads better without its headers."""
    match [header.casefold() for header in headers]:
        case [name, value]:
            names, values = _headers()
            return name in names and value in values
        case _:
            return False


def _is_property(headers: Sequence[str]) -> bool:
    """Tell a table of names and values without headers, whose first row is one of them."""
    match [header.casefold().strip(" :") for header in headers]:
        case [name, value]:
            return name in particular_names() and value not in particular_names()
        case _:
            return False
