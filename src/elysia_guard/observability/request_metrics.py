"""What operators want to know of requests beyond IR0003: how many, how long, how degraded."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter

from elysia_guard.domain.events import RequestEnded, RequestStarted, StageEnded
from elysia_guard.observability.durations import Durations
from elysia_guard.observability.labels import FLAGS, ROUTES, STAGES, Labelled


class RequestMetrics:
    """Counts requests and times them, by route and stage."""

    def __init__(self, registry: CollectorRegistry) -> None:
        """Count in a registry."""
        self._started = Labelled(
            Counter("rag_request", "Questions that came in", ["route"], registry=registry), ROUTES
        )
        self._degraded = Labelled(
            Counter(
                "rag_fallback",
                "Responses with a fallback in force, under each of its flags",
                ["flag"],
                registry=registry,
            ),
            FLAGS,
        )
        self._total_ms = Durations(
            "rag_request_latency_ms", "From the question to its response", "route", registry, ROUTES
        )
        self._stage_ms = Durations(
            "rag_stage_latency_ms", "How long a stage took", "stage", registry, STAGES
        )

    def started(self, event: RequestStarted) -> None:
        """Count a question."""
        self._started[event.route].inc()

    def stage(self, event: StageEnded) -> None:
        """Time a stage."""
        self._stage_ms.add(event.stage, event.elapsed_ms)

    def ended(self, event: RequestEnded) -> None:
        """Time a response, and count the fallbacks in force."""
        self._total_ms.add(event.route, event.total_ms)
        for flag in event.fallback_flags:
            self._degraded[flag].inc()

    def settle(self) -> None:
        """Show every time that was taken note of."""
        self._total_ms.settle()
        self._stage_ms.settle()
