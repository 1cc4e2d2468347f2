"""Structured logs: one JSON line an event, with the fields of IR0003."""

from __future__ import annotations

import contextlib
import json
import logging
import sys
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Literal

import structlog

from elysia_guard.domain.context import current_request
from elysia_guard.domain.events import (
    AnswerKept,
    BreakerChanged,
    EmbeddingEnded,
    Event,
    LookupEnded,
    ModelCallEnded,
    PassagesRejected,
    RecallEnded,
    RequestEnded,
    RequestStarted,
    SearchEnded,
    SourceFailed,
    StageEnded,
    TokensUsed,
)
from elysia_guard.observability.redaction import redactor
from elysia_guard.ports import Observer

LogQueries = Literal["full", "length"]

# What `json.dumps` would make anew for each line.
_ENCODE = json.JSONEncoder(default=repr).encode
_COMPONENTS = {
    "terminology": "skosmos",
    "retrieval": "index",
    "answer": "answering",
    "choice": "llm",
}
_BEYOND_DEBUG: dict[type[Event], int] = {
    RequestStarted: logging.INFO,
    RequestEnded: logging.INFO,
    LookupEnded: logging.WARNING,
    PassagesRejected: logging.INFO,
    ModelCallEnded: logging.WARNING,
    BreakerChanged: logging.WARNING,
    SourceFailed: logging.WARNING,
}
"""How severe an event can be, where it is more than a detail."""


def log_events(
    *,
    level: str = "WARNING",
    log_queries: LogQueries = "full",
    secrets: Iterable[str] = (),
    index: str = "index",
) -> Observer:
    """Return an observer that writes each event as a JSON line on standard error.

    ``log_queries='length'`` keeps the text of questions out of the logs; ``secrets`` are kept out
    of every line, as is what looks like one. ``index`` is what the index is called as a component.
    """
    redact = redactor(secrets)
    logger = structlog.wrap_logger(
        structlog.WriteLogger(sys.stderr),
        processors=[lambda _logger, _method, line: redact(_ENCODE(line))],
    ).bind()
    levels = logging.getLevelNamesMapping()
    threshold = levels[level]
    details = threshold <= logging.DEBUG
    loud = {kind for kind, severity in _BEYOND_DEBUG.items() if severity >= threshold}

    def observe(event: Event) -> None:
        # Most events are not written, and so need not be put into words.
        if not details and type(event) not in loud:
            return
        if isinstance(event, LookupEnded) and _severity(event) < threshold:
            return
        severity, line = line_of(event, log_queries)
        if line["component"] == "index":
            line["component"] = index
        if levels[severity] >= threshold:
            # Whoever closed standard error is answered all the same.
            with contextlib.suppress(OSError, ValueError):
                logger.msg(**line)

    return observe


def _severity(event: LookupEnded) -> int:
    return logging.WARNING if event.outcome in {"timeout", "error"} else logging.INFO


def line_of(event: Event, log_queries: LogQueries = "full") -> tuple[str, dict[str, object]]:
    """Return how severe an event is, and the fields of its line."""
    severity, fields = _fields(event, log_queries)
    shown = "WARN" if severity == "WARNING" else severity
    line = {"request_id": event.request_id, "timestamp": now(), "level": shown}
    return severity, line | request_fields() | fields


def now() -> str:
    """Return the moment as IR0003 writes it: ISO 8601, with milliseconds."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def request_fields() -> dict[str, object]:
    """Return what all lines of a request have in common: its route, the fallbacks in force."""
    context = current_request()
    if context is None:
        return {"route": None, "fallback_flags": []}
    return {"route": context.route, "fallback_flags": list(context.fallback_flags)}


def _fields(event: Event, log_queries: str) -> tuple[str, dict[str, object]]:
    match event:
        case RequestStarted(route=route, query=query):
            asked = {"query": query} if log_queries == "full" else {"query_length": len(query)}
            return "INFO", {
                "component": "router",
                "event": "request_start",
                "route": route,
                **asked,
            }
        case RequestEnded(route=route, reason=reason, fallback_flags=flags, total_ms=total_ms):
            return "INFO", {
                "component": "router",
                "event": "request_complete",
                "route": route,
                "refusal_reason": reason,
                "fallback_flags": list(flags),
                "total_ms": round(total_ms, 1),
            }
        case LookupEnded():
            return _lookup(event, log_queries)
        case EmbeddingEnded() | SearchEnded() | RecallEnded() | AnswerKept():
            return "DEBUG", _detail(event)
        case ModelCallEnded() | TokensUsed() | PassagesRejected():
            return _model_call(event, log_queries)
        case BreakerChanged(service=service, state=state):
            severity = "WARNING" if state == "open" else "INFO"
            return severity, {"component": service, "event": f"circuit_{state}", "service": service}
        case SourceFailed(source=source, circuit_open=True):
            return "WARNING", {"component": source, "event": "circuit_open", "service": source}
        case SourceFailed(source=source, timeout=timeout, cause=cause):
            # What a vocabulary's look-up came to, its own line says.
            severity = "DEBUG" if source == "skosmos" else "WARNING"
            why: dict[str, object] = {"cause": cause} if cause else {}
            event_name = "timeout" if timeout else "error"
            return severity, {"component": source, "event": event_name, **why}
        case StageEnded(stage=stage, elapsed_ms=elapsed_ms, note=note):
            said = {"note": note} if log_queries == "full" else {}
            return "DEBUG", {
                "component": _COMPONENTS.get(stage, stage),
                "event": f"{stage}_complete",
                "latency_ms": round(elapsed_ms, 3),
                **said,
            }
        case _:
            return "DEBUG", {"component": "guard", "event": type(event).__name__}


def _detail(event: EmbeddingEnded | SearchEnded | RecallEnded | AnswerKept) -> dict[str, object]:
    if isinstance(event, EmbeddingEnded | SearchEnded):
        return _retrieval(event)
    return _cache(event)


def _cache(event: RecallEnded | AnswerKept) -> dict[str, object]:
    """Tell what came of looking for an answer that was given before, or that one is kept."""
    said: dict[str, object] = {"component": "answer_cache", "mode": event.mode}
    if isinstance(event, AnswerKept):
        return said | {"event": "cache_kept"}
    latency_ms = round(event.elapsed_ms, 3)
    return said | {"event": f"cache_{event.outcome}", "latency_ms": latency_ms}


def _retrieval(event: EmbeddingEnded | SearchEnded) -> dict[str, object]:
    """Tell how long it took; that it failed, the line of the source that failed says."""
    if isinstance(event, EmbeddingEnded):
        said = {"component": "embeddings", "event": "embedding_complete", "outcome": event.outcome}
    else:
        way = "bm25_only" if event.by_words_alone else "hybrid"
        said = {"component": "index", "event": "search_complete", "search": way}
    return {
        **said,
        "collections": list(event.collections),
        "latency_ms": round(event.elapsed_ms, 3),
    }


def _model_call(
    event: ModelCallEnded | TokensUsed | PassagesRejected, log_queries: str
) -> tuple[str, dict[str, object]]:
    if isinstance(event, PassagesRejected):
        return "INFO", _rejected(event, log_queries)
    if isinstance(event, TokensUsed):
        return "DEBUG", {
            "component": "llm",
            "event": "tokens_used",
            "purpose": event.purpose,
            "prompt_tokens": event.prompt,
            "completion_tokens": event.written,
        }
    done = event.outcome == "done"
    service = "judge" if event.purpose == "judge" else "llm"
    return "DEBUG" if done else "WARNING", {
        "component": service,
        "event": "call_complete" if done else event.outcome,
        "purpose": event.purpose,
        **({"service": service} if event.outcome == "circuit_open" else {}),
        "latency_ms": round(event.elapsed_ms, 3),
    }


def _rejected(event: PassagesRejected, log_queries: str) -> dict[str, object]:
    """Tell of a judge's no; its reason is in its own words, which may quote the question."""
    why = {"reasoning": event.reasoning}
    return {
        "component": "judge",
        "event": "passages_rejected",
        "judged_by": event.judged_by,
        "passages": event.passages,
        "confidence": round(event.confidence, 3),
        **(why if log_queries == "full" else {"reasoning_length": len(event.reasoning)}),
    }


def _lookup(event: LookupEnded, log_queries: str) -> tuple[str, dict[str, object]]:
    failed = event.outcome in {"timeout", "error"}
    asked = {"term": event.term} if log_queries == "full" else {"term_length": len(event.term)}
    found: dict[str, object] = {"hit": event.outcome == "hit", "cached": event.cached}
    if failed:
        told = event.cause and (log_queries == "full" or event.term not in event.cause)
        found = {"cause": event.cause} if told else {}
    return "WARNING" if failed else "INFO", {
        "component": "skosmos",
        "event": event.outcome if failed else "lookup_complete",
        **asked,
        **found,
        "latency_ms": round(event.elapsed_ms),
    }
