"""A tree's own language model as a chat: told a prompt of ours, and none of Elysia's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import dspy

from elysia_guard.edge.elysia.models import translated


class TreesChat:
    """A model of DSPy; see ``adapters.models.chat.Chat``."""

    def __init__(self, model: dspy.BaseLM) -> None:
        """Take the model."""
        self._model = model

    @property
    def model(self) -> str:
        return str(self._model.model)

    async def __call__(
        self, messages: Sequence[Mapping[str, str]], *, schema: Mapping[str, Any]
    ) -> str:
        """Return what it writes: the task says the form, which not every provider can enforce."""
        # As one text: what DSPy takes as messages is about to change.
        prompt = "\n\n".join(item["content"] for item in messages)
        said = await translated(lambda: self._model.acall(prompt, cache=False))
        match said:
            case [str(text), *_] | [{"text": str(text)}, *_]:
                return text
            case _:
                return ""
