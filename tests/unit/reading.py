"""Files read as an ingest reads them, for the tests of readers."""

from __future__ import annotations

import random

from elysia_guard.adapters.documents import ParsedDocument, Skipped
from elysia_guard.adapters.documents.reader import parse


def read(raw: bytes | str, path: str) -> ParsedDocument:
    """Read what is a document."""
    parsed = parse(raw.encode() if isinstance(raw, str) else raw, path=path)
    assert isinstance(parsed, ParsedDocument), parsed
    return parsed


def reason(raw: bytes | str, path: str) -> str:
    """Say why something is no document."""
    parsed = parse(raw.encode() if isinstance(raw, str) else raw, path=path)
    assert isinstance(parsed, Skipped), parsed
    return parsed.reason


def read_or_skipped(whole: bytes, path: str) -> bool:
    """Tell whether 300 damaged copies of a file are each read or skipped by name."""
    chance = random.Random(7)
    outcomes = set()
    for _ in range(300):
        raw = bytearray(whole)
        for _ in range(chance.randint(1, 8)):
            raw[chance.randrange(len(raw))] = chance.randrange(256)
        outcomes.add(type(parse(bytes(raw), path=path)))
    return outcomes == {ParsedDocument, Skipped}
