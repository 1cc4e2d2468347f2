"""One reading, verdict and list of sources on every route, whatever a language model says.

A model that plans and points is asked by the direct route and by the tree, as one of the settings
or as the tree's own: all say the same. By default some tuning questions of the golden set are
asked, most of them ones that a model is asked about, and some dialogues. `PARITY=all` asks them
all. `PARITY_FILE` names a file of more, one a line.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from tests.guide_server import Asked, Said, denying, lazy, said_to
from tests.host.conftest import naming_models
from tests.host.scripted import MARK, ScriptedLM

from elysia_guard import Conversation, Guard
from elysia_guard.config import AnswerCacheSection, home
from elysia_guard.domain.document import Document, Filters
from elysia_guard.domain.errors import QuestionError
from elysia_guard.domain.events import DecisionMade, Event
from elysia_guard.edge.elysia import GuardedTree
from elysia_guard.edge.elysia.host import Settings
from elysia_guard.stages.guiding import is_guided
from elysia_guard.wiring import Wiring
from elysia_guard.wiring.models import callers_of, guided_by

pytestmark = [
    pytest.mark.slow,
    pytest.mark.usefixtures("socket_disabled"),
]

GOLDEN = home() / "data" / "evaluation" / "golden_queries.jsonl"
DIALOGUES = home() / "data" / "evaluation" / "dialogues.jsonl"
ALL = os.environ.get("PARITY") == "all"
GUIDED, OTHERS, TALKS = (None,) * 3 if ALL else (12, 6, 2)
"""How many questions a model is asked about, how many others, how many dialogues; None: all."""
NAME = "scripted"


@dataclass(frozen=True)
class Case:
    """A question, and the documents or concepts that answer it, where they are known."""

    query: str
    answered_by: frozenset[str] = frozenset()


class Model:
    """A model of a kind, as the settings name one and as Elysia loads it; its words are data.

    ``titles`` are those of the documents that answer the question.
    """

    model = NAME

    def __init__(self, kind: str, titles: Sequence[str] = ()) -> None:
        self.kind, self.titles = kind, titles
        self.of_tree = ScriptedLM(self._told)
        self.asked = 0

    async def __call__(
        self, messages: Sequence[Mapping[str, str]], *, schema: Mapping[str, Any]
    ) -> str:
        return await self._told("\n\n".join(item["content"] for item in messages))

    async def _told(self, prompt: str) -> str:
        self.asked += 1
        if self.kind == "broken":
            return f"{MARK}! I need no sources to know this."
        scripts: dict[str, Callable[[Asked], Said]] = {
            "right": self._rightly,
            "other": self._otherwise,
            "first": lazy,
            "denying": denying,
        }
        wanted = self.titles if self.kind == "right" else ()
        searches = [MARK, "Who bakes the bread?"] if self.kind == "other" else []
        return said_to(prompt.splitlines()[-1], scripts[self.kind], wanted, searches)

    def _rightly(self, asked: Asked) -> Said:
        """Point at the first units of the documents that answer."""
        found = [each.n for each in asked.units if each.title in self.titles]
        return ("answers", found[:3]) if found else ("no", [])

    def _otherwise(self, asked: Asked) -> Said:
        """Point at the last units of documents that do not, and at one that there is not."""
        found = [each.n for each in asked.units if each.title not in self.titles]
        return ("partly", [*found[-2:], 10_000]) if found else ("contradicts", [1])


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
        # Each way is to make an answer of its own.
        chosen = {"test_triggers": True, "answer_cache": AnswerCacheSection(enabled=False)}
        self.wiring = Wiring(wiring.config.model_copy(update=chosen))
        self.wiring.observers.append(self._note)
        self.decided: dict[str, DecisionMade] = {}
        self.counted: Counter[str] = Counter()
        self.differing: list[str] = []
        self.documents: Sequence[Document] = ()

    def _note(self, event: Event) -> None:
        if isinstance(event, DecisionMade):
            self.decided[event.request_id] = event

    async def chosen(self) -> list[Case]:
        """Questions that a model is asked about, and others."""
        self.documents = await self.wiring.index.documents(Filters(approval=None))
        guided, others = [], []
        for case in cases():
            try:
                begun = await self.wiring.pipeline.begin(case.query, request_id="r", route="tree")
            except QuestionError:
                continue
            (guided if any(map(is_guided, begun.every)) else others).append(case)
        return [*_spread(guided, GUIDED), *_spread(others, OTHERS)]

    async def hold(self, case: Case) -> None:
        """Ask a question in every way, and note where they differ."""
        self.counted["asked"] += 1
        await Guard(wiring=self.wiring).aask(case.query, request_id="direct")
        alone = self.decided.pop("direct")
        self._compare("none", case, alone, await self._through_tree(self.wiring, case))
        titles = [item.title for item in self.documents if item.id in case.answered_by]
        for kind in ("right", "other", "denying", "broken"):
            model = Model(kind, titles)
            await Guard(wiring=self._guided_by(model)).aask(case.query, request_id="direct")
            direct = self.decided.pop("direct")
            self.counted[f"asked of the model that is {kind}"] += bool(model.asked)
            self.counted[f"otherwise by the model that is {kind}"] += _said(direct) != _said(alone)
            served = await self._through_tree(self._guided_by(model), case)
            self._compare(f"{kind}, of the settings", case, direct, served)
            own = await self._through_tree(self._rested(), case, model)
            self._compare(f"{kind}, the tree's own", case, direct, own)

    async def hold_talk(self, turns: Sequence[str], kind: str = "") -> None:
        """Ask one question after the other, each in the state that those before have left."""
        model = Model(kind) if kind else None
        guard = Guard(wiring=self._guided_by(model) if model else self.wiring)
        talk, tree = Conversation(), self._tree(self._rested(), model)
        for turn in turns:
            with suppress(QuestionError):
                await guard.aask(turn, conversation=talk, request_id="direct")
            async for _ in tree.async_run(turn, query_id="tree"):
                pass
            through, direct = self.decided.pop("tree"), self.decided.pop("direct", None)
            self.counted["turns"] += 1
            if direct and _asserted(through) != _asserted(direct):
                self.differing.append(f"{kind or 'none'}: {turns[0]} ... {turn}")

    def _guided_by(self, model: Model) -> Wiring:
        """The same parts, with a model of the settings, which has not failed before."""
        parts = self._rested()
        caller = parts.models.of(model.kind)
        guidance = guided_by(model, caller, parts.config, parts.pipeline.deadline_clock)
        made = Wiring(parts.config)
        vars(made).update(vars(parts))
        made.pipeline = replace(parts.pipeline, guidance=guidance)
        return made

    def _rested(self) -> Wiring:
        """The parts, with no breaker open because a model failed before."""
        vars(self.wiring)["models"] = callers_of(self.wiring.config, self.wiring._around)
        return self.wiring

    async def _through_tree(
        self, wiring: Wiring, case: Case, model: Model | None = None
    ) -> DecisionMade:
        async for _ in self._tree(wiring, model).async_run(case.query, query_id="tree"):
            pass
        return self.decided.pop("tree")

    def _tree(self, wiring: Wiring, model: Model | None) -> GuardedTree:
        tree = GuardedTree(wiring=wiring, settings=naming_models() if model else Settings())
        tree._base_lm = tree._complex_lm = model.of_tree if model else None
        return tree

    def _compare(self, name: str, case: Case, direct: DecisionMade, tree: DecisionMade) -> None:
        if _asserted(tree) != _asserted(direct):
            self.differing.append(f"{name}: {case.query}")


def _spread(found: Sequence[Case], most: int | None) -> Sequence[Case]:
    """So many of the cases, from the first to the last of them."""
    return found[:: max(1, len(found) // most)][:most] if most else found


def _said(made: DecisionMade) -> tuple[Any, ...]:
    """What a reader is told."""
    return made.response.answer, made.response.sources


def _asserted(made: DecisionMade) -> tuple[Any, ...]:
    """The reading, the verdict, and what a reader is told; a refusal's text holds its ways on."""
    reply, part, verdict = made.response, made.part, made.verdict
    assert MARK not in json.dumps(reply.to_dict(), default=repr)
    return (
        (part.asks, part.text, part.read_by, reply.lang),
        (verdict.outcome, verdict.reason, verdict.subject, verdict.confidence, verdict.readings),
        (reply.sources, reply.mentions, reply.mode, reply.written_by),
        (reply.refused, reply.refusal_reason, reply.retrieval_quality, reply.warnings),
        None if reply.refused else reply.answer,
    )


def test_every_route_and_any_model_say_the_same(
    wiring: Wiring, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without a model, and with one that points rightly, elsewhere, denies, or is broken."""
    parity = Parity(wiring)

    async def ask_all() -> None:
        for case in await parity.chosen():
            await parity.hold(case)
        for talk in talks()[:TALKS]:
            for kind in ("", "first"):
                await parity.hold_talk(talk, kind)

    asyncio.run(ask_all())
    parity.wiring.close()
    with capsys.disabled():
        for name, count in {**parity.counted, "differing": len(parity.differing)}.items():
            print(f"\n{count:6} {name}", end="")  # noqa: T201
    for kind in ("right", "other", "denying", "broken"):
        assert parity.counted[f"asked of the model that is {kind}"] >= 10
    for kind in ("right", "other", "denying"):
        assert parity.counted[f"otherwise by the model that is {kind}"]
    assert parity.differing == []
