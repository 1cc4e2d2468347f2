"""The guard inside Elysia: the only place that imports the host."""

from elysia_guard.edge.elysia.asking import TreeAsker, TreeTalk, ask_tree
from elysia_guard.edge.elysia.tree import GuardedTree, install
from elysia_guard.edge.elysia.wrapping import guard, guard_class

__all__ = ["GuardedTree", "TreeAsker", "TreeTalk", "ask_tree", "guard", "guard_class", "install"]
