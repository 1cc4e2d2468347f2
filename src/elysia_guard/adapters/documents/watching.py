"""Watching folders: what has changed, told when it has come to rest."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from elysia_guard.adapters.documents.folders import files_of
from elysia_guard.domain.errors import DocumentError

Stamp = tuple[int, int, int]
"""Of a file: inode, size, time of change."""


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
