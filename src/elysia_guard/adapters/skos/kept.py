"""The concepts of large files, kept beside the index as they were read: by content, never by name.

It is JSON behind a line that says what it was made of; whatever does not fit is read anew.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import fields
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, NamedTuple

from elysia_guard.adapters.skos.turtle import write_whole
from elysia_guard.domain.concept import Concept, Text
from elysia_guard.domain.errors import DocumentError

KEPT_FROM: Final = 500_000
"""Bytes of files from which on they are kept; less is read as fast."""
_FORMAT: Final = 1
_TEXTS: Final = frozenset(
    """preferred alternative hidden definitions scope_notes descriptions examples""".split()
)
_NAMES: Final = tuple(field.name for field in fields(Concept))


class ReadFiles(NamedTuple):
    """What files hold: their concepts, and of each without one that it is so."""

    concepts: Sequence[Concept]
    empty: tuple[str, ...] = ()


class KeptConcepts:
    """The concepts of the files that were read last, in one file.

    Args:
        place: of that file; None keeps nothing.
        files: what is to be read, with its bytes.
    """

    def __init__(self, place: Path | None, files: Sequence[tuple[Path, bytes]]) -> None:
        size = sum(len(data) for _, data in files)
        self._place = place if size >= KEPT_FROM else None
        self._made_of = _made_of(files) if self._place else ""

    def read(self) -> ReadFiles | None:
        """Return what is kept of just these files; None where that is nothing."""
        if self._place is None:
            return None
        with suppress(OSError, ValueError, TypeError):
            mark, _, body = self._place.read_bytes().partition(b"\n")
            if mark == self._mark(body):
                told = json.loads(body)
                return ReadFiles(list(map(_concept, told["concepts"])), tuple(told["empty"]))
        return None

    def write(self, found: ReadFiles) -> None:
        """Keep what was read, where it can be written."""
        if self._place is None:
            return
        told = {"empty": found.empty, "concepts": list(map(_packed, found.concepts))}
        body = json.dumps(told, ensure_ascii=False, separators=(",", ":")).encode()
        with suppress(DocumentError):
            write_whole(self._place, self._mark(body) + b"\n" + body)

    def _mark(self, body: bytes) -> bytes:
        return f"{self._made_of} {sha256(body).hexdigest()}".encode()


def _made_of(files: Sequence[tuple[Path, bytes]]) -> str:
    made = sha256(repr((_FORMAT, _NAMES)).encode())
    for path, data in files:
        made.update(f"{path} {len(data)} ".encode())
        made.update(data)
    return made.hexdigest()


def _packed(concept: Concept) -> list[Any]:
    return [
        [(text.value, text.lang) for text in getattr(concept, name)]
        if name in _TEXTS
        else getattr(concept, name)
        for name in _NAMES
    ]


def _concept(values: Sequence[Any]) -> Concept:
    said = dict(zip(_NAMES, values, strict=True))
    for name, value in said.items():
        if name in _TEXTS:
            said[name] = tuple([Text(value=text, lang=lang) for text, lang in value])
        elif name == "mappings":
            said[name] = tuple([(relation, uri) for relation, uri in value])
        elif isinstance(value, list):
            said[name] = tuple(value)
    return Concept(**said)
