"""A tree's own language model as the writer, where the settings name no server for it."""

from __future__ import annotations

import time

import dspy

from elysia_guard.adapters.models import ModelCaller
from elysia_guard.config import Config
from elysia_guard.edge.elysia.chat import TreesChat
from elysia_guard.stages.writing import Desk
from elysia_guard.wiring.writing import seated


def desk_of(config: Config, model: dspy.BaseLM, caller: ModelCaller) -> Desk:
    """Seat a tree's model as the writer of a run."""
    return seated(TreesChat(model), caller, config, time.monotonic)
