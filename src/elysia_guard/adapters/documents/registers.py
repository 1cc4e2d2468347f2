"""Registers whose numbers stand in headings: what is believed once all files are known."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import PurePath

from elysia_guard.adapters.documents.card import Card
from elysia_guard.adapters.documents.content import Content
from elysia_guard.adapters.documents.entries import ENTRY, Entry, entries_of
from elysia_guard.adapters.documents.identity import TITLE_NUMBER, read_card
from elysia_guard.adapters.documents.parsed import ParsedDocument, Skipped
from elysia_guard.adapters.documents.particulars import particulars
from elysia_guard.domain.document import DocumentKind

Build = Callable[[Card, Content], ParsedDocument]
"""Makes a document of a card and of what stands below it."""
Read = tuple[str, ParsedDocument | Skipped]
"""A file by the path that tells it from all others, and what became of it."""


def taken_apart(
    whole: ParsedDocument, card: Card, content: Content, *, path: PurePath, build: Build
) -> ParsedDocument:
    """Give a document the entries that its file holds, or a warning why they are none."""
    several = entries_of(content, path=path, single=card.number is not None)
    if several.warning:
        told = f"{whole.document.path}: {several.warning}"
        return replace(whole, warnings=(*whole.warnings, told))
    entries = [_entry(item, card, build) for item in several.found]
    if entries and several.rest:
        about = replace(card, kind=DocumentKind.DOCUMENT, warnings=(), status="", date="")
        entries.append(build(about, replace(content, sections=several.rest)))
    return replace(whole, entries=tuple(entries))


def settled(read: Iterable[Read]) -> Iterator[Read]:
    """Believe what a heading alone says of a number, where no other file is of that number.

    Otherwise a register is read as one document, and a title's number is no identity.
    """
    found = list(read)
    taken = {
        item.document.id: (shown, item.document.sha256)
        for shown, item in found
        if isinstance(item, ParsedDocument) and not item.entries and _is_certain(item)
    }
    for shown, item in found:
        if isinstance(item, Skipped) or not (item.entries or _is_titled(item)):
            yield shown, item
            continue
        own = item.entries or (item,)
        ids = [each.document.id for each in own if each.document.number is not None]
        other = next((id_ for id_ in ids if id_ in taken), None)
        if other is None:
            taken |= dict.fromkeys(ids, (shown, item.document.sha256))
            yield from ((shown, each) for each in own)
        elif taken[other][1] == item.document.sha256:
            reason = f"the same file as {taken[other][0]}"
            yield shown, Skipped(path=item.document.path, reason=reason)
        else:
            yield shown, _as_one(item, f"{other} is {taken[other][0]} already")


def with_id(reading: ParsedDocument, id_: str) -> ParsedDocument:
    """Return the document of an id among those of a file; the file as one where none has it."""
    if _is_titled(reading) and reading.document.id != id_:
        return _unnumbered(reading)
    return next((item for item in reading.entries if item.document.id == id_), reading)


def _entry(entry: Entry, card: Card, build: Build) -> ParsedDocument:
    noted = particulars(entry.sections)
    heading = f"{entry.identity}: {entry.title}"
    own = read_card({}, path=PurePath(), heading=heading, noted=noted)
    claims = tuple(replace(claim, source=ENTRY) for claim in own.claims)
    content = Content(heading=entry.title, sections=entry.sections)
    return build(replace(own, lang=own.lang or card.lang, claims=claims), content)


def _as_one(item: ParsedDocument, why: str) -> ParsedDocument:
    one = item if item.entries else _unnumbered(item)
    what = "it is read as one document" if item.entries else "its title's number is not kept"
    told = f"{item.document.path}: {why}; {what}"
    return replace(one, entries=(), warnings=(*one.warnings, told))


def _unnumbered(item: ParsedDocument) -> ParsedDocument:
    document = replace(item.document, number=None, identifier="")
    plain = replace(item, document=document, claims=())
    return plain.under(by_path(document.path))


def by_path(path: str) -> str:
    """The id of a document that has no number."""
    stem = str(PurePath(path).with_suffix(""))
    bare = "".join(
        c for c in unicodedata.normalize("NFKD", stem.lower()) if not unicodedata.combining(c)
    )
    return "DOC-" + re.sub(r"[\W_]+", "-", bare).strip("-")


def _is_certain(item: ParsedDocument) -> bool:
    return item.document.number is not None and not _is_titled(item)


def _is_titled(item: ParsedDocument) -> bool:
    return bool(item.claims) and item.claims[0].source == TITLE_NUMBER
