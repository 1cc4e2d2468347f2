"""Folders of documents, read in one order always; what is left out is told why."""

from __future__ import annotations

import hashlib
import os
import re
import stat
import textwrap
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path, PurePath
from typing import Any

from elysia_guard.adapters.bounded import read_bounded
from elysia_guard.adapters.documents import chunks, formats
from elysia_guard.adapters.documents.content import (
    Card,
    Content,
    ParsedDocument,
    Skipped,
    UnreadableError,
)
from elysia_guard.adapters.documents.folders import files_of
from elysia_guard.adapters.documents.formats import (
    DEADLINE_S,
    ContentCache,
    ForeignReader,
    Read,
    stamp_of,
)
from elysia_guard.adapters.documents.identity import is_template, read_card
from elysia_guard.adapters.documents.ids import by_path, with_ids
from elysia_guard.adapters.documents.names import is_entry, is_readme, stands_for_folder
from elysia_guard.adapters.documents.particulars import approvals_of, particulars, stateless
from elysia_guard.adapters.documents.register import settled, taken_apart
from elysia_guard.domain.document import Document, DocumentKind, SectionRole
from elysia_guard.domain.errors import DocumentError
from elysia_guard.language.identify import identify

_LISTED = re.compile(r"\||(?:[-*+]|\d+[.)])\s.*(?:\]\(|\]\[|https?:|<a\s)")
"""A line that lists something else: a row of a table, an item with a link."""
_MARKUP = re.compile(r"#|!?\[[^\]]*\]\([^)]*\)\W*\Z|<|---|\w+:\s")
_FEWEST_TOLD = 300
"""Characters of text, beside lists of links, of a page that stands for its folder and is one."""
_BEGINNING = 60
MAX_PARTICULAR_CHARS = 500
"""Of a title, status or owner: each is written on every passage, or in every answer."""
_PARTICULARS = ("title", "status", "date", "owner", "version", "superseded_by", "supersedes")


Tell = Callable[[int, int, str], None]
"""Is told of each file that takes time to read: its number, how many there are, its path."""


def read_folder(
    paths: Iterable[Path | str],
    *,
    memory: ContentCache | None = None,
    tell: Tell | None = None,
    deadline_s: float = DEADLINE_S,
) -> Iterator[ParsedDocument | Skipped]:
    """Read every document under some folders (or single files), in a stable order.

    Each has an id of its own; of two files that say the same and are of one kind and number the
    first is read. What a memory knows is not read again; a file of PDF, DOCX or HTML that takes
    longer than ``deadline_s`` seconds is skipped by name.

    Raises:
        DocumentError: a path does not exist.
    """
    taken: dict[str, str] = {}
    for shown, result in with_ids(settled(_each(paths, memory, tell, deadline_s))):
        if isinstance(result, ParsedDocument):
            first = taken.setdefault(result.document.id, shown)
            if first != shown:
                yield Skipped(path=shown, reason=f"the same file as {first}")
                continue
        yield result


def read_files(
    paths: Iterable[Path | str], *, tell: Tell | None = None
) -> Iterator[ParsedDocument | Skipped]:
    """Read every file, also those that say the same.

    Raises:
        DocumentError: a path does not exist.
    """
    for _, result in with_ids(settled(_each(paths, None, tell, DEADLINE_S))):
        yield result


def _each(
    paths: Iterable[Path | str], memory: ContentCache | None, tell: Tell | None, deadline_s: float
) -> Iterator[tuple[str, ParsedDocument | Skipped]]:
    left: list[tuple[str, Skipped]] = []

    def leave(folder: Path, reason: str) -> None:
        left.append((printable(folder), Skipped(path=printable(folder), reason=reason)))

    read = ForeignReader(deadline_s=deadline_s).read
    files = list(files_of([Path(path) for path in paths], leave=leave))
    yield from left
    often = Counter(_relative(root, file) for root, file in files)
    for number, (root, file) in enumerate(files, start=1):
        relative = _relative(root, file)
        shown = relative if often[relative] == 1 else file.as_posix()
        reading = read
        if formats.takes_time(file):
            reading = partial(_told, read, tell and partial(tell, number, len(files), relative))
            reading = partial(memory.recall, read=reading) if memory else reading
        if relative != printable(relative):
            named = Skipped(path=printable(relative), reason="its name is not UTF-8; rename it")
            yield printable(relative), named
            continue
        try:
            yield shown, _read(file, read=reading, root=root, relative=relative)
        except DocumentError as err:
            yield shown, Skipped(path=relative, reason=str(err))
        except OSError as err:
            reason = f"{relative} cannot be read: {err.strerror or err}"
            yield shown, Skipped(path=relative, reason=reason)


def _told(read: Read, tell: Callable[[], None] | None, raw: bytes, *, path: str) -> Content:
    if tell:
        tell()
    return read(raw, path=path)


def _relative(root: Path, file: Path) -> str:
    return file.relative_to(root).as_posix() if file != root else file.name


def parse(
    raw: bytes, *, path: str, folder: PurePath | None = None, read: Read = formats.read
) -> ParsedDocument | Skipped:
    """Make a document of a file's bytes; ``folder`` is where it lies, if ``path`` does not say.

    ``read`` knows the formats; that of a ``ForeignReader`` can give a file up.

    Raises:
        DocumentError: the front matter is not well-formed; names file and line. Or it was given up.
    """
    name = (folder or PurePath()) / path
    try:
        content = read(raw, path=path)
    except UnreadableError as err:
        return Skipped(path=path, reason=str(err))
    if is_template(content.front, path=name, heading=content.heading):
        return Skipped(path=path, reason="a template")
    if not content.sections:
        return Skipped(path=path, reason="empty")
    if stands_for_folder(name) and not _has_text(raw, content, name):
        return Skipped(path=path, reason="an index page")
    noted = {**content.properties, **particulars(content.sections)}
    card = read_card(content.front, path=name, heading=content.heading, noted=noted)
    if stands_for_folder(name) and not (is_entry(name) or _decides(content)):
        card = replace(card, kind=DocumentKind.DOCUMENT, number=None, claims=())
    build = partial(_built, raw=raw, path=path)
    whole = build(card, content)
    if not formats.is_text(name):
        return whole
    return taken_apart(whole, card, content, path=name, build=build)


def _has_text(raw: bytes, content: Content, path: PurePath) -> bool:
    """Tell a document from a page that lists others: it decides, or tells more than it links to."""
    if not formats.is_text(path):
        return False
    lines = [line.strip() for line in raw.decode("utf-8", "replace").splitlines()]
    listed = sum(len(line) for line in lines if _LISTED.match(line))
    told = sum(len(line) for line in lines if not _LISTED.match(line) and not _MARKUP.match(line))
    if told > listed:
        return is_entry(path) or _decides(content) or (is_readme(path) and told >= _FEWEST_TOLD)
    return is_entry(path) and _decides(content)


def _decides(content: Content) -> bool:
    return any(chunks.role_of(each.path) is SectionRole.SUBSTANCE for each in content.sections)


def _built(card: Card, content: Content, *, raw: bytes, path: str) -> ParsedDocument:
    card = _shortened(card)
    document = _document(card, raw=raw, path=path, content=content)
    odd = [*card.warnings, *_unread_status(document, content)]
    return ParsedDocument(
        document=document,
        passages=chunks.cut(document, content.sections),
        warnings=tuple(f"{path}: {warning}" for warning in odd),
        claims=card.claims,
        links=content.links,
    )


def _read(file: Path, *, read: Read, root: Path, relative: str) -> ParsedDocument | Skipped:
    if file != root and not Path(os.path.realpath(file)).is_relative_to(root.resolve()):
        return Skipped(path=relative, reason="a link out of the folder")
    status = file.stat()
    if not stat.S_ISREG(status.st_mode):
        return Skipped(path=relative, reason="not a file")
    if (size := status.st_size) > (limit := formats.max_bytes(file)):
        return Skipped(path=relative, reason=f"{size:,} bytes; the limit is {limit:,}")
    # The root's own name may be the folder that tells the kind: 'ingest docs/decisions'.
    folder = PurePath(root.resolve().name if file != root else file.resolve().parent.name)
    # Before the bytes: what is written in between is then seen as a change.
    stamp = stamp_of(status)
    raw = read_bounded(file, limit)

    reading = parse(raw, path=relative, folder=folder, read=read)
    return _placed(reading, root=file.parent if file == root else root, stamp=stamp)


def printable(path: Path | str) -> str:
    """Write a path so that it can be stored and shown, whatever the bytes of its name."""
    return str(path).encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _placed(
    reading: ParsedDocument | Skipped, *, root: Path, stamp: str
) -> ParsedDocument | Skipped:
    """Say of a document where it was read; its passages need not know."""
    if isinstance(reading, Skipped):
        return reading
    document = replace(reading.document, root=str(root.resolve()), stamp=stamp)
    entries = (_placed(item, root=root, stamp=stamp) for item in reading.entries)
    parsed = tuple(item for item in entries if isinstance(item, ParsedDocument))
    return replace(reading, document=document, entries=parsed)


def _shortened(card: Card) -> Card:
    """Keep the beginning of what is too long for a title or another particular, and warn of it."""
    long = {
        name: text
        for name in _PARTICULARS
        if len(text := getattr(card, name)) > MAX_PARTICULAR_CHARS
    }
    warnings = (
        f"its {name.replace('_', ' ')} has {len(text):,} characters; the first "
        f"{MAX_PARTICULAR_CHARS} are kept"
        for name, text in long.items()
    )
    kept: dict[str, Any] = {name: text[:MAX_PARTICULAR_CHARS] for name, text in long.items()}
    return replace(card, warnings=(*card.warnings, *warnings), **kept) if long else card


def _unread_status(document: Document, content: Content) -> list[str]:
    text = "" if document.status else stateless(content.sections)
    if not text:
        return []
    begin = textwrap.shorten(text, _BEGINNING, placeholder="...")
    return [f"its section Status names none ({begin!r}); the status is left open"]


def _document(card: Card, *, raw: bytes, path: str, content: Content) -> Document:
    body = "\n".join(block.text for section in content.sections for block in section.blocks)
    return Document(
        id=str(card.identity) if card.identity else by_path(path),
        kind=card.kind,
        number=card.number,
        approval=card.approval,
        identifier=card.identifier,
        title=card.title,
        status=card.status,
        date=card.date,
        owner=card.owner,
        lang=card.lang or identify(body),
        superseded_by=card.superseded_by,
        supersedes=card.supersedes,
        version=card.version,
        approvals=approvals_of(content.sections) if card.approval else (),
        path=path,
        sha256=hashlib.sha256(raw).hexdigest(),
    )
