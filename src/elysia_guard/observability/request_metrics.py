"""What operators want to know of requests beyond IR0003: how many, how long, how degraded."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Histogram

from elysia_guard.domain.events import RequestEnded, RequestStarted, StageEnded
from elysia_guard.observability.labels import FLAGS, ROUTES, STAGES, Labelled

BUCKETS_MS = (1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000)
"""Milliseconds; the vocabulary's deadline, 300, lies between two of them."""


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

        def timed(name: str, text: str, label: str, values: tuple[str, ...]) -> Labelled[Histogram]:
            metric = Histogram(name, text, [label], buckets=BUCKETS_MS, registry=registry)
            return Labelled(metric, values)

        self._total_ms = timed(
            "rag_request_latency_ms", "From the question to its response", "route", ROUTES
        )
        self._stage_ms = timed("rag_stage_latency_ms", "How long a stage took", "stage", STAGES)

    def started(self, event: RequestStarted) -> None:
        """Count a question."""
        self._started[event.route].inc()

    def stage(self, event: StageEnded) -> None:
        """Time a stage."""
        self._stage_ms[event.stage].observe(event.elapsed_ms)

    def ended(self, event: RequestEnded) -> None:
        """Time a response, and count the fallbacks in force."""
        self._total_ms[event.route].observe(event.total_ms)
        for flag in event.fallback_flags:
            self._degraded[flag].inc()
