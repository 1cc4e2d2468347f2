"""What every format is turned into, sections of plain text, and what becomes of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from functools import cache
from typing import Any

from elysia_guard.domain.document import Document, DocumentKind, Identity, Passage
from elysia_guard.language.pack import packs
from elysia_guard.language.pack_files import ParticularsSection
from elysia_guard.language.text import clean

FrontMatter = Mapping[str, Any]
"""What a writer says about a document in so many words."""


@cache
def particular_names() -> Mapping[str, str]:
    """What a line or a table at the top of a document calls a particular, in every language."""
    return {
        label: name.replace("_", "-")
        for spoken in packs().values()
        for name in ParticularsSection._fields
        for label in getattr(spoken.documents.particulars, name)
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
class ContentBlock:
    """A paragraph, list item, table row or piece of code; ``page`` counts from 1, 0 is none."""

    text: str
    kind: BlockKind = BlockKind.PARAGRAPH
    page: int = 0


@dataclass(kw_only=True, slots=True)
class ContentSection:
    """What stands under one heading, up to the next; ``path`` leaves the title out."""

    path: tuple[str, ...]
    blocks: list[ContentBlock] = field(default_factory=list)


@dataclass(frozen=True, kw_only=True, slots=True)
class Content:
    """What a file holds.

    ``heading`` is its first heading of level 1. ``front`` is what its writer says about it in so
    many words (front matter, custom properties); ``properties`` is what a word processor noted,
    which counts less than what the text says.
    """

    heading: str
    sections: Sequence[ContentSection]
    front: FrontMatter = field(default_factory=dict)
    properties: FrontMatter = field(default_factory=dict)
    links: tuple[str, ...] = ()
    """Where its links lead, as they are written."""


TITLE = 0
"""The level of a heading that is the title for certain."""

Item = ContentBlock | tuple[int, str]
"""A block, or a heading with its level."""


def outlined(
    found: Iterable[Item],
    *,
    title: str = "",
    front: FrontMatter | None = None,
    properties: FrontMatter | None = None,
) -> Content:
    """Gather blocks under their headings: the first of level 1 is the title, the others nest.

    ``title`` is what a file's properties call it. Of several headings of level 1 the first is no
    title, unless the properties agree.
    """
    items = list(found)
    headings = [item for item in items if not isinstance(item, ContentBlock)]
    marked = next((text for level, text in headings if level == TITLE), "")
    first, *others = [text for level, text in headings if level == 1] or [""]
    chapters = bool(others) and first.casefold() not in title.casefold()
    heading = marked or (title if chapters else "")
    sections = [ContentSection(path=())]
    above: list[tuple[int, str]] = []
    for item in items:
        if isinstance(item, ContentBlock):
            sections[-1].blocks.append(item)
        elif item[0] != TITLE:
            if item[0] == 1 and not heading:
                heading, above = item[1], []
            else:
                above = [*(each for each in above if each[0] < item[0]), item]
            sections.append(ContentSection(path=tuple(text for _, text in above if text)))
    return Content(
        heading=heading,
        sections=[section for section in sections if section.blocks],
        front=front or {},
        properties=properties or {},
    )


def in_item(blocks: Iterable[ContentBlock], marker: str) -> Iterator[ContentBlock]:
    """Yield what an item of a list holds, its first words behind its marker."""
    for block in blocks:
        if marker and block.kind in (BlockKind.PARAGRAPH, BlockKind.ITEM):
            yield ContentBlock(text=marker + block.text.lstrip(), kind=BlockKind.ITEM)
        else:
            yield block
        marker = ""


def rows_as_text(rows: Sequence[Sequence[str]], *, page: int = 0) -> Iterator[ContentBlock]:
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
            yield ContentBlock(text=text, kind=BlockKind.ROW, page=page)


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


def value(front: FrontMatter, *keys: str) -> str:
    """Return the value of the first key that is set; 'dct.title' looks one level down."""
    for key in keys:
        found: Any = front
        for part in key.split("."):
            found = found.get(part) if isinstance(found, Mapping) else None
        if isinstance(found, list):
            found = ", ".join(item for item in found if isinstance(item, str))
        if isinstance(found, str) and found.strip() not in ("", "~", "null"):
            return " ".join(found.split())
    return ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Claim:
    """Where it is said who a document is, and how: 'front matter', 'ADR-0012', 'ADR.12'."""

    source: str
    identity: Identity
    written: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Card:
    """What a document says about itself; ``warnings`` tells where it contradicts itself.

    ``claims`` are all places that say who it is, the most explicit first, which is believed.
    """

    kind: DocumentKind
    number: int | None
    approval: bool
    identifier: str
    title: str
    status: str
    date: str
    version: str
    owner: str
    lang: str
    superseded_by: str
    supersedes: str
    warnings: tuple[str, ...]
    claims: tuple[Claim, ...]

    @property
    def identity(self) -> Identity | None:
        """Kind and number, or None for a document without a number."""
        if self.number is None:
            return None
        return Identity(kind=self.kind, number=self.number, approval=self.approval)


@dataclass(frozen=True, kw_only=True, slots=True)
class ParsedDocument:
    """A document with its passages, what says who it is, and where that contradicts itself.

    ``entries`` are the documents of a file that is a register; this is then all of it as one.
    ``links`` is where the links in its text lead, as they are written.
    """

    document: Document
    passages: tuple[Passage, ...]
    warnings: tuple[str, ...] = ()
    claims: tuple[Claim, ...] = ()
    entries: tuple[ParsedDocument, ...] = ()
    links: tuple[str, ...] = ()

    def under(self, id_: str) -> ParsedDocument:
        """Return the document under another id; those of its passages begin with it."""
        document = replace(self.document, id=id_)
        held = len(self.document.id)
        passages = tuple(
            replace(passage, document=document, id=f"{id_}{passage.id[held:]}")
            for passage in self.passages
        )
        return replace(self, document=document, passages=passages)


@dataclass(frozen=True, kw_only=True, slots=True)
class Skipped:
    """A file that was left out, and why."""

    path: str
    reason: str
