"""Hundreds of questions from sixteen threads, with sources that fail at random."""

from __future__ import annotations

import asyncio
import io
import json
import random
import sys
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from scripts.observability_catalogue import EVERY_LINE
from tests.unit.small_world import COLLECTIONS, KNOWLEDGE, THRESHOLDS, index

from elysia_guard.adapters.observed import Lookups, observed_embedder, observed_index
from elysia_guard.domain.concept import TermMatch
from elysia_guard.domain.context import current_request_id
from elysia_guard.domain.document import DocumentKind
from elysia_guard.domain.errors import SourceTimeoutError, SourceUnavailableError
from elysia_guard.domain.events import Event
from elysia_guard.domain.question import Lang
from elysia_guard.domain.response import RAGResponse
from elysia_guard.observability.logs import log_events
from elysia_guard.observability.metrics import Metrics
from elysia_guard.pipeline import Pipeline
from elysia_guard.ports import Vector
from elysia_guard.testing.fake_index import HashEmbedder
from elysia_guard.testing.terminology import CONCEPTS, FakeTerminology

REQUESTS, THREADS = 800, 16
QUESTIONS = (
    "What is a transformer?",
    "What is FooBarBaz?",
    "What is an asset?",
    "Wat is een netvlak?",
    "What does ADR-9999 decide?",
    "List all principles",
    "How are connections encrypted?",
    "Who delivers the pizza?",
)


def fail_at_random(source: str) -> None:
    """Fail, or not, as the request's number has it."""
    fate = random.Random(f"{source} {current_request_id()}").random()
    if fate < 0.1:
        raise SourceTimeoutError("too late", source=source)
    if fate < 0.2:
        raise SourceUnavailableError("not there", source=source)


class MoodyTerminology(FakeTerminology):
    async def lookup(self, term: str, *, lang: Lang) -> Sequence[TermMatch]:
        await asyncio.sleep(0)
        found = await super().lookup(term, lang=lang)
        fail_at_random("skosmos")
        return found


class MoodyEmbedder(HashEmbedder):
    async def embed_question(
        self, text: str, *, kinds: Sequence[DocumentKind] | None = None
    ) -> Vector:
        await asyncio.sleep(0)
        fail_at_random("embeddings")
        return await super().embed_question(text, kinds=kinds)


class Crowd:
    """A pipeline put together as the wiring does, asked from many threads."""

    def __init__(self) -> None:
        self.metrics = Metrics(collections=COLLECTIONS.values())
        self._log = log_events(level="INFO", log_queries="length")
        self.terms = MoodyTerminology(CONCEPTS, name="Test")
        self._pipeline = Pipeline(
            terminology=Lookups(self._observe).of(self.terms),
            index=observed_index(index(KNOWLEDGE), self._observe, collections=COLLECTIONS),
            embedder=observed_embedder(MoodyEmbedder(), self._observe, collections=COLLECTIONS),
            thresholds=THRESHOLDS,
            collections=COLLECTIONS,
            vocabulary_collection="Vocabulary_Ollama",
            observe=self._observe,
        )

    def ask_some(self, first: int) -> list[RAGResponse]:
        async def ask(number: int) -> RAGResponse:
            question, route = QUESTIONS[number % len(QUESTIONS)], ("tree", "direct")[number % 3 % 2]
            inquiry = await self._pipeline.begin(question, request_id=f"req-{number}", route=route)
            return await self._pipeline.answer(inquiry)

        async def side_by_side() -> list[RAGResponse]:
            numbers = range(first, first + REQUESTS // THREADS)
            return [
                reply
                for at in numbers[::5]
                for reply in await asyncio.gather(*(ask(at + n) for n in range(5)))
            ]

        return asyncio.run(side_by_side())

    def _observe(self, event: Event) -> None:
        self.metrics(event)
        self._log(event)


@pytest.mark.slow
def test_counters_and_lines_are_those_of_what_was_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """OBS-06, to the unit; no line is torn, and none is of the wrong request."""
    monkeypatch.setattr(sys, "stderr", written := io.StringIO())
    crowd = Crowd()
    with ThreadPoolExecutor(THREADS) as pool:
        parts = pool.map(crowd.ask_some, range(0, REQUESTS, REQUESTS // THREADS))
        replies = {reply.request_id: reply for part in parts for reply in part}

    def value(name: str, **labels: str) -> float:
        return crowd.metrics.registry.get_sample_value(name, labels) or 0.0

    assert len(replies) == REQUESTS
    told = replies.values()
    routes = Counter(reply.route for reply in told)
    reasons = Counter(str(reply.refusal_reason) for reply in told if reply.refusal_reason)
    flags = Counter(flag for reply in told for flag in reply.retrieval_quality.fallback_reasons)
    assert {"bm25_only", "skosmos_timeout", "skosmos_error"} <= set(flags)
    assert routes == {each: value("rag_request_total", route=each) for each in routes}
    assert routes == {each: value("rag_request_latency_ms_count", route=each) for each in routes}
    assert reasons == {each: value("rag_abstention_total", reason=each) for each in reasons}
    assert flags == {each: value("rag_fallback_total", flag=each) for each in flags}
    assert value("skosmos_lookup_total", backend="skosmos") == len(crowd.terms.asked)
    seen: Counter[Any] = Counter()
    for line in map(json.loads, written.getvalue().splitlines()):
        assert set(EVERY_LINE) <= set(line)
        reply = replies[line["request_id"]]
        assert line["route"] == reply.route
        seen[line["event"]] += 1
        if line["event"] == "request_complete":
            assert line["fallback_flags"] == list(reply.retrieval_quality.fallback_reasons)
    assert seen["request_start"] == seen["request_complete"] == REQUESTS
