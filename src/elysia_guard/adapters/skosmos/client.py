"""A governed vocabulary on a Skosmos server, asked within one deadline."""

from __future__ import annotations

import time
from collections.abc import Callable, Coroutine, Iterable, Iterator, Sequence
from functools import partial
from typing import Any, Self, TypeVar

from elysia_guard.adapters.skosmos.answers import LabelRow, naming, pieced_together
from elysia_guard.adapters.skosmos.rest import (
    Rest,
    SKOSMOSError,
    SkosmosService,
    SKOSMOSTimeout,
    http_of,
)
from elysia_guard.domain.concept import Concept, LabelRole, Labels, TermMatch, Text
from elysia_guard.domain.errors import ConfigError
from elysia_guard.domain.question import Lang
from elysia_guard.language.text import clean, normalise
from elysia_guard.ports import Clock, TerminologySource
from elysia_guard.resilience.calls import Guarded
from elysia_guard.resilience.together import together

LONGEST_TERM = 500
"""Letters; nobody's label is longer, and a URL of 8 KB is refused."""
ALIVE_S = 30.0
"""For so long after its last row, Skosmos is believed when it says that a term is not there."""

Result = TypeVar("Result")


class AsyncSkosmosClient:
    """A terminology source over Skosmos' REST interface; implements ``ports.TerminologySource``.

    Belongs to the event loop in which it is first used.

    Args:
        service: the server, and how it is asked.
        labels: a copy of the vocabularies' labels kept beside. It suggests, it knows synonyms, and
            it leads to what search hides: deprecated concepts, plurals, other ways of writing. What
            it leads to is read from Skosmos, and counts only where it still bears the label.
        clock: tells the time.

    Example:
        >>> service = Service(base_url="https://vocab.vennet.example", vocabularies={"grid": ""})
        >>> async with AsyncSkosmosClient(service) as client:      # doctest: +SKIP
        ...     await client.lookup("power transformer", lang="en")
    """

    def __init__(
        self,
        service: SkosmosService,
        *,
        labels: TerminologySource | None = None,
        clock: Clock = time.monotonic,
    ) -> None:
        self._service = service
        self._http = http_of(service)
        self._rest = Rest(self._http, vocabularies=service.vocabularies, name=service.name)
        self._labels = labels
        self._clock = clock
        self._guarded = Guarded(late=self._late, clock=clock)
        self._alive_until: float | None = None

    @property
    def name(self) -> str:
        """How the source is called before a reader."""
        return self._service.name

    async def lookup(self, term: str, *, lang: Lang) -> Sequence[TermMatch]:
        """Return every concept that the term names; empty means that it is not there.

        Raises:
            SKOSMOSTimeout: Skosmos did not answer within the deadline.
            SKOSMOSError: it could not be asked, or a definition arrived damaged.
        """
        return await self._in_time(lambda: self._find(clean(term), lang))

    async def concepts(self, uris: Sequence[str]) -> Sequence[Concept]:
        """Return the concepts with these URIs, whole, unknown ones left out.

        Raises:
            SKOSMOSTimeout, SKOSMOSError: as for ``lookup``.
        """
        found = await self._in_time(lambda: self._fetched(uris))
        known = {concept.uri: concept for concept in found}
        return [known[uri] for uri in uris if uri in known]

    async def suggest(self, term: str, *, lang: Lang, limit: int = 3) -> Sequence[Concept]:
        """Return what the labels beside suggest; nothing where there are none."""
        return await self._labels.suggest(term, lang=lang, limit=limit) if self._labels else []

    async def synonyms(self, text: str, *, lang: Lang) -> Sequence[Sequence[str]]:
        """Return the synonyms that the labels beside know; none where there are none."""
        return await self._labels.synonyms(text, lang=lang) if self._labels else []

    async def labels(self) -> Labels:
        """Return the labels beside; none where there are none."""
        return await self._labels.labels() if self._labels else Labels()

    async def probe(self, *terms: str) -> None:
        """Check that Skosmos answers, and knows these terms (by default ``known_term``).

        An endpoint that answers 200 with nothing, or lists its vocabularies while its store is
        away, does not pass.

        Raises:
            SKOSMOSTimeout, SKOSMOSError: it is not well; the message says how.
            ConfigError: there is no term to probe with.
        """
        asked = terms or (self._service.known_term,)
        if not all(asked):
            raise ConfigError("there is no term to probe Skosmos with; name a known_term")
        for term in asked:
            if not await self._in_time(partial(self._knows, term)):
                raise self._amnesia(term)

    async def aclose(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_error: object) -> None:
        await self.aclose()

    async def _in_time(self, work: Callable[[], Coroutine[Any, Any, Result]]) -> Result:
        return await self._guarded.call(work, seconds=self._service.timeout_ms / 1000)

    def _late(self, _seconds: float) -> SKOSMOSTimeout:
        return SKOSMOSTimeout(f"{self.name} did not answer in {self._service.timeout_ms} ms")

    async def _find(self, term: str, lang: Lang) -> tuple[TermMatch, ...]:
        if not term or len(term) > LONGEST_TERM:
            return ()
        rows = await self._rows(term, lang)
        by_uri: dict[str, list[LabelRow]] = {}
        for row in naming(rows, term):
            by_uri.setdefault(row.uri, []).append(row)
        concepts = await together(*(self._concept(its, term, lang) for its in by_uri.values()))
        matches = named(concepts, term, lang) or await self._beside(term, lang)
        if not matches and not rows:
            await self._make_sure_it_is_well()
        return matches

    async def _rows(self, term: str, lang: str) -> list[LabelRow]:
        rows = await self._rest.search(term, show=lang)
        if rows:
            self._alive_until = self._clock() + ALIVE_S
        return rows

    async def _concept(self, rows: Sequence[LabelRow], term: str, lang: Lang) -> Concept:
        """Return the concept of its rows, from one request more where they do not suffice."""
        uri, vocabulary = rows[0].uri, rows[0].vocab
        title = self._rest.title(vocabulary)
        suffices = not self._service.whole and rows[0].sound_definition is not None
        if suffices and (concept := pieced_together({lang: rows}, title=title)):
            return concept
        if concept := await self._rest.concept(uri, vocabulary):
            return concept
        concept = await self._rest.pieced_together(
            uri, term, vocabulary=vocabulary, known={lang: rows}
        )
        if concept is None:
            raise SKOSMOSError(f"{self.name} finds the term, yet does not say soundly what it is")
        return concept

    async def _beside(self, term: str, lang: Lang) -> tuple[TermMatch, ...]:
        """Follow the labels beside to concepts that Skosmos has but does not find."""
        if self._labels is None:
            return ()
        labels = await self._labels.lookup(term, lang=lang)
        concepts = await self._fetched(match.concept.uri for match in labels)
        by_uri = {concept.uri: concept for concept in concepts}
        found = [
            match
            for label in labels
            if label.concept.uri in by_uri
            for match in named([by_uri[label.concept.uri]], label.label.value, lang)
        ]
        living = tuple(match for match in found if not match.concept.deprecated)
        return living or tuple(found)

    async def _fetched(self, uris: Iterable[str]) -> list[Concept]:
        asked = list(dict.fromkeys(uris))
        found = await together(*(self._rest.concept(uri) for uri in asked))
        concepts = [concept for concept in found if concept]
        got = {concept.uri for concept in concepts}
        lost = [uri for uri in asked if "&" in uri and uri not in got]
        return [*concepts, *await self._by_their_labels(lost)] if lost else concepts

    async def _by_their_labels(self, uris: Sequence[str]) -> list[Concept]:
        """Search for the labels beside of concepts that Skosmos does not find by their URI."""
        beside = await self._labels.concepts(uris) if self._labels else ()
        found = await together(
            *(self._rest.pieced_together(item.uri, item.label("en")) for item in beside)
        )
        return [concept for concept in found if concept]

    async def _make_sure_it_is_well(self) -> None:
        alive = self._alive_until is not None and self._clock() <= self._alive_until
        known = self._service.known_term
        if known and not alive and not await self._knows(known):
            raise self._amnesia(known)

    async def _knows(self, term: str) -> bool:
        return bool(naming(await self._rows(clean(term), "en"), term))

    def _amnesia(self, term: str) -> SKOSMOSError:
        return SKOSMOSError(f"{self.name} answers, but does not find {term!r}; is its store away?")


def named(concepts: Iterable[Concept], term: str, lang: Lang) -> tuple[TermMatch, ...]:
    """Return the concepts with this label, by vocabulary and URI.

    Living concepts win over deprecated ones, names over hidden labels, and labels in the asked
    language (or in none) over those in others. All that remain count: none is the first.
    """
    key = normalise(term)
    ordered = sorted(concepts, key=lambda concept: (concept.vocabulary, concept.uri))
    found = [
        TermMatch(concept=concept, label=label, role=role)
        for concept in ordered
        for label, role in _labels_of(concept)
        if normalise(label.value) == key
    ]
    best = min(map(_standing, found), default=None)
    living = [match for match in found if _standing(match) == best]
    spoken = [m for m in living if (m.label.lang or lang).partition("-")[0].lower() == lang]
    once: dict[str, TermMatch] = {}
    for match in spoken or living:
        once.setdefault(match.concept.uri, match)
    return tuple(once.values())


def _standing(match: TermMatch) -> tuple[bool, bool]:
    return match.concept.deprecated, match.role is LabelRole.HIDDEN


def _labels_of(concept: Concept) -> Iterator[tuple[Text, LabelRole]]:
    yield from ((text, LabelRole.PREFERRED) for text in concept.preferred)
    yield from ((text, LabelRole.ALTERNATIVE) for text in concept.alternative)
    yield from ((text, LabelRole.HIDDEN) for text in concept.hidden)
