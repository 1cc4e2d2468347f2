"""A drafted answer: quotes, each tied to its source; and what holds of it against them."""

from __future__ import annotations

from dataclasses import dataclass, field

from elysia_guard.domain.concept import Concept
from elysia_guard.domain.document import Document
from elysia_guard.domain.origin import Staleness
from elysia_guard.domain.response import Source, Validation


@dataclass(frozen=True, kw_only=True, slots=True)
class Quote:
    """Words taken from a source, and the number of that source (from 1).

    ``lead`` and ``tail`` are ours, around the quoted words: 'Status: ', or a document's identifier.
    ``under`` is the heading that it stands under, where a reader has to know it, ``marked`` the
    sentences of a paragraph that were looked for.
    """

    text: str
    source: int
    lead: str = ""
    tail: str = ""
    under: str = ""
    marked: tuple[str, ...] = ()

    @property
    def sought(self) -> str:
        """The words that were looked for: the marked sentences, or all of it."""
        return " ".join(self.marked) or self.text


@dataclass(frozen=True, kw_only=True, slots=True)
class Block:
    """A part of an answer: a heading line of our own, and the quotes under it.

    ``heading`` holds names, titles and metadata only; ``notes`` are further lines of our own
    (relations of a concept, the state of a document). Of what it tells, ``left`` units are not
    shown; the question ``more`` asks for these.
    """

    heading: str = ""
    quotes: tuple[Quote, ...] = ()
    notes: tuple[str, ...] = ()
    left: int = 0
    more: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Cited:
    """Where a source's text is from: a concept, or a document.

    ``stated`` is what a document says of itself; ``altered`` a text that is not the index's own.
    """

    of: Document | Concept
    stated: bool = False
    altered: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Draft:
    """The blocks of an answer, and its sources.

    ``origins[i]`` is the text of source i+1 as the index has it, ``cited[i]`` where it is from.
    """

    blocks: tuple[Block, ...]
    sources: tuple[Source, ...]
    origins: tuple[str, ...]
    cited: tuple[Cited, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class HeldDraft:
    """A draft, held against its sources as they are now, and where those are no longer as known."""

    draft: Draft
    validation: Validation
    staleness: Staleness = field(default_factory=Staleness)

    @property
    def holds(self) -> bool:
        """Whether all of it stands in its sources."""
        return self.validation.confidence >= 1.0
