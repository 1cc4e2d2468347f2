"""Putting the parts together: the one place that knows which adapter stands behind which port."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from elysia_guard import config as configuration
from elysia_guard.adapters.asked_once import AskedOnce
from elysia_guard.adapters.embedders import BundledEmbedder
from elysia_guard.adapters.empty_index import EmptyIndex
from elysia_guard.adapters.hybrid import WeighableIndex
from elysia_guard.adapters.index_store import Damage, space_of
from elysia_guard.adapters.ingest import Beside, IngestProgress, IngestReport, ingest
from elysia_guard.adapters.intent_model import LogisticIntents
from elysia_guard.adapters.models import ModelCallers
from elysia_guard.adapters.observed import ObservedIndex
from elysia_guard.adapters.skos_file import SkosFile
from elysia_guard.adapters.word_file import WordFile
from elysia_guard.adapters.word_likeness import WordVectors
from elysia_guard.adapters.word_pieces import word_chances
from elysia_guard.config import Config
from elysia_guard.domain.document import Document, Filters
from elysia_guard.domain.errors import ConfigError, PassageIndexError, SourceUnavailableError
from elysia_guard.domain.events import Event
from elysia_guard.domain.profiles import ProfileName
from elysia_guard.domain.question import Lang, Question
from elysia_guard.domain.thresholds import Thresholds
from elysia_guard.language.pack import known
from elysia_guard.observability.logs import log_events
from elysia_guard.observability.spans import spans
from elysia_guard.observability.workers import metrics_for
from elysia_guard.pipeline import Pipeline
from elysia_guard.ports import (
    Clock,
    Embedder,
    Observer,
    TerminologySource,
    Verifier,
)
from elysia_guard.reading.forms import read_form
from elysia_guard.running import run_anywhere
from elysia_guard.stages.judging import Bench
from elysia_guard.stages.writing import Desk
from elysia_guard.wiring import answers, apart, decisions, writing
from elysia_guard.wiring import conversations as talks
from elysia_guard.wiring.apart import LeftOut
from elysia_guard.wiring.embedding import embedder_of, ingesting, second_of
from elysia_guard.wiring.judging import bench_of
from elysia_guard.wiring.models import callers_of
from elysia_guard.wiring.origins import origins_of
from elysia_guard.wiring.passages import index_of, store_of, weaviate_section
from elysia_guard.wiring.surroundings import Surroundings
from elysia_guard.wiring.terminology import skosmos_section, terminology_of

if TYPE_CHECKING:
    from elysia_guard.adapters.conversations import Keeper
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
        """Take a configuration; nothing is opened yet. Breakers and deadlines use the clock.

        Raises:
            ConfigError: its ``default_lang`` has no language pack.
        """
        self.config = config
        known(config.default_lang)
        self._around = Surroundings(observe=self._observe, clock=clock, opened=ExitStack())
        server = config.embedder.server
        self._model_key = configuration.read_key(server.api_key_env) if server else ""
        held = config.index.weaviate
        self._weaviate_key = configuration.read_key(held.api_key_env) if held else ""
        self._answers_key = configuration.read_key(config.answer_cache.key_env)
        self._judge_key = configuration.read_key(config.judge.api_key_env)
        self._verifier_key = configuration.read_key(config.verifier.api_key_env)
        self._writer_key = configuration.read_key(writing.key_variable(config))
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
            config = config.naming("index", kind="sqlite", path=index, sources=[])
        if vocabulary:
            config = config.naming(
                "terminology",
                kind="skos_file",
                files=[vocabulary],
                name=vocabulary.stem,
                skosmos=None,
            )
        if profile:
            config = config.model_copy(update={"profile": ProfileName.named(profile)})
        return cls(config)

    @property
    def secrets(self) -> tuple[str, ...]:
        """What must stand in no log."""
        return (
            self._model_key,
            self._weaviate_key,
            self._judge_key,
            self._writer_key,
            self._verifier_key,
            self._answers_key,
        )

    def _observe(self, event: Event) -> None:
        for observe in self.observers:
            observe(event)

    @cached_property
    def embedder(self) -> Embedder:
        """The model that turns texts into vectors, behind a breaker; loaded at its first use."""
        return embedder_of(self.config, self._model_key, self._around)

    @cached_property
    def second_embedder(self) -> Embedder | None:
        """Another model, whose ranking is fused with that of the first; None without one."""
        return second_of(self.config, self._around)

    @cached_property
    def bench(self) -> Bench | None:
        """Who is asked, beside the gates, whether passages answer; None where nobody is."""
        return bench_of(self.config, self._judge_key, self._around)

    @cached_property
    def desk(self) -> Desk | None:
        """Who writes answers; None where nobody does, or a tree's own model."""
        return writing.desk_of(self.config, self._writer_key, self.models, self._around)

    @cached_property
    def verifier(self) -> Verifier | None:
        """Who gives a second opinion on what code cannot prove; None where nobody does."""
        return writing.verifier_of(self.config, self._verifier_key, self.models, self._around)

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
    def intents(self) -> LogisticIntents:
        """Tells what a question asks that no form decides, from vectors of the bundled model."""
        return LogisticIntents(BundledEmbedder())

    @cached_property
    def vocabulary(self) -> SkosFile:
        """The SKOS files, read into memory."""
        return SkosFile.load(
            self.config.terminology.files,
            name=self.config.terminology.name,
            max_bytes=self.config.terminology.max_bytes,
        )

    @cached_property
    def terminology(self) -> TerminologySource | None:
        """The governed vocabulary, with the evaluation's triggers where they are on, or None."""
        return terminology_of(self.config, lambda: self.vocabulary, self._around)

    def close(self) -> None:
        """Close what was opened: the index, the connections, the decision log."""
        self._around.opened.close()

    @cached_property
    def index(self) -> WeighableIndex:
        """The passage index: the file, opened to read, or the Weaviate, which is not yet asked."""
        return index_of(
            self.config,
            self._weaviate_key,
            self.embedder,
            self._around,
            second=space_of(self.second_embedder),
        )

    @cached_property
    def left_out(self) -> LeftOut:
        """What of the configuration is not asked, so that the demo's data and others stay apart."""
        return apart.left_out(self.config, self._documents)

    @property
    def is_demo(self) -> bool:
        """Whether the documents and the vocabulary of the demo are asked, and nothing else."""
        if not apart.has_demo_vocabulary(self.config) or self.left_out.vocabulary:
            return False
        return apart.has_demo_documents(self.config, self._documents())

    def _documents(self) -> Sequence[Document] | None:
        if weaviate_section(self.config) is None and not self.config.index.path.exists():
            return None
        try:
            return run_anywhere(self.index.documents(Filters(approval=None)))
        except (SourceUnavailableError, PassageIndexError):
            return ()  # whoever asks it next, is told

    def example_term(self, lang: Lang) -> str:
        """Name a term that the vocabulary defines, where its labels are at hand."""
        if self.config.terminology.files:
            return self.vocabulary.example(lang)
        asked = skosmos_section(self.config)
        return asked.known_term if asked else ""

    @cached_property
    def pipeline(self) -> Pipeline:
        """The stages over these parts.

        Raises:
            ConfigError, DocumentError, PassageIndexError: a part cannot be had.
        """
        if lacking := writing.lacking(self.config):
            raise ConfigError(lacking)
        return self._pipeline

    @cached_property
    def unwritten(self) -> Pipeline:
        """The same stages, though the profile wants a model that writes: its gates, and quotes."""
        return self._pipeline

    @cached_property
    def _pipeline(self) -> Pipeline:
        out = self.left_out
        shadow, asked = self.config.shadow_thresholds, skosmos_section(self.config)
        origins, limits = origins_of(self.config), self._limits(self.config.thresholds)
        if self.decisions:
            self.observers.append(self.decisions)
        return Pipeline(
            terminology=None if out.vocabulary else self.terminology,
            index=EmptyIndex()
            if out.documents
            else AskedOnce(
                ObservedIndex(self.index, self._observe, collections=self.config.collections)
            ),
            uncounted=None if out.documents else AskedOnce(self.index),
            example_term=self.example_term,
            embedder=self.embedder,
            second_embedder=self.second_embedder,
            origins=origins,
            lines=origins.lines,
            alike=self.alike,
            intents=self.intents,
            chances=word_chances,
            bench=self.bench,
            desk=self.desk,
            verifier=self.verifier,
            memory=answers.memory_of(self.config, limits, self._answers_key, self._around),
            thresholds=limits,
            shadow=self._limits(shadow) if shadow and self.decisions else None,
            collections=self.config.collections,
            vocabulary_collection=self.config.vocabulary_collection,
            default_lang=self.config.default_lang,
            max_question_chars=self.config.max_question_chars,
            contact=self.config.contact,
            terminology_s=asked.timeout_ms / 1000 if asked else None,
            deadline_clock=self._around.clock,
            observe=self._observe,
        )

    async def warm_up(self) -> None:
        """Load what the first question would wait for: the tables of forms, the bundled model.

        Nobody is asked and nothing is counted. Without it the first question does the same.
        """
        read_form(Question(text="Which decisions are there?", lang="en", request_id="warm-up"))
        with suppress(SourceUnavailableError):
            await BundledEmbedder().embed_question("ready")
            await self.alike(["ready"], ["set"])
            if self.second_embedder:
                await self.second_embedder.embed_question("ready")

    def _limits(self, path: Path) -> Thresholds:
        read = configuration.load_thresholds(path)
        names = self.config.collection_names
        sections = configuration.by_collection(read.collections, names, path)
        thresholds = replace(read, collections=sections)
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

    @cached_property
    def conversations(self) -> Keeper | None:
        """Who keeps the conversations of the chat, where they are kept."""
        keeper = talks.keeper_of(self.config)
        if keeper:
            self._around.opened.callback(keeper.close)
        return keeper

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
        absent = not self.config.index.path.exists() and bool(self.config.index.sources)
        return absent and not self.left_out.documents

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
                        readings=place.with_name(f"{place.name}.readings"),
                        words=self.alike,
                        second=self.second_embedder,
                    ),
                )

    async def index_damage(self) -> Damage:
        """Hold what stands in the index against what was written into it; nothing is changed.

        Raises:
            PassageIndexError: it cannot be mended from here; the message names the way out.
            SourceUnavailableError: the server of the index could not be asked.
        """
        model_id, dimension = self.embedder.model_id, self.embedder.dimension
        with store_of(self.config, self._weaviate_key) as store:
            if reason := await store.why_rebuild(
                model_id=model_id, dimension=dimension, second=space_of(self.second_embedder)
            ):
                return Damage(findings=(reason,))
            return await store.damage()

    def ensure_index(self, *, progress: Progress | None = None) -> IngestReport | None:
        """Build a missing index from the configured folders; works inside a running loop too."""
        if not self.index_missing:
            return None
        return run_anywhere(self.fill_index(progress=progress))
