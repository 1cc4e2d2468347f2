"""OpenTelemetry: a span a request, below it one a stage, and below these what the stage asked.

The extra ``elysia-guard[otel]``. Where the program that the guard lives in has set OpenTelemetry
up, its provider is used, and the span that is open there becomes the parent. Elsewhere the standard
``OTEL_*`` variables say where spans go. No span holds text of a user.
"""

from __future__ import annotations

import os
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from elysia_guard.domain.errors import ConfigError
from elysia_guard.domain.events import (
    EmbeddingEnded,
    Event,
    LookupEnded,
    ModelCallEnded,
    RequestEnded,
    RequestStarted,
    SearchEnded,
    StageEnded,
)

if TYPE_CHECKING:
    from opentelemetry.context import Context
    from opentelemetry.sdk.trace import TracerProvider as SdkTracerProvider
    from opentelemetry.trace import TracerProvider

Attributes = dict[str, str | bool | int | float | list[str]]

_SERVICE = "elysia-guard"
_NS_A_MS = 1_000_000
_PATIENCE_S = 2
_AT_MOST = 1_000
"""Requests that are remembered at once; one that was given up never ends."""


@dataclass(frozen=True, kw_only=True, slots=True)
class _Done:
    """Something that is over, and what was asked meanwhile."""

    name: str
    start: int
    end: int
    attributes: Attributes
    asked: tuple[_Done, ...] = ()


@dataclass(kw_only=True)
class _Request:
    """A request under way: the stages that have ended, and what the present one has asked."""

    parent: Context
    start: int
    stages: list[_Done] = field(default_factory=list)
    asked: list[_Done] = field(default_factory=list)


class Spans:
    """Makes the spans of a request when it ends, from what it was told as an observer.

    Args:
        provider: takes the spans.
        clock: nanoseconds since 1970, as spans count them.
        close: called at the end.
    """

    def __init__(
        self,
        provider: TracerProvider,
        *,
        clock: Callable[[], int] = time.time_ns,
        close: Callable[[], None] | None = None,
    ) -> None:
        from opentelemetry import context, trace

        self._tracer = provider.get_tracer("elysia_guard")
        self._within = trace.set_span_in_context
        self._here = context.get_current
        self._clock = clock
        self._close = close
        self._lock = threading.Lock()
        self._under_way: OrderedDict[str, _Request] = OrderedDict()

    def __call__(self, event: Event) -> None:
        """Take note of an event; the last one of a request makes its spans."""
        with self._lock:
            ended = self._note(event)
        if ended and isinstance(event, RequestEnded):
            self._export(ended, event)

    def close(self) -> None:
        """Send what has not been sent."""
        if self._close:
            self._close()

    def _note(self, event: Event) -> _Request | None:
        """Remember an event; return the request that it ends."""
        if isinstance(event, RequestEnded):
            return self._under_way.pop(event.request_id, None)
        if isinstance(event, RequestStarted):
            self._begin(event)
        elif request := self._under_way.get(event.request_id):
            match event:
                case StageEnded():
                    self._stage(request, event)
                case LookupEnded() | EmbeddingEnded() | SearchEnded() | ModelCallEnded():
                    request.asked.append(self._done(event.elapsed_ms, *_described(event)))
        return None

    def _begin(self, event: RequestStarted) -> None:
        start = self._clock() - round(event.elapsed_ms * _NS_A_MS)
        self._under_way[event.request_id] = _Request(parent=self._here(), start=start)
        if len(self._under_way) > _AT_MOST:
            self._under_way.popitem(last=False)

    def _stage(self, request: _Request, event: StageEnded) -> None:
        stage = self._done(event.elapsed_ms, event.stage, {}, tuple(request.asked))
        request.stages.append(stage)
        request.asked.clear()

    def _done(
        self,
        elapsed_ms: float,
        name: str,
        attributes: Attributes,
        asked: tuple[_Done, ...] = (),
    ) -> _Done:
        end = self._clock()
        start = end - round(elapsed_ms * _NS_A_MS)
        return _Done(name=name, start=start, end=end, attributes=attributes, asked=asked)

    def _export(self, request: _Request, event: RequestEnded) -> None:
        attributes: Attributes = {
            "elysia_guard.request_id": event.request_id,
            "elysia_guard.route": event.route,
            "elysia_guard.fallback_flags": list(event.fallback_flags),
            **({"elysia_guard.refusal_reason": str(event.reason)} if event.reason else {}),
        }
        whole = _Done(
            name="request",
            start=request.start,
            end=self._clock(),
            attributes=attributes,
            asked=(*request.stages, *request.asked),
        )
        self._write(whole, request.parent)

    def _write(self, done: _Done, parent: Context) -> None:
        span = self._tracer.start_span(
            f"elysia_guard.{done.name}",
            context=parent,
            start_time=done.start,
            attributes=done.attributes,
        )
        # What the sampling leaves out, it leaves out with all its parts.
        if span.is_recording():
            below = self._within(span, parent)
            for part in done.asked:
                self._write(part, below)
        span.end(end_time=done.end)


def _described(
    event: LookupEnded | EmbeddingEnded | SearchEnded | ModelCallEnded,
) -> tuple[str, Attributes]:
    match event:
        case ModelCallEnded(purpose=purpose, outcome=outcome):
            return "llm", {"purpose": purpose, "outcome": outcome}
        case LookupEnded(backend=backend, outcome=outcome, cached=cached):
            return "lookup", {"backend": backend, "outcome": outcome, "cached": cached}
        case EmbeddingEnded(collections=collections, outcome=outcome):
            return "embedding", {"collections": list(collections), "outcome": outcome}
        case SearchEnded(collections=collections, by_words_alone=by_words_alone):
            return "search", {"collections": list(collections), "bm25_only": by_words_alone}


def spans() -> Spans:
    """Return spans that go where the process, or else the ``OTEL_*`` variables, sends them.

    Raises:
        ConfigError: OpenTelemetry is not installed.
    """
    try:
        from opentelemetry import trace
        from opentelemetry.sdk.trace import TracerProvider

        present = trace.get_tracer_provider()
        if isinstance(present, TracerProvider):
            return Spans(present)
        own = _own_provider()
    except ImportError as err:
        raise ConfigError(
            f"observability.otel: {err.name} is not installed; pip install 'elysia-guard[otel]'"
        ) from err
    return Spans(own, close=own.shutdown)


def _own_provider() -> SdkTracerProvider:
    """A provider of the guard's own: the process's is not ours to set."""
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    # A name that OTEL_SERVICE_NAME gives wins over this one only if this one is not given.
    named = os.environ.get("OTEL_SERVICE_NAME") or _SERVICE
    provider = TracerProvider(resource=Resource.create({"service.name": named}))
    # A collector that is away would hold up the end of the program for ten seconds.
    patience = None if os.environ.get("OTEL_EXPORTER_OTLP_TIMEOUT") else _PATIENCE_S
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(timeout=patience)))
    return provider
