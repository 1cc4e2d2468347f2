"""A language model that makes claims up in whatever it is asked for, and what they are found by."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import dspy
from tests.host.scripted import MARK, data_in, naming

CLAIM = re.compile(r"zq\d+x")
"""The name that each claim bears, and nothing else does."""

COLLECTION = "Handbook"

THINGS = ("grid models", "neighbouring operators", "CIMXML", "exchange", "a day", "how often")
WORDS = tuple(
    """amber barrels carry daily empty fast gladly hourly iron jars keep lawful minute never only
    paper quietly rarely seven through under velvet weekly yearly across before couriers demands
    every forbids gates hands inside junction kept later must nightly older permits queue rules
    sealed trains upon votes within year zones""".split()
)

_OUTPUTS = re.compile(r"Your output fields are:\n(.*?)\nAll interactions", re.DOTALL)
_FIELD = re.compile(r"^\d+\. `(\w+)`", re.MULTILINE)


class Fabricator(dspy.BaseLM):
    """Fills every field that a prompt asks for with claims, each a new one, to the point.

    Its plans name ``tool``, as do its decisions in plain Elysia, whose inputs it makes up too.
    """

    def __init__(self, tool: str = "", **inputs: Any) -> None:
        super().__init__(model="fabricator", cache=False)
        self.tool = tool
        self.inputs = inputs
        self.made: set[str] = set()
        self.chance = random.Random(tool)

    def claim(self) -> str:
        """Make claims that any gate would let through, were they a source's."""
        return " ".join(self._one() for _ in range(4))

    def _one(self) -> str:
        name = f"zq{len(self.made)}x"
        self.made.add(name)
        # No two claims have much in common: hearing one does not give the next away.
        things, said = self.chance.sample(THINGS, 5), self.chance.sample(WORDS, 6)
        return (
            f"{said[0].title()} {things[0]} {said[1]} {things[1]} {name} {said[2]} {things[2]} "
            f"{said[3]} {things[3]} {name} {said[4]} {things[4]} {said[5]} {name}."
        )

    async def aforward(
        self, prompt: str | None = None, messages: list[dict[str, Any]] | None = None, **_: Any
    ) -> Any:
        asked = prompt or json.dumps(messages)
        message = SimpleNamespace(content=self._said(asked, messages), tool_calls=None)
        choice = SimpleNamespace(message=message, finish_reason="stop", logprobs=None)
        return SimpleNamespace(choices=[choice], usage={}, model=self.model)

    def _said(self, asked: str, messages: list[dict[str, Any]] | None) -> str:
        if data_in(asked):
            return re.sub(MARK, lambda _: self.claim(), naming(self.tool)(asked))
        wanted = _OUTPUTS.search(messages[0]["content"]) if messages else None
        names = _FIELD.findall(wanted[1]) if wanted else []
        content = "\n\n".join(
            f"[[ ## {name} ## ]]\n{value if isinstance(value, str) else json.dumps(value)}"
            for name, value in ((name, self._field(name, wanted)) for name in names)
        )
        return f"{content}\n\n[[ ## completed ## ]]" if names else self.claim()

    def _field(self, name: str, wanted: re.Match[str] | None) -> Any:
        made = self._made(wanted[1] if wanted else "")
        return made[name]() if name in made else self.claim()

    def _made(self, asked: str) -> dict[str, Callable[[], Any]]:
        return {
            "impossible": lambda: False,
            "end_actions": lambda: False,
            "function_name": lambda: self.tool,
            "function_inputs": lambda: {
                name: value() if callable(value) else value for name, value in self.inputs.items()
            },
            "summaries": lambda: [self.claim(), self.claim()],
            "suggestions": lambda: [self.claim(), self.claim()],
            "cited_text": lambda: [{"text": self.claim(), "ref_ids": []} for _ in range(3)],
            "charts": lambda: [self._chart(asked)],
            "query_outputs": lambda: [
                {
                    "target_collections": [COLLECTION],
                    "search_type": "keyword",
                    "search_query": self.claim(),
                    "limit": 5,
                }
            ],
            "fields_to_search": lambda: {COLLECTION: None},
            "data_display": lambda: {
                COLLECTION: {"display_type": "document", "summarise_items": False}
            },
            "aggregation_queries": lambda: [
                {
                    "target_collections": [COLLECTION],
                    "text_property_aggregations": [
                        {"property_name": "content", "metrics": ["TOP_OCCURRENCES"], "limit": 3}
                    ],
                }
            ],
        }

    def _chart(self, asked: str) -> dict[str, Any]:
        chart: dict[str, Any] = {"title": self.claim(), "description": self.claim()}
        if "Histogram" in asked:
            return {**chart, "data": {self.claim(): {"distribution": [1, 2]}}}
        chart |= {"x_axis_label": self.claim(), "y_axis_label": self.claim()}
        if "Scatter" in asked:
            points = [{"value": 1, "label": "a"}, {"value": 2, "label": "b"}]
            line = {"label": self.claim(), "kind": "line", "data_points": points}
            return {**chart, "data": {"x_axis": points, "y_axis": [line]}}
        bars = {"x_labels": [self.claim()], "y_values": {self.claim(): [1]}}
        return {**chart, "data": bars}


def claims_in(*said: object) -> set[str]:
    """The claims that something holds, whatever its structure."""
    return {found for text in _texts(said) for found in CLAIM.findall(text)}


def _texts(said: object) -> Iterator[str]:
    yield json.dumps(said, ensure_ascii=False, default=repr) if not isinstance(said, str) else said
