"""The response: an answer with its sources, or a refusal with its reason and a way on.

Names and rules of ``retrieval_quality`` and ``transparency`` follow IR0003, ``refused`` and
``refusal_reason`` ADR-004, ``warnings`` and ``validation`` ADR-0031.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any, Self

from elysia_guard.domain.concept import RelatedConcept
from elysia_guard.domain.mode import Mode
from elysia_guard.domain.quality import RetrievalQuality, TransparencyStatement
from elysia_guard.domain.question import Lang, Route
from elysia_guard.domain.refusal import GateReading, RefusalReason, Suggestion
from elysia_guard.domain.remark import Remark
from elysia_guard.domain.showing import html_of, markdown_of


class ReplyOutcome(StrEnum):
    """How a reply is meant, which a person sees at a glance.

    Asserted: the sources answer. Hedged: they come near, and it is said first that this may not be
    the answer. Refused: nothing is said, except why, and where the matter is mentioned.
    """

    ASSERTED = "asserted"
    HEDGED = "hedged"
    CLARIFIED = "clarified"
    REFUSED = "refused"
    CONVERSED = "conversed"
    """Small talk, which claims nothing."""

    @property
    def mark(self) -> str:
        """A sign that tells it at a glance, in any language and without colours."""
        return _MARKS[self]


_MARKS = {
    ReplyOutcome.ASSERTED: "\u2713",  # a tick
    ReplyOutcome.HEDGED: "\u2248",  # about equal
    ReplyOutcome.CLARIFIED: "?",
    ReplyOutcome.REFUSED: "\u2717",  # a cross
    ReplyOutcome.CONVERSED: "\u00b7",  # a dot
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Source:
    """Something an answer rests on; ``n`` is the number in its ``[source:n]`` marks."""

    n: int
    doc_type: str
    doc_id: str
    title: str
    collection: str
    quote: str
    section: str = ""
    location: str = ""
    """A concept's URI or a document's path."""
    status: str = ""
    date: str = ""
    """When a document was decided, as it or its approval record writes it."""
    lang: str = ""
    related: tuple[RelatedConcept, ...] = ()
    """The concepts that the answer names beside this one, where it is a concept."""
    distance: float | None = None
    lexical: float | None = None
    lines: tuple[int, int] | None = None
    """The first and the last line of its file that the quote stands on, from 1, where a model wrote
    about it and the file is one of text."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ResponseWarning:
    """Something a reader should know before relying on the answer, for example ``SUPERSEDED``."""

    type: str
    message: str
    details: Mapping[str, Any] = field(default_factory=dict)
    """What it is about, for a program: by id and path, and never needed to understand it."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Validation:
    """How many of the answer's citations hold against their sources; confidence is 0 to 1.

    ``against`` names what they were held against, each once (see ``domain.origin.Against``).
    ``fields_total`` counts the sentences that a model wrote, and ``fields_verified`` those of them
    that code, or a second opinion, found in their sources; ``fields_by_opinion`` are those of these
    that a second opinion alone found there. All are 0 where no model wrote.
    """

    sources_verified: int
    sources_total: int
    confidence: float
    against: tuple[str, ...] = ()
    fields_verified: int = 0
    fields_total: int = 0
    fields_by_opinion: int = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class TraceStep:
    """One step on the way of a question: the stage, what it found, how long it took.

    ``note`` says it for programs and logs, ``remarks`` so that it can be told in any language.
    """

    stage: str
    note: str
    elapsed_ms: float
    readings: tuple[GateReading, ...] = ()
    remarks: tuple[Remark, ...] = ()


class Sources(tuple[Source, ...]):
    """The sources of a response; a notebook shows them as a table."""

    __slots__ = ()

    def to_markdown(self) -> str:
        """Return a line for each source: number, title, section, place."""
        lines = (
            f"{item.n}. {item.title}"
            + (f", {item.section}" if item.section else "")
            + (f" `{item.location}`" if item.location else "")
            for item in self
        )
        return "\n".join(lines)

    def _repr_markdown_(self) -> str:
        return self.to_markdown()

    def _repr_html_(self) -> str | None:
        return html_of(self)


class Trace(tuple[TraceStep, ...]):  # noqa: SLOT001  a tuple takes no slots with something in them
    """The way of a question, stage by stage; a notebook shows it as a table, in ``lang``."""

    lang: Lang

    def __new__(cls, steps: Iterable[TraceStep] = (), lang: Lang = "en") -> Self:
        """Hold the steps, and the language that they are told in."""
        self = super().__new__(cls, steps)
        self.lang = lang
        return self

    def to_markdown(self) -> str:
        """Return a line for each stage: what it found, and how long it took."""
        return "\n".join(
            f"1. **{step.stage}** ({step.elapsed_ms:.1f} ms) {step.note}" for step in self
        )

    def _repr_markdown_(self) -> str:
        return markdown_of(self) or self.to_markdown()

    def _repr_html_(self) -> str | None:
        return html_of(self)


@dataclass(frozen=True, kw_only=True, slots=True)
class RAGResponse:
    """What a person, a notebook or an evaluation gets back for one question."""

    answer: str
    request_id: str
    route: Route
    lang: Lang
    intent: str
    retrieval_quality: RetrievalQuality
    transparency: TransparencyStatement
    sources: tuple[Source, ...] = ()
    refused: bool = False
    refusal_reason: RefusalReason | None = None
    suggestions: tuple[Suggestion, ...] = ()
    warnings: tuple[ResponseWarning, ...] = ()
    validation: Validation | None = None
    mentions: tuple[Source, ...] = ()
    """Where a refused matter is mentioned: near it, and never an answer."""
    mode: Mode = Mode.INSTANT
    """How the answer was made; see ``Mode``."""
    written_by: str = ""
    """The model that wrote the sentences shown, with the version of its prompt; or nothing."""
    verified: str = ""
    """What was verified of it, and who wrote it where a model did, said to a person; empty where
    nothing is quoted or written."""
    complete: bool = True
    """Whether nothing that was found or written for the answer was left out, nor any part of it,
    and nobody failed who was to write it."""
    trace: tuple[TraceStep, ...] = field(default=())

    def __post_init__(self) -> None:
        """Let sources, mentions and trace show themselves."""
        object.__setattr__(self, "sources", Sources(self.sources))
        object.__setattr__(self, "mentions", Sources(self.mentions))
        object.__setattr__(self, "trace", Trace(self.trace, self.lang))

    @property
    def fallback_mode(self) -> bool:
        """Whether a fallback was active (IR0003): the answer was found by lesser means."""
        return self.retrieval_quality.fallback_active

    @property
    def unsaid(self) -> str:
        """What a person should be told of the quality, where the answer does not say it."""
        statement = self.transparency.statement if self.transparency.show_to_user else None
        return statement if statement and statement not in self.answer else ""

    @property
    def outcome(self) -> ReplyOutcome:
        """How the reply is meant; what was answered is asserted at high confidence alone."""
        if self.refused:
            return ReplyOutcome.REFUSED
        if self.refusal_reason is not None:
            return ReplyOutcome.CLARIFIED
        if not self.sources:
            return ReplyOutcome.CONVERSED
        high = self.retrieval_quality.confidence_level == "high"
        return ReplyOutcome.ASSERTED if high else ReplyOutcome.HEDGED

    def to_markdown(self) -> str:
        """Return the outcome and how sure it is, what is said, and the sources."""
        outcome = self.outcome
        sure = f" \u00b7 {self.retrieval_quality.confidence_score:.2f}" if self.sources else ""
        parts = [f"{outcome.mark} **{outcome}**{sure}", self.answer]
        if self.unsaid:
            parts.append(f"*{self.unsaid}*")
        if self.verified:
            parts.append(f"*{self.verified}*")
        if self.sources:
            parts.append(Sources(self.sources).to_markdown())
        return "\n\n".join(parts)

    def _repr_markdown_(self) -> str:
        return self.to_markdown()

    def _repr_html_(self) -> str | None:
        return html_of(self)

    def to_dict(self) -> dict[str, Any]:
        """Return plain dictionaries and lists, ready for JSON."""
        derived = {"outcome": self.outcome.value, "fallback_mode": self.fallback_mode}
        return {**asdict(self), **derived}
