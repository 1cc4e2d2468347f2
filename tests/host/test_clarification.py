"""Clarification in the real tree: the next message of the conversation picks a meaning."""

from __future__ import annotations

import json

import pytest
from tests.host.runs import assert_well_formed, run

from elysia_guard.edge.elysia import GuardedTree
from elysia_guard.language.catalogue import say
from elysia_guard.wiring import Wiring

pytestmark = pytest.mark.usefixtures("any_model")

AMBIGUOUS = "terminology_ambiguous"


async def reason(tree: GuardedTree, question: str) -> str | None:
    """Why a question is not answered."""
    done = await run(tree, question)
    assert_well_formed(done)
    assert done.reply is not None
    return done.reply.refusal_reason


async def test_a_choice_outlives_saving_and_loading(tree: GuardedTree, wiring: Wiring) -> None:
    """A conversation taken up again is the same conversation, also amid a question back."""
    bound = GuardedTree.bound_to(wiring)
    await run(tree, "What is CIM?")
    loaded = bound.import_from_json(json.loads(json.dumps(tree.export_to_json())))
    assert await reason(loaded, "the first") is None
    again = bound.import_from_json(json.loads(json.dumps(loaded.export_to_json())))
    assert await reason(again, "What is CIM?") is None


async def test_a_damaged_memory_is_an_empty_one(tree: GuardedTree) -> None:
    """A saved tree of another version costs a choice, not the conversation."""
    tree.tree_data.environment.hidden_environment["elysia_guard"] = {"conversation": {"x": 1}}
    assert await reason(tree, "What is CIM?") == AMBIGUOUS


@pytest.mark.parametrize("message", ["the third one", "de derde", "das letzte", "la troisième"])
async def test_a_place_without_a_list_is_asked_back(tree: GuardedTree, message: str) -> None:
    """A reply says that no list is on offer, as any other: it is no fault."""
    done = await run(tree, message)
    assert_well_formed(done)
    assert done.reply is not None
    assert done.reply.answer == say(done.reply.lang, "clarify.nothing_offered")
