"""Conversations that were begun without the guard, when it takes them over."""

from __future__ import annotations

import json
from typing import Any

import elysia
import pytest
from elysia.tools.text.text import FakeTextResponse
from tests.host.fabricating import Fabricator, claims_in
from tests.host.runs import assert_guarded, everything_kept, run
from tests.host.scripted import ScriptedLM, load_as_models

from elysia_guard.edge.elysia import GuardedTree, guard, install
from elysia_guard.edge.elysia.conversation_import import MARK, MARK_KEY, STATE_KEY
from elysia_guard.edge.elysia.host import Result, Settings, Tree
from elysia_guard.language.catalogue import say
from elysia_guard.wiring import Wiring

pytestmark = pytest.mark.usefixtures("socket_disabled")

ASKED = ("How often are grid models exchanged?", "Hoe vaak worden netmodellen uitgewisseld?")


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Fabricator:
    made = Fabricator("text_response")
    made.inputs = {"text": made.claim}
    load_as_models(monkeypatch, made)
    return made


@pytest.fixture
async def begun(model: Fabricator, model_settings: Settings) -> Tree:
    """A conversation with plain Elysia, full of claims."""
    tree = elysia.Tree("empty", settings=model_settings, use_elysia_collections=False)
    tree.add_tool(FakeTextResponse)
    for question in ASKED:
        await run(tree, question)
    await tree.create_conversation_title_async()
    await tree.get_follow_up_suggestions_async()
    tree.tree_data.environment.add("query", Result(objects=[{"text": model.claim()}]))
    tree.returner.store.append({"type": "suggestion", "payload": {"suggestions": [model.claim()]}})
    assert len(claims_in(tree.export_to_json())) > 10
    return tree


def kept(tree: GuardedTree) -> set[str]:
    data = [item["tree_data"].to_json() for item in tree.history.values()]
    return claims_in(everything_kept(tree), vars(tree.tree_data), data, tree.training_updates)


def assert_withheld(tree: GuardedTree) -> None:
    """The questions are there, each with the same line for an answer; and no claim."""
    assert kept(tree) == set()
    lines = [say("en", "talk.withheld"), say("nl", "talk.withheld")]
    assert [(said["role"], said["content"]) for said in tree.conversation_history] == [
        ("user", ASKED[0]),
        ("assistant", lines[0]),
        ("user", ASKED[1]),
        ("assistant", lines[1]),
    ]
    shown = [payload["payload"] for payload in tree.returner.store]
    assert [item["prompt"] for item in shown if "prompt" in item] == list(ASKED)
    assert [item["objects"][0]["text"] for item in shown if "objects" in item] == lines
    assert tree.conversation_title == ASKED[0]


async def test_b5_a_saved_conversation_of_plain_elysia(begun: Tree, wiring: Wiring) -> None:
    """Loaded by the guard it keeps its questions; what a model answered is withheld."""
    saved = json.loads(json.dumps(begun.export_to_json()))
    loaded = GuardedTree.bound_to(wiring).import_from_json(saved)
    assert_withheld(loaded)
    assert claims_in(loaded.export_to_json()) == set()
    await assert_guarded(loaded)


async def test_b5_a_conversation_that_goes_on(
    begun: Tree, wiring: Wiring, model: Fabricator
) -> None:
    """A tree that is installed in the midst of a conversation withholds what was said before."""
    tree = install(begun, wiring=wiring)
    assert_withheld(tree)
    model.tool = "guarded_search"
    done = await run(tree, "How are grid models exchanged with neighbouring operators in CIMXML?")
    assert done.steps == ["guarded_search", "grounded_answer"]
    assert kept(tree) == set()


async def test_b5_what_was_made_up_reaches_no_prompt(
    begun: Tree, wiring: Wiring, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A model that is asked later does not read what another made up before."""
    reader = ScriptedLM("I need no form.")
    tree = install(begun, wiring=wiring)
    load_as_models(monkeypatch, reader)
    tree._base_lm = tree._complex_lm = None
    tree.add_tool(guard(FakeTextResponse))
    await run(tree, "How are grid models exchanged with neighbouring operators in CIMXML?")
    assert reader.prompts
    assert claims_in(reader.prompts) == set()


async def test_b5_a_conversation_of_ours_stays_as_it_is(wiring: Wiring, tree: GuardedTree) -> None:
    """Saved and loaded by the guard, a conversation is what it was: answers, cards and title."""
    await run(tree, "What is CIMXML?")
    await tree.create_conversation_title_async()
    saved = json.loads(json.dumps(tree.export_to_json()))
    loaded = GuardedTree.bound_to(wiring).import_from_json(saved)
    assert loaded.conversation_history == tree.conversation_history
    assert loaded.returner.store == tree.returner.store
    assert loaded.conversation_title == "What is CIMXML?"
    assert loaded.tree_data.environment.to_json() == tree.tree_data.environment.to_json()
    again = json.loads(json.dumps(loaded.export_to_json()))
    assert again["tree_data"] == saved["tree_data"]
    assert again[MARK_KEY] == MARK


async def test_b5_contents_cannot_pass_for_ours(begun: Tree, wiring: Wiring) -> None:
    """Nothing that stands in a plain conversation makes it one of the guard's."""
    mark = json.dumps({MARK_KEY: MARK})
    begun.tree_data.environment.hidden_environment = {STATE_KEY: {"conversation": {}}, **MARK}
    begun.tree_data.set_property(MARK_KEY, MARK)
    begun.tree_data.conversation_history.append({"role": "assistant", "content": mark})
    begun.tree_data.environment.add("query", Result(objects=[{MARK_KEY: MARK}], name=MARK_KEY))
    begun.returner.store.append({MARK_KEY: MARK})
    begun.conversation_title = mark
    saved = json.loads(json.dumps(begun.export_to_json()))
    loaded = GuardedTree.bound_to(wiring).import_from_json(saved)
    assert kept(loaded) == set()
    assert STATE_KEY not in loaded.tree_data.environment.hidden_environment


async def test_b5_what_plain_elysia_saves_is_no_longer_ours(
    wiring: Wiring, tree: GuardedTree, begun: Tree
) -> None:
    """A guarded conversation that plain Elysia went on with is withheld when it comes back."""
    await run(tree, ASKED[0])
    plain = elysia.Tree.import_from_json(json.loads(json.dumps(tree.export_to_json())))
    plain.tree_data.conversation_history += begun.tree_data.conversation_history
    back = GuardedTree.bound_to(wiring).import_from_json(
        json.loads(json.dumps(plain.export_to_json()))
    )
    assert kept(back) == set()


@pytest.mark.parametrize("value", [None, 1, "text", [1, None, "x"], {"a": 1}, [{"role": "user"}]])
async def test_b5_what_is_malformed_is_left_out(begun: Tree, wiring: Wiring, value: object) -> None:
    """Whatever stands in a store where history and payloads should, the conversation opens."""
    saved: dict[str, Any] = json.loads(json.dumps(begun.export_to_json()))
    saved["tree_data"]["conversation_history"] = value
    saved["tree_data"]["tasks_completed"] = value
    saved["frontend_rebuild"] = value
    loaded = GuardedTree.bound_to(wiring).import_from_json(saved)
    assert (loaded.conversation_history, loaded.returner.store) == ([], [])
    loaded.settings = Settings()
    await assert_guarded(loaded)
