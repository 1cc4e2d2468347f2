"""What we rely on inside Elysia: an upgrade that changes it fails here first."""

from __future__ import annotations

import importlib.metadata
import inspect
import os
from collections.abc import AsyncIterator
from typing import Any

import pytest
from elysia.config import ElysiaKeyManager
from elysia.objects import Tool
from elysia.tree.tree import Tree
from elysia.tree.util import DecisionNode

from elysia_guard.edge.elysia import GuardedTree
from elysia_guard.edge.elysia.host import (
    Settings,
    TreeData,
)
from elysia_guard.edge.elysia.tools import TOOLS

pytestmark = pytest.mark.usefixtures("socket_disabled")


class Counting(Tree):
    """Counts how often its root is looked for."""

    roots = 0

    def _get_root(self) -> None:
        self.roots += 1
        super()._get_root()


class Saying(Tool):
    """Says one thing, if anything."""

    def __init__(self, *said: Any, **_kwargs: Any) -> None:
        super().__init__(name="saying", description="Says it.", inputs={}, end=True)
        self.said = said

    async def __call__(self, *_args: Any, **_kwargs: Any) -> AsyncIterator[Any]:
        for item in self.said:
            yield item


def test_version() -> None:
    """The version that these facts were read from."""
    assert importlib.metadata.version("elysia-ai") == "0.2.8"


def test_every_change_of_the_tree_looks_for_its_root(bare_settings: Settings) -> None:
    """The hook: `_get_root` runs at the start and at every change."""
    tree = Counting("empty", settings=bare_settings)
    changes = {
        "start": lambda: None,
        "add_tool": lambda: tree.add_tool(Saying),
        "remove_tool": lambda: tree.remove_tool("saying"),
        "add_branch": lambda: tree.add_branch("b", "x", description="x", from_branch_id="base"),
        "remove_branch": lambda: tree.remove_branch("b"),
        "new root": lambda: tree.add_branch("c", "x", root=True),
        "initialisation": lambda: tree.set_branch_initialisation("multi_branch"),
    }
    for name, change in changes.items():
        before = 0 if name == "start" else tree.roots
        change()
        assert tree.roots > before, name


def test_positional_order_of_async_run() -> None:
    """`run` passes six arguments to `async_run` by position, and ours takes them in that order."""
    expected = [
        "self",
        "user_prompt",
        "collection_names",
        "client_manager",
        "training_route",
        "query_id",
        "close_clients_after_completion",
        "_first_run",
        "kwargs",
    ]
    assert list(inspect.signature(Tree.async_run).parameters) == expected
    assert list(inspect.signature(GuardedTree.async_run).parameters) == expected


def test_signature_of_the_decision_node() -> None:
    """The node is called with these, and looked up on its type."""
    assert list(inspect.signature(DecisionNode.__call__).parameters) == [
        "self",
        "tree_data",
        "base_lm",
        "complex_lm",
        "available_tools",
        "unavailable_tools",
        "successive_actions",
        "client_manager",
        "kwargs",
    ]


@pytest.mark.parametrize(
    "name", ["_get_available_tools", "_check_rules", "_construct_tree", "_get_root"]
)
def test_inner_methods_we_override_or_call(name: str) -> None:
    """These methods, which are not public, exist."""
    assert callable(getattr(Tree, name))


async def test_a_repeated_prompt_is_mistaken_for_the_first(bare_settings: Settings) -> None:
    """Elysia keys its records by the prompt: a repeated one is written into the wrong place."""
    data = Tree("empty", settings=bare_settings).tree_data
    for prompt in ("a", "b", "a"):
        data.update_tasks_completed(prompt, "t", 0, reasoning=prompt)
    assert [task["prompt"] for task in data.tasks_completed] == ["a", "b"]


def test_tree_data_exports_all_its_attributes(bare_settings: Settings) -> None:
    """Whatever is set on the tree data is exported: live objects must not be kept there."""
    data: TreeData = Tree("empty", settings=bare_settings).tree_data
    data.set_property("ours", 1)
    assert data.to_json()["ours"] == 1


def test_the_environment_is_swapped_while_a_tool_runs(
    monkeypatch: pytest.MonkeyPatch, bare_settings: Settings
) -> None:
    """Keys vanish while tools run: configuration is read once, at the start."""
    monkeypatch.setenv("SOME_API_KEY", "secret")
    with ElysiaKeyManager(bare_settings):
        assert "SOME_API_KEY" not in os.environ
    assert os.environ["SOME_API_KEY"] == "secret"


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.__name__)
def test_the_web_app_reads_our_tools(tool: type[Tool]) -> None:
    """Name, description, inputs and end can be read from the source text of our tools."""
    read = tool.get_metadata()
    made = tool()
    assert read["name"] == made.name
    assert read["description"] == made.description
    assert read["end"] == made.end
    assert set(read["inputs"] or {}) == set(made.inputs)
