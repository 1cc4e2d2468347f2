"""Ten thousand questions from sixteen threads, with sources that fail at random."""

from __future__ import annotations

import asyncio
import io
import json
import random
import sys
import threading
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import pytest
from tests.unit.small_world import COLLECTIONS, KNOWLEDGE, THRESHOLDS, index

from elysia_guard.adapters.embedders.guarded import GuardedEmbedder
from elysia_guard.adapters.observed import Observed, ObservedEmbedder, ObservedIndex
from elysia_guard.domain.concept import TermMatch
from elysia_guard.domain.context import current_request_id
from elysia_guard.domain.document import DocumentKind, Filters, Hit
from elysia_guard.domain.errors import (
    SourceTimeoutError,
    SourceUnavailableError,
)
from elysia_guard.domain.events import BreakerChanged, Event
from elysia_guard.domain.question import Lang
from elysia_guard.domain.response import RAGResponse
from elysia_guard.observability.catalogue import EVERY_LINE
from elysia_guard.observability.logs import log_events
from elysia_guard.observability.metrics import Metrics
from elysia_guard.pipeline import Pipeline
from elysia_guard.ports import Vector
from elysia_guard.resilience.breaker import Breaker
from elysia_guard.testing.fake_index import HashEmbedder
from elysia_guard.testing.terminology import CONCEPTS, FakeTerminology

pytestmark = pytest.mark.slow

REQUESTS, THREADS, SEED = 10_000, 16, 20260209
QUESTIONS = (
    "What is a transformer?",
    "What is FooBarBaz?",
    "What is an asset?",
    "What is a meter?",
    "Wat is een netvlak?",
    "What does ADR-0012 decide?",
    "What does ADR-9999 decide?",
    "List all principles",
    "How are connections encrypted?",
    "Who delivers the pizza?",
    "Hello",
)


@dataclass
class Ledger:
    """What the sources themselves know that they were asked, and how they answered."""

    entries: Counter[str] = field(default_factory=Counter)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def note(self, entry: str) -> None:
        with self.lock:
            self.entries[entry] += 1

    def fail_at_random(self, what: str, share: float) -> None:
        """Fail, or not, as the request's number has it."""
        dice = random.Random(f"{SEED} {what} {current_request_id()}")
        fate = dice.random()
        if fate < share / 2:
            self.note(f"{what} timeout")
            raise SourceTimeoutError("too late", source=what)
        if fate < share:
            self.note(f"{what} error")
            raise SourceUnavailableError("not there", source=what)


class MoodyTerminology(FakeTerminology):
    """A vocabulary that times out or fails for one question in five."""

    def __init__(self, ledger: Ledger) -> None:
        super().__init__(CONCEPTS, name="Test")
        self._ledger = ledger

    async def lookup(self, term: str, *, lang: Lang) -> Sequence[TermMatch]:
        self._ledger.note("skosmos lookup")
        await asyncio.sleep(0)
        self._ledger.fail_at_random("skosmos", 0.2)
        found = await super().lookup(term, lang=lang)
        self._ledger.note("skosmos hit" if found else "skosmos miss")
        return found


class MoodyEmbedder(HashEmbedder):
    """A model that times out or fails for one question in four."""

    def __init__(self, ledger: Ledger) -> None:
        super().__init__()
        self._ledger = ledger

    async def embed_question(
        self, text: str, *, kinds: Sequence[DocumentKind] | None = None
    ) -> Vector:
        for name in named(kinds):
            self._ledger.note(f"embedding asked {name}")
        await asyncio.sleep(0)
        try:
            self._ledger.fail_at_random("embeddings", 0.25)
        except SourceUnavailableError:
            for name in named(kinds):
                self._ledger.note(f"embedding failed {name}")
            raise
        return await super().embed_question(text, kinds=kinds)


class LedgeredEmbedder(GuardedEmbedder):
    """Writes down whom the model, or its breaker, has turned away."""

    def __init__(self, ledger: Ledger, breaker: Breaker) -> None:
        super().__init__(MoodyEmbedder(ledger), breaker)
        self._ledger = ledger

    async def embed_question(
        self, text: str, *, kinds: Sequence[DocumentKind] | None = None
    ) -> Vector:
        try:
            return await super().embed_question(text, kinds=kinds)
        except SourceUnavailableError:
            for name in named(kinds):
                self._ledger.note(f"embedding not had {name}")
            raise


class MoodyIndex:
    """An index that cannot be searched for one question in twenty."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._index = index(KNOWLEDGE)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._index, name)

    async def search(
        self, query: str, vector: Vector | None, *, filters: Filters, **values: Any
    ) -> Sequence[Hit]:
        for name in named(filters.kinds):
            self._ledger.note(f"search {name}")
        self._ledger.fail_at_random("index", 0.05)
        return await self._index.search(query, vector, filters=filters, **values)


def named(kinds: Sequence[DocumentKind] | None) -> list[str]:
    return [COLLECTIONS[kind] for kind in kinds or COLLECTIONS]


class Crowd:
    """A pipeline put together as the wiring does, over sources that keep a ledger."""

    def __init__(self) -> None:
        self.ledger = Ledger()
        self.metrics = Metrics(collections=COLLECTIONS.values())
        self._log = log_events(level="INFO", log_queries="length")
        breaker = Breaker("embeddings", failure_threshold=3, rest_s=0.01, on_change=self._changed)
        self._pipeline = Pipeline(
            terminology=Observed(MoodyTerminology(self.ledger), self._observe),
            index=ObservedIndex(MoodyIndex(self.ledger), self._observe, collections=COLLECTIONS),
            embedder=ObservedEmbedder(
                LedgeredEmbedder(self.ledger, breaker),
                self._observe,
                collections=COLLECTIONS,
            ),
            thresholds=THRESHOLDS,
            collections=COLLECTIONS,
            vocabulary_collection="Vocabulary_Ollama",
            observe=self._observe,
        )

    def ask_all(self) -> list[RAGResponse]:
        share = REQUESTS // THREADS
        with ThreadPoolExecutor(THREADS) as pool:
            parts = pool.map(self._ask_some, range(0, REQUESTS, share))
        return [reply for part in parts for reply in part]

    def _ask_some(self, first: int) -> list[RAGResponse]:
        async def side_by_side() -> list[RAGResponse]:
            replies: list[RAGResponse] = []
            for start in range(first, first + REQUESTS // THREADS, 5):
                replies += await asyncio.gather(*(self._ask(start + n) for n in range(5)))
            return replies

        with asyncio.Runner() as runner:
            return runner.run(side_by_side())

    async def _ask(self, number: int) -> RAGResponse:
        inquiry = await self._pipeline.begin(
            QUESTIONS[number % len(QUESTIONS)],
            request_id=f"req-{number}",
            route="tree" if number % 3 else "direct",
        )
        return await self._pipeline.answer(inquiry)

    def _observe(self, event: Event) -> None:
        self.metrics(event)
        self._log(event)

    def _changed(self, state: str) -> None:
        self.ledger.note(f"breaker {state}")
        self._observe(BreakerChanged(service="embeddings", state=state))

    def value(self, name: str, **labels: str) -> float:
        return self.metrics.registry.get_sample_value(name, labels) or 0.0


@pytest.fixture(scope="module")
def run() -> tuple[Crowd, list[RAGResponse], list[dict[str, Any]]]:
    """All of it, once: the parts, the replies and the log."""
    before, sys.stderr = sys.stderr, io.StringIO()
    try:
        crowd = Crowd()
        replies = crowd.ask_all()
        written = sys.stderr.getvalue()
    finally:
        sys.stderr = before
    return crowd, replies, [json.loads(line) for line in written.splitlines()]


def test_counters_equal_what_was_sent(run) -> None:
    """OBS-06: to the unit, against what the replies say and the sources wrote down."""
    crowd, replies, _ = run
    entries = crowd.ledger.entries
    assert len(replies) == len({reply.request_id for reply in replies}) == REQUESTS
    for route, count in Counter(reply.route for reply in replies).items():
        assert crowd.value("rag_request_total", route=route) == count
        assert crowd.value("rag_request_latency_ms_count", route=route) == count
    reasons = Counter(str(reply.refusal_reason) for reply in replies if reply.refusal_reason)
    assert len(reasons) >= 6
    assert reasons == {
        reason: crowd.value("rag_abstention_total", reason=reason) for reason in reasons
    }
    for outcome in ("lookup", "hit", "miss", "timeout", "error"):
        counted = crowd.value(f"skosmos_{outcome}_total", backend="skosmos")
        assert counted == entries[f"skosmos {outcome}"] > 0
    flags = Counter(flag for reply in replies for flag in reply.retrieval_quality.fallback_reasons)
    assert {"bm25_only", "circuit_open", "skosmos_timeout", "skosmos_error"} <= set(flags)
    assert flags == {flag: crowd.value("rag_fallback_total", flag=flag) for flag in flags}


def test_counters_of_each_collection_equal_what_was_asked_of_it(run) -> None:
    """OBS-06: embeddings, searches, and the breaker between them."""
    crowd, _, _ = run
    entries = crowd.ledger.entries
    for name in COLLECTIONS.values():
        for counter, entry in (
            ("embedding_request_total", "embedding asked"),
            ("embedding_fail_total", "embedding failed"),
            ("embedding_fallback_total", "embedding not had"),
            ("retrieval_request_total", "search"),
            ("retrieval_latency_ms_count", "search"),
        ):
            assert crowd.value(counter, collection=name) == entries[f"{entry} {name}"] > 0, counter
    trips = crowd.value("circuit_breaker_trip_total", service="embeddings")
    assert trips == entries["breaker open"] > 0


def test_every_line_parses_and_carries_its_fields(run) -> None:
    """Sixteen threads write; no line is torn, none is of the wrong request."""
    _, replies, lines = run
    by_id = {reply.request_id: reply for reply in replies}
    seen: Counter[str] = Counter()
    for line in lines:
        assert set(EVERY_LINE) <= set(line)
        assert datetime.fromisoformat(line["timestamp"]).utcoffset() is not None
        assert line["route"] == by_id[line["request_id"]].route
        seen[line["event"]] += 1
        if line["event"] == "request_complete":
            flags = by_id[line["request_id"]].retrieval_quality.fallback_reasons
            assert line["fallback_flags"] == list(flags)
    assert seen["request_start"] == seen["request_complete"] == REQUESTS
