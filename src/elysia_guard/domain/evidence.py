"""What was gathered for a question: concepts, hits, documents, and what could not be asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from elysia_guard.domain.concept import RelatedConcept, TermMatch
from elysia_guard.domain.document import Document, Hit
from elysia_guard.domain.errors import (
    CircuitOpenError,
    SourceTimeoutError,
    SourceUnavailableError,
)
from elysia_guard.domain.question import Reference


@dataclass(frozen=True, kw_only=True, slots=True)
class SourceFailure:
    """A source that could not be asked, and how it failed."""

    source: str
    timeout: bool
    circuit_open: bool = False
    """It was not even asked, because it has failed too often of late."""
    cause: str = ""
    """What went wrong, for operators."""

    @classmethod
    def of(cls, err: SourceUnavailableError) -> SourceFailure:
        """Return what an error says of its source."""
        return cls(
            source=err.source,
            timeout=isinstance(err, SourceTimeoutError),
            circuit_open=isinstance(err, CircuitOpenError),
            cause=str(err),
        )

    @property
    def flags(self) -> tuple[str, ...]:
        """IR0003's fallback flags: ``skosmos_timeout``, ``skosmos_error``, ``circuit_open``."""
        flag = f"{self.source}_{'timeout' if self.timeout else 'error'}"
        return (flag, "circuit_open") if self.circuit_open else (flag,)


@dataclass(frozen=True, kw_only=True, slots=True)
class Evidence:
    """The material for one answer.

    ``looked_at`` names every source that was asked, for the reader; ``absent`` holds references
    that no document answers to, ``undecided`` bare numbers with the documents they could mean;
    ``fallbacks`` are the degradations in force, such as ``bm25_only``.
    """

    matches: tuple[TermMatch, ...] = ()
    others: tuple[TermMatch, ...] = ()
    """The other meanings of a term of which one was chosen before."""
    related: tuple[RelatedConcept, ...] = ()
    hits: tuple[Hit, ...] = ()
    documents: tuple[Document, ...] = ()
    absent: tuple[Reference, ...] = ()
    undecided: tuple[Document, ...] = ()
    unrecorded: tuple[Document, ...] = ()
    """Documents that exist, of which an approval record was asked that does not."""
    owners: tuple[str, ...] = ()
    """Whose documents are listed, as the documents themselves name their owner."""
    other_owners: tuple[str, ...] = ()
    """The owners that there are, where the one that a list asks for is none of them."""
    looked_at: tuple[str, ...] = ()
    missing: tuple[SourceFailure, ...] = ()
    fallbacks: tuple[str, ...] = ()
    rarity: Mapping[str, float] = field(default_factory=dict)
    """How rare each content word of the question is among the passages, 0 to 1."""
    synonyms: tuple[tuple[str, ...], ...] = ()
    """Groups of words that mean the same by the vocabulary; each group is one query term's."""
    likeness: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    """For each content word those of the hits that mean alike, and how alike, above 0 to 1."""
