"""A tree's language models: which there are, behind the guard, and what they have been asked."""

from __future__ import annotations

from typing import Any

from elysia_guard.adapters.models import ModelCaller, ModelCallers, NothingUsableError
from elysia_guard.adapters.writers import prompt
from elysia_guard.config import Config
from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.mode import Mode
from elysia_guard.edge.elysia.host import Settings, Tree
from elysia_guard.edge.elysia.judging import bench_of
from elysia_guard.edge.elysia.models import endpoint_of, guarded
from elysia_guard.edge.elysia.offline import NoLanguageModel, Run
from elysia_guard.edge.elysia.usage import count_with_usage
from elysia_guard.edge.elysia.writing import desk_of
from elysia_guard.stages.judging import Bench
from elysia_guard.stages.writing import Desk, may_be_written


class ModelledTree(Tree):
    """A tree whose models are asked within a deadline, where a run may ask them at all."""

    settings: Settings
    mode: Mode | None = None
    """How answers are made in this tree, where not as the settings say."""

    @property
    def inquiry(self) -> Inquiry:
        """The question under way."""
        raise NotImplementedError

    def _ask_with(self, callers: ModelCallers, config: Config) -> None:
        """Take those who ask the models, and who judges and writes; start with no run under way."""
        self._callers = callers
        self._config = config
        self._judge = config.judge
        self._run: Run | None = None
        self._silent = NoLanguageModel()
        self._loaded_for = ""

    def _get_root(self) -> None:
        super()._get_root()
        count_with_usage(self.tracker, base_lm=self._base_lm, complex_lm=self._complex_lm)

    def _asks_model(self, inquiry: Inquiry) -> bool:
        """Whether a model is to be asked about a question, other than to choose a tool."""
        return inquiry.in_doubt or self._judges(inquiry) or self._writes(inquiry)

    def _started(self, *, decided: bool) -> Run:
        """Begin a run, with settings of its own; ``decided`` is one that asks no model."""
        # A run that was left before its end may still hold its own settings in our place.
        given = self._run.given if self._run else self.settings
        run = self._run = Run.of(given, decided=decided)
        self.settings = run.settings
        if not run.llm_free:
            self._reload_models()
        return run

    def _ended(self, run: Run) -> None:
        """Give the tree its own settings back, unless another run has begun meanwhile."""
        if self._run is not run:
            return
        # Unless somebody has given the tree others meanwhile.
        if self.settings is run.settings:
            self.settings = run.given
        self._run = None

    @property
    def may_ask_llm(self) -> bool:
        """Whether this run has a language model to ask."""
        return self._run is not None and not self._run.llm_free

    @property
    def caller(self) -> ModelCaller:
        """Who asks the models of the run's settings."""
        return self._callers.of(endpoint_of(self.settings))

    def _judges(self, inquiry: Inquiry) -> bool:
        """Whether its own model is to judge what is found for a question."""
        return self._judge.is_elysias and any(each.verdict is None for each in inquiry.every)

    @property
    def bench(self) -> Bench | None:
        """Who judges what is found in this run, where that is the tree's own model."""
        if not (self._judge.is_elysias and self.may_ask_llm):
            return None
        return bench_of(self._judge, self.base_lm, self.caller)

    def _writes(self, inquiry: Inquiry) -> bool:
        """Whether its own model is to write the answer to a question, where one is found."""
        mode = inquiry.mode or Mode(self._config.writer.mode)
        if not self._config.writes_with_elysia or mode is Mode.INSTANT:
            return False
        return any(each.verdict is None and may_be_written(each) for each in inquiry.every)

    @property
    def desk(self) -> Desk | None:
        """Who writes in this run, where that is the tree's own model."""
        if not (self._config.writes_with_elysia and self.may_ask_llm):
            return None
        return desk_of(self._config, self.complex_lm, self.caller)

    def _named_models(self, inquiry: Inquiry) -> tuple[str, ...]:
        """Name the tree's own models and what they are told, where they may be asked."""
        asked = self._judge.is_elysias or self._config.writes_with_elysia or inquiry.in_doubt
        if not asked:
            return ()
        return (endpoint_of(self.settings), prompt.version(), self._config.written_in)

    @property
    def base_lm(self) -> Any:
        """The base model; on a run without one, a stand-in that raises when called."""
        return self._model(super(), "base_lm")

    @property
    def complex_lm(self) -> Any:
        """The complex model; on a run without one, a stand-in that raises when called."""
        return self._model(super(), "complex_lm")

    def _model(self, host: Any, name: str) -> Any:
        if self._run is None:
            return getattr(host, name)
        if self._run.llm_free:
            return self._silent
        try:
            model = getattr(host, name)
        # A wrong name, a missing key, a provider nobody knows: the search takes over.
        except Exception:  # noqa: BLE001
            return NoLanguageModel(NothingUsableError("the language model cannot be loaded"))
        context = self.inquiry.context
        return guarded(model, self.settings, caller=self.caller, context=context)

    def _reload_models(self) -> None:
        """Forget models that were loaded for other settings; Elysia keeps the first for good."""
        wanted = endpoint_of(self.settings)
        if self._loaded_for and wanted != self._loaded_for:
            self._base_lm = self._complex_lm = None
        self._loaded_for = wanted

    async def _close_connections(self) -> None:
        """Close what the models have open in this loop, which may end with the run."""
        for model in (self._base_lm, self._complex_lm):
            if close := getattr(model, "aclose", None):
                await close()
