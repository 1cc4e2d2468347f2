"""The log as files: JSON lines with everything, or a table with a row for each decision."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator

from pydantic import TypeAdapter

from elysia_guard.adapters.decision_log.entry import Entry
from elysia_guard.domain.refusal import GateReading

_ENTRY = TypeAdapter(Entry)

COLUMNS = (
    *("request_id", "conversation_id", "asked_at", "route", "lang", "question"),
    *("question_length", "intent", "outcome", "reason", "confidence", "confidence_score"),
    *("gates", "sources", "fallbacks", "mode", "written_by", "total_ms", "config_hash", "index"),
    *("model", "program"),
    *("shadow_outcome", "shadow_reason", "difference", "judgement", "note"),
)

# A spreadsheet takes what begins so for a formula.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def as_record(entry: Entry) -> dict[str, object]:
    """Return an entry as plain values, ready for JSON."""
    return {
        # Of a whole number among the measures it would say that it is no fraction.
        **_ENTRY.dump_python(entry, mode="json", warnings="none"),
        "difference": entry.difference,
        "judged": entry.judged,
    }


def json_lines(entries: Iterable[Entry]) -> Iterator[str]:
    """Write an entry a line, whole."""
    for entry in entries:
        yield json.dumps(as_record(entry), ensure_ascii=False) + "\n"


def read_line(line: str) -> Entry:
    """Read an entry that ``json_lines`` has written."""
    values = json.loads(line)
    for derived in ("difference", "judged"):
        values.pop(derived, None)
    return _ENTRY.validate_python(values)


def table(entries: Iterable[Entry]) -> Iterator[str]:
    """Write a header, and a row an entry (RFC 4180); what looks like a formula is quoted."""
    yield _row(COLUMNS)
    for entry in entries:
        yield _row([_cell(value) for value in _values(entry)])


def _values(entry: Entry) -> Iterator[object]:
    ruling, shadow, settings = entry.ruling, entry.shadow, entry.settings
    last = entry.feedback[-1] if entry.feedback else None
    yield from (entry.request_id, entry.conversation_id, entry.asked_at.isoformat())
    yield from (entry.route, entry.lang, entry.question, entry.question_length, entry.intent)
    yield from (ruling.outcome, ruling.reason, ruling.confidence, entry.confidence_score)
    yield "; ".join(map(_gate, ruling.readings))
    yield "; ".join(dict.fromkeys(source.doc_id for source in entry.sources))
    yield "; ".join(entry.fallbacks)
    yield from (entry.mode, entry.written_by)
    yield from (entry.total_ms, settings.config_hash, settings.index, settings.model)
    yield settings.program
    yield from (shadow.outcome, shadow.reason) if shadow else (None, None)
    yield entry.difference
    yield from (last.judgement, last.note) if last else (None, None)


def _gate(reading: GateReading) -> str:
    mark = "passed" if reading.passed else "failed"
    return f"{reading.gate} {mark}: {reading.value} / {reading.threshold} ({reading.source})"


def _cell(value: object) -> str:
    text = "" if value is None else str(value)
    return f"'{text}" if isinstance(value, str) and text.startswith(_FORMULA) else text


def _row(cells: Iterable[str]) -> str:
    line = io.StringIO()
    csv.writer(line, lineterminator="\r\n").writerow(cells)
    return line.getvalue()
