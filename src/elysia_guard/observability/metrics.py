"""The counters, gauges and times of IR0003 and a few more, in a registry of their own.

The values of labels come from enums and settings, never from what users write.
"""

from __future__ import annotations

import threading
from bisect import bisect_left
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar, get_args

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from prometheus_client.core import Metric
from prometheus_client.metrics import MetricWrapperBase

from elysia_guard.domain.events import (
    AnswerKept,
    BreakerChanged,
    CallPurpose,
    EmbeddingEnded,
    Event,
    LookupEnded,
    ModelCallEnded,
    RecallEnded,
    RequestEnded,
    RequestStarted,
    SearchEnded,
    StageEnded,
    TokensUsed,
)
from elysia_guard.domain.mode import ASKABLE
from elysia_guard.domain.question import Route
from elysia_guard.domain.refusal import RefusalReason
from elysia_guard.observability.exposition import as_text

ROUTES: tuple[str, ...] = get_args(Route)
REASONS = tuple(str(reason) for reason in RefusalReason)
STAGES = (
    "router",
    "cache",
    "tools",
    "terminology",
    "retrieval",
    "gates",
    "planning",
    "pointing",
    "answer",
    "verification",
    "suggestions",
    "mentions",
)
SERVICES = ("embeddings", "skosmos", "weaviate", "llm")
"""What has, or may have, a circuit breaker."""
BACKENDS = ("skosmos", "skos_file")
FLAGS = (
    "bm25_only",
    "skosmos_timeout",
    "skosmos_error",
    "index_timeout",
    "index_error",
    "llm_timeout",
    "llm_error",
    "circuit_open",
)
"""The degradations that a response can name."""
PURPOSES: tuple[str, ...] = get_args(CallPurpose)
"""What a language model is asked for."""
MODES = tuple(str(mode) for mode in ASKABLE)
"""How an answer may be asked to be made."""
OTHER = "other"

_STATES = {"closed": 0, "half_open": 1, "open": 2}
AT_ONCE = 1_024
"""Events that are counted together: a hundred questions, in less than a millisecond."""
BUCKETS_MS = (1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000)
"""Milliseconds; the vocabulary's deadline, 300, lies between two of them."""

Kind = TypeVar("Kind", bound=MetricWrapperBase)


COUNTERS: dict[tuple[str, tuple[str, ...]], dict[str, str]] = {
    ("route", ROUTES): {"rag_request": "Questions that came in"},
    ("flag", FLAGS): {
        "rag_fallback": "Responses with a fallback in force, under each of its flags",
    },
    ("reason", REASONS): {"rag_abstention": "Questions refused or asked back"},
    ("mode", MODES): {
        "rag_answer_cache_hit": "Questions answered with an answer that was kept",
        "rag_answer_cache_shared": "Questions that waited for the answer to the same one",
        "rag_answer_cache_stale": "Answers that were kept, and whose sources have changed",
        "rag_answer_cache_miss": "Questions for which no answer was kept",
        "rag_answer_cache_kept": "Answers that were kept",
    },
    ("backend", BACKENDS): {
        "skosmos_lookup": "Look-ups that the vocabulary was asked for",
        "skosmos_hit": "Terms that the vocabulary has",
        "skosmos_miss": "Terms that the vocabulary does not have",
        "skosmos_timeout": "Look-ups that exceeded the deadline",
        "skosmos_error": "Look-ups that were answered with an error, or not at all",
    },
    ("backend", ("cache",)): {"skosmos_cache_hit": "Look-ups answered without asking"},
    ("service", SERVICES): {"circuit_breaker_trip": "Times a circuit breaker opened"},
    ("purpose", PURPOSES): {
        "llm_request": "Calls of a language model",
        "llm_timeout": "Calls of a language model that exceeded their deadline",
        "llm_error": "Calls that it answered with an error, or with nothing to be used",
        "llm_unavailable": "Calls that could not reach it",
        "llm_prompt_tokens": "Tokens that prompts had, as servers tell",
        "llm_completion_tokens": "Tokens that models wrote, as servers tell",
    },
    ("collection", ()): {
        "embedding_request": "Questions that the model was to embed",
        "embedding_fail": "Questions that the model could not embed",
        "embedding_fallback": "Questions searched for by words alone",
        "retrieval_request": "Searches of a collection's passages",
    },
}
"""By label, and the values that it shows from the start, of each counter what it counts.

Collections are known with the configuration.
"""
TIMES = {
    ("route", ROUTES): {"rag_request_latency_ms": "From the question to its response"},
    ("stage", STAGES): {"rag_stage_latency_ms": "How long a stage took"},
    ("collection", ()): {"retrieval_latency_ms": "How long a search took"},
}
"""The same of histograms, in milliseconds."""


class Labelled(dict[str, Kind]):
    """A metric with one label of known values; whatever else comes counts as ``other``.

    A dictionary, since every event of every request passes here.

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


class _Bulk(Histogram):
    """A histogram that can be told many values at once: one by one, each costs five times more."""

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


class Metrics:
    """Counts what it is told as an observer: at the latest when somebody collects the metrics.

    A counter that is seldom touched is slow to touch. So a request only puts its events in a row,
    and the row is counted in one go. Who collects from a restricted registry settles first.

    >>> metrics = Metrics()
    >>> metrics(LookupEnded(term="CIM", outcome="hit", elapsed_ms=9.0, backend="skosmos"))
    >>> metrics.registry.get_sample_value("skosmos_hit_total", {"backend": "skosmos"})
    1.0
    """

    def __init__(
        self,
        registry: CollectorRegistry | None = None,
        *,
        collections: Iterable[str] = (),
        at_once: int = AT_ONCE,
        pressing: Iterable[type[Event]] = (),
    ) -> None:
        """Count in a registry, by default a new one; collections named here begin at 0.

        ``at_once`` events are counted together, where nobody collects them before, and none of
        the ``pressing`` kinds comes, which take with them all that wait.
        """
        self._waiting: deque[Event] = deque()
        self._at_once, self._pressing = at_once, frozenset(pressing)
        self._settling = threading.Lock()
        self.registry = registry or CollectorRegistry()
        # Whoever collects, collects from this one first, and so from counters that are up to date.
        self.registry.register(self)
        self._counters = {
            name: Labelled(Counter(name, text, [label], registry=self.registry), values)
            for (label, values), counters in COUNTERS.items()
            for name, text in counters.items()
        }
        self._times = {
            name: Durations(name, text, label, self.registry, values)
            for (label, values), times in TIMES.items()
            for name, text in times.items()
        }
        self._breaker_state = Labelled(
            Gauge(
                "circuit_breaker_state",
                "0 closed, 1 half open, 2 open",
                ["service"],
                registry=self.registry,
                multiprocess_mode="livemax",
            ),
            SERVICES,
        )
        for service in SERVICES:
            # A worker may find the file of one that had its number before.
            self._breaker_state[service].set(0)
        # By type and not by match: every event of every request passes here.
        self._counting: dict[type[Event], Callable[..., None]] = {
            RequestStarted: lambda event: self._count("rag_request", event.route),
            StageEnded: self._stage,
            LookupEnded: self._lookup,
            EmbeddingEnded: self._embedding,
            ModelCallEnded: self._model_call,
            TokensUsed: self._tokens,
            SearchEnded: self._search,
            BreakerChanged: self._breaker,
            RequestEnded: self._ended,
            RecallEnded: lambda event: self._count(f"rag_answer_cache_{event.outcome}", event.mode),
            AnswerKept: lambda event: self._count("rag_answer_cache_kept", event.mode),
        }
        self.begin(collections)

    def begin(self, collections: Iterable[str]) -> None:
        """Show collections as 0, and count under their names from now on."""
        names = sorted(collections)
        for name in COUNTERS["collection", ()]:
            self._counters[name].begin(names)
        for name in TIMES["collection", ()]:
            self._times[name].begin(names)

    def __call__(self, event: Event) -> None:
        """Take note of an event, to be counted with others."""
        kind = type(event)
        if kind in self._counting:
            self._waiting.append(event)
            if kind in self._pressing or len(self._waiting) >= self._at_once:
                self.settle()

    def settle(self) -> None:
        """Count what has been taken note of."""
        # One at a time: a breaker's states would overtake each other.
        with self._settling:
            for _ in range(len(self._waiting)):
                event = self._waiting.popleft()
                self._counting[type(event)](event)
            for times in self._times.values():
                times.settle()

    def describe(self) -> Iterable[Metric]:
        """Name the metrics that are this collector's own: none."""
        return ()

    def collect(self) -> Iterable[Metric]:
        """Bring the counters up to date, before the registry collects them."""
        self.settle()
        return ()

    def text(self) -> str:
        """Everything, in the format that Prometheus reads."""
        return as_text(self.registry)

    def _count(self, name: str, value: str, amount: float = 1) -> None:
        self._counters[name][value].inc(amount)

    def _ended(self, event: RequestEnded) -> None:
        if event.reason:
            self._count("rag_abstention", event.reason)
        self._times["rag_request_latency_ms"].add(event.route, event.total_ms)
        for flag in event.fallback_flags:
            self._count("rag_fallback", flag)

    def _stage(self, event: StageEnded) -> None:
        self._times["rag_stage_latency_ms"].add(event.stage, event.elapsed_ms)

    def _lookup(self, event: LookupEnded) -> None:
        if event.cached:
            self._count("skosmos_cache_hit", "cache")
            return
        self._count("skosmos_lookup", event.backend)
        self._count(f"skosmos_{event.outcome}", event.backend)

    def _breaker(self, event: BreakerChanged) -> None:
        self._breaker_state[event.service].set(_STATES[event.state])
        if event.state == "open":
            self._count("circuit_breaker_trip", event.service)

    def _embedding(self, event: EmbeddingEnded) -> None:
        for collection in event.collections:
            if event.outcome != "circuit_open":
                self._count("embedding_request", collection)
            if event.outcome in {"timeout", "error"}:
                self._count("embedding_fail", collection)
            if event.outcome != "done":
                self._count("embedding_fallback", collection)

    def _model_call(self, event: ModelCallEnded) -> None:
        if event.outcome == "circuit_open":
            return
        self._count("llm_request", event.purpose)
        if event.outcome != "done":
            self._count(f"llm_{event.outcome}", event.purpose)

    def _tokens(self, event: TokensUsed) -> None:
        self._count("llm_prompt_tokens", event.purpose, event.prompt)
        self._count("llm_completion_tokens", event.purpose, event.written)

    def _search(self, event: SearchEnded) -> None:
        for collection in event.collections:
            self._count("retrieval_request", collection)
            self._times["retrieval_latency_ms"].add(collection, event.elapsed_ms)
