"""A vocabulary that is asked over the network, as the page lists it."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Sequence
from typing import Any, Protocol

from elysia_guard.domain.concept import Concept
from elysia_guard.domain.errors import SourceUnavailableError
from elysia_guard.domain.listed import ListedConcept, ListedConcepts
from elysia_guard.domain.question import Lang
from elysia_guard.edge.elysia.webapp.pages import rows
from elysia_guard.edge.elysia.webapp.pages.rows import UUID, Row
from elysia_guard.ports import Clock

log = logging.getLogger(__name__)

KEPT_S = 600.0
"""So long a list is taken for what there is."""
AWAY_S = 30.0
"""So long a server that could not be asked is left alone."""
MOST_REMEMBERED = 1_000
"""Concepts that a search found beyond the list, of which one may be opened; and whole ones."""
MOST_WHOLE = 100
"""Concepts that are fetched whole for one page of the table."""
NOTICE = "notice"
AWAY = "The vocabulary cannot be reached at the moment. Try again later."


class Listing(Protocol):
    """Lists the concepts of a vocabulary by their names.

    Its calls raise ``SourceUnavailableError`` where it cannot be asked in time.
    """

    async def listed(self, *, lang: Lang) -> ListedConcepts:
        """Return the concepts, in a language where they have a label in it."""

    async def searched(self, text: str, *, lang: Lang) -> tuple[ListedConcept, ...]:
        """Return the first concepts with a label that begins with a text."""

    async def whole(self, uris: Sequence[str]) -> tuple[Concept, ...]:
        """Return the concepts with these URIs, unknown ones left out."""


class Afar:
    """What is known of the concepts of such a vocabulary; nothing at first.

    Args:
        listing: lists them.
        lang: the language of the page.
        clock: tells the time, in seconds.
    """

    def __init__(self, listing: Listing, lang: Lang, clock: Clock) -> None:
        self._listing = listing
        self._lang = lang
        self._clock = clock
        self._reading = asyncio.Lock()
        self._again = clock()
        self._times = 0
        self._known = ListedConcepts(concepts=(), total=0)
        self._uris: dict[str, str] = {}
        self._beyond: OrderedDict[str, ListedConcept] = OrderedDict()
        self._whole: OrderedDict[str, Concept] = OrderedDict()
        self.away = False
        """Whether it could not be asked when it was asked last."""

    @property
    def version(self) -> str:
        """Changes whenever what is known does."""
        return f"{self._times} {self.away}"

    @property
    def total(self) -> int:
        """How many concepts there are, as far as is known."""
        return self._known.total

    @property
    def rows(self) -> list[Row]:
        """The concepts that are listed, in the order of the alphabet."""
        return [_row(item) for item in self._known.concepts]

    @property
    def labels(self) -> dict[str, str]:
        """The label of each concept that is listed, by its URI."""
        return {item.uri: item.label for item in self._known.concepts}

    def told(self, name: str) -> str:
        """Say what the list does not show: that it is cut, or of a vocabulary that is away."""
        listed = len(self._known.concepts)
        lines = [f"**{name}**: {self.total}"]
        if self._known.is_cut:
            lines.append(f"- the first {listed} are listed; the search looks into all")
        if self.away:
            since = "as it was when it last answered" if listed else "so nothing is listed"
            lines.append(f"- the vocabulary cannot be reached at the moment, {since}")
        return "\n".join([lines[0], "", *lines[1:]])

    async def refresh(self) -> None:
        """Ask it for its concepts, where that was long ago; keep what is known where it is away."""
        async with self._reading:
            if self._clock() < self._again:
                return
            try:
                self._known = await self._listing.listed(lang=self._lang)
                self._times, self.away = self._times + 1, False
                self._whole.clear()
                self._uris = {rows.uuid_of(item.uri): item.uri for item in self._known.concepts}
            except SourceUnavailableError as err:
                log.warning("the vocabulary could not be listed: %s", err)
                self.away = True
            self._again = self._clock() + (AWAY_S if self.away else KEPT_S)

    async def found(self, text: str) -> list[Row]:
        """Return the concepts beyond the list that a search finds; none where all are listed."""
        if not self._known.is_cut:
            return []
        found = [
            item
            for item in await self._listing.searched(text, lang=self._lang)
            if rows.uuid_of(item.uri) not in self._uris
        ]
        for item in found:
            self._beyond[rows.uuid_of(item.uri)] = item
        _shorten(self._beyond)
        return [_row(item) for item in found]

    async def filled(self, shown: Sequence[Row]) -> list[Row]:
        """Return rows with all that their concepts say, as far as these can be fetched in time."""
        wanted = [row["uri"] for row in shown if row["uri"] not in self._whole][:MOST_WHOLE]
        try:
            found = await self._listing.whole(wanted) if wanted else ()
        except SourceUnavailableError as err:
            log.warning("concepts could not be fetched: %s", err)
            found = ()
        self._whole.update((item.uri, item) for item in found)
        filled = [self._filled(row) for row in shown]
        _shorten(self._whole)
        return filled

    def _filled(self, row: Row) -> Row:
        concept = self._whole.get(row["uri"])
        if concept is None:
            return row
        return rows.of_concept(concept, self.labels, self._lang) | {"letter": row["letter"]}

    async def one(self, uuid: str) -> Row | None:
        """Return the concept that the page means by an id, as its server has it; None if none.

        Raises:
            SourceUnavailableError: it cannot be fetched in time.
        """
        uri = self.uri_of(uuid)
        found = await self._listing.whole([uri]) if uri else ()
        return rows.of_concept(found[0], self.labels, self._lang) if found else None

    def uri_of(self, uuid: str) -> str:
        """Return the URI of the concept that the page means by an id; empty if there is none."""
        beyond = self._beyond.get(uuid)
        return beyond.uri if beyond else self._uris.get(uuid, "")


def _shorten(remembered: OrderedDict[str, Any]) -> None:
    while len(remembered) > MOST_REMEMBERED:
        remembered.popitem(last=False)


def _row(item: ListedConcept) -> Row:
    return {
        "term": item.label,
        "letter": item.label[:1].upper(),
        "also_called": "; ".join(item.also),
        "vocabulary": item.vocabulary,
        "uri": item.uri,
        UUID: rows.uuid_of(item.uri),
    }
