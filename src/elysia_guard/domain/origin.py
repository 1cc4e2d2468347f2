"""What an answer's sources are now, at the moment of the answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from elysia_guard.domain.document import Document


class Against(StrEnum):
    """What a quote was held against."""

    FILE = "file"
    """The file (of a document, or of a vocabulary), as it is now."""
    STORE = "store"
    """The object in the store that serves it: a Weaviate, or a Skosmos."""
    INDEX = "index"
    """The index alone: what it was filled from cannot be reached from here."""
    RESULT = "result"
    """What a tool of somebody else returned."""


class OriginState(StrEnum):
    """What became of a source since it was read into the index."""

    UNCHANGED = "unchanged"
    CHANGED = "changed"
    GONE = "gone"
    UNREACHABLE = "unreachable"
    """It could not be looked at; whether it has changed is not known."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Origin:
    """A source as it is now.

    ``text`` is what it says now, where it had to be read again: empty where it is unchanged, and
    where there is nothing in it that can be read. ``document`` is then what it says of itself.
    """

    state: OriginState
    against: Against
    text: str = ""
    document: Document | None = None

    @property
    def is_stale(self) -> bool:
        """Whether it is not what the index knows of it."""
        return self.state in {OriginState.CHANGED, OriginState.GONE}


IN_THE_INDEX = Origin(state=OriginState.UNCHANGED, against=Against.INDEX)
"""The origin where there is nobody to ask."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Staleness:
    """Where an answer's sources are no longer what the index knows of them.

    ``withheld`` counts, by the id of its source, the quotes that no longer stand there.
    """

    changed: tuple[Document, ...] = ()
    gone: tuple[Document, ...] = ()
    vocabularies: tuple[str, ...] = ()
    """Of concepts that have changed: what the vocabulary is called."""
    unreachable: bool = False
    withheld: Mapping[str, int] = field(default_factory=dict)

    @property
    def found(self) -> bool:
        """Whether anything has changed or gone."""
        return bool(self.changed or self.gone or self.vocabularies)
