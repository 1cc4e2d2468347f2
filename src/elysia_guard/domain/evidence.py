"""What was gathered for a question: concepts, hits, documents, and what could not be asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from elysia_guard.domain.concept import Concept, RelatedConcept, TermMatch
from elysia_guard.domain.document import Document, Hit, Passage
from elysia_guard.domain.errors import (
    CircuitOpenError,
    GuardError,
    SourceTimeoutError,
    SourceUnavailableError,
)
from elysia_guard.domain.own_kinds import in_house
from elysia_guard.domain.pointing import Pointed
from elysia_guard.domain.question import Question, Reference, Role
from elysia_guard.domain.reading import Asks, kinds_of


class Match(StrEnum):
    """How what is listed bears what was asked for."""

    WORDS = "words"
    """Word for word, or inflected: 'keys' for 'key'."""
    FORMS = "forms"
    """By other words of the same stem, or by another name."""
    APART = "apart"
    """By all its words in one passage, in whatever form, but not together."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Topics:
    """What is asked for, each as it is written; one of them suffices where ``any_of`` says so."""

    names: tuple[str, ...]
    any_of: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class About:
    """By what a list was restricted in the end, and who of it bears that how.

    ``topics`` is the restriction that holds of what is listed, by ``match``; where it is not the
    one that was asked for, nothing bears ``unmet``. Everything is by ids of documents.
    """

    topics: Topics
    match: Match = Match.WORDS
    unmet: Topics | None = None
    titled: frozenset[str] = frozenset()
    """Those that bear it in their titles."""
    kindred: frozenset[str] = frozenset()
    """Those listed beside the others that bear it by other forms alone."""
    forms: tuple[tuple[str, ...], ...] = ()
    """How else each of the topics is written in what is listed, but for the kindred."""
    kindred_forms: tuple[str, ...] = ()
    """How the kindred write it."""
    apart: int = 0
    """How many documents more hold all words of it, but not together; they are not listed."""
    partly: int = 0
    """How many more bear some of the topics, but not all; they are not listed."""

    def groups(self, documents: Sequence[Document]) -> tuple[list[Document], ...]:
        """Return those that bear it in the title, those in the text alone, and the kindred."""
        kindred = [item for item in documents if item.id in self.kindred]
        others = [item for item in documents if item.id not in self.kindred]
        titled = [item for item in others if item.id in self.titled]
        return titled, [item for item in others if item.id not in self.titled], kindred


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
    def of(cls, err: GuardError, source: str = "") -> SourceFailure:
        """Return what an error says of its source, which may be called otherwise here."""
        return cls(
            source=source or (err.source if isinstance(err, SourceUnavailableError) else ""),
            timeout=isinstance(err, SourceTimeoutError),
            circuit_open=isinstance(err, CircuitOpenError),
            cause=str(err),
        )

    @property
    def flags(self) -> tuple[str, ...]:
        """IR0003's fallback flags: ``skosmos_timeout``, ``skosmos_error``, ``circuit_open``."""
        flag = f"{self.source}_{'timeout' if self.timeout else 'error'}"
        return (flag, "circuit_open") if self.circuit_open else (flag,)


class Property(StrEnum):
    """What documents or their approval records may state, and a list may be restricted by."""

    STATUS = "status"
    LANG = "lang"
    DATE = "date"
    OWNER = Role.OWNER.value
    DRIVER = Role.DRIVER.value
    APPROVER = Role.APPROVER.value
    CONSULTED = Role.CONSULTED.value
    INFORMED = Role.INFORMED.value
    RECORD = "record"
    LINK = "link"


@dataclass(frozen=True, kw_only=True, slots=True)
class Restriction:
    """A restriction of a list, and whether the documents at hand let it be checked.

    ``among`` documents were looked at, of which ``silent`` do not state the property: none of
    them is listed. A restriction of which all are silent cannot be checked, and is no list.
    """

    by: Property
    among: int
    silent: int

    @property
    def is_checked(self) -> bool:
        """Whether any document states it, or there is none at all."""
        return not self.among or self.silent < self.among


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
    approved: tuple[Document, ...] = ()
    """What the approval records that are named approve."""
    records: tuple[Passage, ...] = ()
    """What the approval records of the documents found say, where that is asked."""
    statuses: tuple[str, ...] = ()
    """The statuses that there are, where a list asks for one that no document has."""
    overruled: tuple[Document, ...] = ()
    """For lists: documents that say of themselves what is asked, and their records otherwise."""
    owners: tuple[str, ...] = ()
    """Whose documents are listed, as the documents or their approval records name them."""
    role: Role = Role.OWNER
    """As what they name the owners: an owner that no document names may be a driver of records."""
    parties: tuple[str, ...] = ()
    """Whom the approval records of what is listed name, as they do."""
    other_parties: tuple[str, ...] = ()
    """Whom records name so, where the one that a list asks for is none of them."""
    other_owners: tuple[str, ...] = ()
    """The owners that there are, where the one that a list asks for is none of them."""
    about: About | None = None
    """For lists: what the documents are about, where that restricts them."""
    left_out: int = 0
    """For lists of the newest or oldest: how many others there are."""
    restrictions: tuple[Restriction, ...] = ()
    """For lists: every one that the question sets, as it was applied."""
    sections: tuple[Passage, ...] = ()
    """Those of the side that a search names, of the documents found, if the nearest has any."""
    beside: tuple[Passage, ...] = ()
    """All of the documents of which a passage that was found may end within a list."""
    looked_at: tuple[str, ...] = ()
    missing: tuple[SourceFailure, ...] = ()
    fallbacks: tuple[str, ...] = ()
    rarity: Mapping[str, float] = field(default_factory=dict)
    """How rare each content word of the question is among the passages, 0 to 1."""
    synonyms: tuple[tuple[str, ...], ...] = ()
    """Groups of words that mean the same by the vocabulary; each group is one query term's."""
    likeness: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    """For each content word those of the hits that mean alike, and how alike, above 0 to 1."""
    pointed: Pointed | None = None
    """What a language model points at, of the documents found and those that it planned."""

    def seen_by(self, search: Evidence) -> Evidence:
        """Return what is known of named documents, with what a search measured of them in front."""
        own = _own(self)
        measured = tuple(hit for hit in search.hits if hit.passage.document.id in own)
        seen = {hit.passage.id for hit in measured}
        return replace(
            self,
            hits=(*measured, *(hit for hit in self.hits if hit.passage.id not in seen)),
            rarity=search.rarity,
            likeness=search.likeness,
            missing=search.missing,
            fallbacks=search.fallbacks,
        )


def _own(named: Evidence) -> set[str]:
    """The documents that are named, and their approval records."""
    own = {item.id for item in named.documents}
    return own | {item.record for item in named.documents if item.record}


def looked_at(asks: Asks, question: Question) -> tuple[str, ...]:
    """Name the kinds of documents that a question is looked up in, as far as it may reach."""
    every = in_house().numbered if question.scope.kinds is None else question.scope.kinds
    return tuple(kind.value for kind in question.scope.reached(kinds_of(asks) or every))


@dataclass(frozen=True, kw_only=True, slots=True)
class Sense:
    """A term and every concept that it names."""

    term: str
    matches: tuple[TermMatch, ...]

    @property
    def single(self) -> bool:
        """Whether it has one meaning, in force."""
        return len(self.matches) == 1 and not self.matches[0].concept.deprecated

    @property
    def defined(self) -> bool:
        """Whether it has one meaning, in force and with a definition."""
        return self.single and bool(self.matches[0].concept.definitions)


@dataclass(frozen=True, kw_only=True, slots=True)
class Definitions(Evidence):
    """Evidence from the vocabulary alone.

    ``written`` is what the question writes where that is no label, and another was found for it;
    ``compared`` are the other terms of a comparison, also those that cannot be defined;
    ``relatives`` are the concepts that stand to the term as the question asks.
    """

    written: str = ""
    compared: tuple[Sense, ...] = ()
    relatives: tuple[Concept, ...] = ()

    @property
    def names_one(self) -> bool:
        """Whether terms that are compared are names of one concept."""
        found = {match.concept.uri for match in self.matches}
        return any({each.concept.uri for each in sense.matches} == found for sense in self.compared)


def names_in(concept: Concept, lang: str) -> tuple[str, ...]:
    """What a concept is called in a language, by labels that say that they are in it."""
    texts = (*concept.preferred, *concept.alternative)
    return tuple(dict.fromkeys(text.value for text in texts if text.primary == lang))


def other_names(match: TermMatch, lang: str) -> tuple[str, ...]:
    """What a concept is called in a language beside the label by which it was found."""
    found = match.label.value.casefold()
    return tuple(name for name in match.concept.names(lang) if name.casefold() != found)
