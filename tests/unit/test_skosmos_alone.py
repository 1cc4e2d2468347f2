"""``SKOSMOSClient(url)`` as a program uses it by itself: it counts and logs (IR0003)."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from tests.golden.skosmos.server import Fault, SkosmosServer

from elysia_guard import SKOSMOSClient
from elysia_guard.adapters.skosmos import SKOSMOSError
from elysia_guard.domain.context import RequestContext, within
from elysia_guard.domain.events import Event, LookupEnded


@pytest.fixture
def server() -> Iterator[SkosmosServer]:
    with SkosmosServer() as running:
        yield running


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
