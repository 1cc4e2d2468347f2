"""Entries as rows of the tables, and back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any

from sqlalchemy import RowMapping, Table

from elysia_guard.adapters.decision_log.entry import Entry, Feedback, Judgement, Ruling, Settings
from elysia_guard.adapters.decision_log.schema import (
    feedback,
    readings,
    sources,
    stages,
)
from elysia_guard.adapters.sql import key, plain
from elysia_guard.domain.mode import Mode
from elysia_guard.domain.refusal import GateReading, Outcome, RefusalReason
from elysia_guard.domain.response import Source, TraceStep

Values = dict[str, Any]
Parts = Mapping[str, Iterable[RowMapping]]
"""The rows of a decision, under the names of their tables."""

_COUNTS = frozenset({"no_results"})
"""Gates that measure whole numbers, which a column of numbers does not tell from others."""


_UNKEPT = frozenset({"lines", "date", "related"})
"""What is not written down of a source: the quote is, and the rest may be another by then."""


def decision_row(entry: Entry) -> Values:
    """Return the row of an entry's own table."""
    ruling, shadow, settings = entry.ruling, entry.shadow, entry.settings
    return _plain(
        {
            "request_id": key(entry.request_id),
            "conversation_id": key(entry.conversation_id),
            "asked_at": entry.asked_at,
            "route": entry.route,
            "lang": entry.lang,
            "question": entry.question,
            "question_length": entry.question_length,
            "intent": entry.intent,
            "intent_reason": entry.intent_reason,
            "subject": entry.subject,
            "outcome": ruling.outcome.value,
            "reason": ruling.reason.value if ruling.reason else None,
            "confidence": ruling.confidence,
            "confidence_score": entry.confidence_score,
            "passages": [plain(item) for item in ruling.passages],
            "fallbacks": list(entry.fallbacks),
            "mode": entry.mode.value if entry.mode else None,
            "written_by": entry.written_by,
            "total_ms": entry.total_ms,
            "config_hash": settings.config_hash,
            "index_name": settings.index,
            "model": settings.model,
            "program": settings.program,
            "shadow_hash": settings.shadow_hash,
            "shadow_outcome": shadow.outcome.value if shadow else None,
            "shadow_reason": shadow.reason.value if shadow and shadow.reason else None,
            "shadow_confidence": shadow.confidence if shadow else None,
            "shadow_passages": [plain(item) for item in shadow.passages] if shadow else None,
            "difference": (entry.difference or ""),
        }
    )


def belonging_rows(entry: Entry) -> dict[Table, list[Values]]:
    """Return the rows of the other tables, the candidate limits' readings behind the live ones."""
    live = [_reading_row(item, shadow=False) for item in entry.ruling.readings]
    beside = entry.shadow.readings if entry.shadow else ()
    return {
        readings: [*live, *(_reading_row(item, shadow=True) for item in beside)],
        sources: [_source_row(source) for source in entry.sources],
        stages: [
            _plain({"stage": step.stage, "elapsed_ms": step.elapsed_ms, "note": step.note})
            for step in entry.stages
        ],
        feedback: [feedback_row(item) for item in entry.feedback],
    }


def feedback_row(item: Feedback) -> Values:
    """Return the row of a judgement."""
    return _plain({"judgement": item.judgement.value, "given_at": item.given_at, "note": item.note})


def entry_from(row: RowMapping, parts: Parts) -> Entry:
    """Return the entry of a row and of the rows that belong to it."""
    found = list(parts["guard_readings"])
    return Entry(
        request_id=row["request_id"],
        conversation_id=row["conversation_id"],
        asked_at=row["asked_at"],
        route=row["route"],
        lang=row["lang"],
        question=row["question"],
        question_length=row["question_length"],
        intent=row["intent"],
        intent_reason=row["intent_reason"],
        subject=row["subject"],
        ruling=_ruling(row, [item for item in found if not item["shadow"]], ""),
        confidence_score=row["confidence_score"],
        total_ms=row["total_ms"],
        settings=Settings(
            config_hash=row["config_hash"],
            index=row["index_name"],
            model=row["model"],
            program=row["program"],
            shadow_hash=row["shadow_hash"],
        ),
        stages=tuple(_step(item) for item in parts["guard_stages"]),
        sources=tuple(_source(item) for item in parts["guard_sources"]),
        fallbacks=tuple(row["fallbacks"]),
        mode=Mode(row["mode"]) if row["mode"] else None,
        written_by=row["written_by"] or "",
        shadow=_ruling(row, [item for item in found if item["shadow"]], "shadow_")
        if row["shadow_outcome"]
        else None,
        feedback=tuple(_feedback(item) for item in parts["guard_feedback"]),
    )


def _plain(values: Values) -> Values:
    return {name: plain(item) if isinstance(item, str) else item for name, item in values.items()}


def _reading_row(reading: GateReading, *, shadow: bool) -> Values:
    return _plain(
        {
            "shadow": shadow,
            "gate": reading.gate,
            "passed": reading.passed,
            **_measure("value", reading.value),
            **_measure("threshold", reading.threshold),
            "source": reading.source,
            "reason": reading.reason.value if reading.reason else None,
        }
    )


def _measure(name: str, measure: float | str | None) -> Values:
    """Keep numbers as numbers, so that SQL can compare them."""
    if isinstance(measure, str):
        return {name: None, f"{name}_text": measure}
    return {name: measure, f"{name}_text": None}


def _ruling(row: RowMapping, readings: Iterable[RowMapping], prefix: str) -> Ruling:
    reason = row[f"{prefix}reason"]
    return Ruling(
        outcome=Outcome(row[f"{prefix}outcome"]),
        reason=RefusalReason(reason) if reason else None,
        confidence=row[f"{prefix}confidence"],
        readings=tuple(_reading(item) for item in readings),
        passages=tuple(row[f"{prefix}passages"]),
    )


def _reading(row: RowMapping) -> GateReading:
    return GateReading(
        gate=row["gate"],
        passed=row["passed"],
        value=_measured(row, "value"),
        threshold=_measured(row, "threshold"),
        source=row["source"],
        reason=RefusalReason(row["reason"]) if row["reason"] else None,
    )


def _measured(row: RowMapping, name: str) -> float | str | None:
    text: str | None = row[f"{name}_text"]
    number: float | None = row[name]
    if number is None:
        return text
    return int(number) if row["gate"] in _COUNTS else number


def _step(row: RowMapping) -> TraceStep:
    return TraceStep(stage=row["stage"], note=row["note"], elapsed_ms=row["elapsed_ms"])


def _source_row(source: Source) -> Values:
    return _plain({name: value for name, value in asdict(source).items() if name not in _UNKEPT})


def _source(row: RowMapping) -> Source:
    values = {name: row[name] for name in Source.__dataclass_fields__ if name not in _UNKEPT}
    return Source(**values)


def _feedback(row: RowMapping) -> Feedback:
    return Feedback(
        judgement=Judgement(row["judgement"]), given_at=row["given_at"], note=row["note"]
    )
