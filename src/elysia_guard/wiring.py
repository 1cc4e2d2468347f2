"""Putting the parts together: the one place that knows which adapter stands behind which port."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from functools import cached_property
from pathlib import Path

from elysia_guard import config as configuration
from elysia_guard.adapters.embedders import BundledEmbedder
from elysia_guard.adapters.ingest import IngestProgress, IngestReport, ingest
from elysia_guard.adapters.skos_file import SkosFile
from elysia_guard.adapters.sqlite_index import SqliteIndex
from elysia_guard.adapters.triggers import WithTestTriggers
from elysia_guard.config import Config, SkosmosSection
from elysia_guard.domain.errors import ConfigError
from elysia_guard.observability.logs import log_events
from elysia_guard.pipeline import Pipeline
from elysia_guard.ports import Embedder, Observer, TerminologySource
from elysia_guard.running import run_anywhere

Progress = Callable[[IngestProgress], None]


class Wiring:
    """The parts of one configuration, each made when it is first asked for.

    Example:
        >>> wiring = Wiring.load()
        >>> pipeline = wiring.pipeline
    """

    def __init__(self, config: Config, *, observe: Observer | None = None) -> None:
        """Take a configuration; nothing is opened yet."""
        self.config = config
        self._open = ExitStack()
        self._observe = observe or log_events(
            level=config.log_level, log_queries=config.log_queries
        )

    @classmethod
    def load(
        cls,
        path: Path | None = None,
        *,
        index: Path | None = None,
        vocabulary: Path | None = None,
    ) -> Wiring:
        """Read the configuration; an index or vocabulary given here takes the place of its own.

        Raises:
            ConfigError: the configuration is not usable; the message names file, key and value.
        """
        config = configuration.load(path)
        if index:
            own = config.index.model_copy(update={"path": index, "sources": []})
            config = config.model_copy(update={"index": own})
        if vocabulary:
            terms = config.terminology.model_copy(
                update={
                    "kind": "skos_file",
                    "files": [vocabulary],
                    "name": vocabulary.stem,
                    "skosmos": None,
                }
            )
            config = config.model_copy(update={"terminology": terms})
        return cls(config)

    @cached_property
    def embedder(self) -> Embedder:
        """The model that turns texts into vectors; loaded at its first use."""
        return BundledEmbedder()

    @cached_property
    def vocabulary(self) -> SkosFile:
        """The SKOS files, read into memory."""
        return SkosFile.load(self.config.terminology.files, name=self.config.terminology.name)

    @cached_property
    def terminology(self) -> TerminologySource:
        """The governed vocabulary, with the evaluation's triggers where they are on."""
        section = self.config.terminology
        asked = section.skosmos if section.kind == "skosmos" else None
        source = self._skosmos(asked) if asked else self.vocabulary
        return WithTestTriggers(source) if self.config.test_triggers else source

    def _skosmos(self, section: SkosmosSection) -> TerminologySource:
        """A Skosmos server behind breaker and cache, with labels beside it where files name them.

        Its requests run in a loop of their own: a tree may be called from many.
        """
        # httpx takes a tenth of a second to import, and a vocabulary in a file has no use for it.
        from elysia_guard.adapters.cached import Cached
        from elysia_guard.adapters.guarded import Guarded
        from elysia_guard.adapters.skosmos import AsyncSkosmosClient, Service
        from elysia_guard.adapters.skosmos.background import BackgroundLoop, FromAnyLoop
        from elysia_guard.resilience.breaker import Breaker

        client = AsyncSkosmosClient(
            Service(
                base_url=section.url,
                vocabularies=section.vocabularies,
                name=self.config.terminology.name,
                timeout_ms=section.timeout_ms,
                max_concurrency=section.max_concurrency,
                known_term=section.known_term,
            ),
            labels=self.vocabulary if self.config.terminology.files else None,
        )
        breaker = Breaker(
            "skosmos",
            failure_threshold=section.circuit_breaker.failure_threshold,
            success_threshold=section.circuit_breaker.success_threshold,
            rest_s=section.circuit_breaker.timeout_seconds,
        )
        cached = Cached(
            Guarded(client, breaker),
            ttl_s=section.cache_ttl_seconds,
            miss_ttl_s=section.cache_miss_ttl_seconds,
            max_size=section.cache_max_size,
            vocabulary=f"{section.url} {' '.join(section.vocabularies)}",
        )
        loop = BackgroundLoop()
        self._open.callback(loop.close)
        self._open.callback(lambda: loop.run(client.aclose()))
        return FromAnyLoop(cached, loop)

    def close(self) -> None:
        """Close what was opened: the index, and the connections to a Skosmos."""
        self._open.close()

    @cached_property
    def index(self) -> SqliteIndex:
        """The passage index, opened to read."""
        index = SqliteIndex.open(
            self.config.index.path,
            model_id=self.embedder.model_id,
            dimension=self.embedder.dimension,
        )
        self._open.callback(index.close)
        return index

    @cached_property
    def pipeline(self) -> Pipeline:
        """The stages over these parts.

        Raises:
            ConfigError, DocumentError, PassageIndexError: a part cannot be had.
        """
        thresholds = configuration.load_thresholds(self.config.thresholds)
        known = {*self.config.collections.values(), self.config.vocabulary_collection}
        if unknown := sorted(set(thresholds.collections) - known):
            raise ConfigError(
                f"{self.config.thresholds}: collections.{unknown[0]} is none of the collections "
                f"in guard.yaml: {', '.join(sorted(known))}"
            )
        return Pipeline(
            terminology=self.terminology,
            index=self.index,
            embedder=self.embedder,
            thresholds=thresholds,
            collections=self.config.collections,
            vocabulary_collection=self.config.vocabulary_collection,
            default_lang=self.config.default_lang,
            max_question_chars=self.config.max_question_chars,
            observe=self._observe,
        )

    @property
    def index_missing(self) -> bool:
        """Whether there is no index yet, though the configuration says what to fill it from."""
        return not self.config.index.path.exists() and bool(self.config.index.sources)

    async def fill_index(
        self,
        paths: list[Path] | None = None,
        *,
        progress: Progress | None = None,
        dry_run: bool = False,
    ) -> IngestReport:
        """Bring the index up to date with folders of documents, by default the configured ones.

        Raises:
            ConfigError: no folder is given and none is configured.
            DocumentError, PassageIndexError: see ``adapters.ingest``.
        """
        folders = paths or self.config.index.sources
        if not folders:
            raise ConfigError("index.sources is empty; name the folders to ingest")
        path = self.config.index.path
        return await ingest(folders, path, self.embedder, observe=progress, dry_run=dry_run)

    def ensure_index(self, *, progress: Progress | None = None) -> IngestReport | None:
        """Build a missing index from the configured folders; works inside a running loop too."""
        if not self.index_missing:
            return None
        return run_anywhere(self.fill_index(progress=progress))
