"""The governed vocabulary: SKOS files, or a Skosmos server with labels beside it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from elysia_guard.adapters.observed import Observed
from elysia_guard.adapters.skos_file import SkosFile
from elysia_guard.adapters.triggers import WithTestTriggers
from elysia_guard.config import Config, SkosmosSection
from elysia_guard.ports import Observer, TerminologySource
from elysia_guard.wiring.surroundings import Surroundings

if TYPE_CHECKING:
    from elysia_guard.adapters.skosmos import Service
    from elysia_guard.adapters.skosmos.listing import Listing


def skosmos_section(config: Config) -> SkosmosSection | None:
    """Return the server that is configured; None where files are the vocabulary."""
    section = config.terminology
    return section.skosmos if section.kind == "skosmos" else None


def terminology_of(
    config: Config, files: Callable[[], SkosFile], around: Surroundings
) -> TerminologySource | None:
    """Make the vocabulary, None where none is configured; files are read only if named."""
    section = skosmos_section(config)
    if section is None and not config.terminology.files:
        return None
    if section is None:
        return _watched(files(), "skos_file", config, around.observe)
    labels = files() if config.terminology.files else None
    return _skosmos(section, config, labels, around)


def listing_of(config: Config) -> Listing | None:
    """Make what lists the concepts of a Skosmos; None where files are the vocabulary."""
    section = skosmos_section(config)
    if section is None:
        return None
    from elysia_guard.adapters.skosmos.listing import Listing

    return Listing(_service(section, config))


def _service(section: SkosmosSection, config: Config) -> Service:
    from elysia_guard.adapters.skosmos import Service

    return Service(
        base_url=section.url,
        vocabularies=section.vocabularies,
        name=config.terminology.name,
        timeout_ms=section.timeout_ms,
        max_concurrency=section.max_concurrency,
        known_term=section.known_term,
        whole=section.whole,
    )


def _watched(
    source: TerminologySource, backend: str, config: Config, observe: Observer
) -> Observed:
    """Let counters and logs see each look-up, those that the evaluation lets fail included."""
    tested = WithTestTriggers(source) if config.test_triggers else source
    return Observed(tested, observe, backend=backend)


def _skosmos(
    section: SkosmosSection, config: Config, labels: SkosFile | None, around: Surroundings
) -> TerminologySource:
    """A Skosmos server behind breaker and cache.

    Its requests run in a loop of their own: a tree may be called from many.
    """
    # httpx takes a tenth of a second to import, and a vocabulary in a file has no use for it.
    from elysia_guard.adapters.background import BackgroundLoop
    from elysia_guard.adapters.cached import Cached
    from elysia_guard.adapters.guarded import Guarded
    from elysia_guard.adapters.skosmos import AsyncSkosmosClient
    from elysia_guard.adapters.skosmos.any_loop import FromAnyLoop
    from elysia_guard.adapters.skosmos.redis_store import RedisStore

    client = AsyncSkosmosClient(_service(section, config), labels=labels, clock=around.clock)
    guarded = Guarded(client, around.breaker("skosmos", section.circuit_breaker))
    watched = _watched(guarded, "skosmos", config, around.observe)
    store = RedisStore(section.redis) if section.redis else None
    cached = Cached(
        watched,
        ttl_s=section.cache_ttl_seconds,
        miss_ttl_s=section.cache_miss_ttl_seconds,
        max_size=section.cache_max_size,
        vocabulary=f"{section.url} {' '.join(section.vocabularies)}",
        store=store,
        on_kept=watched.kept,
    )
    loop = BackgroundLoop()
    around.opened.callback(loop.close)
    if store:
        around.opened.callback(lambda: loop.run(store.aclose()))
    around.opened.callback(lambda: loop.run(client.aclose()))
    return FromAnyLoop(cached, loop)
