"""Counters, in a registry of their own."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, generate_latest

from elysia_guard.domain.events import Event, StageEnded

_SKOSMOS = {
    "hit": ("skosmos_hit", "Terms found in Skosmos"),
    "miss": ("skosmos_miss", "Terms that Skosmos does not have"),
    "timeout": ("skosmos_timeout", "Look-ups that exceeded the deadline"),
    "error": ("skosmos_error", "Look-ups that Skosmos answered with an error, or not at all"),
}


class Metrics:
    """The counters of IR0003; an observer that counts what it is told.

    >>> metrics = Metrics()
    >>> metrics(StageEnded(request_id="r", stage="skosmos", elapsed_ms=9.0, note="hit"))
    >>> metrics.registry.get_sample_value("skosmos_hit_total", {"backend": "skosmos"})
    1.0
    """

    def __init__(self, registry: CollectorRegistry | None = None) -> None:
        """Count in a registry, by default a new one."""
        self.registry = registry or CollectorRegistry()
        self._outcomes = {
            outcome: self._counter(name, text).labels(backend="skosmos")
            for outcome, (name, text) in _SKOSMOS.items()
        }
        self._lookups = self._counter(
            "skosmos_lookup", "Look-ups that went to Skosmos, however they ended"
        ).labels(backend="skosmos")
        self._kept = self._counter("skosmos_cache_hit", "Look-ups answered from the cache").labels(
            backend="cache"
        )

    def __call__(self, event: Event) -> None:
        """Count an event."""
        if isinstance(event, StageEnded) and event.stage == "skosmos":
            if event.fields.get("cached"):
                self._kept.inc()
            else:
                self._lookups.inc()
                self._outcomes[event.note].inc()

    def text(self) -> str:
        """All counters in the format that Prometheus reads."""
        return generate_latest(self.registry).decode()

    def _counter(self, name: str, documentation: str) -> Counter:
        return Counter(name, documentation, ["backend"], registry=self.registry)
