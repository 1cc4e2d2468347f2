"""Which collections a question may reach: what it is asked of, and the seam for access rights."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from elysia_guard.domain.document import Document, DocumentKind, Filters
from elysia_guard.domain.kinds import STANDING_KINDS


class VocabularyUse(StrEnum):
    """Whether the vocabulary may say what a term means."""

    ASKED = "asked"
    OUTSIDE = "outside"
    """There is one, which is not among the collections asked."""
    NONE = "none"
    """None is configured."""


@dataclass(frozen=True, kw_only=True, slots=True)
class CollectionScope:
    """What one question may reach; by default everything.

    ``kinds`` are the kinds of documents in the collections asked: None is all of them, and an
    empty tuple none. ``asked`` are the collections as the caller named them.

    >>> policies = CollectionScope.of_kind(DocumentKind.POLICY)
    >>> policies.reaches(DocumentKind.DECISION)
    False
    """

    kinds: tuple[DocumentKind, ...] | None = None
    vocabulary: VocabularyUse = VocabularyUse.ASKED
    asked: tuple[str, ...] = ()

    @classmethod
    def of_kind(cls, kind: DocumentKind) -> CollectionScope:
        """Reach the documents of one kind, and nothing else."""
        return cls(kinds=(kind,), vocabulary=VocabularyUse.OUTSIDE, asked=(kind.value,))

    @classmethod
    def of_names(
        cls, names: Sequence[str], collections: Mapping[DocumentKind, str], vocabulary: str
    ) -> CollectionScope:
        """Reach the collections of these names alone; no name at all reaches everything.

        A name is that of a collection, or of a kind ('policy', 'vocabulary'). Those of other
        people's collections open nothing: named alone, they leave nothing to ask.
        """
        if not names:
            return cls()
        wanted = {name.casefold() for name in names}
        every = sorted(dict.fromkeys([*collections, *STANDING_KINDS]), key=lambda kind: kind.rank)
        kinds = tuple(
            kind
            for kind in every
            if wanted & {kind.value, collections.get(kind, kind.value).casefold()}
        )
        told = wanted & {"vocabulary", vocabulary.casefold()}
        use = VocabularyUse.ASKED if told else VocabularyUse.OUTSIDE
        return cls(kinds=kinds, vocabulary=use, asked=tuple(dict.fromkeys(names)))

    @property
    def is_restricted(self) -> bool:
        """Whether there may be something that it does not reach."""
        return self.kinds is not None or self.vocabulary is VocabularyUse.OUTSIDE

    @property
    def defines(self) -> bool:
        """Whether the vocabulary may say what a term means."""
        return self.vocabulary is VocabularyUse.ASKED

    @property
    def only(self) -> DocumentKind | None:
        """The one kind of documents that it reaches; None where there are others, or none."""
        return self.kinds[0] if self.kinds and len(self.kinds) == 1 else None

    def reaches(self, kind: DocumentKind) -> bool:
        """Tell whether documents of a kind may be asked."""
        return self.kinds is None or kind in self.kinds

    def reached(self, kinds: Sequence[DocumentKind]) -> tuple[DocumentKind, ...]:
        """Those of some kinds that may be asked."""
        return tuple(kind for kind in kinds if self.reaches(kind))

    def admits(self, document: Document) -> bool:
        """Tell whether a document may be asked."""
        return self.reaches(document.kind)

    def narrow(self, filters: Filters) -> Filters | None:
        """Restrict filters to what may be asked; None where that leaves nothing."""
        if self.kinds is None:
            return filters
        kinds = self.reached(filters.kinds or self.kinds)
        return replace(filters, kinds=kinds) if kinds else None

    @property
    def is_empty(self) -> bool:
        """Whether it reaches nothing: none of the collections asked is there."""
        return self.kinds == () and not self.defines

    def __and__(self, other: CollectionScope) -> CollectionScope:
        """Reach what both reach: what is asked, of what somebody may see."""
        if not (self.is_restricted and other.is_restricted):
            return self if self.is_restricted else other
        kinds = self.kinds if other.kinds is None else self.reached(other.kinds)
        use = self.vocabulary if other.defines else other.vocabulary
        return CollectionScope(kinds=kinds, vocabulary=use, asked=(*self.asked, *other.asked))

    def without_vocabulary(self) -> CollectionScope:
        """The same where no vocabulary is configured."""
        return replace(self, vocabulary=VocabularyUse.NONE)


EVERYTHING = CollectionScope()
NOTHING = CollectionScope(kinds=(), vocabulary=VocabularyUse.OUTSIDE)
