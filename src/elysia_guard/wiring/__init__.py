"""Putting the parts together: the stages over them, and the index filled."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from elysia_guard import config as configuration
from elysia_guard.adapters.embedders.bundled import BundledEmbedder, word_chances
from elysia_guard.adapters.index_store import Damage
from elysia_guard.adapters.index_views import EmptyIndex, asked_once
from elysia_guard.adapters.observed import observed_index
from elysia_guard.adapters.sqlite_index import wait_until_written
from elysia_guard.domain.errors import ConfigError, IndexBusyError, SourceUnavailableError
from elysia_guard.domain.own_kinds import OwnKinds, under
from elysia_guard.domain.profiles import ProfileName
from elysia_guard.domain.question import Question
from elysia_guard.domain.thresholds import Thresholds
from elysia_guard.language.own_kinds import read_kinds
from elysia_guard.pipeline import Pipeline
from elysia_guard.reading.forms import read_form
from elysia_guard.running import run_anywhere
from elysia_guard.wiring.models import ingesting, lacks_model
from elysia_guard.wiring.parts import Parts
from elysia_guard.wiring.records import memory_of
from elysia_guard.wiring.sources import origins_of, skosmos_section, store_of, weaviate_section

if TYPE_CHECKING:
    from elysia_guard.adapters.ingest import IngestProgress, IngestReport

__all__ = ["Progress", "Wiring", "kinds_of"]

Progress = Callable[["IngestProgress"], None]

INDEX_WAIT_S = 600.0
"""How long a process waits for another that is building the same index."""


class Wiring(Parts):
    """The parts of one configuration, put together when they are first asked for.

    Example:
        >>> wiring = Wiring.load()
        >>> pipeline = wiring.pipeline
    """

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
        with under(kinds_of(path)):
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

    @cached_property
    def pipeline(self) -> Pipeline:
        """The stages over these parts.

        Raises:
            ConfigError, DocumentError, PassageIndexError: a part cannot be had.
        """
        if lacking := lacks_model(self.config):
            raise ConfigError(lacking)
        return self._pipeline

    @cached_property
    def unwritten(self) -> Pipeline:
        """The same stages, though the profile wants a language model: its gates, and quotes."""
        return self._pipeline

    @cached_property
    def _pipeline(self) -> Pipeline:
        out = self.left_out
        asked = skosmos_section(self.config)
        origins, limits = origins_of(self.config), self._limits(self.config.thresholds)
        if self.decisions:
            self.observers.append(self.decisions)
        return Pipeline(
            terminology=None if out.vocabulary else self.terminology,
            index=EmptyIndex()
            if out.documents
            else asked_once(
                observed_index(self.index, self._observe, collections=self.config.collections)
            ),
            uncounted=None if out.documents else asked_once(self.index),
            example_term=self.example_term,
            embedder=self.embedder,
            origins=origins,
            lines=origins.lines,
            alike=self.alike,
            intents=self.intents,
            chances=word_chances,
            guidance=self.guidance,
            memory=memory_of(self.config, limits, self._around.clock),
            thresholds=limits,
            collections=self.config.collections,
            kinds=self.config.kinds,
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
        with under(self.config.kinds):
            read_form(Question(text="Which decisions are there?", lang="en", request_id="warm-up"))
        with suppress(SourceUnavailableError):
            await BundledEmbedder().embed_question("ready")
            await self.alike(["ready"], ["set"])

    def _limits(self, path: Path) -> Thresholds:
        read = configuration.load_thresholds(path)
        names = self.config.collection_names
        like = self.config.collections_like
        sections = configuration.by_collection(read.collections, names, path, like=like)
        thresholds = replace(read, collections=sections)
        return thresholds.under(self.config.policy)

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
        from elysia_guard.adapters.ingest import Beside, ingest  # not to ask a question

        folders = paths or self.config.index.sources
        if not folders:
            raise ConfigError("index.sources is empty; name the folders to ingest")
        place = self.config.index.path
        own = self.config.embedder
        async with ingesting(own, self.embedder, self._around) as embedder:
            with under(self.config.kinds), store_of(self.config, self._around) as store:
                return await ingest(
                    folders,
                    store,
                    embedder,
                    observe=progress,
                    dry_run=dry_run,
                    beside=Beside(
                        readings=place.with_name(f"{place.name}.readings"),
                        words=self.alike,
                        file_deadline_s=self.config.index.file_deadline_seconds,
                    ),
                )

    async def index_damage(self) -> Damage:
        """Hold what stands in the index against what was written into it; nothing is changed.

        Raises:
            PassageIndexError: it cannot be mended from here; the message names the way out.
            SourceUnavailableError: the server of the index could not be asked.
        """
        model_id, dimension = self.embedder.model_id, self.embedder.dimension
        with store_of(self.config, self._around) as store:
            if reason := await store.why_rebuild(model_id=model_id, dimension=dimension):
                return Damage(findings=(reason,))
            return await store.damage()

    def ensure_index(self, *, progress: Progress | None = None) -> IngestReport | None:
        """Build a missing index from the configured folders; works inside a running loop too.

        Where another process is building it, this one waits and takes what was built.

        Raises:
            IndexBusyError: the other was not done in ``INDEX_WAIT_S`` seconds.
            DocumentError, PassageIndexError: see ``adapters.ingest``.
        """
        while self.index_missing:
            try:
                return run_anywhere(self.fill_index(progress=progress))
            except IndexBusyError:
                wait_until_written(self.config.index.path, timeout_s=INDEX_WAIT_S)
        return None


def kinds_of(path: Path | None) -> OwnKinds:
    """Read which kinds of documents the house has that some settings are of.

    Raises:
        PackError: ``kinds.toml`` is not usable.
    """
    file = path or configuration.chosen(os.environ)
    return read_kinds(configuration.kinds_file(file, os.environ))
