"""A tree's language models: which there are, behind the guard, and what they have been asked."""

from __future__ import annotations

import time
from itertools import takewhile
from typing import Any

from elysia_guard.adapters.models import ModelCaller, ModelCallers, NothingUsableError
from elysia_guard.adapters.models import guide as prompt
from elysia_guard.config import Config
from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.mode import Mode
from elysia_guard.edge.elysia.host import Settings, Tracker, Tree
from elysia_guard.edge.elysia.models import TreesChat, endpoint_of, guarded
from elysia_guard.edge.elysia.offline import NoLanguageModel, TreeRun, has_language_model
from elysia_guard.stages.guiding import Guidance, is_guided, may_be_whole
from elysia_guard.wiring.models import guided_by

Entry = dict[str, Any]
_COUNTED = ("input_tokens", "output_tokens", "cost")


class Usage(Tracker):
    """Adds up what is new in the history of a model.

    Elysia's own compares the length of a history with the calls it has counted: with another
    model, or with none, it counts backwards and divides by no calls.
    """

    last_seen: dict[str, Entry]
    """The last call counted of each of the two models."""

    def update_lm_costs(self, lm: Any = None, model_type: str = "base_lm") -> None:
        """Count the calls that a model was asked for since the last count."""
        history: list[Entry] = list(getattr(lm, "history", ()))
        last = self.last_seen.get(model_type)
        new = list(takewhile(lambda entry: entry is not last, reversed(history)))
        if not new:
            return
        self.last_seen[model_type] = new[0]
        counted = self.trackers["models"][model_type]
        counted["calls"] += len(new)
        for name, amount in zip(_COUNTED, _amounts(new), strict=True):
            counted[name] = (counted[name] or 0) + amount


def count_with_usage(tracker: Tracker, **models: Any) -> None:
    """Make a tree's tracker one of ours, in place; what its models did so far is counted."""
    if not isinstance(tracker, Usage):
        tracker.__class__ = Usage
        histories = {name: getattr(model, "history", None) for name, model in models.items()}
        tracker.last_seen = {name: history[-1] for name, history in histories.items() if history}


def _amounts(entries: list[Entry]) -> tuple[float, float, float]:
    """Input tokens, output tokens and cost; a server may tell any of them, or nonsense."""
    usages = [usage if isinstance(usage := entry.get("usage"), dict) else {} for entry in entries]
    return (
        sum(_number(usage.get("prompt_tokens")) for usage in usages),
        sum(_number(usage.get("completion_tokens")) for usage in usages),
        sum(_number(entry.get("cost")) for entry in entries),
    )


def _number(value: object) -> float:
    return value if isinstance(value, int | float) else 0


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
        """Take those who ask the models; start with no run under way."""
        self._callers = callers
        self._config = config
        self._run: TreeRun | None = None
        self._silent = NoLanguageModel()
        self._loaded_for = ""

    def _get_root(self) -> None:
        super()._get_root()
        count_with_usage(self.tracker, base_lm=self._base_lm, complex_lm=self._complex_lm)

    @property
    def _has_model(self) -> bool:
        """Whether a model plans and points: the settings name one, or its own do."""
        if self._config.points_with_elysia:
            return has_language_model(self._given)
        return self._config.llm.use == "auto"

    def _asks_model(self, inquiry: Inquiry) -> bool:
        """Whether a model of the tree's own settings is to be asked about a question."""
        mode = inquiry.mode or Mode(self._config.llm.mode)
        if not self._config.points_with_elysia or mode is Mode.INSTANT:
            return False
        if not has_language_model(self._given):
            return False
        return any(
            each.verdict is None and (is_guided(each) or may_be_whole(each))
            for each in inquiry.every
        )

    @property
    def _given(self) -> Settings:
        """The tree's own settings; a run, also one that was left, holds others in their place."""
        return self._run.given if self._run else self.settings

    def _started(self, *, decided: bool) -> TreeRun:
        """Begin a run, with settings of its own; ``decided`` is one that asks no model."""
        run = self._run = TreeRun.of(self._given, decided=decided)
        self.settings = run.settings
        if not run.llm_free:
            self._reload_models()
        return run

    def _ended(self, run: TreeRun) -> None:
        """Give the tree its own settings back, unless another run has begun meanwhile."""
        if self._run is not run:
            return
        # Unless somebody has given the tree others meanwhile.
        if self.settings is run.settings:
            self.settings = run.given
        self._run = None

    @property
    def caller(self) -> ModelCaller:
        """Who asks the models of the run's settings."""
        return self._callers.of(endpoint_of(self.settings))

    @property
    def guidance(self) -> Guidance | None:
        """Who points in this run, where that is the tree's own model."""
        if not self._config.points_with_elysia or self._run is None or self._run.llm_free:
            return None
        return guided_by(TreesChat(self.base_lm), self.caller, self._config, time.monotonic)

    def _named_models(self, inquiry: Inquiry) -> tuple[str, ...]:
        """Name the tree's own models and what they are told, where they may be asked."""
        if not self._asks_model(inquiry):
            return ()
        return (endpoint_of(self.settings), prompt.version())

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
