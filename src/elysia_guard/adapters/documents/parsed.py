"""What becomes of a file: a document with its passages, or a reason why not."""

from __future__ import annotations

from dataclasses import dataclass

from elysia_guard.adapters.documents.identity import Claim
from elysia_guard.domain.document import Document, Passage


@dataclass(frozen=True, kw_only=True, slots=True)
class ParsedDocument:
    """A document with its passages, what says who it is, and where that contradicts itself."""

    document: Document
    passages: tuple[Passage, ...]
    warnings: tuple[str, ...] = ()
    claims: tuple[Claim, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Skipped:
    """A file that was left out, and why."""

    path: str
    reason: str
