"""The parts of a configuration: which adapter stands behind which port."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import ExitStack
from functools import cached_property
from typing import TYPE_CHECKING

from elysia_guard.adapters.embedders import BundledEmbedder
from elysia_guard.adapters.intent_model import LogisticIntents
from elysia_guard.adapters.models import ModelCallers
from elysia_guard.adapters.skos import SkosFile
from elysia_guard.adapters.word_likeness import WordFile, WordVectors
from elysia_guard.config import Config
from elysia_guard.domain.document import Document, Filters
from elysia_guard.domain.errors import DocumentError, PassageIndexError, SourceUnavailableError
from elysia_guard.domain.events import Event
from elysia_guard.domain.question import Lang
from elysia_guard.language.own_kinds import own_kinds
from elysia_guard.language.pack import known
from elysia_guard.observability.logs import log_events
from elysia_guard.observability.spans import spans
from elysia_guard.observability.workers import metrics_for
from elysia_guard.ports import Clock, Embedder, Observer, PassageIndex, TerminologySource
from elysia_guard.running import run_anywhere
from elysia_guard.stages.guiding import Guidance
from elysia_guard.wiring.models import callers_of, embedder_of, guidance_of
from elysia_guard.wiring.records import keeper_of, writer_of
from elysia_guard.wiring.sources import (
    LeftOut,
    has_demo_documents,
    has_demo_vocabulary,
    index_of,
    left_out,
    skosmos_section,
    terminology_of,
    weaviate_section,
)
from elysia_guard.wiring.surroundings import Surroundings, keys_of

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
        # Settings that were read elsewhere may not know the kinds of documents of this process.
        self.config = config = config if config.has_kinds else config.under(own_kinds())
        known(config.default_lang)
        self._around = Surroundings(
            observe=self._observe, clock=clock, opened=ExitStack(), keys=keys_of(config)
        )
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
        return tuple(self._around.keys.values())

    def _observe(self, event: Event) -> None:
        for observe in self.observers:
            observe(event)

    @cached_property
    def embedder(self) -> Embedder:
        """The model that turns texts into vectors, behind a breaker; loaded at its first use."""
        return embedder_of(self.config, self._around)

    @cached_property
    def guidance(self) -> Guidance | None:
        """The language model that points; None where there is none, or a tree's own."""
        return guidance_of(self.config, self.models, self._around)

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
        place = self.config.index.path
        return SkosFile.load(
            self.config.terminology.files,
            name=self.config.terminology.name,
            max_bytes=self.config.terminology.max_bytes,
            kept=place.with_name(f"{place.name}.vocabulary"),
        )

    @property
    def vocabulary_notices(self) -> tuple[str, ...]:
        """What whoever starts the guard should be told of its vocabulary: unread, or empty."""
        if self.left_out.vocabulary or not self.config.terminology.files:
            return ()
        try:
            return self.vocabulary.empty
        except DocumentError as err:
            return (str(err),)

    @cached_property
    def terminology(self) -> TerminologySource | None:
        """The governed vocabulary, with the evaluation's triggers where they are on, or None."""
        return terminology_of(self.config, lambda: self.vocabulary, self._around)

    def close(self) -> None:
        """Close what was opened: the index, the connections, the decision log."""
        self._around.opened.close()

    @cached_property
    def index(self) -> PassageIndex:
        """The passage index: the file, opened to read, or the Weaviate, which is not yet asked."""
        return index_of(self.config, self.embedder, self._around)

    @cached_property
    def left_out(self) -> LeftOut:
        """What of the configuration is not asked, so that the demo's data and others stay apart."""
        return left_out(self.config, self._documents)

    @property
    def is_demo(self) -> bool:
        """Whether the documents and the vocabulary of the demo are asked, and nothing else."""
        if not has_demo_vocabulary(self.config) or self.left_out.vocabulary:
            return False
        return has_demo_documents(self.config, self._documents())

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
        writer = writer_of(
            self.config, model=lambda: self.embedder.model_id, index=self.index_place
        )
        if writer:
            self._around.opened.callback(writer.close)
        return writer

    @cached_property
    def conversations(self) -> Keeper | None:
        """Who keeps the conversations of the chat, where they are kept."""
        keeper = keeper_of(self.config)
        if keeper:
            self._around.opened.callback(keeper.close)
        return keeper

    @property
    def index_place(self) -> str:
        """Where the index is, as a person calls it: a file, or a Weaviate and its address."""
        section = weaviate_section(self.config)
        return f"Weaviate at {section.url}" if section else str(self.config.index.path)
