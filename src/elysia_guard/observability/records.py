"""What else is logged while the guard works, by Python's own logging, in lines of the same form."""

from __future__ import annotations

import json
import logging
import traceback
from collections.abc import Callable, Iterable
from types import MappingProxyType

from elysia_guard.domain.context import current_request_id
from elysia_guard.observability.logs import LogQueries, now, request_fields
from elysia_guard.observability.redaction import redactor

_COMPONENTS = MappingProxyType(
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
        (shown for name, shown in _COMPONENTS.items() if f"{logger}.".startswith(f"{name}.")),
        logger,
    )
