"""What a Skosmos has, to look through: its alphabetical index, and a search in it."""

from __future__ import annotations

import time
from collections.abc import Callable, Coroutine, Iterable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any, TypeVar

from elysia_guard.adapters.skosmos.catalogue import Catalogue, Entry
from elysia_guard.adapters.skosmos.errors import SKOSMOSTimeout
from elysia_guard.adapters.skosmos.rest import Rest
from elysia_guard.adapters.skosmos.service import Service
from elysia_guard.adapters.skosmos.wire import Wire
from elysia_guard.domain.concept import Concept
from elysia_guard.domain.listed import ListedConcept, ListedConcepts
from elysia_guard.domain.question import Lang
from elysia_guard.ports import Clock
from elysia_guard.resilience.deadline import Deadline
from elysia_guard.resilience.together import together

MOST_LABELS = 10_000
"""Of one vocabulary and language: a national thesaurus has tens of thousands."""
MOST_VOCABULARIES = 20
MOST_FOUND = 100
MAX_BODY_BYTES = 8_000_000
TIMES = 10
"""How many times as long as a look-up a list may take: nobody waits for an answer meanwhile."""

Result = TypeVar("Result")


class Listing:
    """The concepts of the vocabularies of a server, by their names.

    Each call has connections of its own, so that it belongs to no event loop.

    Args:
        service: the server, and how it is asked.
        most: labels of a vocabulary and language that are listed at most.
        clock: tells the time.
    """

    def __init__(
        self, service: Service, *, most: int = MOST_LABELS, clock: Clock = time.monotonic
    ) -> None:
        self._service = service
        self._most = most
        self._clock = clock

    async def listed(self, *, lang: Lang) -> ListedConcepts:
        """Return the concepts by their labels, in a language where they have one in it.

        Raises:
            SKOSMOSTimeout: it did not come in time.
            SKOSMOSError: it could not be asked, or answered with something else than a list.
        """
        return await self._asked(lambda wire: self._listed(wire, lang))

    async def searched(self, text: str, *, lang: Lang) -> tuple[ListedConcept, ...]:
        """Return the first concepts with a label that begins with a text.

        Raises:
            SKOSMOSTimeout, SKOSMOSError: as for ``listed``.
        """
        return await self._asked(lambda wire: self._searched(wire, text, lang))

    async def whole(self, uris: Sequence[str]) -> tuple[Concept, ...]:
        """Return the concepts with these URIs, unknown ones left out.

        Raises:
            SKOSMOSTimeout, SKOSMOSError: as for ``listed``.
        """
        return await self._asked(lambda wire: self._whole(wire, uris))

    async def _whole(self, wire: Wire, uris: Sequence[str]) -> tuple[Concept, ...]:
        rest = Rest(wire, vocabularies=self._service.vocabularies, name=self._service.name)
        found = await together(*(rest.concept(uri) for uri in dict.fromkeys(uris)))
        return tuple(filter(None, found))

    async def _asked(self, work: Callable[[Wire], Coroutine[Any, Any, Result]]) -> Result:
        service = self._service
        timeout_ms = TIMES * service.timeout_ms

        def late() -> SKOSMOSTimeout:
            return SKOSMOSTimeout(f"{service.name} did not list its concepts in {timeout_ms} ms")

        wire = Wire(
            service.base_url,
            name=service.name,
            max_concurrency=service.max_concurrency,
            max_body_bytes=MAX_BODY_BYTES,
        )
        async with aclosing(wire):
            return await Deadline(timeout_ms / 1000, late=late, clock=self._clock).bound(work(wire))

    async def _listed(self, wire: Wire, lang: Lang) -> ListedConcepts:
        catalogue = Catalogue(wire, name=self._service.name)
        ids = list(self._service.vocabularies) or list(await catalogue.vocabularies())
        every = (self._of(catalogue, id_, lang) for id_ in ids[:MOST_VOCABULARIES])
        parts = await together(*every)
        concepts = {item.uri: item for part in parts for item in part.concepts}
        ordered = sorted(concepts.values(), key=lambda item: (item.label.casefold(), item.uri))
        # A concept may be in several vocabularies; what is beyond a list cannot be told apart.
        beyond = sum(part.total - len(part.concepts) for part in parts)
        return ListedConcepts(concepts=tuple(ordered), total=len(ordered) + beyond)

    async def _of(self, catalogue: Catalogue, vocabulary: str, lang: Lang) -> ListedConcepts:
        about = await catalogue.about(vocabulary)
        langs = sorted(about.languages or (lang,), key=lambda tag: (tag != lang, tag != "en", tag))
        read = (catalogue.entries(vocabulary, tag, limit=self._most) for tag in langs)
        entries = await together(*read)
        title = self._service.vocabularies.get(vocabulary) or about.title or vocabulary
        found = _merged((entry for of_lang in entries for entry in of_lang), title)
        total = len(found)
        if any(len(of_lang) >= self._most for of_lang in entries):
            total = max(total, await catalogue.count(vocabulary, default=total + 1))
        return ListedConcepts(concepts=tuple(found), total=total)

    async def _searched(self, wire: Wire, text: str, lang: Lang) -> tuple[ListedConcept, ...]:
        rest = Rest(wire, vocabularies=self._service.vocabularies, name=self._service.name)
        rows = await rest.beginning(text, show=lang, most=MOST_FOUND)
        found = {row.uri: row for row in rows if row.is_concept}
        return tuple(
            ListedConcept(
                uri=uri,
                label=row.preferred or row.label[0].value,
                also=tuple(filter(None, (row.alternative,))),
                vocabulary=rest.title(row.vocab) or row.vocab,
            )
            for uri, row in found.items()
        )


@dataclass
class _Names:
    label: str
    also: dict[str, None] = field(default_factory=dict)


def _merged(entries: Iterable[Entry], title: str) -> list[ListedConcept]:
    """Put the labels of each concept together; the first preferred one is its own."""
    names: dict[str, _Names] = {}
    for entry in entries:
        own = names.setdefault(entry.uri, _Names(entry.preferred or entry.uri))
        own.also.update(dict.fromkeys((entry.preferred, entry.alternative)))
    return [
        ListedConcept(
            uri=uri,
            label=own.label,
            also=tuple(name for name in own.also if name and name != own.label),
            vocabulary=title,
        )
        for uri, own in names.items()
    ]
