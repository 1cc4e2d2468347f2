"""The files under folders, in one order always: links, depth and number have their bounds."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from elysia_guard.adapters.documents import formats
from elysia_guard.domain.errors import DocumentError

MAX_FILES = 100_000
"""Documents under all folders of one ingest."""
MAX_DEPTH = 50
"""Folders within folders."""

Leave = Callable[[Path, str], object]
"""Is told of each folder that is left out, and why."""


def files_of(roots: Sequence[Path], *, leave: Leave | None = None) -> Iterator[tuple[Path, Path]]:
    """Yield (root, file) for each file to read, each once, in a stable order.

    Raises:
        DocumentError: a path does not exist, or there are more files than the limit.
    """
    seen: set[str] = set()
    for root in roots:
        if not root.exists():
            raise DocumentError(f"{root} does not exist; give a folder of documents")
        if not _is_text(root.resolve()):
            named = str(root).encode("utf-8", "surrogateescape").decode("utf-8", "replace")
            raise DocumentError(f"{named}: its name is not UTF-8; rename it")
        for file in [root] if root.is_file() else _walk(root, leave or _silently):
            # Unlike Path.resolve, this knows what to make of a link that leads to itself.
            real = os.path.realpath(file)
            if real in seen:
                continue
            seen.add(real)
            if len(seen) > MAX_FILES:
                raise DocumentError(
                    f"{root}: more than {MAX_FILES:,} documents; give folders further down, or "
                    "keep them in several indexes"
                )
            yield root, file


def _walk(root: Path, leave: Leave) -> Iterator[Path]:
    """Find the documents under a folder; links to folders are not followed."""
    found: list[Path] = []

    def unread(err: OSError) -> None:
        leave(Path(err.filename), f"cannot be read: {err.strerror or err}")

    deepest = len(root.parts) + MAX_DEPTH
    for folder, folders, names in os.walk(root, onerror=unread):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        if folders and len(Path(folder).parts) >= deepest:
            leave(Path(folder), f"folders in it are not read: they are more than {MAX_DEPTH} deep")
            folders[:] = []
        paths = (Path(folder, name) for name in names if not name.startswith("."))
        found += (path for path in paths if formats.is_document(path))
        if len(found) > MAX_FILES:
            break
    yield from sorted(found, key=lambda file: file.relative_to(root).parts)


def _is_text(path: Path) -> bool:
    try:
        str(path).encode()
    except UnicodeEncodeError:
        return False
    return True


def _silently(_path: Path, _reason: str) -> None:
    return
