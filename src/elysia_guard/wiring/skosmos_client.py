"""``SKOSMOSClient``: IR0003's contract of a look-up, which counts and logs what it does."""

from __future__ import annotations

import time
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Self

from elysia_guard.adapters.background import BackgroundLoop
from elysia_guard.adapters.cached import Cached
from elysia_guard.adapters.observed import Lookups
from elysia_guard.adapters.skosmos import AsyncSkosmosClient, SkosmosService
from elysia_guard.domain.concept import TermMatch
from elysia_guard.domain.context import RequestContext, current_request, within
from elysia_guard.domain.events import Event
from elysia_guard.domain.question import Lang
from elysia_guard.observability.logs import log_events
from elysia_guard.observability.metrics import Metrics
from elysia_guard.ports import Clock, Observer

_ALL: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, kw_only=True, slots=True)
class SKOSMOSResult:
    """What a look-up found.

    A definition and its URI are given where the term names one living concept. A term that is
    there, but ambiguous, deprecated or without a definition, is found without one; ``matches``
    say which.
    """

    found: bool
    definition: str | None
    source_uri: str | None
    cached: bool
    latency_ms: int
    matches: tuple[TermMatch, ...] = ()

    @property
    def ambiguous(self) -> bool:
        """Whether the term names more than one concept."""
        return len(self.matches) > 1

    @property
    def deprecated(self) -> bool:
        """Whether the term was withdrawn."""
        return bool(self.matches) and self.matches[0].concept.deprecated


class SKOSMOSClient:
    """Looks terms up in Skosmos, with a cache, from synchronous code or any event loop.

    It counts each look-up, in ``metrics.registry``, and logs what goes wrong. A look-up outside of
    any request gets a request id of its own.

    Args:
        base_url: the address of Skosmos.
        timeout_ms: the time for a whole look-up.
        cache_ttl_seconds: how long a definition is kept.
        cache_max_size: how many terms are kept.
        vocabularies: ids and titles of the vocabularies to search; by default all, in one search.
        lang: the language of the definitions, and of the labels that count first.
        whole: take a second request to tell deprecated terms, where the server's search shows them.
        observe: is told what becomes of each look-up, in place of the log.
        clock: tells the time.

    Examples:
        >>> with SKOSMOSClient("https://vocab.vennet.example") as client:  # doctest: +SKIP
        ...     client.lookup("CIMXML").definition
    """

    def __init__(  # noqa: PLR0913 - the first four are IR0003's
        self,
        base_url: str,
        timeout_ms: int = 300,
        cache_ttl_seconds: int = 600,
        cache_max_size: int = 5000,
        *,
        vocabularies: Mapping[str, str] = _ALL,
        lang: Lang = "en",
        whole: bool = False,
        observe: Observer | None = None,
        clock: Clock = time.monotonic,
    ) -> None:
        self.metrics = Metrics()
        told = observe or log_events()

        def both(event: Event) -> None:
            self.metrics(event)
            told(event)

        service = SkosmosService(
            base_url=base_url, vocabularies=vocabularies, timeout_ms=timeout_ms, whole=whole
        )
        self._client = AsyncSkosmosClient(service, clock=clock)
        lookups = Lookups(both, clock=clock)
        self._terms = Cached(
            lookups.of(self._client),
            ttl_s=cache_ttl_seconds,
            max_size=cache_max_size,
            clock=clock,
            on_kept=lookups.kept,
        )
        self._lang = lang
        self._clock = clock
        self._loop = BackgroundLoop()

    def lookup(self, term: str) -> SKOSMOSResult:
        """Look a term up.

        Within a running event loop, that waits; ``alookup`` does not make it.

        Raises:
            SKOSMOSTimeout: Skosmos did not answer in time.
            SKOSMOSError: it could not be asked.
        """
        return self._loop.run(self._lookup(term))

    async def alookup(self, term: str) -> SKOSMOSResult:
        """Look a term up without making the running event loop wait; otherwise as ``lookup``."""
        return await self._loop.arun(self._lookup(term))

    async def _lookup(self, term: str) -> SKOSMOSResult:
        if current_request():
            return await self._found(term)
        with within(RequestContext(f"req-{uuid.uuid4().hex[:12]}", "direct")):
            return await self._found(term)

    async def _found(self, term: str) -> SKOSMOSResult:
        started = self._clock()
        matches, cached = await self._terms.find(term, lang=self._lang)
        concept = matches[0].concept if len(matches) == 1 else None
        said = concept.definition(self._lang) if concept and not concept.deprecated else None
        return SKOSMOSResult(
            found=bool(matches),
            definition=said.value if said else None,
            source_uri=concept.uri if concept and said else None,
            cached=cached,
            latency_ms=round((self._clock() - started) * 1000),
            matches=matches,
        )

    def close(self) -> None:
        """Close the connections and the thread."""
        self._loop.run(self._client.aclose())
        self._loop.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()
