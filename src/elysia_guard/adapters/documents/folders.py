"""The files under folders: in one order always, within bounds, and watched for changes."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from elysia_guard.adapters.documents import formats
from elysia_guard.domain.errors import DocumentError

MAX_FILES = 100_000
"""Documents under all folders of one ingest."""
MAX_DEPTH = 50
"""Folders within folders."""

Leave = Callable[[Path, str], object]
"""Is told of each folder that is left out, and why."""
Stamp = tuple[int, int, int]
"""Of a file: inode, size, time of change."""


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


@dataclass(frozen=True, kw_only=True, slots=True)
class Look:
    """What there is at one moment; ``missing`` are paths that are watched and not there."""

    files: Mapping[str, Stamp] = field(default_factory=dict)
    missing: frozenset[str] = frozenset()


@dataclass(frozen=True, kw_only=True, slots=True)
class Changes:
    """What differs between two looks. The files of a path that is ``gone`` are not ``removed``."""

    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    back: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return any((self.added, self.changed, self.removed, self.gone, self.back))


def look(paths: Sequence[Path | str]) -> Look:
    """Stamp every file that an ingest would read, or say why not."""
    files: dict[str, Stamp] = {}
    missing: set[str] = set()
    for path in paths:
        try:
            found = [file for _, file in files_of([Path(path)])]
        except DocumentError:
            missing.add(str(path))
            continue
        for file in found:
            try:
                stat = file.stat()
            except OSError:  # removed in this moment
                continue
            files[str(file)] = (stat.st_ino, stat.st_size, stat.st_mtime_ns)
    return Look(files=files, missing=frozenset(missing))


def watch(
    paths: Sequence[Path | str],
    sleep: Callable[[float], object],
    *,
    since: Look,
    every_s: float = 1.0,
) -> Iterator[Changes]:
    """Look every so often and yield what has changed, nothing included; it never ends.

    A change counts when two looks agree on it: a file that is still being written waits.
    """
    known = last = since
    while True:
        sleep(every_s)
        now = look(paths)
        at_rest, last = now == last, now
        if at_rest:
            difference, known = compare(known, now), now
            yield difference
        else:
            yield Changes()


def compare(before: Look, now: Look) -> Changes:
    """Say what differs."""
    gone = sorted(now.missing - before.missing)
    back = sorted(before.missing - now.missing)
    return Changes(
        added=tuple(path for path in now.files if path not in before.files and not _in(path, back)),
        changed=tuple(
            path for path in now.files if before.files.get(path, now.files[path]) != now.files[path]
        ),
        removed=tuple(
            path for path in before.files if path not in now.files and not _in(path, gone)
        ),
        gone=tuple(gone),
        back=tuple(back),
    )


def _in(file: str, paths: Sequence[str]) -> bool:
    return any(Path(file).is_relative_to(path) for path in paths)
