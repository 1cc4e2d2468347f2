"""What a Skosmos has, listed over real HTTP on loopback; answers are as recorded."""

from __future__ import annotations

import json
from collections.abc import Iterator
from urllib.parse import parse_qs, urlsplit

import pytest
from tests.golden.skosmos.emulator import Reply
from tests.golden.skosmos.server import SECRET, SkosmosServer

from elysia_guard.adapters.skosmos import Service, SKOSMOSError
from elysia_guard.adapters.skosmos.errors import SKOSMOSTimeout
from elysia_guard.adapters.skosmos.listing import Listing
from elysia_guard.domain.listed import ListedConcepts

BOTH = {"iec": "Grid terms", "legal": ""}
COUNTED = {
    "title": "Grid modelling terms",
    "concepts": {"class": "http://www.w3.org/2004/02/skos/core#Concept", "count": 30},
    "subTypes": [],
}
"""As a server over a text index counts; over another it answers 500."""


@pytest.fixture
def server() -> Iterator[SkosmosServer]:
    with SkosmosServer() as running:
        yield running


def listing(server: SkosmosServer, *, most: int = 10_000, timeout_ms: int = 500) -> Listing:
    service = Service(base_url=server.url, vocabularies=BOTH, timeout_ms=timeout_ms)
    return Listing(service, most=most)


def limit_held(server: SkosmosServer, limit: int) -> None:
    """Let the index hold no more labels than were asked for, as Skosmos itself does."""
    rows = [{"uri": f"http://vocab.example/iec/{n}", "prefLabel": f"T{n}"} for n in range(limit)]
    body = json.dumps({"uri": "", "indexConcepts": rows}).encode()
    server.files["/rest/v1/iec/index/*"] = Reply(200, "application/json", body)


async def test_every_concept_is_listed_once_by_all_its_names(server: SkosmosServer) -> None:
    found = await listing(server).listed(lang="en")
    labels = [item.label.casefold() for item in found.concepts]
    assert labels == sorted(labels)
    assert len({item.uri for item in found.concepts}) == len(found.concepts) == found.total
    (cimxml,) = [item for item in found.concepts if item.label == "CIMXML"]
    assert {"CIM RDF/XML", "CIM/XML"} <= set(cimxml.also)
    assert cimxml.vocabulary == "Grid terms"
    assert {item.vocabulary for item in found.concepts} > {"Grid terms"}


async def test_a_concept_bears_its_label_in_the_language_of_the_page(server: SkosmosServer) -> None:
    english = {item.uri: item for item in (await listing(server).listed(lang="en")).concepts}
    dutch = {item.uri: item for item in (await listing(server).listed(lang="nl")).concepts}
    assert english.keys() == dutch.keys()
    other = [uri for uri, item in dutch.items() if item.label != english[uri].label]
    assert other
    assert all(english[uri].label in dutch[uri].also for uri in other)


async def test_it_asks_for_no_more_than_it_lists(server: SkosmosServer) -> None:
    await listing(server, most=7).listed(lang="en")
    asked = [parse_qs(urlsplit(path).query) for path in server.requests if "/index/" in path]
    assert asked
    assert {query["limit"][0] for query in asked} == {"7"}


async def test_what_is_beyond_the_list_is_counted_by_the_server(server: SkosmosServer) -> None:
    limit_held(server, 7)
    body = json.dumps(COUNTED).encode()
    server.files["/rest/v1/iec/vocabularyStatistics"] = Reply(200, "application/json", body)
    found = await listing(server, most=7).listed(lang="en")
    assert found.is_cut
    assert found.total >= 30


async def test_a_server_that_cannot_count_is_listed_all_the_same(server: SkosmosServer) -> None:
    """A store without a text index answers the call with an error; that there is more is told."""
    limit_held(server, 7)
    error = b"ERROR: HTTP request for SPARQL query failed"
    server.files["/rest/v1/iec/vocabularyStatistics"] = Reply(500, "text/html", error)
    found = await listing(server, most=7).listed(lang="en")
    assert isinstance(found, ListedConcepts)
    assert found.is_cut


async def test_a_search_finds_what_begins_with_a_text(server: SkosmosServer) -> None:
    found = await listing(server).searched("CIM", lang="en")
    assert {"CIM", "CIM profile", "CIMXML"} <= {item.label for item in found}
    assert len({item.uri for item in found}) == len(found)
    (asked, *_) = [parse_qs(urlsplit(path).query) for path in server.asked("search")]
    assert asked["query"] == ["CIM*"]
    assert asked["maxhits"] == ["100"]


@pytest.mark.parametrize("text", ["*", "a*b*", 'x" OR y', "\\", "AND"])
async def test_no_text_is_an_operator(server: SkosmosServer, text: str) -> None:
    await listing(server).searched(text, lang="en")
    for path in server.asked("search"):
        (query,) = parse_qs(urlsplit(path).query)["query"]
        assert query.count("*") == 1
        assert query.endswith("*")
        assert " OR " not in query
        assert "AND" not in query


@pytest.mark.parametrize("path", ["/rest/v1/iec/index/*", "/rest/v1/iec/"])
@pytest.mark.parametrize(
    "reply",
    [
        Reply(500, "text/html", SECRET.encode()),
        Reply(200, "text/html", SECRET.encode()),
        Reply(200, "application/json", f'{{"indexConcepts": "{SECRET}'.encode()),
        Reply(200, "application/json", f'{{"indexConcepts": "{SECRET}"}}'.encode()),
    ],
)
async def test_what_is_no_list_is_an_error_without_its_words(
    server: SkosmosServer, path: str, reply: Reply
) -> None:
    server.files[path] = reply
    with pytest.raises(SKOSMOSError) as raised:
        await listing(server).listed(lang="en")
    assert SECRET not in str(raised.value)


async def test_a_server_that_hangs_is_given_up_in_time(server: SkosmosServer) -> None:
    with server.holding(), pytest.raises(SKOSMOSTimeout, match="200 ms"):
        await listing(server, timeout_ms=20).listed(lang="en")


async def test_a_server_that_is_gone_is_an_error() -> None:
    with SkosmosServer() as server:
        made = listing(server)
    with pytest.raises(SKOSMOSError, match="cannot be reached"):
        await made.listed(lang="en")
