"""The counters and gauges of IR0003, in a registry of their own; labels come from us, not users."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable

from prometheus_client import CollectorRegistry, Counter, Gauge
from prometheus_client.core import Metric

from elysia_guard.domain.events import (
    AnswerKept,
    BreakerChanged,
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
from elysia_guard.observability.answer_metrics import AnswerMetrics
from elysia_guard.observability.durations import Durations
from elysia_guard.observability.exposition import as_text
from elysia_guard.observability.labels import BACKENDS, PURPOSES, REASONS, SERVICES, Labelled
from elysia_guard.observability.request_metrics import RequestMetrics

_OUTCOMES = {
    "hit": ("skosmos_hit", "Terms that the vocabulary has"),
    "miss": ("skosmos_miss", "Terms that the vocabulary does not have"),
    "timeout": ("skosmos_timeout", "Look-ups that exceeded the deadline"),
    "error": ("skosmos_error", "Look-ups that were answered with an error, or not at all"),
}
_MODEL_OUTCOMES = {
    "timeout": ("llm_timeout", "Calls of a language model that exceeded their deadline"),
    "error": ("llm_error", "Calls that it answered with an error, or with nothing to be used"),
    "unavailable": ("llm_unavailable", "Calls that could not reach it"),
}
_STATES = {"closed": 0, "half_open": 1, "open": 2}
AT_ONCE = 1_024
"""Events that are counted together: a hundred questions, in less than a millisecond."""


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
        self._requests = RequestMetrics(self.registry)
        self._answers = AnswerMetrics(self.registry)
        self._lookups = self._counter(
            "skosmos_lookup", "Look-ups that the vocabulary was asked for", "backend", BACKENDS
        )
        self._outcomes = {
            outcome: self._counter(name, text, "backend", BACKENDS)
            for outcome, (name, text) in _OUTCOMES.items()
        }
        self._kept = self._counter(
            "skosmos_cache_hit", "Look-ups answered without asking", "backend", ["cache"]
        )
        self._abstentions = self._counter(
            "rag_abstention", "Questions refused or asked back", "reason", REASONS
        )
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
        self._trips = self._counter(
            "circuit_breaker_trip", "Times a circuit breaker opened", "service", SERVICES
        )
        self._embeddings = self._counter(
            "embedding_request", "Questions that the model was to embed", "collection"
        )
        self._embedding_failures = self._counter(
            "embedding_fail", "Questions that the model could not embed", "collection"
        )
        self._by_words_alone = self._counter(
            "embedding_fallback", "Questions searched for by words alone", "collection"
        )
        self._model_calls = self._counter(
            "llm_request", "Calls of a language model", "purpose", PURPOSES
        )
        self._model_failures = {
            outcome: self._counter(name, text, "purpose", PURPOSES)
            for outcome, (name, text) in _MODEL_OUTCOMES.items()
        }
        self._prompt_tokens = self._counter(
            "llm_prompt_tokens", "Tokens that prompts had, as servers tell", "purpose", PURPOSES
        )
        self._written_tokens = self._counter(
            "llm_completion_tokens",
            "Tokens that models wrote, as servers tell",
            "purpose",
            PURPOSES,
        )
        self._searches = self._counter(
            "retrieval_request", "Searches of a collection's passages", "collection"
        )
        self._search_ms = Durations(
            "retrieval_latency_ms", "How long a search took", "collection", self.registry
        )
        # By type and not by match: every event of every request passes here.
        self._counting: dict[type[Event], Callable[..., None]] = {
            RequestStarted: self._requests.started,
            StageEnded: self._requests.stage,
            LookupEnded: self._lookup,
            EmbeddingEnded: self._embedding,
            ModelCallEnded: self._model_call,
            TokensUsed: self._tokens,
            SearchEnded: self._search,
            BreakerChanged: self._breaker,
            RequestEnded: self._ended,
            RecallEnded: self._answers.recalled,
            AnswerKept: self._answers.kept,
        }
        for service in SERVICES:
            # A worker may find the file of one that had its number before.
            self._breaker_state[service].set(0)
        self.begin(collections)

    def begin(self, collections: Iterable[str]) -> None:
        """Show collections as 0, and count under their names from now on."""
        names = sorted(collections)
        for counter in (
            self._embeddings,
            self._embedding_failures,
            self._by_words_alone,
            self._searches,
        ):
            counter.begin(names)
        self._search_ms.begin(names)

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
            self._requests.settle()
            self._search_ms.settle()

    def describe(self) -> Iterable[Metric]:
        """Name the metrics that are this collector's own: none."""
        return ()

    def collect(self) -> Iterable[Metric]:
        """Bring the counters up to date, before the registry collects them."""
        self.settle()
        return ()

    def _lookup(self, event: LookupEnded) -> None:
        if event.cached:
            self._kept["cache"].inc()
            return
        self._lookups[event.backend].inc()
        self._outcomes[event.outcome][event.backend].inc()

    def _ended(self, event: RequestEnded) -> None:
        if event.reason:
            self._abstentions[event.reason].inc()
        self._requests.ended(event)

    def _breaker(self, event: BreakerChanged) -> None:
        self._breaker_state[event.service].set(_STATES[event.state])
        if event.state == "open":
            self._trips[event.service].inc()

    def _embedding(self, event: EmbeddingEnded) -> None:
        for collection in event.collections:
            if event.outcome != "circuit_open":
                self._embeddings[collection].inc()
            if event.outcome in {"timeout", "error"}:
                self._embedding_failures[collection].inc()
            if event.outcome != "done":
                self._by_words_alone[collection].inc()

    def _model_call(self, event: ModelCallEnded) -> None:
        if event.outcome == "circuit_open":
            return
        self._model_calls[event.purpose].inc()
        if event.outcome in self._model_failures:
            self._model_failures[event.outcome][event.purpose].inc()

    def _tokens(self, event: TokensUsed) -> None:
        self._prompt_tokens[event.purpose].inc(event.prompt)
        self._written_tokens[event.purpose].inc(event.written)

    def _search(self, event: SearchEnded) -> None:
        for collection in event.collections:
            self._searches[collection].inc()
            self._search_ms.add(collection, event.elapsed_ms)

    def text(self) -> str:
        """Everything, in the format that Prometheus reads."""
        return as_text(self.registry)

    def _counter(
        self, name: str, text: str, label: str, values: Iterable[str] = ()
    ) -> Labelled[Counter]:
        return Labelled(Counter(name, text, [label], registry=self.registry), values)
