"""The labels of both vocabularies, in every language, against what the Turtle files say."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest
from tests.golden.skosmos import expected
from tests.golden.skosmos.expected import Label
from tests.golden.skosmos.server import GOLDEN, SkosmosServer

from elysia_guard.adapters.skos import SkosFile
from elysia_guard.adapters.skosmos import AsyncSkosmosClient, SkosmosService
from elysia_guard.domain.concept import TermMatch
from elysia_guard.domain.question import Lang
from elysia_guard.language.pack import langs

TERMS = sorted({label.text for label in expected.labels()})
# Skosmos cannot be asked for this URI; what its searches say of it is all there is to know.
AMPERSAND = "http://vocab.example/iec/term?id=22&v=2"


@pytest.fixture(scope="module")
def server() -> Iterator[SkosmosServer]:
    with SkosmosServer() as running:
        yield running


@pytest.fixture(params=["each vocabulary", "one global search"])
async def client(
    server: SkosmosServer, request: pytest.FixtureRequest
) -> AsyncIterator[AsyncSkosmosClient]:
    # Both are how people write the address down.
    each = request.param == "each vocabulary"
    vocabularies, url = (expected.TITLES, server.url) if each else ({}, f"{server.url}/rest/v1/")
    service = SkosmosService(base_url=url, vocabularies=vocabularies, timeout_ms=5_000)
    async with AsyncSkosmosClient(service) as asked:
        yield asked


def living(term: str) -> list[Label]:
    return [label for label in expected.bearing(term) if not label.deprecated]


def check(matches: list[TermMatch], bearing: list[Label], lang: Lang) -> None:
    """Hold the matches of a term against the labels that bear it."""
    meant = expected.meant(bearing, lang)
    assert {match.concept.uri for match in matches} == meant
    assert len(matches) == len(meant)
    for match in matches:
        concept = match.concept
        own = [label for label in bearing if label.uri == concept.uri]
        assert (match.label.value, match.label.lang, match.role.value) in {
            (label.text, label.lang, label.role) for label in own
        }
        assert concept.vocabulary == own[0].vocabulary
        assert concept.deprecated is own[0].deprecated
        said = {(text.value, text.lang) for text in concept.definitions}
        assert said == expected.definitions(concept.uri)
        shown = concept.definition(lang)
        assert (shown.value if shown else None) == expected.definition_to_show(concept.uri, lang)


@pytest.mark.parametrize("lang", langs())
async def test_every_label_means_what_the_files_say(client: AsyncSkosmosClient, lang: Lang) -> None:
    """Its concepts, their definitions word for word, the language, the role; or nothing."""
    for term in TERMS if lang == "en" else TERMS[::3]:
        check(list(await client.lookup(term, lang=lang)), living(term), lang)


async def test_parts_and_plurals_of_labels_are_not_there(client: AsyncSkosmosClient) -> None:
    """Without labels beside, Skosmos knows whole labels only."""
    known = {label.text.lower() for label in expected.labels()}
    for term in TERMS[::3]:
        for other in (f"{term}s", term[:-1], f"{term} {term}", f"{term}*"):
            if other.lower().strip() not in known:
                assert await client.lookup(other, lang="en") == ()


async def test_with_labels_beside_deprecated_concepts_say_so(server: SkosmosServer) -> None:
    """Everything else is as before."""
    labels = SkosFile.load([GOLDEN / "iec.ttl", GOLDEN / "legal.ttl"])
    service = SkosmosService(base_url=server.url, vocabularies=expected.TITLES, timeout_ms=5_000)
    async with AsyncSkosmosClient(service, labels=labels) as client:
        for term in TERMS:
            check(list(await client.lookup(term, lang="en")), expected.bearing(term), "en")
        (match,) = await client.lookup("bedrijfsmiddelen", lang="nl")
        assert match.concept.uri == "http://vocab.example/iec/c007"


async def test_every_concept_can_be_fetched_whole(client: AsyncSkosmosClient) -> None:
    """All facts of all concepts, but for the one that Skosmos cannot be asked for."""
    uris = sorted({label.uri for label in expected.labels()})
    for concept in await client.concepts(uris):
        uris.remove(concept.uri)
        facts = expected.facts(concept.uri)
        for name in ("preferred", "alternative", "hidden", "scope_notes", "examples"):
            assert {(t.value, t.lang) for t in getattr(concept, name)} == facts[name]
        for name in ("broader", "narrower", "related", "replaced_by"):
            assert set(getattr(concept, name)) == facts[name]
        assert (concept.notation, concept.deprecated) == (facts["notation"], facts["deprecated"])
        assert concept.vocabulary_title == expected.TITLES[concept.uri.split("/")[3]]
    assert uris == [AMPERSAND]
