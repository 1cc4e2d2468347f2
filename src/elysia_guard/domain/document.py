"""Documents of the knowledge base, their identity, and the passages they are cut into."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from elysia_guard.domain.kinds import DocumentKind
from elysia_guard.domain.own_kinds import STANDING, OwnKinds

__all__ = [
    "Approval",
    "Document",
    "DocumentKind",
    "Filters",
    "Hit",
    "Identity",
    "IndexInfo",
    "Passage",
    "SectionRole",
    "doc_type",
]


@dataclass(frozen=True, kw_only=True, slots=True, order=True)
class Identity:
    """Which document: kind and number, and whether its approval record (DAR) is meant.

    >>> str(Identity(kind=DocumentKind.DECISION, number=12))
    'ADR-0012'
    >>> str(Identity(kind=DocumentKind.DECISION, number=12, approval=True))
    'ADR-0012D'
    """

    kind: DocumentKind
    number: int
    approval: bool = False

    def __str__(self) -> str:
        return f"{self.kind.written(self.number)}{'D' if self.approval else ''}"

    @property
    def doc_type(self) -> str:
        """The type as sources name it: ``ADR``, ``DAR``, ``Principle`` or ``Policy``."""
        return doc_type(self.kind, approval=self.approval)


def doc_type(kind: DocumentKind, *, approval: bool) -> str:
    """Name the type of a document: an approval record is a ``DAR``, whatever it approves."""
    return "DAR" if approval else kind.doc_type


PEOPLE = ("approvers", "consulted", "informed")
"""Of whom an approval record may have a table."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Approval:
    """One approval as its record lists it, word for word; empty where the record is silent.

    ``section`` is the heading it stands under, as the record's passages name it. Each of
    ``approvers``, ``consulted`` and ``informed`` is a row of their table: 'Name: ...; Role: ...'.
    """

    section: str = ""
    version: str = ""
    decision: str = ""
    date: str = ""
    driver: str = ""
    approvers: tuple[str, ...] = ()
    consulted: tuple[str, ...] = ()
    informed: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Document:
    """One document: who it is, what state it is in, where it came from.

    ``identifier`` is the reference as the document itself writes it ('ADR.12'); ``path`` is
    relative to the folder that was ingested, which is ``root``; ``sha256`` is of the file's bytes,
    and ``stamp`` changes whenever they may have. Both are empty where there is no file to go to.
    ``status`` and ``date`` are as they are written, in the document or, where that decides, in its
    approval record; ``own_status`` and ``own_date`` are then what the document itself says.
    """

    id: str
    kind: DocumentKind
    title: str
    path: str
    sha256: str
    number: int | None = None
    approval: bool = False
    identifier: str = ""
    status: str = ""
    date: str = ""
    owner: str = ""
    lang: str = ""
    superseded_by: str = ""
    supersedes: str = ""
    root: str = ""
    stamp: str = ""
    version: str = ""
    approvals: tuple[Approval, ...] = ()
    """What a record lists, and what the record of a document lists; the newest comes first."""
    record: str = ""
    """The id of its approval record, in which its approvals stand."""
    own_status: str = ""
    own_date: str = ""
    apart: str = ""
    """What tells it from others of its number, or of its title: its folder, its title, its file."""
    links: tuple[str, ...] = ()
    """The ids of the other documents that its title or text names, or links to."""

    @classmethod
    def of(cls, values: Mapping[str, Any], kinds: OwnKinds = STANDING) -> Document:
        """Make a document of plain values, such as ``asdict`` gives and JSON keeps.

        Raises:
            ValueError: it is of no kind that the house has.
        """
        approvals = (
            Approval(**{**item, **{role: tuple(item.get(role, ())) for role in PEOPLE}})
            for item in values.get("approvals", ())
        )
        kind = kinds.named(values["kind"])
        links = tuple(values.get("links", ()))
        return cls(**{**values, "kind": kind, "approvals": tuple(approvals), "links": links})

    @property
    def identity(self) -> Identity | None:
        """Kind and number, or None for a document without a number."""
        if self.number is None:
            return None
        return Identity(kind=self.kind, number=self.number, approval=self.approval)

    @property
    def doc_type(self) -> str:
        """``ADR``, ``DAR``, ``Principle``, ``Policy`` or ``Document``."""
        return doc_type(self.kind, approval=self.approval)

    @property
    def stated(self) -> str:
        """What it says of itself, a line for each: what an answer quotes of its metadata."""
        said = (
            self.identifier,
            self.title,
            self.status,
            self.date,
            self.owner,
            self.version,
        )
        return "\n".join(item for item in said if item)

    @property
    def name(self) -> str:
        """How a person refers to it, and to no other: by its own identifier, else by its title."""
        called = self.identifier or self.title
        return f"{called} ({self.apart})" if self.apart else called

    @property
    def in_question(self) -> str:
        """Its name as a question says it: a title alone stands between quotation marks."""
        return self.name if self.number is not None else f'"{self.name}"'

    @property
    def label(self) -> str:
        """Its name where its title stands beside it, which is not said twice."""
        return self.identifier if self.identifier and self.apart == self.title else self.name

    @property
    def heading(self) -> str:
        """Its name and its title, each once."""
        return f"{self.label}: {self.title}" if self.identifier else self.name

    def is_in_status(self, status: str) -> bool:
        """Tell whether it is: 'superseded' is the status of 'Superseded by ADR-0027' too."""
        return f"{self.status.lower()} ".startswith(f"{status.lower()} ")

    @property
    def place(self) -> tuple[int, bool, int, bool, str]:
        """Where it stands in a list: by kind, number (those without come last), approval, path."""
        return self.kind.rank, self.number is None, self.number or 0, self.approval, self.path


@dataclass(frozen=True, kw_only=True, slots=True)
class Passage:
    """A piece of a document that knows the section it stands in.

    ``section`` is the heading path, outermost first, joined by ' > '; ``position`` counts from 0
    in reading order. ``role`` is the part it plays (see ``SectionRole``).
    """

    id: str
    document: Document
    section: str
    text: str
    position: int
    role: str = ""
    altered: bool = False
    """Whether the text is no longer the one that was put into the index."""

    @property
    def in_context(self) -> str:
        """The text with the title and the headings it stands under."""
        return f"{self.document.title}\n{self.section}\n{self.text}"


class SectionRole(StrEnum):
    """The part that a section plays in a decision, principle, policy or approval record."""

    SUBSTANCE = "substance"
    """Decision outcome, statement, policy rules: what the document says."""
    CONTEXT = "context"
    DRIVERS = "drivers"
    OPTIONS = "options"
    CONSEQUENCES = "consequences"
    RATIONALE = "rationale"
    IMPLICATIONS = "implications"
    APPROVAL = "approval"
    PARTICULARS = "particulars"
    """What a document says of itself in its text: its status, date, who decided."""
    PROPOSAL = "proposal"
    """Summary, design: what a document says that names no decision of its own."""
    OTHER = "other"


@dataclass(frozen=True, kw_only=True, slots=True)
class Hit:
    """A passage found by a search, with its raw scores.

    ``distance`` is the true cosine distance to the query, 0 (same direction) to 2, and None when
    no vector was compared. ``lexical`` is the raw BM25 score, 0 upwards, and None when the passage
    shares no word with the query. ``score`` is the fused rank score: it orders hits of one search
    and says nothing across searches.
    """

    passage: Passage
    score: float
    distance: float | None = None
    lexical: float | None = None
    sentence_distance: float | None = None
    """The true cosine distance of its nearest sentence, where sentences were compared."""
    sentence_distances: tuple[float, ...] = ()
    """That of each of its spans (``language.sentences.spans``), in order; empty where the passage
    is but one, or an index cannot tell them."""

    @property
    def nearest(self) -> float | None:
        """The distance of its nearest sentence, or as a whole; None where none is true."""
        if self.distance is None or self.sentence_distance is None:
            return self.distance
        return self.sentence_distance


@dataclass(frozen=True, kw_only=True, slots=True)
class Filters:
    """Which documents a search or a list may return; an empty field does not restrict.

    ``approval``: False leaves approval records out, True asks for them alone, None takes both.
    """

    kinds: tuple[DocumentKind, ...] = ()
    approval: bool | None = False
    number: int | None = None
    status: str | None = None

    def admit(self, document: Document) -> bool:
        """Tell whether a document passes; 'superseded' finds 'Superseded by ADR-0027'."""
        return (
            (not self.kinds or document.kind in self.kinds)
            and self.approval in {None, document.approval}
            and self.number in {None, document.number}
            and (not self.status or document.is_in_status(self.status))
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class IndexInfo:
    """What an index holds and what built it."""

    location: str
    documents: int
    passages: int
    model_id: str
    dimension: int
    schema_version: int
    by_type: Mapping[str, int]
