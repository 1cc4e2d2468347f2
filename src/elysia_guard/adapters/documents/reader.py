"""Folders of Markdown and text, read in one order always; what is left out is told why."""

from __future__ import annotations

import hashlib
import os
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath

from elysia_guard.adapters.documents import chunks, front_matter, markdown
from elysia_guard.adapters.documents.identity import Card, is_template, read_card
from elysia_guard.domain.document import Document, Passage
from elysia_guard.domain.errors import DocumentError
from elysia_guard.language.identify import identify

SUFFIXES = (".md", ".markdown", ".txt")
MAX_BYTES = 2_000_000
_INDEX_PAGES = ("index", "_index", "readme")


@dataclass(frozen=True, kw_only=True, slots=True)
class ParsedDocument:
    """A document with its passages, and what it says that contradicts itself."""

    document: Document
    passages: tuple[Passage, ...]
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Skipped:
    """A file that was left out, and why."""

    path: str
    reason: str


def read_folder(paths: Iterable[Path | str]) -> Iterator[ParsedDocument | Skipped]:
    """Read every document under some folders (or single files), in a stable order.

    Of two files that claim one identity the first is read; the second is skipped by name.

    Raises:
        DocumentError: a path does not exist.
    """
    taken: dict[str, str] = {}
    for root, file in _files([Path(path) for path in paths]):
        relative = file.relative_to(root).as_posix() if file != root else file.name
        try:
            result = _read(file, root=root, relative=relative)
        except DocumentError as err:
            result = Skipped(path=relative, reason=str(err))
        except OSError as err:
            result = Skipped(
                path=relative, reason=f"{relative} cannot be read: {err.strerror or err}"
            )
        if isinstance(result, ParsedDocument):
            first = taken.setdefault(result.document.id, relative)
            if first is not relative:
                reason = f"it claims {result.document.id}, as {first} does, which is kept"
                result = Skipped(path=relative, reason=reason)
        yield result


def parse(raw: bytes, *, path: str, folder: PurePath | None = None) -> ParsedDocument | Skipped:
    """Make a document of a file's bytes; ``folder`` is where it lies, if ``path`` does not say.

    Raises:
        DocumentError: the front matter is not well-formed; names file and line.
    """
    name = (folder or PurePath()) / path
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as err:
        return Skipped(path=path, reason=f"not UTF-8 (byte {err.start})")
    front, body = front_matter.split(_plain_newlines(text), name=path)
    heading, sections = markdown.parse(body)
    if is_template(front, path=name, heading=heading):
        return Skipped(path=path, reason="a template")
    if not sections:
        return Skipped(path=path, reason="empty")
    card = read_card(front, path=name, heading=heading)
    document = _document(card, raw=raw, path=path, sections=sections)
    warnings = tuple(f"{path}: {warning}" for warning in card.warnings)
    return ParsedDocument(
        document=document, passages=chunks.cut(document, sections), warnings=warnings
    )


def _files(roots: Sequence[Path]) -> Iterator[tuple[Path, Path]]:
    seen: set[Path] = set()
    for root in roots:
        if not root.exists():
            raise DocumentError(f"{root} does not exist; give a folder of Markdown files")
        for file in [root] if root.is_file() else _walk(root):
            if file.resolve() not in seen:
                seen.add(file.resolve())
                yield root, file


def _walk(root: Path) -> Iterator[Path]:
    found: list[Path] = []
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if not name.startswith(".")]
        found += [Path(folder, name) for name in names if not name.startswith(".")]
    yield from sorted(
        (file for file in found if file.suffix.lower() in SUFFIXES),
        key=lambda file: file.relative_to(root).parts,
    )


def _read(file: Path, *, root: Path, relative: str) -> ParsedDocument | Skipped:
    if file.stem.casefold() in _INDEX_PAGES:
        return Skipped(path=relative, reason="an index page")
    if file != root and not file.resolve().is_relative_to(root.resolve()):
        return Skipped(path=relative, reason="a link out of the folder")
    if not file.is_file():
        return Skipped(path=relative, reason="not a file")
    if (size := file.stat().st_size) > MAX_BYTES:
        return Skipped(path=relative, reason=f"{size:,} bytes; the limit is {MAX_BYTES:,}")
    # The root's own name may be the folder that tells the kind: 'ingest docs/decisions'.
    folder = PurePath(root.resolve().name if file != root else file.resolve().parent.name)
    return parse(file.read_bytes(), path=relative, folder=folder)


def _document(
    card: Card, *, raw: bytes, path: str, sections: Sequence[markdown.Section]
) -> Document:
    body = "\n".join(block.text for section in sections for block in section.blocks)
    return Document(
        id=str(card.identity) if card.identity else f"DOC-{_slug(path)}",
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
        path=path,
        sha256=hashlib.sha256(raw).hexdigest(),
    )


def _slug(path: str) -> str:
    stem = str(PurePath(path).with_suffix(""))
    bare = "".join(
        c for c in unicodedata.normalize("NFKD", stem.lower()) if not unicodedata.combining(c)
    )
    return re.sub(r"[\W_]+", "-", bare).strip("-")


def _plain_newlines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")
