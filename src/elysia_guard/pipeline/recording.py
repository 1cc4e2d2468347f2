"""The record of a question under way: its trace for the reader, its events for the operator."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from typing import NamedTuple

from elysia_guard.domain.events import (
    ContextsRejected,
    DecisionMade,
    RequestEnded,
    SourceFailed,
    StageEnded,
)
from elysia_guard.domain.evidence import SourceFailure
from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.refusal import GateReading, Outcome, Verdict
from elysia_guard.domain.response import RAGResponse, TraceStep
from elysia_guard.ports import Clock, Observer


class Note(NamedTuple):
    """What a step says of itself: to programs in a text, to people in sentences (``remarks``)."""

    text: str = ""
    remarks: tuple[str, ...] = ()
    readings: tuple[GateReading, ...] = ()
    """What the gates measured."""


Tell = Callable[[Note], None]


@dataclass(frozen=True, kw_only=True)
class Recorder:
    """Writes what happens into the trace, and tells the observer."""

    observe: Observer
    clock: Clock

    @contextmanager
    def stage(self, name: str, inquiry: Inquiry) -> Iterator[Tell]:
        """Time a stage and record it, with the last that it tells of itself; not one that fails."""
        started, notes = self.clock(), [Note()]
        yield notes.append
        self.step(name, inquiry, notes[-1], started=started)

    def step(self, name: str, inquiry: Inquiry, note: Note, *, started: float) -> None:
        """Record a stage that began at ``started`` and has just ended."""
        elapsed_ms = (self.clock() - started) * 1000
        inquiry.trace.append(
            TraceStep(stage=name, elapsed_ms=round(elapsed_ms, 3), note=note.text,
                      readings=note.readings, remarks=note.remarks)
        )  # fmt: skip
        self.observe(StageEnded(stage=name, elapsed_ms=elapsed_ms, note=note.text))

    def failures(
        self, inquiry: Inquiry, failures: Sequence[SourceFailure], flags: Sequence[str] = ()
    ) -> None:
        """Record which sources could not be asked, and the degradations that this brings."""
        for failure in failures:
            self.observe(SourceFailed(**asdict(failure)))
        for flag in flags:
            inquiry.context.add_fallback(flag)

    def unguided(self, inquiry: Inquiry, flags: Sequence[str]) -> Inquiry:
        """Return an inquiry of which a language model said nothing of use; ``flags`` say how."""
        self.failures(inquiry, (), flags)
        return replace(inquiry, unguided=tuple(dict.fromkeys((*inquiry.unguided, *flags))))

    def end(self, inquiry: Inquiry, reply: RAGResponse) -> None:
        """Record that the response leaves."""
        total_ms, verdict = inquiry.context.elapsed_ms, inquiry.decided()
        if told := _turned_away(verdict):
            self.observe(told)
        self.observe(
            DecisionMade(
                question=inquiry.question.asked,
                part=inquiry.part,
                verdict=verdict,
                response=reply,
                total_ms=total_ms,
                conversation_id=inquiry.conversation.id,
            )
        )
        self.observe(
            RequestEnded(
                route=inquiry.route,
                reason=reply.refusal_reason,
                fallback_flags=reply.retrieval_quality.fallback_reasons,
                total_ms=total_ms,
            )
        )


def _turned_away(verdict: Verdict) -> ContextsRejected | None:
    """Tell by which gate a question was refused that measures what was found, if by one."""
    for read in verdict.readings if verdict.outcome is Outcome.REFUSE else ():
        if not read.passed and isinstance(read.value, float) and verdict.reason:
            return ContextsRejected(
                gate=read.gate, score=read.value, limit=read.threshold, reason=verdict.reason
            )
    return None
