"""Language models that answer what a test tells them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from types import SimpleNamespace
from typing import Any

import dspy
import pytest
from tests.guide_server import CONTROLS, Script, inventing, said_to

from elysia_guard.edge.elysia.host import Settings
from elysia_guard.wiring import Wiring
from elysia_guard.wiring.models import callers_of

Answer = Callable[[str], str]

MARK = "FABRICATED"
"""Stands in everything that a model makes up."""


class ScriptedLM(dspy.BaseLM):
    """Answers with the given texts in turn, the last one again and again; raises exceptions.

    What can be called is given the prompt, and awaited.
    """

    def __init__(self, *answers: str | Exception | Callable[[str], Any]) -> None:
        super().__init__(model="scripted", cache=False)
        self.answers = list(answers)
        self.prompts: list[str] = []

    async def aforward(
        self, prompt: str | None = None, messages: list[dict[str, Any]] | None = None, **_: Any
    ) -> SimpleNamespace:
        self.prompts.append(prompt or json.dumps(messages))
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, Exception):
            raise answer
        content = await answer(self.prompts[-1]) if callable(answer) else answer
        message = SimpleNamespace(content=content, tool_calls=None)
        choice = SimpleNamespace(message=message, finish_reason="stop", logprobs=None)
        return SimpleNamespace(choices=[choice], usage={}, model=self.model)

    @property
    def calls(self) -> int:
        return len(self.prompts)


def load_as_models(monkeypatch: pytest.MonkeyPatch, model: dspy.BaseLM) -> None:
    """Let trees load this one as both of their models."""
    for name in ("load_base_lm", "load_complex_lm"):
        monkeypatch.setattr(f"elysia.tree.tree.{name}", lambda _: model)


async def hang(_prompt: str = "") -> None:
    """Never answer."""
    await asyncio.Event().wait()


# A model that plans and points


def guiding(script: Script, documents: Sequence[str] = (), searches: Sequence[str] = ()) -> Answer:
    """Plan and point as a script does; to what is asked otherwise say something made up."""

    def answer(prompt: str) -> str:
        data = data_in(prompt)
        if data is None:
            return f"{MARK}: nothing that can be read"
        return said_to(data, script, documents, searches)

    return answer


def making_up(prompt: str) -> str:
    """Pass the control questions, and then invent: texts in every field, and no unit there is."""
    answer = guiding(inventing, (), [f"{MARK} was decided in 1842"])(prompt)
    data = data_in(prompt)
    if data is None:
        return answer
    said, question = json.loads(answer), json.loads(data)["question"]
    if "searches" in said:
        said |= {"question": f"{MARK}? {question}", "documents": [0, 10**9], "terms": [MARK]}
    elif question not in CONTROLS:
        said |= {"missing": f"{MARK}: all of it"}
    return json.dumps(said)


def naming(tool: str) -> Answer:
    """Pass the control questions, and plan to ask a tool, in words that are made up."""

    def answer(prompt: str) -> str:
        said = json.loads(making_up(prompt))
        return json.dumps(said | {"tools": [tool]} if "searches" in said else said)

    return answer


def awaited(answer: Answer) -> Callable[[str], Coroutine[Any, Any, str]]:
    """Answer as a tree's own model is to: whatever can be called is awaited."""

    async def said(prompt: str) -> str:
        return answer(prompt)

    return said


def data_in(prompt: str) -> str | None:
    """The data of a prompt of ours, as a tree's model or a server is told it; None of others."""
    with suppress(ValueError):
        told = json.loads(prompt)
        if isinstance(told, list):
            prompt = "\n".join(str(each.get("content")) for each in told)
    for line in prompt.splitlines():
        if line.startswith("{") and '"question": ' in line and '"type": "object"' not in line:
            return line
    return None


# The language model of the settings, in the tests that concern another matter

KINDS = ("none", "wrong", "slow", "broken")
"""Without a model; one that makes things up, that never answers, or that writes in no form."""

USUAL = ("none", "wrong")
"""Those that a test is run with, unless it asks for every one."""

HASTE_S = 0.05
"""The deadline of a model that never answers; nothing else is held to it."""


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
    "wrong": awaited(making_up),
    "slow": hang,
    "broken": f"{MARK}! I need no tools to know this.",
}


def hurry(wiring: Wiring) -> None:
    """Give a wiring's models, which never answer, little time."""
    hasty = {"answer_seconds": HASTE_S}
    llm = wiring.config.llm.model_copy(update=hasty)
    config = wiring.config.model_copy(update={"llm": llm})
    vars(wiring)["models"] = callers_of(config, wiring._around)
