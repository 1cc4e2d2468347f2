"""Putting the parts together: the one place that knows which adapter stands behind which port."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from elysia_guard import config as configuration
from elysia_guard.adapters.embedders import BundledEmbedder
from elysia_guard.adapters.ingest import Beside, IngestProgress, IngestReport, ingest
from elysia_guard.adapters.meaning_model import MeaningModel
from elysia_guard.adapters.models import ModelCallers
from elysia_guard.adapters.observed import ObservedIndex
from elysia_guard.adapters.skos_file import SkosFile
from elysia_guard.adapters.word_file import WordFile
from elysia_guard.adapters.word_likeness import WordVectors
from elysia_guard.config import Config
from elysia_guard.domain.errors import ConfigError, SourceUnavailableError
from elysia_guard.domain.events import Event
from elysia_guard.domain.profiles import ProfileName
from elysia_guard.domain.question import Question
from elysia_guard.domain.thresholds import Thresholds
from elysia_guard.observability.logs import log_events
from elysia_guard.observability.spans import spans
from elysia_guard.observability.workers import metrics_for
from elysia_guard.pipeline import Pipeline
from elysia_guard.ports import (
    Clock,
    Embedder,
    Observer,
    PassageIndex,
    TerminologySource,
)
from elysia_guard.running import run_anywhere
from elysia_guard.stages import router
from elysia_guard.wiring import decisions
from elysia_guard.wiring.embedding import embedder_of, ingesting
from elysia_guard.wiring.models import callers_of
from elysia_guard.wiring.origins import origins_of
from elysia_guard.wiring.passages import index_of, store_of, weaviate_section
from elysia_guard.wiring.surroundings import Surroundings
from elysia_guard.wiring.terminology import skosmos_section, terminology_of

if TYPE_CHECKING:
    from elysia_guard.adapters.decision_log import DecisionWriter

__all__ = ["Progress", "Wiring"]

Progress = Callable[[IngestProgress], None]


class Wiring:
    """The parts of one configuration, each made when it is first asked for.

    Example:
        >>> wiring = Wiring.load()
        >>> pipeline = wiring.pipeline
    """

    def __init__(
        self,
        config: Config,
        *,
        observe: Observer | None = None,
        clock: Clock = time.monotonic,
    ) -> None:
        """Take a configuration; nothing is opened yet. Breakers and deadlines use the clock."""
        self.config = config
        self._around = Surroundings(observe=self._observe, clock=clock, opened=ExitStack())
        server = config.embedder.server
        self._model_key = configuration.read_key(server.api_key_env) if server else ""
        held = config.index.weaviate
        self._weaviate_key = configuration.read_key(held.api_key_env) if held else ""
        self.metrics = metrics_for(config.collections.values())
        self.observers: list[Observer] = [
            self.metrics,
            observe
            or log_events(
                level=config.log_level,
                log_queries=config.log_queries,
                secrets=self.secrets,
                index="weaviate" if config.index.kind == "weaviate" else "index",
            ),
        ]
        if config.observability.otel:
            traced = spans()
            self.observers.append(traced)
            self._around.opened.callback(traced.close)

    @classmethod
    def load(
        cls,
        path: Path | None = None,
        *,
        index: Path | None = None,
        vocabulary: Path | None = None,
        profile: ProfileName | str | None = None,
    ) -> Wiring:
        """Read the configuration; what is given here takes the place of its own.

        Raises:
            ConfigError: the configuration is not usable; the message names file, key and value.
        """
        config = configuration.load(path)
        if index:
            own = config.index.model_copy(update={"kind": "sqlite", "path": index, "sources": []})
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
        if profile:
            config = config.model_copy(update={"profile": ProfileName.named(profile)})
        return cls(config)

    @property
    def secrets(self) -> tuple[str, ...]:
        """What must stand in no log."""
        return (self._model_key, self._weaviate_key)

    def _observe(self, event: Event) -> None:
        for observe in self.observers:
            observe(event)

    @cached_property
    def embedder(self) -> Embedder:
        """The model that turns texts into vectors, behind a breaker; loaded at its first use."""
        return embedder_of(self.config, self._model_key, self._around)

    @cached_property
    def models(self) -> ModelCallers:
        """Who asks language models: one breaker each, for all conversations."""
        return callers_of(self.config, self._around)

    @cached_property
    def alike(self) -> WordVectors:
        """Which words mean alike: by the bundled model, whatever makes the vectors of passages."""
        model, place = BundledEmbedder(), self.config.index.path
        file = WordFile(place.with_name(f"{place.name}.words"), model_id=model.model_id)
        self._around.opened.callback(file.close)
        return WordVectors(model, file=file)

    @cached_property
    def meaning_cue(self) -> MeaningModel:
        """Hears a question for a meaning that no form decides: by the bundled model, too."""
        return MeaningModel(BundledEmbedder())

    @cached_property
    def vocabulary(self) -> SkosFile:
        """The SKOS files, read into memory."""
        return SkosFile.load(
            self.config.terminology.files,
            name=self.config.terminology.name,
            max_bytes=self.config.terminology.max_bytes,
        )

    @cached_property
    def terminology(self) -> TerminologySource:
        """The governed vocabulary, with the evaluation's triggers where they are on."""
        return terminology_of(self.config, lambda: self.vocabulary, self._around)

    def close(self) -> None:
        """Close what was opened: the index, the connections, the decision log."""
        self._around.opened.close()

    @cached_property
    def index(self) -> PassageIndex:
        """The passage index: the file, opened to read, or the Weaviate, which is not yet asked."""
        return index_of(self.config, self._weaviate_key, self.embedder, self._around)

    @cached_property
    def pipeline(self) -> Pipeline:
        """The stages over these parts.

        Raises:
            ConfigError, DocumentError, PassageIndexError: a part cannot be had.
        """
        shadow, asked = self.config.shadow_thresholds, skosmos_section(self.config)
        origins = origins_of(self.config)
        if self.decisions:
            self.observers.append(self.decisions)
        return Pipeline(
            terminology=self.terminology,
            index=ObservedIndex(self.index, self._observe, collections=self.config.collections),
            embedder=self.embedder,
            origins=origins,
            alike=self.alike,
            meaning_cue=self.meaning_cue,
            thresholds=self._limits(self.config.thresholds),
            shadow=self._limits(shadow) if shadow and self.decisions else None,
            collections=self.config.collections,
            vocabulary_collection=self.config.vocabulary_collection,
            default_lang=self.config.default_lang,
            max_question_chars=self.config.max_question_chars,
            terminology_s=asked.timeout_ms / 1000 if asked else None,
            deadline_clock=self._around.clock,
            observe=self._observe,
        )

    async def warm_up(self) -> None:
        """Load what the first question would wait for: the tables of forms, the bundled model.

        Nobody is asked and nothing is counted. Without it the first question does the same.
        """
        router.route(Question(text="Which decisions are there?", lang="en", request_id="warm-up"))
        with suppress(SourceUnavailableError):
            await BundledEmbedder().embed_question("ready")
            await self.alike(["ready"], ["set"])

    def _limits(self, path: Path) -> Thresholds:
        thresholds = configuration.load_thresholds(path)
        known = {*self.config.collections.values(), self.config.vocabulary_collection}
        if unknown := sorted(set(thresholds.collections) - known):
            raise ConfigError(
                f"{path}: collections.{unknown[0]} is none of the collections "
                f"in guard.yaml: {', '.join(sorted(known))}"
            )
        return thresholds.under(self.config.policy)

    @cached_property
    def decisions(self) -> DecisionWriter | None:
        """Who writes the decision log, where one is kept."""
        writer = decisions.writer_of(
            self.config, model=lambda: self.embedder.model_id, index=self.index_place
        )
        if writer:
            self._around.opened.callback(writer.close)
        return writer

    @property
    def index_place(self) -> str:
        """Where the index is, as a person calls it: a file, or a Weaviate and its address."""
        section = weaviate_section(self.config)
        return f"Weaviate at {section.url}" if section else str(self.config.index.path)

    @property
    def index_missing(self) -> bool:
        """Whether there is no index yet, though the configuration says what to fill it from.

        A Weaviate may serve others too: it is filled when somebody says so.
        """
        if weaviate_section(self.config):
            return False
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
        place = self.config.index.path
        async with ingesting(self.config, self._model_key, self.embedder) as embedder:
            with store_of(self.config, self._weaviate_key) as store:
                return await ingest(
                    folders,
                    store,
                    embedder,
                    observe=progress,
                    dry_run=dry_run,
                    beside=Beside(
                        readings=place.with_name(f"{place.name}.readings"), words=self.alike
                    ),
                )

    def ensure_index(self, *, progress: Progress | None = None) -> IngestReport | None:
        """Build a missing index from the configured folders; works inside a running loop too."""
        if not self.index_missing:
            return None
        return run_anywhere(self.fill_index(progress=progress))
