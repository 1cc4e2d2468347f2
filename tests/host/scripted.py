"""Language models that answer what a test tells them."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import dspy
import pytest

from elysia_guard.domain.reading import ReadKind
from elysia_guard.edge.elysia.host import Settings
from elysia_guard.pipeline import Pipeline
from elysia_guard.wiring import Wiring
from elysia_guard.wiring.models import callers_of

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


# How a question may be read

SEARCH = json.dumps({"asks": "search", "term": ""})
"""That a question asks for no meaning."""


def meaning(term: str) -> str:
    """That a question asks what a term means."""
    return json.dumps({"asks": "meaning", "term": term}, ensure_ascii=False)


def terms_in(prompt: str) -> list[str]:
    """The terms that a prompt of ours offers."""
    found = re.search(r'\\*"terms\\*": (\[.*?\])', prompt)
    return list(json.loads(found[1].replace("\\", ""))) if found else []


def contrary(prompt: str) -> str:
    """Take a question for one of meaning whatever it is, and a tool for one of somebody else."""
    terms = terms_in(prompt)
    return meaning(terms[-1]) if terms else choice("list_documents", {"kinds": "policy"})


async def half(
    _masked: str, /, *, lang: str, terms: int, documents: int
) -> Mapping[ReadKind, float]:
    """Be in doubt about every question that holds a term of the vocabulary."""
    meaning = 0.5 if terms else 0.0
    return {
        **dict.fromkeys(ReadKind, 0.0),
        ReadKind.DEFINITION: meaning,
        ReadKind.SEARCH: 1.0 - meaning,
    }


def doubting(parts: Any) -> Pipeline:
    """The pipeline of some parts, for which every open question with a term in it is in doubt."""
    return replace(parts.pipeline, intents=half)


# The language model of the settings, in the tests that concern another matter

KINDS = ("none", "right", "wrong", "slow", "broken")
"""Without a model; one that reads as the rules do, otherwise, never, or in no form at all."""

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


async def _contrary(prompt: str) -> str:
    return contrary(prompt)


_ANSWERS: dict[str, Any] = {
    "right": SEARCH,
    "wrong": _contrary,
    "slow": hang,
    "broken": f"{MARK}! I need no tools to know this.",
}


def hurry(wiring: Wiring, deadline: str = "choice_deadline_seconds") -> None:
    """Give a wiring's models, which never answer, little time."""
    llm = wiring.config.llm.model_copy(update={deadline: HASTE_S})
    config = wiring.config.model_copy(update={"llm": llm})
    vars(wiring)["models"] = callers_of(config, wiring._around)
