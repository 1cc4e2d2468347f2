"""What the index and the vocabulary were read from, as it is now."""

from __future__ import annotations

import asyncio
import hashlib
import os
import stat
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache, partial
from pathlib import Path, PurePath, PurePosixPath
from threading import Lock, Thread

from elysia_guard.adapters.bounded import read_bounded
from elysia_guard.adapters.documents import formats
from elysia_guard.adapters.documents.content import Skipped
from elysia_guard.adapters.documents.formats import DEADLINE_S, ForeignReader, Read, stamp_of
from elysia_guard.adapters.skos.rdf import MAX_BYTES, files_of, read_concepts
from elysia_guard.adapters.verbatim import lines_of
from elysia_guard.domain.concept import Concept
from elysia_guard.domain.document import Document
from elysia_guard.domain.errors import DocumentError
from elysia_guard.domain.origin import Against, Origin, OriginState
from elysia_guard.ports import Lines

MOST_READ = 100
"""So many files that have changed are read again for one answer."""
MOST_KEPT = 256
MOST_STAMPS = 100_000
MOST_LATE = 4
"""A file system that hangs holds a thread each time; with so many held nobody waits any more."""


def _file(state: OriginState) -> Origin:
    return Origin(state=state, against=Against.FILE)


_SAME = _file(OriginState.UNCHANGED)
_UNREACHABLE = Origin(state=OriginState.UNREACHABLE, against=Against.INDEX)


def devices(paths: Iterable[Path]) -> frozenset[int]:
    """Name the devices on which some paths lie; those that are not there have none."""
    found = set()
    for path in paths:
        with suppress(OSError):
            found.add(path.stat().st_dev)
    return frozenset(found)


class Lookout:
    """Runs each blocking look in a thread of its own, which keeps no program from ending."""

    def __init__(self, *, within_s: float) -> None:
        """Take the time, in seconds, that a question waits at most."""
        self._within_s = within_s
        self._late: list[Future[None]] = []

    async def run(self, look: Callable[[], None]) -> bool:
        """Run a look, and tell whether it ended in time; one that is late goes on by itself."""
        self._late = [each for each in self._late if not each.done()]
        if len(self._late) >= MOST_LATE:
            return False
        work: Future[None] = Future()
        Thread(target=_do, args=(look, work), name="elysia-guard-origins", daemon=True).start()
        done, _ = await asyncio.wait({asyncio.wrap_future(work)}, timeout=self._within_s)
        if done:
            work.result()
            return True
        self._late.append(work)
        return False


def _do(look: Callable[[], None], work: Future[None]) -> None:
    try:
        look()
    except Exception as err:  # noqa: BLE001  it is raised where the look was asked for
        work.set_exception(err)
    else:
        work.set_result(None)


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
        deadline_s: float = DEADLINE_S,
    ) -> None:
        self._trusted = [path.resolve() for path in trusted]
        self._only_trusted = only_trusted
        self._otherwise = otherwise
        self._near = frozenset(near)
        self._near_roots: set[str] = set()
        self._lookout = Lookout(within_s=within_s)
        self._hashes: dict[Path, tuple[str, str]] = {}
        reader = ForeignReader(deadline_s=deadline_s)
        self._read = lru_cache(maxsize=MOST_KEPT)(partial(_now, reader.read))
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
        return not self._near.isdisjoint(devices(self._roots(root)[:1]))

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
    return _sha256(file, formats.max_bytes(file))


def _now(read: Read, file: Path, _stamp: str, root: Path, path: str, id_: str) -> Origin:
    """Read a file again, as an ingest would; the stamp tells one version of it from another."""
    from elysia_guard.adapters.documents.reader import parse  # few files change
    from elysia_guard.adapters.documents.register import with_id

    try:
        if file.stat().st_size > formats.max_bytes(file):
            return _file(OriginState.CHANGED)
        raw = read_bounded(file, formats.max_bytes(file))
        reading = parse(raw, path=path, folder=PurePath(root.name), read=read)
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


class LiveVocabulary:
    """A vocabulary that is asked for each question: what it says is what it says now."""

    async def concepts(self, uris: Sequence[str]) -> Mapping[str, Origin]:
        """Return the concepts as they were looked up."""
        live = Origin(state=OriginState.UNCHANGED, against=Against.STORE)
        return dict.fromkeys(uris, live)


class VocabularyFiles:
    """Holds concepts against the SKOS files that they were read from.

    To be made before the files are read: it takes note of what they are at that moment. Files that
    have changed are read again whole, once; a large vocabulary takes longer than a question waits,
    and until then nothing can be quoted from it.
    """

    def __init__(
        self,
        paths: Sequence[Path],
        *,
        near: Collection[int] = (),
        within_s: float = 0.3,
        max_bytes: int = MAX_BYTES,
    ) -> None:
        self._max_bytes = max_bytes
        self._paths = list(paths)
        self._lookout = Lookout(within_s=within_s)
        self._reading = Lock()
        self._stamps: Mapping[Path, str] = {}
        self._hashes: Mapping[Path, str] = {}
        self._are_near = False
        # Who reads them says what is wrong with files that cannot be read.
        with suppress(DocumentError, OSError):
            self._stamps = self._stamped()
            folders = any(path.is_dir() for path in self._paths)
            self._are_near = not folders and devices(self._paths) <= frozenset(near)
            self._hashes = _hashes_of(self._stamps, max_bytes)
        self._changed: dict[str, Concept] | None = None

    async def concepts(self, uris: Sequence[str]) -> Mapping[str, Origin]:
        """Look at the files (see ``ports.Origins``)."""
        if self._are_near and self._changed is None and self._are_same():
            return dict.fromkeys(uris, _SAME)
        found: dict[str, Origin] = {}

        def look() -> None:
            found.update({uri: self._look(uri) for uri in uris})

        if await self._lookout.run(look):
            return found
        if self._reading.locked():
            return dict.fromkeys(uris, _file(OriginState.CHANGED))
        return dict.fromkeys(uris, _UNREACHABLE)

    def _are_same(self) -> bool:
        """Tell at once whether files that lie near have the stamps they had."""
        try:
            return self._stamped() == self._stamps
        except (DocumentError, OSError):
            return False

    def _look(self, uri: str) -> Origin:
        try:
            self._follow(self._stamped())
        except (DocumentError, FileNotFoundError):
            return _file(OriginState.GONE)
        except OSError:
            return _UNREACHABLE
        if self._changed is None:
            return _SAME
        if uri not in self._changed:
            return _file(OriginState.GONE)
        said = self._changed[uri].stated
        return Origin(state=OriginState.CHANGED, against=Against.FILE, text=said)

    def _follow(self, stamps: Mapping[Path, str]) -> None:
        """Read what has changed, unless it was only touched; what is broken holds nothing."""
        with self._reading:
            if stamps == self._stamps:
                return
            if _hashes_of(stamps, self._max_bytes) == self._hashes:
                self._changed = None
            else:
                self._changed = {}
                with suppress(DocumentError):
                    read = read_concepts(
                        self._paths, max_bytes=self._max_bytes, on_empty=lambda _: None
                    )
                    self._changed = {concept.uri: concept for concept in read}
            self._stamps = stamps

    def _stamped(self) -> Mapping[Path, str]:
        return {file: stamp_of(file.stat()) for file in files_of(self._paths)}


def _hashes_of(files: Iterable[Path], max_bytes: int) -> Mapping[Path, str]:
    return {file: _sha256(file, max_bytes) for file in files}


def _sha256(file: Path, limit: int) -> str:
    return hashlib.sha256(read_bounded(file, limit)).hexdigest()


class IndexOrigins:
    """The ``Origins`` of an index and a vocabulary, and the ``LineFinder`` of its documents."""

    def __init__(
        self, documents: DocumentFiles, concepts: VocabularyFiles | LiveVocabulary
    ) -> None:
        self.documents = documents.documents
        self.lines = documents.lines
        self.concepts = concepts.concepts
