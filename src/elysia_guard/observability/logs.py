"""Structured logs: one JSON line an event, with the fields of IR0003, and no secret in any.

What else is logged while the guard works, by Python's own logging, comes in lines of the same form.
"""

from __future__ import annotations

import contextlib
import json
import logging
import re
import sys
import traceback
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from functools import cache
from http import HTTPStatus
from types import MappingProxyType
from typing import Any, Literal

from elysia_guard.domain.context import current_request, current_request_id
from elysia_guard.domain.events import (
    AnswerKept,
    BreakerChanged,
    ContextsRejected,
    EmbeddingEnded,
    Event,
    LookupEnded,
    ModelCallEnded,
    RecallEnded,
    RequestAnswered,
    RequestEnded,
    RequestStarted,
    SearchEnded,
    SourceFailed,
    StageEnded,
    TokensUsed,
)
from elysia_guard.ports import Observer

LogQueries = Literal["full", "length"]

Fields = dict[str, object]

# What `json.dumps` would make anew for each line.
_ENCODE = json.JSONEncoder(default=repr).encode
_STAGES = {
    "terminology": "skosmos",
    "retrieval": "index",
    "answer": "answering",
}
_BEYOND_DEBUG: dict[type[Event], int] = {
    RequestStarted: logging.INFO,
    RequestEnded: logging.INFO,
    LookupEnded: logging.WARNING,
    ContextsRejected: logging.INFO,
    ModelCallEnded: logging.WARNING,
    BreakerChanged: logging.WARNING,
    SourceFailed: logging.WARNING,
    RequestAnswered: logging.WARNING,
}
"""How severe an event can be, where it is more than a detail."""

PROBED = frozenset({"/healthz", "/guard/ready", "/metrics", "/metrics.json"})
"""What machines ask all day, which is a detail while it is well."""

_LOGGERS = MappingProxyType(
    {
        "elysia_guard.edge.elysia.webapp": "webapp",
        "elysia_guard.edge.elysia": "tree",
        "elysia_guard": "guard",
        "elysia": "elysia",
        "rich": "elysia",
        "uvicorn": "server",
    }
)
"""By the beginning of the logger's name, the longest first."""

HIDDEN = "***"
_TOO_SHORT = 6
"""A 'secret' shorter than this would turn up in ordinary words."""

_SHAPES = re.compile(
    r"""(?ix)
    (?P<before>
        (?<=[a-z0-9+.-])://(?=[^\s/@"\\]+@)               # user and password in an address
      | [?&;](?:api[_-]?key|key|(?:access_)?token|secret|password|sig(?:nature)?)=
      | \b(?:bearer|basic)\s+(?=[\w.~+/=-]{8})
      | \b(?:sk|pk|rk|ghp|gho|xox[abp])[-_](?=[\w-]{12})   # as the usual services begin them
    )
    [^\s@&"'\\,;)\]}]+
    """
)
_HINTS = (
    "://",
    "=",
    "bearer",
    "basic",
    *(f"{start}{mark}" for start in ("sk", "pk", "rk", "ghp", "gho") for mark in "-_"),
    "xox",
)
"""Every shape holds one of these; to look for them takes a twentieth of the time."""


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
    redact, stream = redactor(secrets), sys.stderr

    @cache
    def logger() -> Any:
        import structlog  # it brings rich, and most commands write no line

        return structlog.wrap_logger(
            structlog.WriteLogger(stream),
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
                logger().msg(**line)

    return observe


def _severity(event: LookupEnded) -> int:
    return logging.WARNING if event.outcome in {"timeout", "error"} else logging.INFO


def line_of(event: Event, log_queries: LogQueries = "full") -> tuple[str, dict[str, object]]:
    """Return how severe an event is, and the fields of its line."""
    told = _LINES.get(type(event))
    severity, component, happened, fields = (
        told(event, log_queries) if told else ("DEBUG", "guard", type(event).__name__, {})
    )
    shown = "WARN" if severity == "WARNING" else severity
    line = {"request_id": event.request_id, "timestamp": now(), "level": shown}
    return severity, line | request_fields() | {"component": component, "event": happened} | fields


def now() -> str:
    """Return the moment as IR0003 writes it: ISO 8601, with milliseconds."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def request_fields() -> dict[str, object]:
    """Return what all lines of a request have in common: its route, the fallbacks in force."""
    context = current_request()
    if context is None:
        return {"route": None, "fallback_flags": []}
    return {"route": context.route, "fallback_flags": list(context.fallback_flags)}


def _text(name: str, text: str, shown: LogQueries) -> Fields:
    """Show what a user wrote, or how long it is."""
    return {name: text} if shown == "full" else {f"{name}_length": len(text)}


def _ms(event: Any) -> Fields:
    return {"latency_ms": round(event.elapsed_ms, 3)}


Line = tuple[str, str, str, Fields]
"""How severe an event is, who speaks, what happened, and the fields of its own."""


def _request_ended(event: RequestEnded, _: LogQueries) -> Line:
    said: Fields = {
        "route": event.route,
        "refusal_reason": event.reason,
        "fallback_flags": list(event.fallback_flags),
        "total_ms": round(event.total_ms, 1),
    }
    return "INFO", "router", "request_complete", said


def _lookup(event: LookupEnded, shown: LogQueries) -> Line:
    said = _text("term", event.term, shown)
    latency = {"latency_ms": round(event.elapsed_ms)}
    if _severity(event) == logging.INFO:
        found = {"hit": event.outcome == "hit", "cached": event.cached}
        return "INFO", "skosmos", "lookup_complete", said | found | latency
    told = event.cause and (shown == "full" or event.term not in event.cause)
    cause = {"cause": event.cause} if told else {}
    return "WARNING", "skosmos", event.outcome, said | cause | latency


def _source_failed(event: SourceFailed, _: LogQueries) -> Line:
    if event.circuit_open:
        return "WARNING", event.source, "circuit_open", {"service": event.source}
    # What a vocabulary's look-up came to, its own line says.
    severity = "DEBUG" if event.source == "skosmos" else "WARNING"
    cause: Fields = {"cause": event.cause} if event.cause else {}
    return severity, event.source, "timeout" if event.timeout else "error", cause


def _model_call(event: ModelCallEnded, _: LogQueries) -> Line:
    left_alone = {"service": "llm"} if event.outcome == "circuit_open" else {}
    said = {"purpose": event.purpose, **left_alone, **_ms(event)}
    if event.outcome == "done":
        return "DEBUG", "llm", "call_complete", said
    return "WARNING", "llm", event.outcome, said


def _contexts_rejected(event: ContextsRejected, _: LogQueries) -> Line:
    said: Fields = {
        "gate": event.gate,
        "score": round(event.score, 3),
        "limit": event.limit,
        "refusal_reason": event.reason,
    }
    return "INFO", "gates", "contexts_rejected", said


def _answered(event: RequestAnswered, _: LogQueries) -> Line:
    severity = "INFO"
    if event.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        severity = "WARNING"
    elif event.path in PROBED and event.status < HTTPStatus.BAD_REQUEST:
        severity = "DEBUG"
    said = {"method": event.method, "path": event.path, "status": event.status, **_ms(event)}
    return severity, "server", "http_answered", said


def _embedding(event: EmbeddingEnded, _: LogQueries) -> Line:
    """Tell how long it took; that it failed, the line of the source that failed says."""
    said = {"outcome": event.outcome, "collections": list(event.collections), **_ms(event)}
    return "DEBUG", "embeddings", "embedding_complete", said


def _search(event: SearchEnded, _: LogQueries) -> Line:
    way = "bm25_only" if event.by_words_alone else "hybrid"
    said = {"search": way, "collections": list(event.collections), **_ms(event)}
    return "DEBUG", "index", "search_complete", said


def _tokens(event: TokensUsed, _: LogQueries) -> Line:
    said: Fields = {
        "purpose": event.purpose,
        "prompt_tokens": event.prompt,
        "completion_tokens": event.written,
    }
    return "DEBUG", "llm", "tokens_used", said


_LINES: dict[type[Event], Callable[[Any, LogQueries], Line]] = {
    RequestStarted: lambda event, shown: (
        "INFO",
        "router",
        "request_start",
        {"route": event.route, **_text("query", event.query, shown)},
    ),
    RequestEnded: _request_ended,
    LookupEnded: _lookup,
    EmbeddingEnded: _embedding,
    SearchEnded: _search,
    RecallEnded: lambda event, _: (
        "DEBUG",
        "answer_cache",
        f"cache_{event.outcome}",
        {"mode": event.mode, **_ms(event)},
    ),
    AnswerKept: lambda event, _: ("DEBUG", "answer_cache", "cache_kept", {"mode": event.mode}),
    ModelCallEnded: _model_call,
    TokensUsed: _tokens,
    ContextsRejected: _contexts_rejected,
    BreakerChanged: lambda event, _: (
        "WARNING" if event.state == "open" else "INFO",
        event.service,
        f"circuit_{event.state}",
        {"service": event.service},
    ),
    SourceFailed: _source_failed,
    RequestAnswered: _answered,
    StageEnded: lambda event, shown: (
        "DEBUG",
        _STAGES.get(event.stage, event.stage),
        f"{event.stage}_complete",
        {**_ms(event), **({"note": event.note} if shown == "full" else {})},
    ),
}
"""How each event is told; with the texts of users, or their lengths alone."""


class JsonLines(logging.Formatter):
    """Puts a log record into one JSON line, with the fields of every other line.

    With ``log_queries='length'`` only our own messages keep their words: what a library says, and
    what an exception says of itself, may quote the question.
    """

    def __init__(self, *, log_queries: LogQueries = "full", secrets: Iterable[str] = ()) -> None:
        """Say what of questions may be shown, and what never."""
        super().__init__()
        self._in_full = log_queries == "full"
        self._redact: Callable[[str], str] = redactor(secrets)

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        line = {
            "request_id": current_request_id(),
            "timestamp": now(),
            "level": "WARN" if record.levelname == "WARNING" else record.levelname,
            **request_fields(),
            "component": _component(record.name),
            "event": "log",
            **self._said(record),
            **self._raised(record),
        }
        return self._redact(json.dumps(line))

    def _said(self, record: logging.LogRecord) -> dict[str, object]:
        message = record.getMessage()
        if self._in_full or record.name.startswith("elysia_guard."):
            return {"logger": record.name, "message": message}
        return {"logger": record.name, "message_length": len(message)}

    def _raised(self, record: logging.LogRecord) -> dict[str, object]:
        kind, error, trace = record.exc_info or (None, None, None)
        if kind is None:
            return {}
        if self._in_full:
            return {"error": kind.__name__, "trace": "".join(traceback.format_exception(error))}
        frames = traceback.extract_tb(trace)
        return {
            "error": kind.__name__,
            "trace": [f"{frame.filename}:{frame.lineno} in {frame.name}" for frame in frames],
        }


def _component(logger: str) -> str:
    return next(
        (shown for name, shown in _LOGGERS.items() if f"{logger}.".startswith(f"{name}.")),
        logger,
    )


def redactor(secrets: Iterable[str] = ()) -> Callable[[str], str]:
    """Return what takes secrets out of a text: these, and what has the shape of one.

    >>> redactor(["s3cret-key"])("asked https://me:pw@vocab.example/?q=CIM with s3cret-key")
    'asked https://***@vocab.example/?q=CIM with ***'
    """
    known = sorted({item for item in secrets if len(item) >= _TOO_SHORT}, key=len, reverse=True)
    named = re.compile("|".join(map(re.escape, known))) if known else None

    def redact(text: str) -> str:
        suspect = any(map(text.casefold().__contains__, _HINTS))
        shown = _SHAPES.sub(_hidden, text) if suspect else text
        return named.sub(HIDDEN, shown) if named else shown

    return redact


def _hidden(found: re.Match[str]) -> str:
    return found["before"] + HIDDEN
