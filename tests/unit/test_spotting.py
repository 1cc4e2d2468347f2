"""A spotter is made of what vocabulary and index hold now, and outlives an outage of either."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice, permutations

import pytest
from tests.unit.small_world import index, question

from elysia_guard.domain.document import Document, DocumentKind, Filters, Passage
from elysia_guard.domain.kinds import STANDING_KINDS
from elysia_guard.domain.question import Reference
from elysia_guard.domain.scope import EVERYTHING, CollectionScope
from elysia_guard.reading.mentions import TermSpan
from elysia_guard.reading.spotting import CHECKED_S, MOST_KEPT, Spotting
from elysia_guard.scoping import sources_in
from elysia_guard.testing.clock import FakeClock
from elysia_guard.testing.fake_index import FakeIndex
from elysia_guard.testing.terminology import CONCEPTS, METER, FakeTerminology, ScriptedFailure

TEXT = "does the TLS decision mention a meter"


class Counted(FakeIndex):
    """Counts how often it is asked for its documents, and which version of them it has."""

    times = 0
    versions = 0

    async def version(self) -> str:
        self.versions += 1
        return await super().version()

    async def documents(self, filters: Filters) -> Sequence[Document]:
        self.times += 1
        return await super().documents(filters)


class World:
    """One vocabulary, one index, and what keeps spotters of them."""

    def __init__(self) -> None:
        self.vocabulary = FakeTerminology(CONCEPTS)
        self.index = Counted(index()._passages)
        self.clock = FakeClock()
        self.spotting = Spotting(self.clock)

    async def spotted(self, text: str = TEXT, scope: CollectionScope = EVERYTHING) -> list[str]:
        self.clock.advance(CHECKED_S)
        asked = replace(question(text), scope=scope)
        sources = sources_in(scope, self.vocabulary, self.index)
        spans = await self.spotting.spans(
            asked, vocabulary=sources.terminology, catalogue=sources.index
        )
        return [_named(span.means) for span in spans]


def _named(meant: TermSpan | Reference) -> str:
    return meant.uri if isinstance(meant, TermSpan) else str(meant.identity)


@pytest.fixture
def world() -> World:
    return World()


async def test_both_sources_are_spotted(world: World) -> None:
    """Terms of the vocabulary and titles of the index."""
    assert await world.spotted() == ["ADR-0027", METER.uri]


async def test_a_spotter_is_kept_until_something_changes(world: World) -> None:
    """The documents are fetched once for each version of the index."""
    vocabulary, catalogue = world.vocabulary, world.index
    first = await world.spotting.spotter(vocabulary, catalogue)
    assert await world.spotting.spotter(vocabulary, catalogue) is first
    assert world.index.times == 1
    renamed = Counted([_retitled(item) for item in world.index._passages])
    world.clock.advance(CHECKED_S)
    second = await world.spotting.spotter(vocabulary, renamed)
    assert second is not first
    assert not any(isinstance(span.means, Reference) for span in second.spot(TEXT, "en"))
    fewer = FakeTerminology([concept for concept in CONCEPTS if concept != METER])
    third = await world.spotting.spotter(fewer, renamed)
    assert third.spot("a meter", "en") != second.spot("a meter", "en")


async def test_an_index_is_asked_for_its_version_once_in_a_while(world: World) -> None:
    """Over a network that takes its time; questions that follow each other share the answer."""
    for _ in range(3):
        await world.spotting.spotter(world.vocabulary, world.index)
    assert world.index.versions == 1
    world.clock.advance(CHECKED_S)
    await world.spotting.spotter(world.vocabulary, world.index)
    assert world.index.versions == 2


async def test_an_outage_of_the_vocabulary_leaves_what_was_known(world: World) -> None:
    """Before it could ever be asked, only the documents are."""
    world.vocabulary.failure = ScriptedFailure.UNAVAILABLE
    assert await world.spotted() == ["ADR-0027"]
    world.vocabulary.failure = None
    assert await world.spotted() == ["ADR-0027", METER.uri]
    world.vocabulary.failure = ScriptedFailure.TIMEOUT
    assert await world.spotted() == ["ADR-0027", METER.uri]


async def test_an_outage_of_the_index_leaves_what_was_known(world: World) -> None:
    """Before it could ever be asked, only terms are spotted, and numbers with their kind."""
    world.index.down = True
    assert await world.spotted(f"{TEXT}, or ADR 3") == [METER.uri, "ADR-0003"]
    world.index.down = False
    assert await world.spotted() == ["ADR-0027", METER.uri]
    world.index.down = True
    assert await world.spotted() == ["ADR-0027", METER.uri]


async def test_a_scope_sees_nothing_beyond_it_during_an_outage_either(world: World) -> None:
    """What another scope has shown is not its own."""
    policies = CollectionScope.of_kind(DocumentKind.POLICY)
    assert await world.spotted() == ["ADR-0027", METER.uri]
    world.index.down = True
    assert await world.spotted(scope=policies) == []
    world.index.down = False
    assert await world.spotted(scope=policies) == []
    assert await world.spotted(scope=replace(EVERYTHING, kinds=(DocumentKind.DECISION,))) == [
        "ADR-0027",
        METER.uri,
    ]


async def test_only_so_many_scopes_are_kept(world: World) -> None:
    """Whatever is asked, memory has a bound; what is dropped is made again."""
    first = await world.spotting.spotter(world.vocabulary, world.index)
    for kinds in islice(permutations(STANDING_KINDS, 2), MOST_KEPT):
        scope = CollectionScope(kinds=kinds)
        await world.spotting.spotter(world.vocabulary, world.index, scope)
    assert len(world.spotting._kept) <= MOST_KEPT
    assert await world.spotting.spotter(world.vocabulary, world.index) is not first


async def test_a_word_of_the_documents_is_not_mistyped(world: World) -> None:
    """Whatever is near it in the vocabulary is not meant."""
    assert await world.spotted("what is a tranzformer") == [_uri("power transformer")]
    first = world.index._passages[0]
    text = replace(first, text=f"{first.text} A tranzformer is a toy.")
    world.index = Counted([text, *world.index._passages[1:]])
    assert await world.spotted("what is a tranzformer") == []
    world.index.down = True
    assert await world.spotted("what is a tranzformer") == [_uri("power transformer")]


def _uri(label: str) -> str:
    return next(concept.uri for concept in CONCEPTS if concept.label("en") == label)


def _retitled(passage: Passage) -> Passage:
    return replace(passage, document=replace(passage.document, title="Hydrants"))
