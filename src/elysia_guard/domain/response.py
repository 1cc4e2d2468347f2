"""The response: an answer with its sources, or a refusal with its reason and a way on.

Names and rules of ``retrieval_quality`` and ``transparency`` follow IR0003, ``refused`` and
``refusal_reason`` ADR-004, ``warnings`` and ``validation`` ADR-0031.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any, Final, overload

from elysia_guard.domain.concept import RelatedConcept
from elysia_guard.domain.mode import Mode
from elysia_guard.domain.quality import RetrievalQuality, TransparencyStatement
from elysia_guard.domain.question import Lang, Route
from elysia_guard.domain.refusal import GateReading, RefusalReason, Suggestion
from elysia_guard.domain.showing import html_of, markdown_of
from elysia_guard.domain.tables import Rows

_SHARED: Final = re.compile(r"(?!DOC-)(\D*\d+D?)-.")


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
    """A concept's URI, a document's path, or the address of what somebody else's tool returned."""
    status: str = ""
    date: str = ""
    """When a document was decided, as it or its approval record writes it."""
    lang: str = ""
    related: tuple[RelatedConcept, ...] = ()
    """The concepts that the answer names beside this one, where it is a concept."""
    distance: float | None = None
    lexical: float | None = None
    lines: tuple[int, int] | None = None
    """The first and the last line of its file that the quote stands on, from 1, where a model chose
    it and the file is one of text."""

    @property
    def name(self) -> str:
        """Its id beside its title: without the path by which an id tells those of one number.

        >>> Source(n=1, doc_type="ADR", doc_id="ADR-0001-north-0001-a", title="A", collection="",
        ...        quote="").name
        'ADR-0001'
        """
        shared = _SHARED.match(self.doc_id)
        return shared[1] if shared else self.doc_id

    @property
    def is_elsewhere(self) -> bool:
        """Whether it is named by its location alone: a concept, or what a tool returned."""
        return self.doc_id == self.location or "://" in self.location


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
    ``fields_total`` counts the units that a model pointed at, and ``fields_verified`` those of them
    that there are and that share something with the question. Both are 0 where no model pointed.
    """

    sources_verified: int
    sources_total: int
    confidence: float
    against: tuple[str, ...] = ()
    fields_verified: int = 0
    fields_total: int = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class TraceStep:
    """One step on the way of a question: the stage, what it found, how long it took.

    ``note`` says it for programs and logs, ``remarks`` for people: English sentences.
    """

    stage: str
    note: str
    elapsed_ms: float
    readings: tuple[GateReading, ...] = ()
    remarks: tuple[str, ...] = ()


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


class Trace(tuple[TraceStep, ...]):
    """The way of a question, stage by stage; a notebook shows it as a table, in English."""

    __slots__ = ()

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
    """The model that chose what is shown, with the version of its prompt; or nothing."""
    verified: str = ""
    """What was verified of it, and who chose it where a model did, said to a person; empty where
    nothing is quoted."""
    complete: bool = True
    """Whether nothing that was found or chosen for the answer was left out, nor any part of it,
    and no model failed that was to choose."""
    trace: tuple[TraceStep, ...] = field(default=())

    def __post_init__(self) -> None:
        """Let sources, mentions and trace show themselves."""
        object.__setattr__(self, "sources", Sources(self.sources))
        object.__setattr__(self, "mentions", Sources(self.mentions))
        object.__setattr__(self, "trace", Trace(self.trace))

    @property
    def text(self) -> str:
        """What is said, as Markdown: the ``answer``."""
        return self.answer

    @property
    def confidence(self) -> float:
        """How likely the best passage answers, 0 to 1; see ``retrieval_quality``."""
        return self.retrieval_quality.confidence_score

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
        """Return how it is meant, what is said, and the sources."""
        parts = [f"{self.outcome.mark} **{self.outcome}**", self.answer]
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


@dataclass(frozen=True, kw_only=True, slots=True)
class BatchReply:
    """One of many questions, and what came of it: a response, or why it could not be asked."""

    question: str
    response: RAGResponse | None = None
    error: str = ""
    elapsed_ms: float = 0.0

    @property
    def outcome(self) -> str:
        """How it ended, in a word: that of the response, or ``error``."""
        return self.response.outcome.value if self.response else "error"

    def to_record(self) -> dict[str, Any]:
        """Return one flat row: the same columns for every reply."""
        reply = self.response
        first = reply.sources[0] if reply and reply.sources else None
        return {
            "question": self.question,
            "outcome": self.outcome,
            "confidence": reply.confidence if reply else None,
            "answer": reply.text if reply else "",
            "quote": first.quote if first else "",
            "location": first.location if first else "",
            "refusal_reason": str(reply.refusal_reason or "") if reply else "",
            "sources": [item.doc_id for item in reply.sources] if reply else [],
            "intent": str(reply.intent) if reply else "",
            "lang": reply.lang if reply else "",
            "warnings": [item.type for item in reply.warnings] if reply else [],
            "elapsed_ms": round(self.elapsed_ms, 3),
            "request_id": reply.request_id if reply else "",
            "error": self.error,
        }


class Replies(Sequence[BatchReply]):
    """The replies to many questions, in the order in which they were asked.

    Examples:
        >>> import pandas as pd  # doctest: +SKIP
        >>> pd.DataFrame(guard.ask_many(questions).to_records())  # doctest: +SKIP
    """

    def __init__(self, replies: Sequence[BatchReply]) -> None:
        """Take the replies."""
        self._replies = tuple(replies)

    @overload
    def __getitem__(self, place: int) -> BatchReply: ...
    @overload
    def __getitem__(self, place: slice) -> Replies: ...
    def __getitem__(self, place: int | slice) -> BatchReply | Replies:
        """Return one, or some of them."""
        if isinstance(place, slice):
            return Replies(self._replies[place])
        return self._replies[place]

    def __len__(self) -> int:
        """How many questions were asked."""
        return len(self._replies)

    def __repr__(self) -> str:
        """Say how they ended: '<3 replies: 2 asserted, 1 refused>'."""
        ends = ", ".join(f"{count} {end}" for end, count in self.outcomes.most_common())
        return f"<{len(self)} replies{': ' if ends else ''}{ends}>"

    @property
    def outcomes(self) -> Counter[str]:
        """How many ended how."""
        return Counter(item.outcome for item in self._replies)

    def to_records(self) -> list[dict[str, Any]]:
        """Return a flat row for each, as ``pandas.DataFrame`` takes them."""
        return [item.to_record() for item in self._replies]

    def to_frame(self) -> Any:
        """Return them as a ``pandas.DataFrame``.

        Raises:
            ConfigError: pandas is not installed.
        """
        return Rows(self.to_records()).to_frame()

    def _repr_html_(self) -> str | None:
        return html_of(self)
