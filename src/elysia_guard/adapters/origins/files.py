"""The files that documents were read from, as they are now."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from pathlib import Path, PurePath, PurePosixPath

from elysia_guard.adapters.bounded import read_bounded
from elysia_guard.adapters.documents import formats
from elysia_guard.adapters.documents.parsed import Skipped
from elysia_guard.adapters.documents.reader import parse, stamp_of
from elysia_guard.adapters.documents.registers import with_id
from elysia_guard.adapters.origins.looking import Lookout, devices
from elysia_guard.domain.document import Document
from elysia_guard.domain.errors import DocumentError
from elysia_guard.domain.origin import Against, Origin, OriginState
from elysia_guard.language.verbatim import lines_of
from elysia_guard.ports import Lines

MOST_READ = 100
"""So many files that have changed are read again for one answer."""
MOST_KEPT = 256
MOST_STAMPS = 100_000


class DocumentFiles:
    """Holds documents against their files: by a stamp, and where that differs by their bytes.

    Files on a device that ``near`` names are looked at where it is awaited: in microseconds, less
    than a thread takes to begin. All others, and all reading, are looked at beside the loop.

    ``trusted`` are folders of the configuration. A document whose own folder is not here is looked
    for in one of them that bears its name; with ``only_trusted``, in no other. A document of none
    of these stands against ``otherwise``: the index, or the store that serves it.
    """

    def __init__(
        self,
        trusted: Sequence[Path] = (),
        *,
        only_trusted: bool = False,
        otherwise: Against = Against.INDEX,
        near: Collection[int] = (),
        within_s: float = 0.3,
    ) -> None:
        self._trusted = [path.resolve() for path in trusted]
        self._only_trusted = only_trusted
        self._otherwise = otherwise
        self._near = frozenset(near)
        self._near_roots: set[str] = set()
        self._lookout = Lookout(within_s=within_s)
        self._hashes: dict[Path, tuple[str, str]] = {}
        self._read = lru_cache(maxsize=MOST_KEPT)(_now)
        self._roots = lru_cache(maxsize=MOST_KEPT)(self._folders)

    async def documents(
        self, documents: Sequence[Document], *, read: Collection[str] = ()
    ) -> Mapping[str, Origin]:
        """Look at the files of some documents (see ``ports.Origins``)."""
        found: dict[str, Origin] = {}
        here = [each for each in documents if each.sha256]
        unsettled = [each for each in here if each.id in read or not self._is_same(each)]

        def look() -> None:
            # First all, and then what takes time: it may be up before the end.
            found.update({each.id: self._look(each, reread=False) for each in unsettled})
            self._near_roots |= {each.root for each in unsettled if self._lies_near(each.root)}
            changed = [
                each
                for each in unsettled
                if each.id in read or found[each.id].state is OriginState.CHANGED
            ]
            for each in changed[:MOST_READ]:
                found[each.id] = self._look(each, reread=True)

        if unsettled:
            await self._lookout.run(look)
        late = self._beyond(OriginState.UNREACHABLE)
        looked = {each.id: late for each in unsettled} | dict(found)
        return {each.id: looked.get(each.id, _SAME) for each in here}

    async def lines(self, quoted: Sequence[tuple[Document, str]]) -> Sequence[Lines | None]:
        """Find the lines of words in the files of text (see ``ports.LineFinder``)."""
        found: dict[int, Lines | None] = {}

        def look() -> None:
            for n, (document, words) in enumerate(quoted[:MOST_READ]):
                with suppress(OSError, UnicodeDecodeError):
                    found[n] = self._lines(document, words)

        await self._lookout.run(look)
        known = dict(found)
        return [known.get(n) for n in range(len(quoted))]

    def _lines(self, document: Document, words: str) -> Lines | None:
        for root in self._roots(document.root):
            file = _file_at(root, document.path)
            if file and formats.is_text(file) and file.is_file() and _is_within(file, root):
                text = read_bounded(file, formats.max_bytes(file)).decode("utf-8-sig")
                return lines_of(words, text)
        return None

    def _is_same(self, document: Document) -> bool:
        """Tell at once whether a file that lies near has the stamp it had; False is not sure."""
        if document.root not in self._near_roots:
            return False
        file = _file_at(self._roots(document.root)[0], document.path)
        try:
            stamp = stamp_of(file.stat()) if file else ""
        except OSError:
            return False
        known = self._hashes.get(file) if file else None
        return bool(file) and (stamp == document.stamp or known == (stamp, document.sha256))

    def _lies_near(self, root: str) -> bool:
        folders = self._roots(root)
        return bool(folders) and not self._near.isdisjoint(devices(folders[:1]))

    def _look(self, document: Document, *, reread: bool) -> Origin:
        try:
            return self._found(document, reread=reread)
        except (FileNotFoundError, NotADirectoryError):
            there = any(root.is_dir() for root in self._roots(document.root)[:1])
            return _file(OriginState.GONE) if there else self._moved(document, reread=reread)
        except OSError:
            return self._beyond(OriginState.UNREACHABLE)

    def _moved(self, document: Document, *, reread: bool) -> Origin:
        """Look for a document whose folder is not there in a trusted one of that name."""
        for root in self._roots(document.root)[1:]:
            if root.is_dir():
                here = replace(document, root=str(root))
                return self._look(here, reread=reread)
        return self._beyond(OriginState.UNREACHABLE)

    def _found(self, document: Document, *, reread: bool) -> Origin:
        roots = self._roots(document.root)
        file = _file_at(roots[0], document.path) if roots else None
        if file is None:
            return self._beyond(OriginState.UNREACHABLE)
        status = file.stat()
        stamp = stamp_of(status)
        # What is neither read nor hashed need not be asked where it leads.
        if stamp == document.stamp and not reread:
            return _SAME
        # A link out of the folder is no document of it: an ingest would not read it either.
        if not (_is_within(file, roots[0]) and stat.S_ISREG(status.st_mode)):
            return _file(OriginState.GONE)
        if not reread:
            same = self._hash(file, stamp) == document.sha256
            return _file(OriginState.UNCHANGED if same else OriginState.CHANGED)
        return self._read(file, stamp, roots[0], document.path, document.id)

    def _hash(self, file: Path, stamp: str) -> str:
        """Return the hash of a file's bytes; taken anew only where its stamp is another."""
        known = self._hashes.get(file)
        if known is None or known[0] != stamp:
            if len(self._hashes) >= MOST_STAMPS:
                self._hashes.clear()
            known = self._hashes[file] = (stamp, _hash(file))
        return known[1]

    def _folders(self, own: str) -> tuple[Path, ...]:
        """The folders in which a document may lie: its own, then trusted ones of that name."""
        if not own:
            return ()
        root = Path(own)
        named = [path for path in self._trusted if path.name == root.name and path != root]
        if self._only_trusted and root not in self._trusted:
            return tuple(named)
        return (root, *named)

    def _beyond(self, state: OriginState) -> Origin:
        """The origin of a document whose file cannot be looked at."""
        if self._otherwise is Against.INDEX:
            return Origin(state=state, against=Against.INDEX)
        return Origin(state=OriginState.UNCHANGED, against=self._otherwise)


@lru_cache(maxsize=MOST_STAMPS)
def _file_at(root: Path, path: str) -> Path | None:
    """The file at a path of the index; None where the path itself leads out of the folder."""
    relative = PurePosixPath(path)
    if relative.is_absolute() or ".." in relative.parts or not formats.is_document(relative):
        return None
    return root / relative


def _is_within(file: Path, root: Path) -> bool:
    """Tell whether a file lies in a folder, links followed."""
    # Unlike Path.resolve, this knows what to make of a link that leads to itself.
    return Path(os.path.realpath(file)).is_relative_to(root.resolve())


def _hash(file: Path) -> str:
    if file.stat().st_size > formats.max_bytes(file):
        return ""
    return hashlib.sha256(read_bounded(file, formats.max_bytes(file))).hexdigest()


def _now(file: Path, stamp: str, root: Path, path: str, id_: str) -> Origin:  # noqa: ARG001
    """Read a file again, as an ingest would; the stamp tells one version of it from another."""
    try:
        if file.stat().st_size > formats.max_bytes(file):
            return _file(OriginState.CHANGED)
        raw = read_bounded(file, formats.max_bytes(file))
        reading = parse(raw, path=path, folder=PurePath(root.name))
    except FileNotFoundError:
        return _file(OriginState.GONE)
    except (DocumentError, OSError):
        return _file(OriginState.CHANGED)
    if isinstance(reading, Skipped):
        return _file(OriginState.CHANGED)
    reading = with_id(reading, id_)
    if reading.document.id != id_:
        return _file(OriginState.GONE)
    text = "\n\n".join(passage.text for passage in reading.passages)
    return Origin(
        state=OriginState.CHANGED, against=Against.FILE, text=text, document=reading.document
    )


def _file(state: OriginState) -> Origin:
    return Origin(state=state, against=Against.FILE)


_SAME = _file(OriginState.UNCHANGED)
