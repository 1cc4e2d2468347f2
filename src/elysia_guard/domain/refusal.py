"""Why the guard does not answer, and what a person can do instead."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from elysia_guard.domain.document import Document, DocumentKind, Hit


class RefusalReason(StrEnum):
    """One list for responses, metrics and the golden set."""

    NO_RESULTS = "no_results"
    LOW_CONFIDENCE = "low_confidence"
    ENTITY_NOT_FOUND = "entity_not_found"
    TERMINOLOGY_NOT_FOUND = "terminology_not_found"
    TERMINOLOGY_TIMEOUT = "terminology_timeout"
    TERMINOLOGY_ERROR = "terminology_error"
    INDEX_TIMEOUT = "index_timeout"
    """The documents could not be asked, which says nothing about what they hold."""
    INDEX_ERROR = "index_error"
    TERMINOLOGY_AMBIGUOUS = "terminology_ambiguous"
    """A question back, not a failure."""
    TERMINOLOGY_DEPRECATED = "terminology_deprecated"
    LOW_COVERAGE = "low_coverage"
    NOT_RELEVANT = "not_relevant"
    UNVERIFIED_ANSWER = "unverified_answer"
    LLM_UNAVAILABLE = "llm_unavailable"


NOT_ASKED = frozenset({RefusalReason.INDEX_TIMEOUT, RefusalReason.INDEX_ERROR})
"""The reasons that stand where the documents could not be asked at all."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Suggestion:
    """A way on: a question that would be answered, and the words to show for it."""

    question: str
    label: str


@dataclass(frozen=True, kw_only=True, slots=True)
class GateReading:
    """What one gate measured, against what, and where that limit is set."""

    gate: str
    passed: bool
    value: float | str | None
    threshold: float | str | None
    source: str
    """The configuration key of the threshold, or the rule: ``default.distance_threshold``."""
    reason: RefusalReason | None = None
    """Why it refuses; None when it passed."""


class Outcome(StrEnum):
    """What the gates decided."""

    ANSWER = "answer"
    CLARIFY = "clarify"
    REFUSE = "refuse"
    CONVERSE = "converse"


MISSING_WORDS = "missing_words"
"""The detail of a verdict that names the question's words which the sources do not hold."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Verdict:
    """The decision over the evidence, with every reading that led to it.

    ``subject`` is what the refusal is about (the term, the reference); ``confidence`` is the
    probability, 0 to 1, that the best evidence answers the question.
    """

    outcome: Outcome
    confidence: float
    readings: tuple[GateReading, ...] = ()
    reason: RefusalReason | None = None
    subject: str = ""
    details: Mapping[str, str] = field(default_factory=dict)
    support: tuple[Hit, ...] = ()
    """The hits that passed every gate, the most confident first."""
    ranking: tuple[Hit, ...] = ()
    """All hits: those that passed, then the others in the order of the search."""
    mentioned: tuple[Hit, ...] = ()
    """Of a refusal, a hit of each document that is near, the likeliest first, or that is named."""

    def at_most(self, confidence: float) -> Verdict:
        """Return the same verdict, no surer than that."""
        return replace(self, confidence=min(self.confidence, confidence))

    def unverified(self, *, stale: bool) -> Verdict:
        """Return the refusal that it becomes where nothing of its answer holds."""
        return replace(
            self,
            outcome=Outcome.REFUSE,
            confidence=0.0,
            reason=RefusalReason.UNVERIFIED_ANSWER,
            details={"variant": "stale"} if stale else {},
        )


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
