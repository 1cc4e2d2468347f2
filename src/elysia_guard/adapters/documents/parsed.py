"""What becomes of a file: a document with its passages, or a reason why not."""

from __future__ import annotations

from dataclasses import dataclass, replace

from elysia_guard.adapters.documents.card import Claim
from elysia_guard.domain.document import Document, Passage


@dataclass(frozen=True, kw_only=True, slots=True)
class ParsedDocument:
    """A document with its passages, what says who it is, and where that contradicts itself.

    ``entries`` are the documents of a file that is a register; this is then all of it as one.
    """

    document: Document
    passages: tuple[Passage, ...]
    warnings: tuple[str, ...] = ()
    claims: tuple[Claim, ...] = ()
    entries: tuple[ParsedDocument, ...] = ()

    def under(self, id_: str) -> ParsedDocument:
        """Return the document under another id; those of its passages begin with it."""
        document = replace(self.document, id=id_)
        held = len(self.document.id)
        passages = tuple(
            replace(passage, document=document, id=f"{id_}{passage.id[held:]}")
            for passage in self.passages
        )
        return replace(self, document=document, passages=passages)


@dataclass(frozen=True, kw_only=True, slots=True)
class Skipped:
    """A file that was left out, and why; a ``conflict`` is one that should not have to be."""

    path: str
    reason: str
    conflict: bool = False
