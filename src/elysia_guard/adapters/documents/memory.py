"""What was read once and need not be read again: a page of PDF takes a tenth of a second."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path, PurePath
from typing import Any

from elysia_guard.adapters.documents.card import Claim
from elysia_guard.adapters.documents.parsed import ParsedDocument, Skipped
from elysia_guard.domain.document import Document, Identity, Passage, SectionRole
from elysia_guard.language import sentences
from elysia_guard.language.by_kinds import kept_by_kinds
from elysia_guard.language.own_kinds import own_kinds

_LIBRARIES = ("mammoth", "pdfminer.six", "selectolax", "sentencex")
_TABLE = "CREATE TABLE IF NOT EXISTS readings (key TEXT PRIMARY KEY, reading TEXT NOT NULL)"


class Memory:
    """Readings in a file beside the index, by the bytes that were read and by who read them.

    It only saves time: without a file, or with one that is damaged, everything is read anew.
    """

    def __init__(self, path: Path, *, dry_run: bool = False) -> None:
        self._path = path
        self._frozen = dry_run
        self._known = dict(self._stored())
        self._stored_keys = frozenset(self._known)
        self._used: dict[str, str] = {}

    def recall(
        self, raw: bytes, *, path: PurePath, read: Callable[[], ParsedDocument | Skipped]
    ) -> ParsedDocument | Skipped:
        """Return what was made of these bytes at this path, or read them now."""
        key = _key(raw, path)
        if kept := self._known.get(key):
            self._used[key] = kept
            return _reading(json.loads(kept))
        reading = read()
        self._used[key] = self._known[key] = json.dumps(_plain(reading))
        return reading

    def save(self) -> None:
        """Keep what was used, and forget the rest."""
        if self._frozen or self._used.keys() == self._stored_keys:
            return
        with _unless_damaged(), closing(sqlite3.connect(self._path)) as connection, connection:
            connection.execute(_TABLE)
            connection.execute("DELETE FROM readings")
            connection.executemany("INSERT INTO readings VALUES (?, ?)", self._used.items())

    def _stored(self) -> Iterator[tuple[str, str]]:
        if not self._path.exists():
            return
        with _unless_damaged(), closing(sqlite3.connect(self._path)) as connection:
            yield from connection.execute("SELECT key, reading FROM readings")


@contextmanager
def _unless_damaged() -> Iterator[None]:
    try:
        yield
    except (sqlite3.Error, OSError):
        return


@kept_by_kinds()
def _edition() -> str:
    """Name the readers: a change in any of them makes what it read another reading."""
    digest = hashlib.sha256()
    for module in (*sorted(Path(__file__).parent.glob("*.py")), Path(sentences.__file__)):
        digest.update(module.read_bytes())
    for library in _LIBRARIES:
        digest.update(version(library).encode())
    digest.update(own_kinds().digest.encode())
    return digest.hexdigest()


def _key(raw: bytes, path: PurePath) -> str:
    digest = hashlib.sha256(f"{_edition()}\0{path}\0".encode("utf-8", "surrogatepass"))
    digest.update(raw)
    return digest.hexdigest()


def _plain(reading: ParsedDocument | Skipped) -> dict[str, Any]:
    if isinstance(reading, Skipped):
        return {"skipped": asdict(reading)}
    passages = [
        (item.id, item.section, item.text, item.position, item.role) for item in reading.passages
    ]
    return {
        "document": asdict(reading.document),
        "passages": passages,
        "warnings": reading.warnings,
        "claims": [asdict(claim) for claim in reading.claims],
    }


def _reading(plain: dict[str, Any]) -> ParsedDocument | Skipped:
    if "skipped" in plain:
        return Skipped(**plain["skipped"])
    document = Document.of(plain["document"], own_kinds())
    return ParsedDocument(
        document=document,
        passages=tuple(_passage(document, *values) for values in plain["passages"]),
        warnings=tuple(plain["warnings"]),
        claims=tuple(_claim(**claim) for claim in plain["claims"]),
    )


def _passage(document: Document, *values: Any) -> Passage:
    id_, section, text, position, role = values
    return Passage(
        id=id_,
        document=document,
        section=section,
        text=text,
        position=position,
        role=SectionRole(role),
    )


def _claim(*, source: str, identity: dict[str, Any], written: str) -> Claim:
    who = Identity(**{**identity, "kind": own_kinds().named(identity["kind"])})
    return Claim(source=source, identity=who, written=written)
