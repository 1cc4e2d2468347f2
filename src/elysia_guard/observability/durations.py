"""Histograms that are told their values in bulk: one by one, each costs five times as much."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Sequence

from prometheus_client import CollectorRegistry, Histogram

from elysia_guard.observability.labels import Labelled

BUCKETS_MS = (1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000)
"""Milliseconds; the vocabulary's deadline, 300, lies between two of them."""


class _Bulk(Histogram):
    """A histogram that can be told many values at once."""

    def observe_all(self, values: Sequence[float]) -> None:
        """Observe each value."""
        if len(values) == 1:
            self.observe(values[0])
            return
        counts: defaultdict[int, int] = defaultdict(int)
        for value in values:
            counts[bisect_left(self._upper_bounds, value)] += 1
        self._sum.inc(sum(values))
        for place, count in counts.items():
            self._buckets[place].inc(count)


class Durations:
    """How long something took, by a label of known values; seen once it is settled.

    >>> registry = CollectorRegistry()
    >>> took = Durations("took_ms", "How long it took", "route", registry, ["direct"])
    >>> took.add("direct", 3.0)
    >>> took.settle()
    >>> registry.get_sample_value("took_ms_bucket", {"route": "direct", "le": "5.0"})
    1.0
    """

    def __init__(
        self,
        name: str,
        text: str,
        label: str,
        registry: CollectorRegistry,
        values: Iterable[str] = (),
    ) -> None:
        """Show a histogram in a registry, with these values of its label from the beginning."""
        metric = _Bulk(name, text, [label], buckets=BUCKETS_MS, registry=registry)
        self._shown = Labelled(metric, values)
        self.begin = self._shown.begin
        self._told: defaultdict[str, list[float]] = defaultdict(list)

    def add(self, value: str, elapsed_ms: float) -> None:
        """Take note of a time, under a value of the label."""
        self._told[value].append(elapsed_ms)

    def settle(self) -> None:
        """Show what was taken note of."""
        for value, times in self._told.items():
            self._shown[value].observe_all(times)
        self._told.clear()
