"""A Skosmos server as the vocabulary, on both routes: real HTTP on loopback, the real tree."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from urllib.parse import parse_qs, urlsplit

import pytest
from tests.golden.skosmos.server import Fault, SkosmosServer

from elysia_guard.config import SkosmosSection, TerminologySection
from elysia_guard.direct import Guard
from elysia_guard.domain.refusal import RefusalReason
from elysia_guard.domain.response import RAGResponse
from elysia_guard.edge.elysia import TreeAsker
from elysia_guard.testing.clock import FakeClock
from elysia_guard.wiring import Wiring

pytestmark = [
    pytest.mark.usefixtures("any_model"),
    pytest.mark.without_models(
        "wrong",
        "slow",
        "broken",
        reason="its vocabulary fails in many ways; some take time",
    ),
]


@pytest.fixture
def server() -> Iterator[SkosmosServer]:
    with SkosmosServer() as running:
        yield running


class Over:
    """The guard over that server, with its counters in sight."""

    def __init__(self, wiring: Wiring, server: SkosmosServer) -> None:
        section = TerminologySection(
            kind="skosmos",
            name="Skosmos",
            skosmos=SkosmosSection(
                url=server.url, vocabularies={"iec": "", "legal": ""}, known_term="CIMXML"
            ),
        )
        self.clock = FakeClock()
        server.on_late = lambda: self.clock.advance(0.3)
        made = wiring.config.model_copy(update={"terminology": section})
        self.wiring = Wiring(made, clock=self.clock)

    async def ask(self, question: str, route: str) -> RAGResponse:
        if route == "tree":
            return await TreeAsker(self.wiring).ask(question)
        return await Guard(wiring=self.wiring).aask(question)

    @property
    def counters(self) -> dict[str, float]:
        """Every counter that has moved, with its label."""
        return {
            f"{sample.name}{{{', '.join(sample.labels.values())}}}": sample.value
            for family in self.wiring.metrics.registry.collect()
            for sample in family.samples
            if sample.name.endswith("_total")
            and sample.name.startswith(("skosmos", "rag_abstention", "circuit"))
            and sample.value
        }


@pytest.fixture
def over(wiring: Wiring, server: SkosmosServer) -> Iterator[Over]:
    """The parts of the other tests, with the server in place of the vocabulary's file."""
    parts = Over(wiring, server)
    yield parts
    parts.wiring.close()


ROUTES = pytest.mark.parametrize("route", ["direct", "tree"])
LOOKED_UP = "skosmos_lookup_total{skosmos}"


@ROUTES
class TestGapA:
    """The four scenarios of Gap A and SKOS-01 to SKOS-05; no counter moves but those named."""

    async def test_skos_01_a_match_exists(self, over: Over, route: str) -> None:
        """SKOS-01, 'SKOSMOS match exists': the definition word for word, its source named."""
        reply = await over.ask("What is CIMXML?", route)
        (source,) = reply.sources
        assert source.doc_id == "http://vocab.example/iec/c002"
        assert source.quote.startswith("Way of writing a grid model to a file as RDF/XML")
        assert source.quote in reply.answer
        assert over.counters == {LOOKED_UP: 1, "skosmos_hit_total{skosmos}": 1}

    async def test_skos_02_nothing_is_found(self, over: Over, route: str) -> None:
        """SKOS-02, 'SKOSMOS returns nothing': abstention, and nothing is made up."""
        reply = await over.ask("What is FooBarBaz?", route)
        assert reply.refused
        assert reply.refusal_reason is RefusalReason.TERMINOLOGY_NOT_FOUND
        assert reply.sources == ()
        assert over.counters == {
            LOOKED_UP: 1,
            "skosmos_miss_total{skosmos}": 1,
            "rag_abstention_total{terminology_not_found}": 1,
        }

    async def test_skos_03_a_timeout(self, over: Over, server: SkosmosServer, route: str) -> None:
        """SKOS-03, 'SKOSMOS timeout': unable to verify; the next question is answered."""
        server.fault = Fault.HANGING
        reply = await over.ask("What is CIMXML?", route)
        assert reply.refusal_reason is RefusalReason.TERMINOLOGY_TIMEOUT
        assert "unable to verify" in reply.answer
        assert server.url not in reply.answer
        assert reply.sources == ()
        assert over.counters == {
            LOOKED_UP: 1,
            "skosmos_timeout_total{skosmos}": 1,
            "rag_abstention_total{terminology_timeout}": 1,
        }
        server.fault = None
        assert not (await over.ask("What is CIMXML?", route)).refused

    async def test_an_error_is_none_of_these(
        self, over: Over, server: SkosmosServer, route: str
    ) -> None:
        """The failure policy's fourth row: unable to verify, and the address is not shown."""
        server.fault = Fault.ERROR
        reply = await over.ask("What is CIMXML?", route)
        assert reply.refusal_reason is RefusalReason.TERMINOLOGY_ERROR
        assert "unable to verify" in reply.answer
        assert server.url not in reply.answer
        assert over.counters == {
            LOOKED_UP: 1,
            "skosmos_error_total{skosmos}": 1,
            "rag_abstention_total{terminology_error}": 1,
        }

    async def test_skos_04_an_ambiguous_term(self, over: Over, route: str) -> None:
        """SKOS-04, 'Ambiguous term': every meaning is listed, with vocabulary and URI."""
        reply = await over.ask("What is an asset?", route)
        assert reply.refusal_reason is RefusalReason.TERMINOLOGY_AMBIGUOUS
        assert not reply.refused
        assert len(reply.suggestions) == 2
        assert "http://vocab.example/iec/" in reply.answer
        assert over.counters == {
            LOOKED_UP: 1,
            "skosmos_hit_total{skosmos}": 1,
            "rag_abstention_total{terminology_ambiguous}": 1,
        }

    async def test_skos_05_a_cache_hit(self, over: Over, server: SkosmosServer, route: str) -> None:
        """SKOS-05: answered without asking again, and counted as such."""
        first = await over.ask("What is CIMXML?", route)
        asked = len(server.requests)
        assert (await over.ask("what is  cimxml", route)).sources == first.sources
        assert len(server.requests) == asked
        assert over.counters == {
            LOOKED_UP: 1,
            "skosmos_hit_total{skosmos}": 1,
            "skosmos_cache_hit_total{cache}": 1,
        }


@ROUTES
async def test_one_deadline_for_a_question_of_many_lookups(
    over: Over, server: SkosmosServer, route: str
) -> None:
    """'an X of a Y' is looked up whole and in part, at once: nobody waits twice."""
    await over.ask("What is CIMXML?", route)
    before = len(server.requests)

    def late() -> None:
        # The time moves once both are asked for: were one to wait for the other, it never would.
        asked = {parse_qs(urlsplit(path).query)["query"][0] for path in server.requests[before:]}
        if len(asked) > 1:
            over.clock.advance(0.3)

    server.fault, server.on_late = Fault.HANGING, late
    async with asyncio.timeout(60):
        reply = await over.ask("What is a meter of a substation?", route)
    assert reply.refusal_reason is RefusalReason.TERMINOLOGY_TIMEOUT
    assert over.counters["skosmos_timeout_total{skosmos}"] == 2
