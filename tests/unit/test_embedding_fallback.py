"""IR0003, Gap D: the breaker around the embedder, and answers by words alone while it is away.

Real pipeline, real SQLite index, a real HTTP server; the breaker's clock is turned by hand.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.unit.model_server import Fault, LoopbackModels
from tests.unit.served_world import COLLECTIONS, QUESTION, ServedWorld

from elysia_guard.direct import Guard
from elysia_guard.domain.document import DocumentKind
from elysia_guard.domain.refusal import RefusalReason
from elysia_guard.domain.response import RAGResponse
from elysia_guard.observability.logs import log_events

BY_WORDS = ("bm25_only",)
LEFT_ALONE = ("bm25_only", "circuit_open")


@pytest.fixture(scope="module")
def running() -> Iterator[LoopbackModels]:
    with LoopbackModels() as server:
        yield server


@pytest.fixture
def models(running: LoopbackModels) -> Iterator[LoopbackModels]:
    running.requests.clear()
    yield running
    running.fault, running.faults = None, []


@pytest.fixture
def make(tmp_path: Path, models: LoopbackModels) -> Iterator[Callable[..., ServedWorld]]:
    made: list[ServedWorld] = []

    def world(**values: Any) -> ServedWorld:
        made.append(ServedWorld(tmp_path, models, **values))
        return made[-1]

    yield world
    for each in made:
        each.wiring.close()


@pytest.fixture
def world(make: Callable[..., ServedWorld]) -> ServedWorld:
    return make()


async def ask(world: ServedWorld, question: str = QUESTION) -> RAGResponse:
    return await Guard(wiring=world.wiring).aask(question)


async def trip(world: ServedWorld) -> list[RAGResponse]:
    """Let the server fail until it is left alone."""
    world.models.fault = Fault.ERROR
    return [await ask(world) for _ in range(5)]


def cited(reply: RAGResponse) -> str:
    (source,) = {source.doc_id: source for source in reply.sources}.values()
    return source.title


class TestScenarios:
    async def test_the_circuit_opens_after_five_failures(self, world: ServedWorld) -> None:
        """The next question is answered by words alone, counted, and reaches no server."""
        first = await trip(world)
        assert {reply.retrieval_quality.fallback_reasons for reply in first} == {BY_WORDS}
        assert world.state == 2
        assert world.metric("circuit_breaker_trip_total", service="embeddings") == 1
        asked = len(world.models.requests)
        reply = await ask(world)
        assert not reply.refused
        assert cited(reply) == "Protect connections with TLS"
        assert reply.retrieval_quality.fallback_reasons == LEFT_ALONE
        assert len(world.models.requests) == asked == 5
        assert world.counted("embedding_fallback_total") == 6

    async def test_it_is_half_open_after_thirty_seconds(self, world: ServedWorld) -> None:
        """One embedding is asked for, no matter how many questions come at a time."""
        await trip(world)
        world.models.requests.clear()
        world.clock.advance(29.9)
        await ask(world)
        assert (world.state, len(world.models.requests)) == (2, 0)
        world.clock.advance(0.1)
        world.models.fault, world.models.slow_s = Fault.SLOW, 0.2
        replies = await asyncio.gather(*(ask(world) for _ in range(6)))
        assert world.state == 1
        assert len(world.models.requests) == 1
        flags = sorted(reply.retrieval_quality.fallback_reasons for reply in replies)
        assert flags == [(), *[LEFT_ALONE] * 5]
        assert not any(reply.refused for reply in replies)

    async def test_it_closes_after_two_successes(self, world: ServedWorld) -> None:
        """And the search is by words and meaning again, without a restart."""
        await trip(world)
        world.models.fault = None
        world.clock.advance(30)
        await ask(world)
        assert world.state == 1
        await ask(world)
        assert world.state == 0
        reply = await ask(world)
        assert reply.retrieval_quality.fallback_reasons == ()
        assert reply.retrieval_quality.confidence_score == 0.85
        assert reply.sources[0].distance is not None
        assert (reply.transparency.statement, reply.transparency.show_to_user) == (None, False)

    async def test_a_response_says_that_it_is_degraded(self, world: ServedWorld) -> None:
        """Confidence a fifth lower, the reasons, and a sentence for the reader, word for word."""
        await trip(world)
        reply = await ask(world)
        assert reply.to_dict()["retrieval_quality"] == {
            "confidence_score": 0.68,
            "confidence_level": "medium",
            "fallback_active": True,
            "fallback_reasons": LEFT_ALONE,
            "degraded": True,
        }
        assert reply.transparency.show_to_user
        assert reply.transparency.statement == (
            "This response uses simplified search (bm25_only, circuit_open). "
            "Results may be less comprehensive."
        )
        assert all(source.distance is None for source in reply.sources)


class TestConfidence:
    @pytest.mark.parametrize(
        ("base", "fault", "left_alone", "expected"),
        [
            pytest.param(0.85, None, False, 0.85, id="CONF-01"),
            pytest.param(0.85, Fault.ERROR, False, 0.68, id="CONF-02"),
            pytest.param(0.90, Fault.ERROR, True, 0.72, id="CONF-03"),
            pytest.param(0.80, Fault.ERROR, True, 0.64, id="CONF-04"),
            pytest.param(0.50, Fault.ERROR, False, 0.40, id="CONF-05"),
        ],
    )
    async def test_it_is_reduced_once(
        self,
        make: Callable[..., ServedWorld],
        base: float,
        fault: Fault | None,
        left_alone: bool,
        expected: float,
    ) -> None:
        """By a fifth, however many reasons there are; below 0.60 the guard refuses."""
        world = make(base=base)
        if left_alone:
            await trip(world)
        world.models.fault = fault
        reply = await ask(world)
        quality = reply.retrieval_quality
        assert quality.confidence_score == expected
        assert quality.fallback_active is quality.degraded is (fault is not None)
        assert reply.refused is (expected < 0.6)
        if reply.refused:
            assert reply.refusal_reason is RefusalReason.LOW_CONFIDENCE

    async def test_words_that_nobody_wrote_are_refused_as_ever(self, world: ServedWorld) -> None:
        """By words alone nothing is let through that words do not bear out."""
        await trip(world)
        reply = await ask(world, "How do penguins hibernate on rooftops?")
        assert reply.refused
        assert reply.sources == ()

    async def test_what_needs_no_search_is_not_degraded(self, world: ServedWorld) -> None:
        """A document by its number, a list, a term: none asks the model."""
        await trip(world)
        asked = len(world.models.requests)
        for question in ("What does ADR-27 decide?", "List all ADRs", "What is a netvlak?"):
            reply = await ask(world, question)
            assert not reply.refused
            assert not reply.retrieval_quality.degraded
        assert len(world.models.requests) == asked


class TestMetrics:
    async def test_requests_failures_and_fallbacks_are_counted_apart(
        self, world: ServedWorld
    ) -> None:
        """Two that went well, five that failed, three that nobody asked the server for."""
        await ask(world)
        await ask(world)
        await trip(world)
        for _ in range(3):
            await ask(world)
        for collection in COLLECTIONS.values():
            assert world.counted("embedding_request_total", collection) == 7
            assert world.counted("embedding_fail_total", collection) == 5
            assert world.counted("embedding_fallback_total", collection) == 8
            assert world.counted("retrieval_request_total", collection) == 10
            assert world.counted("retrieval_latency_ms_count", collection) == 10
        assert len(world.models.requests) == 7

    async def test_looking_for_ways_on_is_no_retrieval(self, world: ServedWorld) -> None:
        """What is proposed beside a refusal was searched for, and not for an answer."""
        reply = await ask(world, "How do penguins hibernate on rooftops?")
        assert reply.refused
        assert reply.suggestions
        for collection in COLLECTIONS.values():
            assert world.counted("retrieval_request_total", collection) == 1

    async def test_a_question_about_one_kind_counts_for_its_collection(
        self, world: ServedWorld
    ) -> None:
        """Not for those that were not searched."""
        await Guard(wiring=world.wiring).aask(QUESTION, kind=DocumentKind.DECISION)
        for name in ("embedding_request_total", "retrieval_request_total"):
            counts = {made: world.counted(name, made) for made in COLLECTIONS.values()}
            assert counts.pop("ADR_Ollama") == 1
            assert set(counts.values()) == {0}

    async def test_latency_is_a_histogram_in_milliseconds(self, world: ServedWorld) -> None:
        """Its last bucket holds every search."""
        await ask(world)
        labels = {"collection": "ADR_Ollama"}
        assert world.metric("retrieval_latency_ms_bucket", **labels, le="+Inf") == 1
        assert 0 < (world.counted("retrieval_latency_ms_sum") or 0) < 5_000


class TestLogs:
    async def test_a_degraded_request_reads_as_in_the_example(
        self, make: Callable[..., ServedWorld], capsys: pytest.CaptureFixture[str]
    ) -> None:
        """One request id; the embeddings' own line; the flags at the end."""
        world = make(log=log_events(level="INFO"))
        await trip(world)
        capsys.readouterr()
        await Guard(wiring=world.wiring).aask(QUESTION, request_id="req-def456")
        lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
        assert {line["request_id"] for line in lines} == {"req-def456"}
        (warned,) = [line for line in lines if line["component"] == "embeddings"]
        assert (warned["level"], warned["event"]) == ("WARN", "circuit_open")
        assert warned["service"] == "embeddings"
        assert lines[-1]["event"] == "request_complete"
        assert lines[-1]["fallback_flags"] == list(LEFT_ALONE)
