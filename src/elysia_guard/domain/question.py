"""A question as it was asked, and what the router makes of it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal, get_args

from elysia_guard.domain.document import DocumentKind, Identity

Lang = Literal["en", "nl", "de"]
LANGS: tuple[Lang, ...] = get_args(Lang)

Route = Literal["tree", "direct"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Question:
    """What a person asked, cleaned of control characters, with the language it is in."""

    text: str
    lang: Lang
    request_id: str
    kind: DocumentKind | None = None
    """Set when the caller names one collection: the question concerns only that."""


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
    CONSEQUENCES = "consequences"
    ALTERNATIVES = "alternatives"
    CONTEXT = "context"


@dataclass(frozen=True, kw_only=True, slots=True)
class Reference:
    """A document named by kind and number, in whatever form it was written.

    ``kind`` is None for a bare number ('what does 10 say?'), which may fit several kinds.
    """

    number: int
    written: str
    kind: DocumentKind | None = None
    approval: bool = False

    @property
    def identity(self) -> Identity | None:
        """The identity to look up, or None while the kind is not known."""
        if self.kind is None:
            return None
        return Identity(kind=self.kind, number=self.number, approval=self.approval)


@dataclass(frozen=True, kw_only=True, slots=True)
class Intent:
    """The router's reading of a question, with the reason of its choice.

    ``topic`` is what remains of the question for a search or a filter; ``term`` is set for
    terminology alone. ``kinds`` is empty where every collection may answer.
    """

    kind: IntentKind
    reason: str
    term: str | None = None
    topic: str = ""
    references: tuple[Reference, ...] = ()
    kinds: tuple[DocumentKind, ...] = ()
    aspect: Aspect = Aspect.SUBSTANCE
    status: str | None = None
    year: str | None = None
    """For lists: only the documents of this year, by their own date."""
    uri: str = ""
    """For terms: the concept that was chosen among several with this label."""
    small_talk: str | None = None
    """For conversational questions: ``greeting``, ``thanks``, ``help`` and so on."""
