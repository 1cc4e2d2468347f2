"""Giving an existing tree the guard."""

from __future__ import annotations

import inspect

from elysia_guard.edge.elysia import takeover
from elysia_guard.edge.elysia.host import Environment, Tree
from elysia_guard.edge.elysia.tree import GuardedTree, default_wiring
from elysia_guard.wiring import Wiring

# Elysia's default for a tree's hidden state: one dictionary, in which all trees of a process write.
_SHARED = inspect.signature(Environment).parameters["hidden_environment"].default


def install(tree: Tree, *, wiring: Wiring | None = None) -> GuardedTree:
    """Turn a tree that a program already has into a guarded one, in place, and return it.

    Its tools stay, but an LLM is offered only those wrapped with ``guard``. A tree of a subclass
    keeps its class's other methods. Of a conversation that has begun the questions stay; answers
    that no source was held against are withheld, and what was found for them is dropped.

    Examples:
        >>> tree = install(elysia.Tree())
    """
    if isinstance(tree, GuardedTree):
        return tree
    parts = wiring or default_wiring()
    _ = parts.pipeline  # what is missing is said before the tree is changed
    kind = type(tree)
    guarded = (
        GuardedTree if kind is Tree else type(f"Guarded{kind.__name__}", (GuardedTree, kind), {})
    )
    tree.__class__ = guarded
    tree._adopt(parts)  # noqa: SLF001
    data = tree.tree_data
    kept = data.environment.hidden_environment
    state = {} if kept is _SHARED else dict(kept)
    if tree.returner.store or data.conversation_history or data.tasks_completed:
        takeover.withhold(tree, state=state)
    else:
        data.environment.hidden_environment = state
    tree._get_root()  # noqa: SLF001
    tree.tree = {}
    tree._construct_tree(tree.root, tree.tree)  # noqa: SLF001
    return tree  # type: ignore[no-any-return]
