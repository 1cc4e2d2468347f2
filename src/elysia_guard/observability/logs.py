"""Structured logs: one JSON line an event, with the fields of IR0003."""

from __future__ import annotations

import logging
import sys
from datetime import UTC, datetime
from typing import Literal

import structlog

from elysia_guard.domain.events import Event, RequestEnded, RequestStarted, SourceFailed, StageEnded
from elysia_guard.ports import Observer

_COMPONENTS = {"terminology": "skosmos", "retrieval": "index", "answer": "answering"}


def log_events(
    *, level: str = "WARNING", log_queries: Literal["full", "length"] = "full"
) -> Observer:
    """Return an observer that writes each event as a JSON line on standard error.

    ``log_queries='length'`` keeps the text of questions out of the logs.
    """
    logger = structlog.wrap_logger(
        structlog.PrintLogger(sys.stderr),
        processors=[structlog.processors.JSONRenderer(sort_keys=False)],
    )
    threshold = logging.getLevelNamesMapping()[level]

    def observe(event: Event) -> None:
        severity, fields = _fields(event, log_queries)
        if logging.getLevelNamesMapping()[severity] >= threshold:
            shown = "WARN" if severity == "WARNING" else severity
            logger.msg(
                request_id=event.request_id,
                timestamp=datetime.now(UTC)
                .isoformat(timespec="milliseconds")
                .replace("+00:00", "Z"),
                level=shown,
                **fields,
            )

    return observe


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
        case SourceFailed(source=source, timeout=timeout):
            name = "timeout" if timeout else "error"
            return "WARNING", {"component": source, "event": name}
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
