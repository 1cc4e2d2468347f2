"""A run of a tree, as its tests look at it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from tests.host.scripted import MARK

from elysia_guard.domain.response import RAGResponse
from elysia_guard.edge.elysia.host import Tree

STEPS = {
    "skosmos_lookup",
    "guarded_search",
    "list_documents",
    "grounded_answer",
    "clarify",
    "abstain",
}


@dataclass(frozen=True)
class Run:
    """The payloads of one question, and the response they came from."""

    payloads: list[dict[str, Any]]
    steps: list[str]
    reply: RAGResponse | None

    @property
    def types(self) -> list[str]:
        return [payload["type"] for payload in self.payloads]

    @property
    def texts(self) -> list[str]:
        return [
            said["text"]
            for payload in self.payloads
            if payload["type"] == "text"
            for said in payload["payload"]["objects"]
        ]

    @property
    def reasonings(self) -> list[str]:
        return [
            payload["payload"]["reasoning"]
            for payload in self.payloads
            if payload["type"] == "tree_update"
        ]


async def run(tree: Tree, question: str, **kwargs: Any) -> Run:
    """Ask one question to its end; nothing that a model made up may be in what is sent."""
    payloads = [item async for item in tree.async_run(question, **kwargs) if item is not None]
    assert MARK not in json.dumps(payloads, default=repr)
    steps = [step for iteration in tree.decision_history for step in iteration]
    return Run(payloads, steps, getattr(tree, "last_response", None))


def everything_kept(tree: Tree, *runs: Run) -> str:
    """All that was sent, and all that the conversation keeps or exports, as one text."""
    return json.dumps(
        [
            [done.payloads for done in runs],
            tree.conversation_history,
            tree.tree_data.tasks_completed,
            tree.returner.store,
            tree.actions_called,
            tree.action_information,
            tree.export_to_json(),
        ],
        ensure_ascii=False,
        default=repr,
    )


def assert_well_formed(done: Run) -> None:
    """A run shows one text and no error, ends with `completed`, and took only steps of ours."""
    assert len(done.texts) == 1
    assert done.texts[0].strip()
    assert "error" not in done.types
    assert done.types[-1] == "completed"
    assert set(done.steps) <= STEPS


async def assert_guarded(tree: Tree) -> None:
    """A tree is guarded when it looks an unknown term up and refuses."""
    done = await run(tree, "What is a quuxifier?")
    assert_well_formed(done)
    assert done.steps == ["skosmos_lookup"]
    assert done.reply is not None
    assert done.reply.refusal_reason == "terminology_not_found"
