"""Values kept in this process for a while, and a terminology source that remembers by them."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection, Sequence
from typing import Generic, NamedTuple, Protocol, TypeVar

from cachetools import TLRUCache

from elysia_guard.domain.concept import Concept, Labels, TermMatch
from elysia_guard.domain.errors import SourceTimeoutError
from elysia_guard.domain.question import Lang
from elysia_guard.language.text import normalise
from elysia_guard.ports import Clock, TerminologySource
from elysia_guard.resilience.calls import instead
from elysia_guard.resilience.sharing import SingleFlight

MAX_SIZE = 5_000
TTL_S = 600.0
MISS_TTL_S = 60.0

Matches = tuple[TermMatch, ...]

Value = TypeVar("Value")


class _Kept(NamedTuple, Generic[Value]):
    value: Value
    expires: float
    scopes: frozenset[str]


class MemoryStore(Generic[Value]):
    """Keeps each value for its time; the one used longest ago makes room. Threads may share it."""

    def __init__(self, *, max_size: int = MAX_SIZE, clock: Clock = time.monotonic) -> None:
        """Make room for so many values."""
        self._clock = clock
        self._lock = threading.Lock()
        self._kept: TLRUCache[str, _Kept[Value], float] = TLRUCache(
            max_size, lambda _key, kept, _now: kept.expires, timer=clock
        )

    def __len__(self) -> int:
        with self._lock:
            return len(self._kept)

    async def get(self, key: str) -> Value | None:
        """Return what is kept under a key; None if nothing is, or no longer."""
        with self._lock:
            kept = self._kept.get(key)
        return kept.value if kept else None

    async def put(
        self, key: str, value: Value, /, *, ttl_s: float, scopes: Collection[str] = ()
    ) -> None:
        """Keep a value for so many seconds, or until one of its scopes is forgotten."""
        kept = _Kept(value, self._clock() + ttl_s, frozenset(scopes))
        with self._lock:
            self._kept[key] = kept

    async def forget(self, scope: str) -> None:
        """Forget the values of a scope."""
        with self._lock:
            for key in [key for key, kept in self._kept.items() if scope in kept.scopes]:
                del self._kept[key]


class Store(Protocol[Value]):
    """Where values are kept for a while; one that cannot be reached keeps nothing, silently."""

    async def get(self, key: str) -> Value | None:
        """Return what is kept under a key; None if nothing is, or no longer."""

    async def put(self, key: str, value: Value, /, *, ttl_s: float) -> None:
        """Keep a value for so many seconds."""


class CachedLookup(NamedTuple):
    """What a term names, and whether that was known without asking once more."""

    matches: Matches
    cached: bool


def _untold(term: str, matches: Sequence[TermMatch]) -> None:
    """Nobody listens."""


class Cached:
    """Remembers hits and misses of a source, and never that it could not be asked.

    Whoever asks for a term while it is being asked for waits for that answer. Belongs to one event
    loop. Concepts fetched by URI are kept in memory, as long as terms are.

    Args:
        source: is asked for what is not kept.
        ttl_s: how long what was found is kept.
        max_size: how many terms are kept.
        miss_ttl_s: how long it is kept that a term is not there.
        clock: tells the time.
        store: where terms are kept; by default in memory.
        vocabulary: tells this source's terms from those of others in a shared store.
        on_kept: told each term that is answered from what is kept, or from a call under way.
    """

    def __init__(  # noqa: PLR0913 - each is a number or a part with a good default
        self,
        source: TerminologySource,
        *,
        ttl_s: float = TTL_S,
        max_size: int = MAX_SIZE,
        miss_ttl_s: float = MISS_TTL_S,
        clock: Clock = time.monotonic,
        store: Store[Matches] | None = None,
        vocabulary: str = "",
        on_kept: Callable[[str, Sequence[TermMatch]], None] = _untold,
    ) -> None:
        self._source = source
        self._ttl_s = ttl_s
        self._miss_ttl_s = miss_ttl_s
        # An empty store is falsy, and still the one to use.
        memory = MemoryStore[Matches](max_size=max_size, clock=clock)
        self._terms: Store[Matches] = memory if store is None else store
        self._concepts = MemoryStore[tuple[Concept, ...]](max_size=max_size, clock=clock)
        self._vocabulary = vocabulary or source.name
        self._on_kept = on_kept
        self._lookups: SingleFlight[str, Matches] = SingleFlight()
        self._fetches: SingleFlight[tuple[str, ...], Sequence[Concept]] = SingleFlight()

    @property
    def name(self) -> str:
        return self._source.name

    async def suggest(self, term: str, *, lang: Lang, limit: int = 3) -> Sequence[Concept]:
        return await self._source.suggest(term, lang=lang, limit=limit)

    async def synonyms(self, text: str, *, lang: Lang) -> Sequence[Sequence[str]]:
        return await self._source.synonyms(text, lang=lang)

    async def labels(self) -> Labels:
        return await self._source.labels()

    async def lookup(self, term: str, *, lang: Lang) -> Sequence[TermMatch]:
        return (await self.find(term, lang=lang)).matches

    async def find(self, term: str, *, lang: Lang) -> CachedLookup:
        """Look a term up, and say whether the answer was kept.

        Raises:
            SourceTimeoutError, SourceUnavailableError: as the source's ``lookup``.
        """
        key = f"{self._vocabulary}\n{lang}\n{normalise(term)}"
        kept = await self._terms.get(key)
        if kept is not None:
            self._on_kept(term, kept)
            return CachedLookup(kept, cached=True)
        joined = key in self._lookups
        matches = await self._lookups.run(key, lambda: self._ask(key, term, lang))
        if joined:
            self._on_kept(term, matches)
        return CachedLookup(matches, cached=joined)

    async def _ask(self, key: str, term: str, lang: Lang) -> Matches:
        matches = tuple(await self._source.lookup(term, lang=lang))
        await self._terms.put(key, matches, ttl_s=self._ttl_for(matches))
        return matches

    async def concepts(self, uris: Sequence[str]) -> Sequence[Concept]:
        kept = {uri: await self._concepts.get(uri) for uri in uris}
        unknown = tuple(uri for uri, found in kept.items() if found is None)
        if unknown:
            fetched = await self._fetches.run(unknown, lambda: self._fetch(unknown))
            kept |= {concept.uri: (concept,) for concept in fetched}
        return [concept for uri in uris for concept in kept[uri] or ()]

    async def _fetch(self, uris: tuple[str, ...]) -> Sequence[Concept]:
        concepts = await self._source.concepts(uris)
        found = {concept.uri: (concept,) for concept in concepts}
        for uri in uris:
            value = found.get(uri, ())
            await self._concepts.put(uri, value, ttl_s=self._ttl_for(value))
        return concepts

    def _ttl_for(self, found: Sequence[object]) -> float:
        return self._ttl_s if found else self._miss_ttl_s


TIMEOUT_TRIGGERS = ("__TEST_SKOSMOS_TIMEOUT__", "TEST_TIMEOUT_TRIGGER")
"""The words of IR0003: that of its golden set, and that of its table of categories."""


def with_test_triggers(source: TerminologySource) -> TerminologySource:
    """Return a source in which looking up one of the trigger words times out (IR0003).

    Wiring does so only where ``test_triggers`` is on, so that nobody can degrade a live service by
    asking for the word.
    """

    async def lookup(term: str, *, lang: Lang) -> Sequence[TermMatch]:
        for trigger in TIMEOUT_TRIGGERS:
            if trigger.casefold() in term.casefold():
                raise SourceTimeoutError(f"{trigger} stands for a timeout", source="skosmos")
        return await source.lookup(term, lang=lang)

    return instead(source, lookup=lookup)
