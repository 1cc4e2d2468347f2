"""What there is to ask about, for help and for ways on: nothing is named that is not there."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from elysia_guard.domain.document import Document, DocumentKind


@dataclass(frozen=True, kw_only=True, slots=True)
class Examples:
    """A term, a document and the kinds of documents at hand; each may be missing."""

    term: str = ""
    document: Document | None = None
    kinds: tuple[DocumentKind, ...] = ()

    @property
    def named(self) -> str:
        """How a document is asked for by name; empty where none has a number to be found by."""
        document = self.document
        return document.name if document and document.number is not None else ""

    @classmethod
    def of(cls, documents: Iterable[Document], *, term: str = "") -> Examples:
        """Take the first document that can be asked for by its number, else the first."""
        known = sorted(documents, key=lambda item: (item.number is None, item.place))
        kinds = {item.kind for item in known}
        return cls(
            term=term,
            document=known[0] if known else None,
            kinds=tuple(sorted(kinds, key=lambda kind: kind.rank)),
        )
