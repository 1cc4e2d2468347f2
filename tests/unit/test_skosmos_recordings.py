"""Each recorded answer of a real Skosmos, sent to the client byte by byte, and how it reads it.

What is expected comes from the Turtle files (``tests/golden/skosmos/expected.py``).
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest
from tests.golden.skosmos import expected
from tests.golden.skosmos.recordings import Recording, recordings
from tests.golden.skosmos.server import SkosmosServer

from elysia_guard.adapters.skosmos import AsyncSkosmosClient, SKOSMOSError, SkosmosService
from elysia_guard.adapters.skosmos.client import LONGEST_TERM
from elysia_guard.language.pack import langs
from elysia_guard.testing.clock import FakeClock

C002 = "http://vocab.example/iec/c002"


@pytest.fixture(scope="module")
def server() -> Iterator[SkosmosServer]:
    with SkosmosServer() as running:
        yield running


@pytest.fixture
async def client(server: SkosmosServer) -> AsyncIterator[AsyncSkosmosClient]:
    async with AsyncSkosmosClient(SkosmosService(base_url=server.url), clock=FakeClock()) as asked:
        yield asked
    server.replay = {}


def named(recorded: Recording) -> str:
    return recorded.name


def reading_of_search(recorded: Recording) -> set[str] | None:
    """The URIs that this answer names for its term; None where it is no answer of a search."""
    term, query = recorded.query.get("query", "CIMXML"), recorded.query
    if not term.strip() or len(term) > LONGEST_TERM:
        return set()
    is_json = recorded.media_type in {"application/json", "application/ld+json"}
    if (
        recorded.call != "search"
        or recorded.status != 200
        or not is_json
        or not recorded.body.strip()
    ):
        return None
    if "case: html" in recorded.server or "nosuch" in query.get("type", ""):
        return set()
    if "scheme" in query:
        query = query | {"vocab": query["scheme"].split("/")[-2]}
    vocabularies = query.get("vocab", recorded.vocabulary).split() or expected.VOCABULARIES
    shows_deprecated = "case: variant" in recorded.server and recorded.vocabulary
    found = [
        label
        for label in expected.bearing(_composed(term))
        if (label.lang or "") == query.get("lang", "").lower() or not query.get("lang")
        if label.vocabulary in vocabularies
        if shows_deprecated or not label.deprecated
    ]
    return expected.meant(found, asked_lang(recorded))


def _composed(term: str) -> str:
    return term.replace("a\u0308", "ä")


def asked_lang(recorded: Recording) -> str:
    lang = recorded.query.get("lang", "en").lower()
    return lang if lang in langs() else "en"


def check(error: SKOSMOSError) -> None:
    """No reader is told the address of the store, nor that of Skosmos, nor a word of the body."""
    shown = f"{error!s} {error!r} {error.__cause__!r}".lower()
    for inside in ("127.0.0.1", "sparql", "http"):
        assert inside not in shown


@pytest.mark.parametrize("recorded", recordings(), ids=named)
async def test_an_answer_to_a_search_is_read_as_the_vocabulary_means_it(
    recorded: Recording, server: SkosmosServer, client: AsyncSkosmosClient
) -> None:
    """Hit, ambiguity, miss or error; what is no answer to a search is never a miss."""
    server.replay = {"search": recorded.answer}
    term, lang = recorded.query.get("query", "CIMXML"), asked_lang(recorded)
    meant = reading_of_search(recorded)
    if meant is None:
        with pytest.raises(SKOSMOSError) as caught:
            await client.lookup(term, lang=lang)
        check(caught.value)
        return
    matches = await client.lookup(term, lang=lang)
    found = {match.concept.uri for match in matches}
    if recorded.query.get("maxhits") == "1":
        assert len(found) == 1
        assert found < meant
    else:
        assert found == meant
    for match in matches:
        said = {(text.value, text.lang) for text in match.concept.definitions}
        if "&" in match.concept.uri:
            # It is pieced together of searches in each language, and all got this one answer.
            said = {(text, its) for text, its in said if its == lang}
        assert said == expected.definitions(match.concept.uri)


def is_data(recorded: Recording) -> bool:
    return recorded.call == "data"


@pytest.mark.parametrize("recorded", list(filter(is_data, recordings())), ids=named)
async def test_data_is_read_as_the_vocabulary_means_it(
    recorded: Recording, server: SkosmosServer, client: AsyncSkosmosClient
) -> None:
    """A concept whole, nothing, or an error; what is another format is never half a concept."""
    server.replay = {"data": recorded.answer}
    uri = recorded.query.get("uri", C002)
    if " " in uri or recorded.query.get("uri", "").endswith("/scheme"):
        assert await client.concepts([uri]) == []
        return
    if recorded.status == 404 and "uri" in recorded.query:
        assert await client.concepts([uri]) == []
        return
    if recorded.status != 200 or not recorded.media_type.endswith("json"):
        with pytest.raises(SKOSMOSError) as caught:
            await client.concepts([uri])
        check(caught.value)
        return
    (concept,) = await client.concepts([uri])
    assert whole(concept) == expected.facts(uri)


def whole(concept: object) -> dict[str, object]:
    """A concept as ``expected.facts`` tells it."""
    told: dict[str, object] = {}
    for name in expected.facts(C002):
        value = getattr(concept, name)
        if name in {"broader", "narrower", "related", "replaced_by"}:
            assert list(value) == sorted(value)
            value = set(value)
        elif isinstance(value, tuple):
            value = {(text.value, text.lang) for text in value}
        told[name] = value
    return told
