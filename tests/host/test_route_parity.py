"""One reading, verdict and list of sources on every route, whatever a language model says.

By default some tuning questions of the golden set are asked, most of them in doubt, and some
dialogues. `PARITY=all` asks them all. `PARITY_FILE` names a file of more, one a line.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import dspy
import pytest
from tests.host.scripted import SEARCH, doubting, meaning, terms_in

from elysia_guard import Conversation, Guard
from elysia_guard.config import home
from elysia_guard.domain.errors import QuestionError
from elysia_guard.domain.events import DecisionMade, Event
from elysia_guard.edge.elysia import GuardedTree
from elysia_guard.edge.elysia.host import Settings
from elysia_guard.wiring import Wiring

pytestmark = [
    pytest.mark.slow,
    pytest.mark.usefixtures("socket_disabled"),
]

GOLDEN = home() / "data" / "evaluation" / "golden_queries.jsonl"
DIALOGUES = home() / "data" / "evaluation" / "dialogues.jsonl"
ALL = os.environ.get("PARITY") == "all"
DOUBTED, OTHERS, TALKS = (None,) * 3 if ALL else (12, 6, 2)
"""How many questions in doubt are asked, how many others, and how many dialogues; None is all."""


@dataclass(frozen=True)
class Case:
    """A question, and the documents or concepts that answer it, where they are known."""

    query: str
    answered_by: frozenset[str] = frozenset()


class Reader(dspy.BaseLM):
    """A model that reads each question rightly, by what answers it, or else contrarily."""

    def __init__(self, wiring: Wiring, case: Case, *, right: bool) -> None:
        super().__init__(model=f"{right}", cache=False)
        self.terminology, self.case, self.right = wiring.pipeline.terminology, case, right
        self.calls = 0

    async def aforward(self, prompt: str, messages: Any = None, **_: Any) -> SimpleNamespace:
        self.calls += 1
        terms = terms_in(prompt)
        rightly = await self._asked(terms)
        if self.right:
            said = meaning(rightly) if rightly else SEARCH
        else:
            others = [term for term in terms if term != rightly]
            said = meaning(others[-1]) if others else SEARCH
        message = SimpleNamespace(content=said, tool_calls=None)
        choice = SimpleNamespace(message=message, finish_reason="stop", logprobs=None)
        return SimpleNamespace(choices=[choice], usage={}, model=self.model)

    async def _asked(self, terms: Sequence[str]) -> str:
        for term in terms:
            found = [
                item.concept.uri
                for lang in ("en", "nl", "de")
                for item in await self.terminology.lookup(term, lang=lang)
            ]
            if self.case.answered_by.intersection(found):
                return term
        return ""


def cases() -> list[Case]:
    rows = map(json.loads, GOLDEN.read_text(encoding="utf-8").splitlines())
    golden = [
        Case(row["query"], frozenset(row["expected"].get("doc_ids", ())))
        for row in rows
        if row["split"] == "tuning"
    ]
    own = os.environ.get("PARITY_FILE")
    return golden + [Case(line) for line in Path(own).read_text().splitlines()] if own else golden


def talks() -> list[list[str]]:
    rows = map(json.loads, DIALOGUES.read_text(encoding="utf-8").splitlines())
    tuning = (row for row in rows if (row["corpus"], row["split"]) == ("demo", "tuning"))
    return [[turn["typed"] for turn in row["turns"]] for row in tuning]


class Parity:
    """What each way of asking made of a question."""

    def __init__(self, wiring: Wiring) -> None:
        self.wiring = Wiring(wiring.config.model_copy(update={"test_triggers": True}))
        self.wiring.observers.append(self._note)
        if not ALL:  # so that those in doubt are found soon
            self.wiring.pipeline = doubting(self.wiring)
        self.decided: dict[str, DecisionMade] = {}
        self.counted: Counter[str] = Counter()
        self.differing: list[str] = []

    def _note(self, event: Event) -> None:
        if isinstance(event, DecisionMade):
            self.decided[event.request_id] = event

    async def chosen(self) -> list[Case]:
        """Questions in doubt, and others."""
        doubted, others = [], []
        for case in cases():
            try:
                begun = await self.wiring.pipeline.begin(case.query, request_id="r", route="tree")
            except QuestionError:
                continue
            (doubted if begun.in_doubt else others).append(case)
            if DOUBTED and len(doubted) == DOUBTED and len(others) >= OTHERS:
                break
        step = len(others) // (OTHERS or len(others))
        return doubted[:DOUBTED] + others[::step]

    async def hold(self, case: Case) -> None:
        """Ask a question in every way, and note where they differ."""
        await Guard(wiring=self.wiring).aask(case.query, request_id="direct")
        direct = self.decided.pop("direct")
        self.counted["asked"] += 1
        for name, model in (
            ("none", None),
            ("right", Reader(self.wiring, case, right=True)),
            ("wrong", Reader(self.wiring, case, right=False)),
        ):
            tree = await self._through_tree(case, model)
            self.counted[f"asked of the model that is {name}"] += bool(model and model.calls)
            if _asserted(tree) != _asserted(direct):
                self.differing.append(f"{name}: {case.query}")

    async def hold_talk(self, turns: Sequence[str]) -> None:
        """Ask one question after the other, each in the state that those before have left."""
        guard, talk = Guard(wiring=self.wiring), Conversation()
        tree = GuardedTree(wiring=self.wiring, settings=Settings())
        for turn in turns:
            with suppress(QuestionError):
                await guard.aask(turn, conversation=talk, request_id="direct")
            async for _ in tree.async_run(turn, query_id="tree"):
                pass
            through, direct = self.decided.pop("tree"), self.decided.pop("direct", None)
            self.counted["turns"] += 1
            if direct and _asserted(through) != _asserted(direct):
                self.differing.append(f"{turns[0]} ... {turn}")

    async def _through_tree(self, case: Case, model: Reader | None) -> DecisionMade:
        settings = Settings()
        if model:
            for name in ("BASE_MODEL", "BASE_PROVIDER", "COMPLEX_MODEL", "COMPLEX_PROVIDER"):
                setattr(settings, name, model.model)
        tree = GuardedTree(wiring=self.wiring, settings=settings)
        tree._base_lm = tree._complex_lm = model
        async for _ in tree.async_run(case.query, query_id="tree"):
            pass
        return self.decided.pop("tree")


def _asserted(made: DecisionMade) -> tuple[Any, ...]:
    """The reading, the verdict, and what a reader is told; a refusal's text holds its ways on."""
    reply, part, verdict = made.response, made.part, made.verdict
    return (
        (part.asks, part.text, part.read_by, reply.lang),
        (verdict.outcome, verdict.reason, verdict.subject, verdict.confidence, verdict.readings),
        reply.sources,
        (reply.refused, reply.refusal_reason, reply.retrieval_quality, reply.warnings),
        None if reply.refused else reply.answer,
    )


def test_every_route_and_any_model_say_the_same(
    wiring: Wiring, capsys: pytest.CaptureFixture[str]
) -> None:
    """The direct route, and the tree without a model, with one that is right, and a wrong one."""
    parity = Parity(wiring)

    async def ask_all() -> None:
        for case in await parity.chosen():
            await parity.hold(case)
        for talk in talks()[:TALKS]:
            await parity.hold_talk(talk)

    asyncio.run(ask_all())
    parity.wiring.close()
    with capsys.disabled():
        for name, count in {**parity.counted, "differing": len(parity.differing)}.items():
            print(f"\n{count:6} {name}", end="")  # noqa: T201
    assert parity.counted["asked of the model that is wrong"] >= 10
    assert parity.counted["asked of the model that is none"] == 0
    assert parity.differing == []
