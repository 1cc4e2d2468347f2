"""What is kept of one decision: enough to explain it, and no more than the settings allow."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from elysia_guard.domain.errors import GuardError
from elysia_guard.domain.events import DecisionMade
from elysia_guard.domain.mode import Mode
from elysia_guard.domain.refusal import GateReading, Outcome, RefusalReason
from elysia_guard.domain.response import Source, TraceStep


class DecisionLogError(GuardError):
    """The decision log cannot be had, or does not hold what was asked of it."""


class JudgementError(DecisionLogError):
    """A judgement that cannot be said of this decision: an answer was not refused."""


class ReplyJudgement(StrEnum):
    """What a person says of a decision, afterwards."""

    SHOULD_HAVE_BEEN_ANSWERED = "should-have-been-answered"
    WRONG = "wrong"
    RIGHT = "right"

    def fits(self, outcome: Outcome) -> bool:
        """Whether it can be said of a decision that ended so."""
        given = outcome in {Outcome.ANSWER, Outcome.CONVERSE}
        return self is ReplyJudgement.RIGHT or (self is ReplyJudgement.WRONG) == given


@dataclass(frozen=True, kw_only=True, slots=True)
class Feedback:
    """A judgement, with what the person wrote beside it."""

    judgement: ReplyJudgement
    given_at: datetime
    note: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Ruling:
    """What the gates decided; ``passages`` passed every gate, the most confident first."""

    outcome: Outcome
    confidence: float
    reason: RefusalReason | None = None
    readings: tuple[GateReading, ...] = ()
    passages: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Settings:
    """What a decision was made with; ``config_hash`` is of the limits and the configuration."""

    config_hash: str
    index: str
    model: str
    program: str


@dataclass(frozen=True, kw_only=True, slots=True)
class LoggedDecision:
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
    """The model that chose what was shown; empty where rules did."""
    feedback: tuple[Feedback, ...] = ()

    @property
    def judged(self) -> ReplyJudgement | None:
        """The judgement that counts, if anybody gave one."""
        return self.feedback[-1].judgement if self.feedback else None


def entry_of(
    event: DecisionMade, *, asked_at: datetime, settings: Settings, texts: bool
) -> LoggedDecision:
    """Return what is kept of a decision; with ``texts`` also what may repeat the question."""
    reply, verdict = event.response, event.verdict
    entry = LoggedDecision(
        request_id=event.request_id,
        conversation_id=event.conversation_id,
        asked_at=asked_at,
        route=reply.route,
        lang=reply.lang,
        question=event.question,
        question_length=len(event.question),
        intent=str(reply.intent),
        intent_reason=event.part.reason,
        subject=verdict.subject,
        ruling=Ruling(
            outcome=verdict.outcome,
            confidence=verdict.confidence,
            reason=verdict.reason,
            readings=verdict.readings,
            passages=tuple(hit.passage.id for hit in verdict.support),
        ),
        confidence_score=reply.retrieval_quality.confidence_score,
        total_ms=round(event.total_ms, 3),
        settings=settings,
        stages=tuple(replace(step, readings=(), remarks=()) for step in reply.trace),
        sources=tuple(replace(item, date="", related=(), lines=None) for item in reply.sources),
        fallbacks=reply.retrieval_quality.fallback_reasons,
        mode=reply.mode,
        written_by=reply.written_by,
    )
    return entry if texts else _without_texts(entry)


def _without_texts(entry: LoggedDecision) -> LoggedDecision:
    # A reading may name the subject, which is the question's own words.
    named = f" of {entry.subject}" if entry.subject else ""
    readings = tuple(
        replace(item, source=item.source.replace(named, "") if named else item.source)
        for item in entry.ruling.readings
    )
    return replace(
        entry,
        question="",
        intent_reason="",
        subject="",
        ruling=replace(entry.ruling, readings=readings),
        stages=tuple(replace(step, note="") for step in entry.stages),
        sources=tuple(replace(item, quote="") for item in entry.sources),
    )
