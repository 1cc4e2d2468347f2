"""The request under way, known to everything that works for it, in whatever task or thread."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import UTC, datetime

from elysia_guard.domain.errors import SourceUnavailableError
from elysia_guard.domain.own_kinds import OwnKinds, under
from elysia_guard.domain.question import Route


@dataclass
class RequestContext:
    """What log lines of one request have in common (IR0003).

    ``route`` is first the way it came in, and once it is read what it concerns: ``direct`` one
    collection, ``tree`` several. ``start_time`` is the moment, in UTC, at which the request came
    in; durations are measured with ``clock``, which only ever grows.

    >>> context = RequestContext("req-abc123", "tree", clock=lambda: 0.0)
    >>> context.add_fallback("bm25_only")
    >>> context.to_log_context()["fallback_flags"]
    ['bm25_only']
    """

    request_id: str
    route: Route
    fallback_flags: list[str] = field(default_factory=list)
    """The degradations in force, such as ``bm25_only``; each once, in the order they came."""
    start_time: datetime = field(default_factory=lambda: datetime.now(UTC))
    unavailable: dict[str, SourceUnavailableError] = field(
        default_factory=dict, repr=False, kw_only=True
    )
    """The sources that could not be asked, by name: within one question none is asked twice."""
    clock: Callable[[], float] = field(default=time.perf_counter, repr=False, kw_only=True)
    kinds: OwnKinds | None = field(default=None, repr=False, kw_only=True)
    """The kinds of documents of the house that is asked; None leaves those in force."""
    started: float = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self.started = self.clock()

    @property
    def elapsed_ms(self) -> float:
        """Milliseconds since the request came in."""
        return (self.clock() - self.started) * 1000

    def add_fallback(self, flag: str) -> None:
        """Take note of a degradation."""
        if flag not in self.fallback_flags:
            self.fallback_flags.append(flag)

    def to_log_context(self) -> dict[str, object]:
        """Return the fields that every log line of the request carries."""
        return {
            "request_id": self.request_id,
            "route": self.route,
            "fallback_flags": list(self.fallback_flags),
            "elapsed_ms": round(self.elapsed_ms, 3),
        }


_current: ContextVar[RequestContext | None] = ContextVar("elysia_guard_request", default=None)


def current_request() -> RequestContext | None:
    """Return the request under way here; None outside of any."""
    return _current.get()


def current_request_id() -> str:
    """Return the id of the request under way here; empty outside of any."""
    context = _current.get()
    return context.request_id if context else ""


@contextmanager
def within(context: RequestContext) -> Iterator[None]:
    """Work for a request: events made meanwhile carry its id."""
    token = _current.set(context)
    try:
        with under(context.kinds):
            yield
    finally:
        _current.reset(token)
