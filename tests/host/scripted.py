"""Language models that answer what a test tells them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import dspy

from elysia_guard.edge.elysia.host import Settings
from elysia_guard.wiring import Wiring
from elysia_guard.wiring.models import callers_of

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


# The language model of the settings, in the tests that concern another matter

KINDS = ("none", "right", "wrong", "slow", "broken")
"""Without a model; one that chooses as the rules do, otherwise, never, or in no form at all."""

HASTE_S = 0.05
"""The deadline for a choice where the model never chooses; nothing else is held to it."""


class AnyModel:
    """A language model of a kind, as Elysia loads it anew for each tree."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.there = kind != "none"
        self.loaded_in_vain = False

    def load(self, _settings: Settings) -> ScriptedLM:
        if not self.there:
            self.loaded_in_vain = True
            raise AssertionError("a language model was loaded")
        return ScriptedLM(_ANSWERS[self.kind])


_ANSWERS: dict[str, Any] = {
    "right": choice("guarded_search"),
    "wrong": choice("list_documents", {"kinds": "policy"}),
    "slow": hang,
    "broken": f"{MARK}! I need no tools to know this.",
}


def hurry(wiring: Wiring, deadline: str = "choice_deadline_seconds") -> None:
    """Give a wiring's models, which never answer, little time."""
    llm = wiring.config.llm.model_copy(update={deadline: HASTE_S})
    config = wiring.config.model_copy(update={"llm": llm})
    vars(wiring)["models"] = callers_of(config, wiring._around)
