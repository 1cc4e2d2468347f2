"""What one conversation has settled, and what it is about: the state that follow-ups refer to."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from elysia_guard.domain.document import DocumentKind
from elysia_guard.domain.question import Aspect, Lang, Reference
from elysia_guard.domain.reading import Listing, Relation, Search

MOST_REMEMBERED = 8
"""Subjects that a conversation can go back to."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Choice:
    """One of the meanings or documents that a question back offers."""

    names: tuple[str, ...]
    """What a person may call it: its labels, its vocabulary, its kind and number."""
    uri: str = ""
    """Of the concept; empty where the choice is a document."""
    reference: Reference | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class QuestionBack:
    """A question that was asked back: what about, and what there is to choose from."""

    subject: str
    lang: Lang
    choices: tuple[Choice, ...]
    aspect: Aspect = Aspect.SUBSTANCE
    topic: str = ""
    relation: Relation = Relation.MEANING
    """What is asked of the term that may mean several things."""
    into: str = ""
    """The language of a translation that is asked for."""
    references: tuple[Reference, ...] = ()
    """The documents that were asked for, one of which may be several."""
    listing: Listing | None = None
    """The list of documents that are linked with the one that may be several."""

    def with_(self, chosen: Reference) -> tuple[Reference, ...]:
        """Return the documents that were asked for, with the one chosen in its place."""
        asked = (
            replace(chosen, approval=item.approval) if chosen.fits(item) else item
            for item in self.references
        )
        return tuple(asked) or (chosen,)


@dataclass(frozen=True, kw_only=True, slots=True)
class Suggestions:
    """What a reply proposed to ask instead, in the order in which it was shown."""

    questions: tuple[str, ...]
    lang: Lang


@dataclass(frozen=True, kw_only=True, slots=True)
class Focus:
    """What one turn was about, as far as the next may refer to it.

    Exactly one of ``documents``, ``terms``, ``listed`` and ``topic`` is the subject, in this order
    of precedence.
    """

    question: str
    """The turn as a whole question, its follow-up words resolved."""
    lang: Lang
    documents: tuple[Reference, ...] = ()
    """The documents that were named or asked for, also ones that do not exist."""
    terms: tuple[str, ...] = ()
    """The terms whose meaning was asked, also unknown ones."""
    listed: tuple[Reference, ...] = ()
    """The documents of the list that was shown, in its order; or that a search quoted."""
    near: tuple[Reference, ...] = ()
    """The documents that a refused search found, the best first: one of them may be meant."""
    asks: Listing | Search | None = None
    """The list, or the search in some kinds, that was asked: a follow-up may change it."""
    listing: bool = False
    """Whether ``listed`` is a list that was asked for, which may be narrowed."""
    kinds: tuple[DocumentKind, ...] = ()
    topic: str = ""
    """The matter that was searched for, or of the list."""
    aspect: Aspect = Aspect.SUBSTANCE
    matter: str = ""
    """What was asked of the documents."""
    part: int = 1
    """Which part of what one reply cannot hold was shown of them."""
    refused: bool = False
    asked_about: bool = False
    """Whether it was asked back what is meant by the term, which nobody has defined."""
    shown: tuple[str, ...] = ()
    """The names of what the reply showed, or offered, in its order."""
    further: bool = False
    """Whether it is a further part of the turn before, which asked several things."""


@dataclass(kw_only=True)
class Conversation:
    """The memory of one conversation: kept by whoever leads it, filled by the pipeline.

    ``ways_on`` are those of the last reply. ``settled`` holds the URI chosen for a term, under the
    term's normal form. ``id`` is how its leader calls it, for the decision log. ``focus`` is what
    each turn was about, the last one last; small talk leaves it as it is.
    """

    id: str = ""
    question_back: QuestionBack | None = None
    ways_on: Suggestions | None = None
    settled: dict[str, str] = field(default_factory=dict)
    focus: tuple[Focus, ...] = ()
