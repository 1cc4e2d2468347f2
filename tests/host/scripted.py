"""Language models that answer what a test tells them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import dspy

MARK = "FABRICATED"
"""Stands in everything that a model makes up."""


class ScriptedLM(dspy.BaseLM):
    """Answers with the given texts in turn, the last one again and again; raises exceptions."""

    def __init__(self, *answers: str | Exception | Callable[[], Any]) -> None:
        super().__init__(model="scripted", cache=False)
        self.answers = list(answers)
        self.prompts: list[str] = []

    async def aforward(
        self, prompt: str | None = None, messages: list[dict[str, Any]] | None = None, **_: Any
    ) -> SimpleNamespace:
        self.prompts.append(json.dumps(messages))
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, Exception):
            raise answer
        content = await answer() if callable(answer) else answer
        message = SimpleNamespace(content=content, tool_calls=None)
        choice = SimpleNamespace(message=message, finish_reason="stop", logprobs=None)
        return SimpleNamespace(choices=[choice], usage={}, model=self.model)

    @property
    def calls(self) -> int:
        return len(self.prompts)


async def hang() -> None:
    """Never answer."""
    await asyncio.Event().wait()


def fields(name: str, inputs: object = None, **others: object) -> dict[str, object]:
    """What a decision consists of, made up but for the name of the tool."""
    return {
        "reasoning": f"{MARK}: CIM was invented in 1842.",
        "message_update": f"{MARK}: CIM was invented in 1842.",
        "impossible": False,
        "function_name": name,
        "function_inputs": {} if inputs is None else inputs,
        "end_actions": False,
        **others,
    }


def in_chat(said: dict[str, object]) -> str:
    """Write a decision as DSPy's chat adapter reads it."""
    parts = [
        f"[[ ## {name} ## ]]\n{value if isinstance(value, str) else json.dumps(value)}"
        for name, value in said.items()
    ]
    return "\n\n".join([*parts, "[[ ## completed ## ]]"])


def in_json(said: dict[str, object]) -> str:
    """Write a decision as DSPy's JSON adapter reads it."""
    return json.dumps(said)


def choice(name: str, inputs: object = None, **others: object) -> str:
    """A whole decision in the chat adapter's form."""
    return in_chat(fields(name, inputs, **others))
