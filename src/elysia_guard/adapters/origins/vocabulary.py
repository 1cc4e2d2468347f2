"""What concepts were read from, as it is now: SKOS files, or a server that is asked each time."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Lock

from elysia_guard.adapters.bounded import read_bounded
from elysia_guard.adapters.documents.reader import stamp_of
from elysia_guard.adapters.origins.looking import Lookout, devices
from elysia_guard.adapters.skos_limits import MAX_BYTES
from elysia_guard.adapters.skos_rdf import files_of, read_concepts
from elysia_guard.domain.concept import Concept
from elysia_guard.domain.errors import DocumentError
from elysia_guard.domain.origin import Against, Origin, OriginState

_UNCHANGED = Origin(state=OriginState.UNCHANGED, against=Against.FILE)
_UNREACHABLE = Origin(state=OriginState.UNREACHABLE, against=Against.INDEX)


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
        self._hash, self._are_near = "", False
        # Who reads them says what is wrong with files that cannot be read.
        with suppress(DocumentError, OSError):
            self._stamps = self._stamped()
            folders = any(path.is_dir() for path in self._paths)
            self._are_near = not folders and devices(self._paths) <= frozenset(near)
            self._hash = _hash(self._stamps, max_bytes)
        self._changed: dict[str, Concept] | None = None

    async def concepts(self, uris: Sequence[str]) -> Mapping[str, Origin]:
        """Look at the files (see ``ports.Origins``)."""
        if self._are_near and self._changed is None and self._are_same():
            return dict.fromkeys(uris, _UNCHANGED)
        found: dict[str, Origin] = {}

        def look() -> None:
            found.update({uri: self._look(uri) for uri in uris})

        if await self._lookout.run(look):
            return found
        if self._reading.locked():
            return dict.fromkeys(uris, Origin(state=OriginState.CHANGED, against=Against.FILE))
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
            return Origin(state=OriginState.GONE, against=Against.FILE)
        except OSError:
            return _UNREACHABLE
        if self._changed is None:
            return _UNCHANGED
        if uri not in self._changed:
            return Origin(state=OriginState.GONE, against=Against.FILE)
        said = self._changed[uri].stated
        return Origin(state=OriginState.CHANGED, against=Against.FILE, text=said)

    def _follow(self, stamps: Mapping[Path, str]) -> None:
        """Read what has changed, unless it was only touched; what is broken holds nothing."""
        with self._reading:
            if stamps == self._stamps:
                return
            if _hash(stamps, self._max_bytes) == self._hash:
                self._changed = None
            else:
                with suppress(DocumentError):
                    self._changed = {}
                    read = read_concepts(self._paths, max_bytes=self._max_bytes)
                    self._changed = {concept.uri: concept for concept in read}
            self._stamps = stamps

    def _stamped(self) -> Mapping[Path, str]:
        return {file: stamp_of(file.stat()) for file in files_of(self._paths)}


def _hash(files: Mapping[Path, str], max_bytes: int) -> str:
    digest = hashlib.sha256()
    for file in files:
        digest.update(f"{file}\0".encode("utf-8", "surrogatepass"))
        digest.update(read_bounded(file, max_bytes))
    return digest.hexdigest()
