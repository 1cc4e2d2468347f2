"""The tools of a conversation, as its Tree page shows them: those that may be taken."""

from __future__ import annotations

import json
from typing import Any

from fastapi.responses import JSONResponse

from elysia_guard.domain.inquiry import Step
from elysia_guard.edge.elysia.tree import GuardedTree
from elysia_guard.edge.elysia.webapp.managers import GuardedUserManager
from elysia_guard.edge.elysia.wrapping import GuardedTool

_OURS = frozenset(step.value for step in Step)


def runnable(
    answer: JSONResponse, users: GuardedUserManager, user_id: str, conversation_id: str
) -> JSONResponse:
    """Return the answer to who opens a conversation, without the tools that its root never takes.

    The rules choose among our own steps and what was wrapped; the tools that Elysia seats beside
    them need a model to choose them, and have none.
    """
    said: dict[str, Any] = json.loads(bytes(answer.body))
    if said["error"] or not isinstance(said["tree"], dict):
        return answer
    tree: GuardedTree = users.users[user_id]["tree_manager"].get_tree(conversation_id)
    seated = tree.decision_nodes[tree.root].options
    taken = {
        name
        for name, option in seated.items()
        if name in _OURS or isinstance(option["action"], GuardedTool)
    }
    shown = said["tree"]
    options = {name: item for name, item in shown["options"].items() if name in taken}
    return JSONResponse({**said, "tree": {**shown, "options": options}}, answer.status_code)
