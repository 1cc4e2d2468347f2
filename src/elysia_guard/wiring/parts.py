"""The parts of a configuration: which adapter stands behind which port."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import ExitStack
from functools import cached_property
from typing import TYPE_CHECKING

from elysia_guard.adapters.embedders import BundledEmbedder
from elysia_guard.adapters.hybrid import WeighableIndex
from elysia_guard.adapters.index_store import space_of
from elysia_guard.adapters.intent_model import LogisticIntents
from elysia_guard.adapters.models import ModelCallers
from elysia_guard.adapters.skos_file import SkosFile
from elysia_guard.adapters.word_file import WordFile
from elysia_guard.adapters.word_likeness import WordVectors
from elysia_guard.config import Config
from elysia_guard.domain.document import Document, Filters
from elysia_guard.domain.errors import PassageIndexError, SourceUnavailableError
from elysia_guard.domain.events import Event
from elysia_guard.domain.question import Lang
from elysia_guard.language.pack import known
from elysia_guard.observability.logs import log_events
from elysia_guard.observability.spans import spans
from elysia_guard.observability.workers import metrics_for
from elysia_guard.ports import Clock, Embedder, Observer, TerminologySource, Verifier
from elysia_guard.running import run_anywhere
from elysia_guard.stages.judging import Bench
from elysia_guard.stages.writing import Desk
from elysia_guard.wiring import apart, decisions, writing
from elysia_guard.wiring import conversations as talks
from elysia_guard.wiring.apart import LeftOut
from elysia_guard.wiring.embedding import embedder_of, second_of
from elysia_guard.wiring.judging import bench_of
from elysia_guard.wiring.keys import Keys
from elysia_guard.wiring.models import callers_of
from elysia_guard.wiring.passages import index_of, weaviate_section
from elysia_guard.wiring.settings import of_house
from elysia_guard.wiring.surroundings import Surroundings
from elysia_guard.wiring.terminology import skosmos_section, terminology_of

if TYPE_CHECKING:
    from elysia_guard.adapters.conversations import Keeper
    from elysia_guard.adapters.decision_log import DecisionWriter


class Parts:
    """The parts of one configuration, each made when it is first asked for."""

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
        self.config = config = of_house(config)
        known(config.default_lang)
        self._around = Surroundings(observe=self._observe, clock=clock, opened=ExitStack())
        self._keys = Keys.of(config)
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

    @property
    def secrets(self) -> tuple[str, ...]:
        """What must stand in no log."""
        return self._keys.all

    def _observe(self, event: Event) -> None:
        for observe in self.observers:
            observe(event)

    @cached_property
    def embedder(self) -> Embedder:
        """The model that turns texts into vectors, behind a breaker; loaded at its first use."""
        return embedder_of(self.config, self._keys.model, self._around)

    @cached_property
    def second_embedder(self) -> Embedder | None:
        """Another model, whose ranking is fused with that of the first; None without one."""
        return second_of(self.config, self._around)

    @cached_property
    def bench(self) -> Bench | None:
        """Who is asked, beside the gates, whether passages answer; None where nobody is."""
        return bench_of(self.config, self._keys.judge, self._around)

    @cached_property
    def desk(self) -> Desk | None:
        """Who writes answers; None where nobody does, or a tree's own model."""
        return writing.desk_of(self.config, self._keys.writer, self.models, self._around)

    @cached_property
    def verifier(self) -> Verifier | None:
        """Who gives a second opinion on what code cannot prove; None where nobody does."""
        return writing.verifier_of(self.config, self._keys.verifier, self.models, self._around)

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
            self._keys.weaviate,
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
