"""The guard stays at the root, whatever is done to the tree."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import Any

import elysia
import pytest
from tests.host.runs import STEPS, assert_guarded, everything_kept, run

from elysia_guard.domain.errors import GuardError
from elysia_guard.edge.elysia import GuardedTree, guard, install
from elysia_guard.edge.elysia.host import Response, Settings, Tool
from elysia_guard.edge.elysia.tree import STATE_KEY
from elysia_guard.wiring import Wiring

pytestmark = pytest.mark.usefixtures("any_model", "socket_disabled")

MakeTree = Callable[..., GuardedTree]


class Chatty(Tool):
    """A tool that says something of its own."""

    def __init__(self, name: str = "chatty", *, rule: bool = False, **_kwargs: Any) -> None:
        super().__init__(name=name, description="Says something.", inputs={}, end=True)
        self.rule = rule

    async def run_if_true(self, *_args: Any, **_kwargs: Any) -> tuple[bool, dict[str, Any]]:
        return self.rule, {}

    async def __call__(self, *_args: Any, **_kwargs: Any) -> AsyncIterator[Any]:
        yield Response("UNGATED")


async def test_added_tool_changes_nothing(tree: GuardedTree) -> None:
    """A tool that is added keeps its place in the tree, and is not run."""
    tree.add_tool(Chatty)
    assert "chatty" in tree.tree["options"]
    await assert_guarded(tree)


@pytest.mark.parametrize("name", sorted(STEPS))
async def test_removed_tool_of_ours_returns(tree: GuardedTree, name: str) -> None:
    """A guarded tool that is removed is back at once: the web app lets anyone remove it."""
    tree.remove_tool(name)
    assert name in tree.decision_nodes[tree.root].options
    await assert_guarded(tree)


@pytest.mark.parametrize("name", sorted(STEPS))
async def test_names_of_ours_cannot_be_taken(tree: GuardedTree, name: str) -> None:
    """A tool added under the name of a guarded one does not take its place."""
    tree.add_tool(Chatty(name))
    await assert_guarded(tree)
    tree.add_branch(name, "Choose.", description="Choose.", from_branch_id=tree.root)
    tree.add_tool(Chatty("other"), branch_id=name)
    await assert_guarded(tree)


async def test_final_response_cannot_be_replaced(tree: GuardedTree) -> None:
    """A run that is cut short still ends in a response by rule."""
    tree.add_tool(Chatty("forced_text_response"))
    tree.tree_data.recursion_limit = -1
    done = await run(tree, "What is CIMXML?")
    assert len(done.texts) == 1
    assert "UNGATED" not in everything_kept(tree, done)
    assert done.types[-1] == "completed"


async def test_tool_after_one_of_ours_is_not_run(tree: GuardedTree) -> None:
    """What is hung below a guarded tool would run outside the gates; it does not."""
    tree.add_tool(Chatty, from_tool_ids=["skosmos_lookup"])
    tree.add_tool(Chatty("more"), from_tool_ids=["skosmos_lookup"])
    await assert_guarded(tree)
    tree.remove_tool("chatty", from_tool_ids=["skosmos_lookup"])
    await assert_guarded(tree)


async def test_tool_with_a_rule_of_its_own_is_not_run(tree: GuardedTree) -> None:
    """`run_if_true` does not pass the gates by."""
    tree.add_tool(Chatty(rule=True))
    await assert_guarded(tree)


@pytest.mark.parametrize("shape", ["default", "one_branch", "multi_branch", "empty"])
async def test_every_branch_initialisation(new_tree: MakeTree, shape: str) -> None:
    """Each of Elysia's initial trees is guarded, also when it is set later."""
    tree = new_tree(branch_initialisation=shape)
    await assert_guarded(tree)
    for other in ("empty", "multi_branch", shape):
        tree.set_branch_initialisation(other)
        await assert_guarded(tree)


async def test_new_root(tree: GuardedTree) -> None:
    """A root put in the place of another is guarded, and the old one is gone."""
    tree.add_branch("start", "Choose.", root=True)
    tree.add_tool(Chatty, root=True)
    assert tree.root == "start"
    assert "base" not in tree.decision_nodes
    await assert_guarded(tree)


async def test_install(wiring: Wiring, user_settings: Settings) -> None:
    """A tree that a program already has becomes a guarded one, in place."""
    plain = elysia.Tree(settings=user_settings)
    plain.add_tool(Chatty)
    installed = install(plain, wiring=wiring)
    assert installed is plain
    assert set(installed.tree["options"]) >= STEPS | {"chatty"}
    await assert_guarded(plain)
    plain.add_tool(Chatty("later"))
    plain.set_branch_initialisation("multi_branch")
    await assert_guarded(plain)


async def test_install_keeps_a_trees_own_state_and_no_others(
    wiring: Wiring, user_settings: Settings
) -> None:
    """State that Elysia shares among all trees is left behind; a tree's own is kept."""
    sharing, owning = elysia.Tree(settings=user_settings), elysia.Tree(settings=user_settings)
    shared = sharing.tree_data.environment.hidden_environment
    shared["of another conversation"] = 1
    try:
        owning.tree_data.environment.hidden_environment = {"mine": 2}
        install(sharing, wiring=wiring)
        install(owning, wiring=wiring)
        assert sharing.tree_data.environment.hidden_environment == {}
        assert owning.tree_data.environment.hidden_environment == {"mine": 2}
        await run(sharing, "hello")
        assert STATE_KEY not in shared
    finally:
        shared.clear()


def test_install_that_fails_leaves_the_tree(user_settings: Settings) -> None:
    """Without its parts the guard is not installed halfway."""

    class Broken:
        @property
        def pipeline(self) -> None:
            raise GuardError("no index")

    plain = elysia.Tree(settings=user_settings)
    with pytest.raises(GuardError):
        install(plain, wiring=Broken())
    assert type(plain) is elysia.Tree


def test_a_guarded_tool_belongs_to_one_tree(new_tree: MakeTree) -> None:
    """The same wrapped tool added to two trees answers each in its own conversation."""
    wrapped = guard(Chatty)
    one, other = new_tree(), new_tree()
    one.add_tool(wrapped)
    other.add_tool(wrapped)
    assert one.tools["chatty"].guarded_tree is one
    assert other.tools["chatty"].guarded_tree is other
