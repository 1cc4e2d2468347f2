"""The values that labels can take: from enums and settings, never from what users write."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar, get_args

from prometheus_client.metrics import MetricWrapperBase

from elysia_guard.domain.events import CallPurpose
from elysia_guard.domain.mode import ASKABLE
from elysia_guard.domain.question import Route
from elysia_guard.domain.refusal import RefusalReason

ROUTES: tuple[str, ...] = get_args(Route)
REASONS = tuple(str(reason) for reason in RefusalReason)
STAGES = (
    "router",
    "cache",
    "reading",
    "choice",
    "terminology",
    "retrieval",
    "judge",
    "gates",
    "planning",
    "writing",
    "answer",
    "verification",
    "suggestions",
    "mentions",
)
SERVICES = ("embeddings", "second_embedder", "skosmos", "weaviate", "llm", "judge")
"""What has, or may have, a circuit breaker."""
BACKENDS = ("skosmos", "skos_file")
FLAGS = (
    "bm25_only",
    "first_embedder_only",
    "skosmos_timeout",
    "skosmos_error",
    "index_timeout",
    "index_error",
    "llm_timeout",
    "llm_error",
    "llm_unavailable",
    "judge_timeout",
    "judge_error",
    "writer_timeout",
    "writer_error",
    "verifier_timeout",
    "verifier_error",
    "circuit_open",
)
"""The degradations that a response can name."""
PURPOSES: tuple[str, ...] = get_args(CallPurpose)
"""What a language model is asked for."""
MODES = tuple(str(mode) for mode in ASKABLE)
"""How an answer may be asked to be made."""
OTHER = "other"

Kind = TypeVar("Kind", bound=MetricWrapperBase)


class Labelled(dict[str, Kind]):
    """A metric with one label of known values; whatever else comes counts as ``other``.

    A dictionary, since every event of every request passes here.

    >>> from prometheus_client import CollectorRegistry, Counter
    >>> asked = Counter("asked", "Questions", ["route"], registry=CollectorRegistry())
    >>> by_route = Labelled(asked, ROUTES)
    >>> by_route["what somebody typed"].inc()
    >>> [sample.labels["route"] for sample in asked.collect()[0].samples if sample.value == 1]
    ['other']
    """

    def __init__(self, metric: Kind, values: Iterable[str] = ()) -> None:
        """Take a metric, and show these values as 0 from the beginning."""
        super().__init__()
        self._metric: Kind = metric
        self.begin(values)

    def begin(self, values: Iterable[str]) -> None:
        """Show values as 0: a rate cannot start from nothing."""
        for value in values:
            self.setdefault(value, self._metric.labels(value))

    def __missing__(self, value: str) -> Kind:
        """Return what counts the rest."""
        return self._metric.labels(OTHER)
