"""Which way a question takes: what concerns one collection goes direct, through the tree too."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.unit.small_world import World

from elysia_guard.domain.document import DocumentKind
from elysia_guard.domain.errors import QuestionError
from elysia_guard.domain.events import RequestStarted, StageEnded
from elysia_guard.domain.question import Reference, Route
from elysia_guard.domain.reading import (
    Asks,
    Comparison,
    Definition,
    Listing,
    Named,
    Part,
    Search,
    SmallTalk,
    Unclear,
    concerned,
    concerns_one,
)
from elysia_guard.domain.scope import EVERYTHING, NOTHING, CollectionScope

ADR, PCP, POL = DocumentKind.DECISION, DocumentKind.PRINCIPLE, DocumentKind.POLICY
TWELVE = Reference(number=12, written="ADR-0012", kind=ADR)


def part(asks: Asks) -> Part:
    return Part(asks=asks, text="t", reason="r")


ONE: dict[str, Asks] = {
    "a term": Definition(term="CIM"),
    "a document": Named(references=(TWELVE,)),
    "two of a kind": Named(references=(TWELVE, replace(TWELVE, number=13))),
    "and its record": Named(references=(TWELVE, replace(TWELVE, approval=True))),
    "a list of one kind": Listing(kinds=(POL,)),
    "a list of which one kind is reached": Listing(kinds=(POL,), outside=(ADR,)),
    "a search of one kind": Search(topic="TLS", kinds=(ADR,)),
    "small talk": SmallTalk(about="thanks"),
    "what is not clear": Unclear(word="it"),
}
SEVERAL: dict[str, Asks] = {
    "documents of two kinds": Named(references=(TWELVE, replace(TWELVE, kind=PCP))),
    "a number of any kind": Named(references=(replace(TWELVE, kind=None),)),
    "a list of two kinds": Listing(kinds=(ADR, POL)),
    "a search of two kinds": Search(topic="TLS", kinds=(ADR, POL)),
    "a term or a matter": Search(topic="congestion", kinds=(ADR,), term="congestion"),
    "a comparison": Comparison(terms=("CIM", "CIMXML"), topic="CIM"),
    "an open question": Search(topic="grid stability"),
}


@pytest.mark.parametrize("name", ONE)
def test_one_collection(name: str) -> None:
    """One alone may answer, or none is asked."""
    assert concerns_one([part(ONE[name])], EVERYTHING)


@pytest.mark.parametrize("name", SEVERAL)
def test_several_collections(name: str) -> None:
    """There is something to decide between."""
    assert not concerns_one([part(SEVERAL[name])], EVERYTHING)


def test_parts_concern_what_each_concerns() -> None:
    """Two parts over one collection are one; what may not be reached is not concerned."""
    named, listed = part(Named(references=(TWELVE,))), part(Listing(kinds=(ADR,)))
    assert concerns_one([named, listed], EVERYTHING)
    two = concerned([named, part(Definition(term="CIM"))], EVERYTHING)
    assert two == {"decision", "vocabulary"}
    for name in ("a number of any kind", "a comparison"):
        assert concerned([part(SEVERAL[name])], CollectionScope.of_kind(POL)) == {"policy"}
    looked_up_first = part(SEVERAL["a term or a matter"])
    assert concerns_one([looked_up_first], CollectionScope.of_kind(ADR))


def test_what_no_rule_decides_goes_no_shorter_way() -> None:
    """Even with nothing of ours to ask: a tool of somebody else's may take it."""
    assert not concerns_one([part(Search(topic="t"))], NOTHING)


def started(world: World) -> list[str]:
    return [event.route for event in world.events if isinstance(event, RequestStarted)]


@pytest.mark.parametrize(
    ("text", "taken"),
    [
        ("What is CIM?", "direct"),
        ("What does ADR-12 decide?", "direct"),
        ("hello", "direct"),
        ("How do we ensure grid stability?", "tree"),
        ("List all decisions and policies", "tree"),
    ],
)
async def test_the_route_tells_the_way_that_is_taken(text: str, taken: Route) -> None:
    """From the event on with which a request begins, whichever door it came in by."""
    world, doors = World(), ("tree", "direct")
    for route in doors:
        inquiry = await world.pipeline.begin(text, request_id="r", route=route)  # type: ignore[arg-type]
        assert inquiry.route == taken
    assert started(world) == [taken, taken]
    assert isinstance(world.events[0], RequestStarted)
    assert isinstance(world.events[1], StageEnded)


@pytest.mark.parametrize("text", ["", "?!"])
async def test_a_request_begins_once_however_it_is_turned_away(text: str) -> None:
    """A text that cannot be asked is no request until it is turned away."""
    world = World()
    with pytest.raises(QuestionError) as caught:
        await world.pipeline.begin(text, request_id="r", route="tree")
    assert started(world) == []
    world.pipeline.turn_away(text, caught.value, request_id="r", route="tree")
    assert started(world) == ["tree"]
