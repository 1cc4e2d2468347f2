"""A question as it was asked, and the words in which its reading is said."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from elysia_guard.domain.document import Document, DocumentKind, Identity, SectionRole
from elysia_guard.domain.scope import EVERYTHING, CollectionScope

Lang = str
"""A language, as its tag of BCP 47 begins: one that has a pack (``language.pack``)."""

Route = Literal["tree", "direct"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Question:
    """What a person asked, cleaned of control characters, with the language it is in."""

    text: str
    lang: Lang
    request_id: str
    scope: CollectionScope = EVERYTHING
    """The collections that it may reach; nothing of the others is shown, counted or suggested."""
    typed: str = ""
    """What was typed, where ``text`` is that with the words resolved that refer back."""
    rewritten: bool = False
    """Whether a language model wrote ``text``: then it is read and searched for, and not told."""

    @property
    def asked(self) -> str:
        """The question as it was typed."""
        return self.typed or self.text

    @property
    def told(self) -> str:
        """What of it may be shown and kept: whole, but no word of a model."""
        return self.asked if self.rewritten else self.text


class IntentKind(StrEnum):
    """What a question asks for. The first that fits, in this order of certainty, is chosen."""

    TERMINOLOGY = "terminology"
    ENTITY = "entity"
    LIST = "list"
    SINGLE_COLLECTION = "single_collection"
    CROSS_COLLECTION = "cross_collection"
    CONVERSATIONAL = "conversational"
    OPEN = "open"


class Aspect(StrEnum):
    """Which side of a document is asked for."""

    SUBSTANCE = "substance"
    APPROVAL = "approval"
    STATUS = "status"
    DATE = "date"
    OWNER = "owner"
    DRIVER = "driver"
    VERSION = "version"
    CONSEQUENCES = "consequences"
    ALTERNATIVES = "alternatives"
    CONTEXT = "context"


STATED = frozenset({Aspect.STATUS, Aspect.DATE, Aspect.OWNER, Aspect.DRIVER, Aspect.VERSION})
"""What a document states about itself, if it does, and not in its text."""
RECORDED = STATED | {Aspect.APPROVAL}
"""What an approval record tells, where a document has one."""
OF_ASPECT: Mapping[Aspect, tuple[SectionRole, ...]] = {
    Aspect.CONSEQUENCES: (SectionRole.CONSEQUENCES, SectionRole.IMPLICATIONS),
    Aspect.ALTERNATIVES: (SectionRole.OPTIONS,),
    Aspect.CONTEXT: (SectionRole.CONTEXT, SectionRole.RATIONALE, SectionRole.DRIVERS),
}
"""The parts of a document that an aspect asks for."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Reference:
    """A document named by kind and number, in whatever form it was written, or by its title.

    ``kind`` is None for a bare number ('what does 10 say?'), which may fit several kinds. ``id`` is
    that of the document where kind and number tell it not, or not alone.
    """

    number: int | None
    written: str
    kind: DocumentKind | None = None
    approval: bool = False
    id: str = ""

    @classmethod
    def of(cls, document: Document) -> Reference:
        """Refer to a document by its own name."""
        is_told = document.number is not None and not document.apart
        return cls(
            number=document.number,
            written=document.name,
            kind=document.kind,
            approval=document.approval,
            id="" if is_told else document.id,
        )

    @property
    def identity(self) -> Identity | None:
        """The identity to look up, or None while kind or number is not known."""
        if self.kind is None or self.number is None:
            return None
        return Identity(kind=self.kind, number=self.number, approval=self.approval)

    def fits(self, wider: Reference) -> bool:
        """Tell whether it is one of those that a wider reference may mean."""
        if wider.id:
            return wider.id == self.id
        return wider.number == self.number and wider.kind in {None, self.kind}

    @property
    def key(self) -> object:
        """What is equal for the same document, however it was written."""
        return self.kind, self.number, self.approval, self.id

    @property
    def name(self) -> str:
        """How it is called: in the house form of its kind, or as no other document is."""
        return self.written if self.id else str(self.identity or self.written)


class Role(StrEnum):
    """As what a document names somebody, or its approval record: then by the field of it."""

    OWNER = "owner"
    DRIVER = "driver"
    APPROVER = "approvers"
    CONSULTED = "consulted"
    INFORMED = "informed"


@dataclass(frozen=True, kw_only=True, slots=True)
class Owner:
    """Whose documents a list asks for, as it was written.

    ``said`` tells whether the words say that it is an owner ('owned by security'), or may as well
    name a subject ('of security'). ``topic`` is what the list is about beside it, and None where
    it must be an owner: nothing else is asked of the documents.
    """

    written: str
    said: bool = True
    topic: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Party:
    """Whom approval records are to name, as it was written, and as what."""

    written: str
    role: Role


class LinkWay(StrEnum):
    """How listed documents are linked with one: by their texts, or by what took whose place."""

    NAMING = "naming"
    NAMED_BY = "named_by"
    REPLACING = "replacing"
    REPLACED_BY = "replaced_by"


@dataclass(frozen=True, kw_only=True, slots=True)
class Link:
    """A document, and how those of a list are to be linked with it.

    ``nearly``: the question asks for more than that ('builds on'), or may ask for it the other way
    round ('welches ersetzt X').
    """

    way: LinkWay
    reference: Reference
    nearly: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Scope:
    """What a list is restricted to beside kinds and topic; an empty field does not restrict.

    ``denied`` are statuses that they are not to have. ``since`` and ``until`` are years or months
    ('2024', '2024-03'), both included. ``approval`` is as in ``Filters``: False leaves approval
    records out, True asks for them alone. ``recorded`` tells whether they are to have one.
    ``titled`` tells that the topic is to stand in the titles.
    """

    statuses: tuple[str, ...] = ()
    denied: tuple[str, ...] = ()
    lang: str = ""
    since: str = ""
    until: str = ""
    owner: Owner | None = None
    party: Party | None = None
    approval: bool | None = False
    recorded: bool | None = None
    titled: bool = False
    link: Link | None = None

    def is_dated(self, dates: Sequence[str]) -> bool:
        """Tell whether one of a document's dates lies exactly within the period, or outside."""
        return any(map(self._is_exact, dates))

    def is_in_period(self, dates: Sequence[str]) -> bool:
        """Tell whether a document that is dated lies within the period, by one of its dates."""
        return any(
            (not self.since or date[: len(self.since)] >= self.since)
            and (not self.until or date[: len(self.until)] <= self.until)
            for date in dates
            if self._is_exact(date)
        )

    def _is_exact(self, date: str) -> bool:
        return date[:4].isdecimal() and all(
            len(date) >= len(point) or date[:4] != point[:4]
            for point in (self.since, self.until)
            if point
        )
