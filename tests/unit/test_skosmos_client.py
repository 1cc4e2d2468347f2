"""The Skosmos clients over loopback: IR0003's contract, and what goes beyond it."""

from __future__ import annotations

import asyncio
import inspect
import json
import logging
import threading
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from typing import Any
from urllib.parse import urlsplit

import pytest
from tests.golden.skosmos.server import Fault, SkosmosServer

from elysia_guard import SKOSMOSClient
from elysia_guard.adapters.background import BackgroundLoop
from elysia_guard.adapters.skos import SkosFile
from elysia_guard.adapters.skosmos import (
    AsyncSkosmosClient,
    SKOSMOSError,
    SkosmosService,
    SKOSMOSTimeout,
    rest,
)
from elysia_guard.domain.concept import Concept, Text
from elysia_guard.domain.context import RequestContext, within
from elysia_guard.domain.errors import ConfigError
from elysia_guard.domain.events import Event, LookupEnded
from elysia_guard.observability.metrics import Metrics
from elysia_guard.resilience.calls import through
from elysia_guard.testing.clock import FakeClock
from elysia_guard.wiring.skosmos_client import SKOSMOSResult

IEC = "http://vocab.example/iec/"
CIMXML = (
    "Way of writing a grid model to a file as RDF/XML, so that two systems can exchange the whole "
    "model or only what changed."
)


@pytest.fixture
def server() -> Iterator[SkosmosServer]:
    with SkosmosServer() as running:
        yield running


def client_of(service: SkosmosService, **options: Any) -> AsyncSkosmosClient:
    """A client whose time stands still: a busy machine makes nothing late."""
    return AsyncSkosmosClient(service, clock=FakeClock(), **options)


class Watched:
    """A client of IR0003 whose clock, counters and events the test can see."""

    def __init__(self, server: SkosmosServer) -> None:
        self.clock = FakeClock()
        self.metrics = Metrics()
        self.events: list[Event] = []
        self.client = SKOSMOSClient(
            server.url,
            clock=self.clock,
            observe=self._observe,
        )

    def _observe(self, event: Event) -> None:
        self.events.append(event)
        self.metrics(event)

    @property
    def counters(self) -> dict[str, float]:
        """The counters that have moved."""
        return {
            sample.name: sample.value
            for family in self.metrics.registry.collect()
            for sample in family.samples
            if sample.name.endswith("_total") and sample.value
        }


@pytest.fixture
def watched(server: SkosmosServer) -> Iterator[Watched]:
    seen = Watched(server)
    yield seen
    seen.client.close()


class TestIR0003:
    """The six cases of the document, by their ids; each counter that moves is named."""

    def test_skos_client_01_a_term_that_exists(self, watched: Watched) -> None:
        """SKOS-CLIENT-01: found=True, skosmos_hit_total++."""
        result = watched.client.lookup("CIMXML")
        assert result == SKOSMOSResult(
            found=True,
            definition=CIMXML,
            source_uri=IEC + "c002",
            cached=False,
            latency_ms=0,
            matches=result.matches,
        )
        assert watched.counters == {"skosmos_lookup_total": 1, "skosmos_hit_total": 1}

    def test_skos_client_02_a_term_that_does_not(self, watched: Watched) -> None:
        """SKOS-CLIENT-02: found=False, skosmos_miss_total++."""
        result = watched.client.lookup("FooBarBaz")
        assert (result.found, result.definition, result.source_uri) == (False, None, None)
        assert watched.counters == {"skosmos_lookup_total": 1, "skosmos_miss_total": 1}

    def test_skos_client_03_longer_than_300_ms(
        self, watched: Watched, server: SkosmosServer
    ) -> None:
        """SKOS-CLIENT-03: SKOSMOSTimeout, skosmos_timeout_total++."""
        server.fault, server.on_late = Fault.SLOW, lambda: watched.clock.advance(0.3)
        with pytest.raises(SKOSMOSTimeout, match="did not answer in 300 ms"):
            watched.client.lookup("CIMXML")
        assert watched.counters == {"skosmos_lookup_total": 1, "skosmos_timeout_total": 1}

    def test_skos_client_04_a_500(self, watched: Watched, server: SkosmosServer) -> None:
        """SKOS-CLIENT-04: SKOSMOSError, skosmos_error_total++."""
        server.fault = Fault.ERROR
        with pytest.raises(SKOSMOSError, match="status 500"):
            watched.client.lookup("CIMXML")
        assert watched.counters == {"skosmos_lookup_total": 1, "skosmos_error_total": 1}

    def test_skos_client_05_the_same_term_again(
        self, watched: Watched, server: SkosmosServer
    ) -> None:
        """SKOS-CLIENT-05: cached=True, skosmos_cache_hit_total++."""
        first = watched.client.lookup("CIMXML")
        again = watched.client.lookup("  cimxml ")
        assert again == replace(first, cached=True)
        assert len(server.requests) == 1
        assert watched.counters == {
            "skosmos_lookup_total": 1,
            "skosmos_hit_total": 1,
            "skosmos_cache_hit_total": 1,
        }

    def test_skos_client_06_after_ten_minutes(
        self, watched: Watched, server: SkosmosServer
    ) -> None:
        """SKOS-CLIENT-06: a fresh look-up, skosmos_lookup_total++."""
        watched.client.lookup("CIMXML")
        watched.clock.advance(599)
        assert watched.client.lookup("CIMXML").cached
        watched.clock.advance(1)
        assert not watched.client.lookup("CIMXML").cached
        assert len(server.requests) == 2
        assert watched.counters == {
            "skosmos_lookup_total": 2,
            "skosmos_hit_total": 2,
            "skosmos_cache_hit_total": 1,
        }

    def test_the_constructor_is_that_of_the_document(self) -> None:
        """Its four names, in its order, with its defaults; all else by keyword."""
        parameters = inspect.signature(SKOSMOSClient).parameters.values()
        positional = [(p.name, p.default) for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD]
        assert positional == [
            ("base_url", inspect.Parameter.empty),
            ("timeout_ms", 300),
            ("cache_ttl_seconds", 600),
            ("cache_max_size", 5000),
        ]

    def test_the_labels_of_the_counters(self, watched: Watched) -> None:
        """backend is skosmos, and cache for what the cache answered."""
        watched.client.lookup("CIMXML")
        watched.client.lookup("CIMXML")
        text = watched.metrics.text()
        for line in (
            'skosmos_lookup_total{backend="skosmos"} 1.0',
            'skosmos_hit_total{backend="skosmos"} 1.0',
            'skosmos_miss_total{backend="skosmos"} 0.0',
            'skosmos_timeout_total{backend="skosmos"} 0.0',
            'skosmos_error_total{backend="skosmos"} 0.0',
            'skosmos_cache_hit_total{backend="cache"} 1.0',
        ):
            assert line in text.splitlines()


class TestSynchronousClient:
    def test_an_ambiguous_term_is_found_without_a_definition(self, watched: Watched) -> None:
        """Neither meaning is chosen; both are there to choose from."""
        result = watched.client.lookup("asset")
        assert (result.found, result.ambiguous, result.definition) == (True, True, None)
        assert [m.concept.vocabulary for m in result.matches] == ["iec", "legal"]

    def test_a_term_without_a_definition_is_found_without_one(self, watched: Watched) -> None:
        """And so cites nothing."""
        result = watched.client.lookup("busbar section")
        assert (result.found, result.definition, result.source_uri) == (True, None, None)
        assert not result.ambiguous

    def test_a_deprecated_term_is_not_defined(self) -> None:
        """Where search shows deprecated concepts, `whole` tells them."""
        shown = SkosmosServer(show_deprecated=True)
        with shown as server, SKOSMOSClient(server.url, whole=True) as client:
            result = client.lookup("CIM dump")
        assert (result.found, result.deprecated, result.definition) == (True, True, None)

    async def test_it_works_inside_a_running_loop(self, watched: Watched) -> None:
        """A notebook can call it, and so can its coroutines."""
        assert watched.client.lookup("CIMXML").definition == CIMXML
        assert (await watched.client.alookup("CIMXML")).cached

    def test_closing_leaves_no_thread_and_no_connection(self, server: SkosmosServer) -> None:
        """Nor does a client that was never used."""
        before = threading.active_count()
        with SKOSMOSClient(server.url) as client:
            client.lookup("CIMXML")
            assert threading.active_count() == before + 1
            # So a program that forgets to close it ends all the same.
            assert threading.enumerate()[-1].daemon
        assert threading.active_count() == before
        assert server.open_connections(0) == 0
        SKOSMOSClient(server.url).close()
        assert threading.active_count() == before


@pytest.fixture
async def client(server: SkosmosServer) -> AsyncIterator[AsyncSkosmosClient]:
    service = SkosmosService(base_url=server.url, vocabularies={"iec": "", "legal": "The law"})
    async with client_of(service) as asked:
        yield asked


class TestRequests:
    async def test_one_search_a_vocabulary_in_any_language(
        self, server: SkosmosServer, client: AsyncSkosmosClient
    ) -> None:
        """No `lang`, which would match in one language; `labellang` chooses the definition."""
        await client.lookup("  CIM   AND  meter\n", lang="nl")
        asked = [urlsplit(path) for path in server.requests]
        assert sorted(url.path for url in asked) == [
            "/rest/v1/iec/search",
            "/rest/v1/legal/search",
        ]
        assert {url.query for url in asked} == {
            "query=CIM+and+meter&fields=definition&labellang=nl"
        }

    async def test_not_more_than_the_cap_at_a_time(self, server: SkosmosServer) -> None:
        """A hundred terms at once, and never more than four requests."""
        service = SkosmosService(base_url=server.url, max_concurrency=4, timeout_ms=20_000)
        async with client_of(service) as client:
            with server.holding():
                lookups = (client.lookup(f"term {number}", lang="en") for number in range(100))
                all_of_them = asyncio.gather(*lookups)
                await asyncio.to_thread(server.wait_until_asked, 4)
            await all_of_them
        assert (len(server.requests), server.most_busy) == (100, 4)

    async def test_what_cannot_be_a_label_is_not_asked_for(
        self, server: SkosmosServer, client: AsyncSkosmosClient
    ) -> None:
        """Nothing, and what would make too long a URL: nobody can open the breaker with it."""
        assert await client.lookup(" \n ", lang="en") == ()
        assert await client.lookup("⚡" * 501, lang="en") == ()
        assert server.requests == []
        assert await client.lookup("⚡" * 500, lang="en") == ()
        assert len(server.requests) == 2

    async def test_what_is_no_uri_is_not_asked_for(
        self, server: SkosmosServer, client: AsyncSkosmosClient
    ) -> None:
        """Skosmos answers it with a 500."""
        wrong = [
            "",
            "no uri",
            "http://x.example/a b",
            "http://x.example/<>",
            "c002",
            "x:" + "a" * 2000,
        ]
        assert await client.concepts(wrong) == []
        assert server.requests == []

    async def test_what_is_known_of_namespaces_does_not_grow_for_ever(
        self, client: AsyncSkosmosClient, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A vocabulary may have a namespace for each concept."""
        monkeypatch.setattr(rest, "HOMES", 1)
        uris = [IEC + "c001", "http://vocab.example/legal/l001", IEC + "c002"]
        for uri in uris:
            assert [concept.uri for concept in await client.concepts([uri])] == [uri]

    async def test_httpx_does_not_log_what_people_ask(
        self, client: AsyncSkosmosClient, caplog: pytest.LogCaptureFixture
    ) -> None:
        """Its INFO lines hold whole URLs."""
        caplog.set_level(logging.DEBUG)
        logging.getLogger("httpx").setLevel(logging.NOTSET)
        async with client_of(SkosmosService(base_url="http://127.0.0.1:1")) as other:
            with pytest.raises(SKOSMOSError):
                await other.lookup("a secret", lang="en")
        await client.lookup("a secret", lang="en")
        assert "HTTP Request" not in caplog.text


class TestReadings:
    """What the table test does not see."""

    async def test_a_collection_with_the_label_is_no_concept(self, server: SkosmosServer) -> None:
        """Skosmos' search finds collections too."""
        row = b'{"results":[{"uri":"http://vocab.example/iec/g1","type":["skos:Collection"],'
        row += b'"prefLabel":"CIM","lang":"en","vocab":"iec"}]}'
        server.replay = {"search": _ok(row)}
        async with client_of(SkosmosService(base_url=server.url)) as client:
            assert await client.lookup("CIM", lang="en") == ()

    async def test_a_row_whose_data_are_gone_is_an_error(self, server: SkosmosServer) -> None:
        """Search finds it, data do not, and the other searches do not either: who is right?"""
        row = (
            b'{"results":[{"uri":"http://vocab.example/iec/c999","prefLabel":"gone","lang":"en"}]}'
        )
        server.replay = {"search": _ok(row)}
        async with client_of(SkosmosService(base_url=server.url)) as client:
            server.replay = {"search": _ok(row)}
            (match,) = await client.lookup("gone", lang="en")
            assert match.concept.definitions == ()
            server.replay = {"search": _ok(row.replace(b'"en"', b'"en","definition":["a","b"]'))}
            with pytest.raises(SKOSMOSError, match="does not say soundly what it is"):
                await client.lookup("gone", lang="en")


def _ok(body: bytes) -> bytes:
    head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n"
    return head + b"Content-Length: %d\r\n\r\n" % len(body) + body


class TestKnownTerm:
    """A store that is away makes Skosmos say that nothing is there."""

    @pytest.fixture
    def clock(self) -> FakeClock:
        return FakeClock()

    @pytest.fixture
    async def careful(
        self, server: SkosmosServer, clock: FakeClock
    ) -> AsyncIterator[AsyncSkosmosClient]:
        service = SkosmosService(base_url=server.url, known_term="CIM")
        async with AsyncSkosmosClient(service, clock=clock) as client:
            yield client

    async def test_a_hit_is_a_sign_of_life_for_half_a_minute(
        self, server: SkosmosServer, careful: AsyncSkosmosClient, clock: FakeClock
    ) -> None:
        """Then it is asked for another."""
        await careful.lookup("CIMXML", lang="en")
        clock.advance(30)
        server.requests.clear()
        await careful.lookup("FooBarBaz", lang="en")
        assert len(server.requests) == 1
        clock.advance(0.1)
        await careful.lookup("BarBazFoo", lang="en")
        assert len(server.requests) == 3

    async def test_a_miss_of_a_store_that_is_away_is_an_error(
        self, server: SkosmosServer, careful: AsyncSkosmosClient
    ) -> None:
        """An outage never looks like an unknown term."""
        server.blank = True
        with pytest.raises(SKOSMOSError, match="does not find 'CIM'; is its store away"):
            await careful.lookup("CIMXML", lang="en")

    async def test_the_probe_wants_a_row(
        self, server: SkosmosServer, careful: AsyncSkosmosClient, clock: FakeClock
    ) -> None:
        """200 with nothing, the list of vocabularies, a login page: none passes."""
        await careful.probe()
        await careful.probe("CIM", "asset")
        with pytest.raises(SKOSMOSError, match="does not find 'FooBarBaz'"):
            await careful.probe("CIM", "FooBarBaz")
        server.blank = True
        with pytest.raises(SKOSMOSError, match="does not find 'CIM'"):
            await careful.probe()
        server.blank = False
        for server.fault in (Fault.LOGIN, Fault.ERROR, Fault.WRONG_SHAPE):
            with pytest.raises(SKOSMOSError):
                await careful.probe()
        server.fault, server.on_late = Fault.HANGING, lambda: clock.advance(0.3)
        with pytest.raises(SKOSMOSTimeout):
            await careful.probe()

    async def test_a_probe_needs_a_term(self, client: AsyncSkosmosClient) -> None:
        """There is none to be guessed."""
        with pytest.raises(ConfigError, match="known_term"):
            await client.probe()


class TestLabelsBeside:
    async def test_what_skosmos_no_longer_has_is_not_there(self, server: SkosmosServer) -> None:
        """A stale copy of the labels does not bring it back, nor a label that was taken away."""
        stale = [
            Concept(uri=IEC + "c999", vocabulary="iec", preferred=(Text(value="gone", lang="en"),)),
            Concept(uri=IEC + "c001", vocabulary="iec", preferred=(Text(value="was", lang="en"),)),
        ]
        service = SkosmosService(base_url=server.url, vocabularies={"iec": ""})
        async with AsyncSkosmosClient(service, labels=SkosFile(stale)) as client:
            assert await client.lookup("gone", lang="en") == ()
            assert await client.lookup("was", lang="en") == ()


class TestBackgroundLoop:
    def test_a_closed_loop_starts_anew_when_it_is_needed(self) -> None:
        """And ends what still runs when it closes."""
        loop = BackgroundLoop()
        ended = threading.Event()

        async def forever() -> None:
            try:
                await asyncio.Event().wait()
            finally:
                ended.set()

        async def begin() -> None:
            loop.task = asyncio.create_task(forever())  # type: ignore[attr-defined]
            await asyncio.sleep(0)

        loop.run(begin())
        loop.close()
        assert ended.is_set()
        loop.close()
        loop.run(asyncio.sleep(0))
        loop.close()

    def test_one_source_serves_many_loops(self, server: SkosmosServer) -> None:
        """Its connections outlive the loops of its callers."""
        loop = BackgroundLoop()
        client = client_of(SkosmosService(base_url=server.url))
        source = through(client, loop.call, "lookup", "concepts")
        for term in ("CIMXML", "CIM", "meter"):
            assert len(asyncio.run(source.lookup(term, lang="en"))) == 1  # type: ignore[arg-type]
        assert asyncio.run(source.suggest("metre", lang="en")) == []  # type: ignore[arg-type]
        assert source.name == "Skosmos"
        assert server.connections == 1
        loop.run(client.aclose())
        loop.close()


def counted(client: SKOSMOSClient, name: str, backend: str = "skosmos") -> float | None:
    return client.metrics.registry.get_sample_value(name, {"backend": backend})


def test_c7_it_counts_by_itself(server: SkosmosServer) -> None:
    """A client of one's own counts hits, misses and what its cache answers."""
    with SKOSMOSClient(server.url, timeout_ms=5_000) as client:
        assert client.lookup("CIMXML").found
        assert client.lookup("CIMXML").cached
        assert not client.lookup("FooBarBaz").found
        assert counted(client, "skosmos_lookup_total") == 2
        assert counted(client, "skosmos_hit_total") == 1
        assert counted(client, "skosmos_miss_total") == 1
        assert counted(client, "skosmos_cache_hit_total", "cache") == 1


def test_c7_what_goes_wrong_is_logged_with_its_cause(
    server: SkosmosServer, capfd: pytest.CaptureFixture[str]
) -> None:
    """A client of one's own logs an error with a request id and the cause."""
    with SKOSMOSClient(server.url, timeout_ms=5_000) as client:
        server.fault = Fault.ERROR
        with pytest.raises(SKOSMOSError):
            client.lookup("CIMXML")
        assert counted(client, "skosmos_error_total") == 1
    (line,) = map(json.loads, capfd.readouterr().err.splitlines())
    assert (line["component"], line["event"], line["term"]) == ("skosmos", "error", "CIMXML")
    assert "500" in line["cause"]
    assert line["request_id"].startswith("req-")


def test_c7_within_a_request_it_works_for_that_request(server: SkosmosServer) -> None:
    """Its events carry the id of the request that it is called in; each other call has its own."""
    events: list[Event] = []
    with SKOSMOSClient(server.url, timeout_ms=5_000, observe=events.append) as client:
        with within(RequestContext("req-abc123", "tree")):
            client.lookup("CIMXML")
        client.lookup("FooBarBaz")
        client.lookup("BarFooBaz")
    ids = [event.request_id for event in events if isinstance(event, LookupEnded)]
    assert ids[0] == "req-abc123"
    assert len(set(ids)) == 3
