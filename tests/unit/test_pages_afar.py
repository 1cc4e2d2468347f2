"""The Data page over a vocabulary that is asked over the network."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from tests.unit.small_world import World

from elysia_guard import config as configuration
from elysia_guard.domain.concept import Concept
from elysia_guard.domain.errors import SourceTimeoutError, SourceUnavailableError
from elysia_guard.domain.listed import ListedConcept, ListedConcepts
from elysia_guard.domain.scope import EVERYTHING
from elysia_guard.edge.elysia.webapp.pages import rows
from elysia_guard.edge.elysia.webapp.pages.afar import AWAY_S, KEPT_S
from elysia_guard.edge.elysia.webapp.pages.holdings import Holdings
from elysia_guard.edge.elysia.webapp.pages.shelves import Shelf
from elysia_guard.edge.elysia.webapp.pages.viewing import View
from elysia_guard.testing.terminology import CONCEPTS

NAME = "Vocabulary Vennet"
LISTED = tuple(
    ListedConcept(
        uri=item.uri,
        label=item.label("en"),
        also=tuple(text.value for text in item.alternative),
        vocabulary="V",
    )
    for item in sorted(CONCEPTS, key=lambda each: each.label("en").casefold())
)


class Scripted:
    """A listing that gives what it is told to, and counts how often it is asked."""

    def __init__(self, *, total: int = len(LISTED), first: int = len(LISTED)) -> None:
        self.known = ListedConcepts(concepts=LISTED[:first], total=total)
        self.away = False
        self.slow = False
        self.asked = self.sought = 0
        self.fetched: list[list[str]] = []

    async def listed(self, *, lang: str) -> ListedConcepts:
        self.asked += 1
        if self.away:
            raise SourceUnavailableError("internal-host:3030 is down", source="skosmos")
        return self.known

    async def whole(self, uris: Sequence[str]) -> tuple[Concept, ...]:
        self.fetched.append(list(uris))
        if self.away or self.slow:
            raise SourceTimeoutError("too late", source="skosmos")
        return tuple(item for item in CONCEPTS if item.uri in uris)

    async def searched(self, text: str, *, lang: str) -> tuple[ListedConcept, ...]:
        self.sought += 1
        return tuple(item for item in LISTED if item.label.casefold().startswith(text.casefold()))


class Page:
    def __init__(self, listing: Scripted) -> None:
        self.world, self.listing = World(), listing
        pipeline = replace(self.world.pipeline, deadline_clock=self.world.clock)
        self.holdings = Holdings(lambda: pipeline, configuration.load(environ={}), listing)

    @property
    def shelf(self) -> Shelf:
        found = self.holdings.named(NAME)
        assert found is not None
        return found

    async def listed(self) -> dict[str, int]:
        return {item["name"]: item["total"] for item in await self.holdings.listed()}

    async def terms(self, **asked: object) -> list[str]:
        _, found = await self.holdings.viewed(self.shelf, View.model_validate(asked))
        return [row["term"] for row in found]


async def test_it_is_listed_with_its_count_and_paged_by_the_alphabet() -> None:
    page = Page(Scripted())
    assert (await page.listed())[NAME] == len(LISTED)
    names = [item.label for item in LISTED]
    assert await page.terms(page_size=2) == names[:2]
    assert await page.terms(page_size=2, page_number=2) == names[2:4]
    letter = {"type": "all", "filters": [{"field": "letter", "operator": "equal", "value": "C"}]}
    assert await page.terms(filter_config=letter) == [n for n in names if n[0] in "Cc"]


async def test_a_search_looks_into_all_names() -> None:
    page = Page(Scripted())
    await page.listed()
    (item,) = [each for each in LISTED if each.also][:1]
    assert item.label in await page.terms(query=item.also[0])
    assert page.listing.sought == 0


async def test_beyond_a_list_that_is_cut_the_server_searches() -> None:
    """What it finds there opens as the others do."""
    page = Page(Scripted(total=5_000, first=1))
    assert (await page.listed())[NAME] == 5_000
    last = LISTED[-1]
    assert await page.terms(query=last.label) == [last.label]
    opened = await page.holdings.one(page.shelf, rows.uuid_of(last.uri))
    assert opened is not None
    assert opened["uri"] == last.uri
    told = await page.holdings.described(page.shelf)
    assert "the first 1 are listed" in told["summary"]


async def test_a_concept_opens_whole_as_its_server_has_it() -> None:
    page = Page(Scripted())
    await page.listed()
    whole = next(item for item in CONCEPTS if item.definitions and not item.deprecated)
    opened = await page.holdings.one(page.shelf, rows.uuid_of(whole.uri))
    assert opened is not None
    assert opened["definition"] == whole.definitions[0].value
    assert await page.holdings.one(page.shelf, "not-an-id") is None


async def test_a_page_of_the_table_has_what_its_concepts_say() -> None:
    """Fetched for that page alone, and once."""
    page = Page(Scripted())
    await page.listed()
    for _ in range(2):
        types, found = await page.holdings.viewed(page.shelf, View(page_size=2))
        assert found[0]["definition"] == next(
            item.definitions[0].value for item in CONCEPTS if item.uri == found[0]["uri"]
        )
        assert "definition" in types
    assert page.listing.fetched == [[item.uri for item in LISTED[:2]]]


async def test_concepts_that_come_late_are_shown_by_their_names() -> None:
    page = Page(Scripted())
    await page.listed()
    page.listing.slow = True
    assert await page.terms() == [item.label for item in LISTED]
    with pytest.raises(SourceTimeoutError):
        await page.holdings.one(page.shelf, rows.uuid_of(LISTED[0].uri))


class TestAway:
    async def test_the_documents_are_there_all_the_same(self) -> None:
        """The vocabulary stands beside them with nothing in it, and says why."""
        page = Page(Scripted())
        page.listing.away = True
        found = await page.listed()
        assert found["Decisions"] > 0
        assert found[NAME] == 0
        types, (row,) = await page.holdings.viewed(page.shelf, View())
        assert list(types) == list(row)
        assert "cannot be reached" in str(row)
        summary = (await page.holdings.described(page.shelf))["summary"]
        assert "cannot be reached" in summary
        assert "internal-host" not in summary

    async def test_what_was_listed_stays_while_it_is_away(self) -> None:
        page = Page(Scripted())
        await page.listed()
        page.listing.away = True
        page.world.clock.advance(KEPT_S)
        assert (await page.listed())[NAME] == len(LISTED)
        assert "when it last answered" in (await page.holdings.described(page.shelf))["summary"]

    async def test_it_is_left_alone_for_a_while_and_comes_back(self) -> None:
        page = Page(Scripted())
        page.listing.away = True
        await page.listed()
        await page.listed()
        assert page.listing.asked == 1
        page.listing.away = False
        page.world.clock.advance(AWAY_S)
        assert (await page.listed())[NAME] == len(LISTED)

    async def test_a_question_waits_for_no_list(self) -> None:
        """The scope of a question is known without asking a server."""
        page = Page(Scripted())
        await page.holdings.refresh()
        assert page.listing.asked == 0
        assert page.holdings.scope(["Decisions"]).defines

    async def test_switched_off_it_is_not_asked(self) -> None:
        page = Page(Scripted())
        every = list(await page.listed())
        assert page.holdings.scope(every) == EVERYTHING
        assert not page.holdings.scope([name for name in every if name != NAME]).defines


async def test_a_list_is_asked_for_once_in_a_while() -> None:
    page = Page(Scripted())
    await page.listed()
    page.world.clock.advance(KEPT_S - 1)
    await page.listed()
    assert page.listing.asked == 1
    page.world.clock.advance(1)
    await page.listed()
    assert page.listing.asked == 2
