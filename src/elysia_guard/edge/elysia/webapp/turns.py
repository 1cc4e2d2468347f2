"""One question and its answer in a conversation: as they are kept, and taken back."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass
from typing import Any, Self

from elysia_guard.edge.elysia.tree import GuardedTree


@dataclass(frozen=True, kw_only=True, slots=True)
class Before:
    """A conversation as it was before a question, so that one without an answer leaves no trace.

    Half an answer would be shown again without its end, and a question that was never answered
    would become part of the next.
    """

    shown: int
    history: list[dict[str, str]]
    tasks: int
    state: dict[str, Any]
    tree_index: int

    @classmethod
    def of(cls, tree: GuardedTree) -> Self:
        """Take note of a conversation."""
        return cls(
            shown=len(tree.returner.store),
            history=deepcopy(tree.tree_data.conversation_history),
            tasks=len(tree.tree_data.tasks_completed),
            state=dict(tree.tree_data.environment.hidden_environment),
            tree_index=tree.tree_index,
        )

    def restore(self, tree: GuardedTree) -> None:
        """Take back what came after."""
        del tree.returner.store[self.shown :]
        del tree.tree_data.tasks_completed[self.tasks :]
        tree.tree_data.conversation_history = self.history
        tree.tree_data.environment.hidden_environment = self.state
        tree.tree_index = self.tree_index
        tree.returner.set_tree_index(self.tree_index)
