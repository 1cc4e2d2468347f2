"""Questions with their mentions marked: ``[[ADR-12|D]]`` a document, ``[[islanding|T]]`` a term."""

from __future__ import annotations

import re
import zlib
from dataclasses import dataclass

from elysia_guard.domain.question import Reference

_MARKED = re.compile(r"\[\[(?P<text>.+?)\|(?P<is>[DT])\]\]")


@dataclass(frozen=True)
class Marked:
    """A mention where it stands in a text."""

    start: int
    end: int
    text: str
    means: object


def marked(written: str) -> tuple[str, tuple[Marked, ...]]:
    """Return a question without its marks, and its mentions; those of one text mean the same."""
    text, spans, at = "", [], 0
    for found in _MARKED.finditer(written):
        text += written[at : found.start()]
        name, start = found["text"], len(text)
        text += name
        number = zlib.crc32(name.casefold().encode()) % 1_000_000
        means = Reference(number=number, written=name) if found["is"] == "D" else name.casefold()
        spans.append(Marked(start, len(text), name, means))
        at = found.end()
    return text + written[at:], tuple(spans)
