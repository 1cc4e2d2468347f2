"""The tools at the root of a guarded tree: ours, and of others only what was wrapped."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from elysia_guard.domain.inquiry import Step
from elysia_guard.edge.elysia.host import Tool
from elysia_guard.edge.elysia.node import GuardedNode
from elysia_guard.edge.elysia.tools import TOOLS, GuardedFinalResponse
from elysia_guard.edge.elysia.wrapping import GuardedTool

if TYPE_CHECKING:
    from elysia_guard.edge.elysia.tree import GuardedTree


def seat_all(tree: GuardedTree) -> None:
    """Make the root ours, and put our tools there, beside those that were wrapped."""
    root = tree.decision_nodes[tree.root]
    if not isinstance(root, GuardedNode):
        root.__class__ = GuardedNode
    root.guarded_tree = tree
    seated = {name: option["action"] for name, option in root.options.items()}
    for tool_class in TOOLS:
        tool = tool_class()
        present = seated.get(tool.name)
        if type(present) is tool_class and present.guarded_tree is tree:
            tool = present
        _seat(tree, root, tool)
    for tool in seated.values():
        if isinstance(tool, GuardedTool):
            _seat(tree, root, tool.in_tree(tree))
    final = GuardedFinalResponse()
    final.guarded_tree = tree
    tree.tools["forced_text_response"] = final


def _seat(tree: GuardedTree, root: GuardedNode, tool: Tool) -> None:
    """Put a guarded tool at the root: its name is its own, and nothing hangs below it.

    What hung below would run without the gates.
    """
    tool.guarded_tree = tree
    tree.tools[tool.name] = tool
    root.add_option(
        id=tool.name,
        description=tool.description,
        inputs=tool.inputs,
        action=tool,
        end=tool.end,
        status=tool.status,
    )
    if tool.name not in tree.tracker.trackers:
        tree.tracker.add_tracker(tool.name)


async def offered(tree: GuardedTree, root: GuardedNode, client_manager: Any) -> list[str]:
    """Name the steps that come next, and the wrapped tools where a model may choose one."""
    names = [
        name for name in root.options if name in Step._value2member_map_ and tree.offers(Step(name))
    ]
    if tree.may_ask_llm and tree.inquiry.undecided:
        names += [
            name
            for name, option in root.options.items()
            if isinstance(option["action"], GuardedTool)
            and await option["action"].is_tool_available(
                tree_data=tree.tree_data,
                base_lm=tree.base_lm,
                complex_lm=tree.complex_lm,
                client_manager=client_manager,
            )
        ]
    return names


def has_wrapped(tree: GuardedTree) -> bool:
    """Tell whether any tool of somebody else's was wrapped into a tree."""
    return any(isinstance(tool, GuardedTool) for tool in tree.tools.values())
