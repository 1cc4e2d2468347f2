"""What is kept of one decision: enough to explain it, and no more than the settings allow."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum

from elysia_guard.domain.events import DecisionMade
from elysia_guard.domain.mode import Mode
from elysia_guard.domain.refusal import GateReading, Outcome, RefusalReason, Verdict
from elysia_guard.domain.response import Source, TraceStep


class Judgement(StrEnum):
    """What a person says of a decision, afterwards."""

    SHOULD_HAVE_BEEN_ANSWERED = "should-have-been-answered"
    WRONG = "wrong"
    RIGHT = "right"

    def fits(self, outcome: Outcome) -> bool:
        """Whether it can be said of a decision that ended so."""
        if self is Judgement.RIGHT:
            return True
        given = outcome in {Outcome.ANSWER, Outcome.CONVERSE}
        return given if self is Judgement.WRONG else not given


class Difference(StrEnum):
    """How the candidate limits decide beside the live ones."""

    NONE = "none"
    WOULD_ANSWER = "would_answer"
    WOULD_NOT_ANSWER = "would_not_answer"
    OTHER_REASON = "other_reason"
    OTHER_PASSAGES = "other_passages"


@dataclass(frozen=True, kw_only=True, slots=True)
class Feedback:
    """A judgement, with what the person wrote beside it."""

    judgement: Judgement
    given_at: datetime
    note: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Ruling:
    """What the gates decided by one set of limits.

    ``passages`` are the ids of those that passed every gate, the most confident first.
    """

    outcome: Outcome
    confidence: float
    reason: RefusalReason | None = None
    readings: tuple[GateReading, ...] = ()
    passages: tuple[str, ...] = ()

    @property
    def opened(self) -> bool:
        """Whether the gates let an answer through, whatever its verification then found."""
        unverified = self.reason is RefusalReason.UNVERIFIED_ANSWER
        return self.outcome is Outcome.ANSWER or unverified

    def beside(self, candidate: Ruling) -> Difference:
        """Say how a candidate's ruling over the same evidence differs from this one."""
        if self.opened != candidate.opened:
            return Difference.WOULD_ANSWER if candidate.opened else Difference.WOULD_NOT_ANSWER
        if not self.opened and self.reason != candidate.reason:
            return Difference.OTHER_REASON
        if self.opened and self.passages != candidate.passages:
            return Difference.OTHER_PASSAGES
        return Difference.NONE


@dataclass(frozen=True, kw_only=True, slots=True)
class Settings:
    """What a decision was made with; ``config_hash`` is of the limits and the configuration."""

    config_hash: str
    index: str
    model: str
    program: str
    shadow_hash: str = ""
    """Of the candidate limits; empty without any."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Entry:
    """One decision, as the log keeps it.

    Where the settings keep texts out, ``question``, ``intent_reason``, ``subject``, the notes of
    the stages and the quotes of the sources are empty; ``question_length`` is there all the same.
    ``feedback`` is in the order it came: the last one counts.
    """

    request_id: str
    asked_at: datetime
    route: str
    lang: str
    intent: str
    question_length: int
    ruling: Ruling
    confidence_score: float
    """The ruling's confidence, reduced when a fallback was active."""
    total_ms: float
    settings: Settings
    conversation_id: str = ""
    question: str = ""
    intent_reason: str = ""
    subject: str = ""
    stages: tuple[TraceStep, ...] = ()
    sources: tuple[Source, ...] = ()
    fallbacks: tuple[str, ...] = ()
    mode: Mode | None = None
    """How the answer was made; None where that was not kept yet."""
    written_by: str = ""
    """Who wrote what was shown; empty where the sources speak for themselves."""
    shadow: Ruling | None = None
    feedback: tuple[Feedback, ...] = field(default=())

    @property
    def difference(self) -> Difference | None:
        """How the candidate limits decide beside the live ones; None where there were none."""
        return self.ruling.beside(self.shadow) if self.shadow else None

    @property
    def judged(self) -> Judgement | None:
        """The judgement that counts, if anybody gave one."""
        return self.feedback[-1].judgement if self.feedback else None


def entry_of(event: DecisionMade, *, asked_at: datetime, settings: Settings, texts: bool) -> Entry:
    """Return what is kept of a decision.

    Args:
        event: the decision.
        asked_at: when it was made.
        settings: what it was made with.
        texts: keep the question, and whatever may repeat its words.
    """
    reply, subject = event.response, event.verdict.subject
    hidden = "" if texts else subject
    return Entry(
        request_id=event.request_id,
        conversation_id=event.conversation_id,
        asked_at=asked_at,
        route=reply.route,
        lang=reply.lang,
        question=event.question if texts else "",
        question_length=len(event.question),
        intent=str(reply.intent),
        intent_reason=event.part.reason if texts else "",
        subject=subject if texts else "",
        ruling=_ruling(event.verdict, hidden=hidden),
        confidence_score=reply.retrieval_quality.confidence_score,
        total_ms=round(event.total_ms, 3),
        settings=settings,
        stages=tuple(
            replace(step, readings=(), remarks=(), note=step.note if texts else "")
            for step in reply.trace
        ),
        sources=tuple(_kept(source, texts=texts) for source in reply.sources),
        fallbacks=reply.retrieval_quality.fallback_reasons,
        mode=reply.mode,
        written_by=reply.written_by,
        shadow=_ruling(event.shadow, hidden=hidden) if event.shadow else None,
    )


def _kept(source: Source, *, texts: bool) -> Source:
    """Keep of a source what the record keeps; its words only where that keeps texts."""
    return replace(source, date="", related=(), quote=source.quote if texts else "")


def _ruling(verdict: Verdict, *, hidden: str) -> Ruling:
    return Ruling(
        outcome=verdict.outcome,
        confidence=verdict.confidence,
        reason=verdict.reason,
        readings=tuple(_without(reading, hidden) for reading in verdict.readings),
        passages=tuple(hit.passage.id for hit in verdict.support),
    )


def _without(reading: GateReading, hidden: str) -> GateReading:
    """Leave out what a reading says of the subject: it is the question's own words."""
    if not hidden or hidden not in reading.source:
        return reading
    return replace(reading, source=reading.source.replace(f" of {hidden}", ""))
