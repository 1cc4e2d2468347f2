"""One question and its answer in a conversation: as they are kept, taken back and shown again."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Mapping
from contextlib import aclosing
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, Self

from elysia_guard.domain.saved import SavedConversation, Standing, Turn
from elysia_guard.edge.elysia.conversation_import import forget_older, recent
from elysia_guard.edge.elysia.host import Update
from elysia_guard.edge.elysia.tree import STATE_KEY, GuardedTree
from elysia_guard.edge.elysia.webapp.pages.viewing import history
from elysia_guard.language.catalogue import say

Payload = dict[str, Any]
Keep = Callable[[GuardedTree, Turn], Awaitable[bool]]
"""Keeps a turn; tells whether it is kept, as far as that is known."""


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
        _stand_at(tree, self.tree_index)


async def whole_turn(
    tree: GuardedTree, run: AsyncGenerator[Payload | None, None], query_id: str, keep: Keep
) -> AsyncGenerator[Payload | None, None]:
    """Pass a run's payloads on, and keep the turn once it is whole; left before, take it back."""
    # Now: what it forgets later would be missing from what is taken note of.
    forget_older(tree)
    before, answered = Before.of(tree), False
    try:
        async with aclosing(run) as payloads:
            async for payload in payloads:
                if payload and payload["type"] == "completed":
                    answered = True
                    # Now: who reads `completed` may leave, and nothing after it would run.
                    if not await keep(tree, turn_of(tree, before.shown, query_id)):
                        yield await _not_kept(tree, query_id)
                yield payload
    except (asyncio.CancelledError, GeneratorExit):
        if not answered:
            before.restore(tree)
        raise


async def _not_kept(tree: GuardedTree, query_id: str) -> Payload | None:
    """What tells a person that they will not find this turn again; no part of the turn itself."""
    lang = tree.last_response.lang if tree.last_response else tree.pipeline.default_lang
    told = Update("warning", {"text": say(lang, "conversation.not_kept")})
    found: Payload | None = await told.to_frontend(tree.user_id, tree.conversation_id, query_id)
    return found


def turn_of(tree: GuardedTree, since: int, query_id: str) -> Turn:
    """Return what a conversation has shown since so many payloads."""
    shown = [payload for payload in tree.returner.store[since:] if payload]
    return Turn(query_id=query_id, payloads=tuple(shown))


def standing_of(tree: GuardedTree) -> Standing:
    """Return how a conversation stands. No setting is part of it, and so no key."""
    state = tree.tree_data.environment.hidden_environment.get(STATE_KEY) or {}
    return Standing(title=tree.conversation_title or "", state=state)


def stands_as(tree: GuardedTree, saved: SavedConversation | None) -> bool:
    """Tell whether a tree has the questions, and the title, of a conversation that was kept."""
    asked = [item["query_id"] for item in tree.returner.store if item and _is_question(item)]
    if saved is None:
        return not asked
    same = recent(asked) == recent([turn.query_id for turn in saved.turns])
    return same and (tree.conversation_title or "") == saved.standing.title


def take_up(tree: GuardedTree, saved: SavedConversation) -> None:
    """Let a new tree go on with a conversation that was kept."""
    payloads = payloads_of(saved)
    tree.returner.store = payloads
    tree.tree_data.conversation_history = list(history(payloads))
    if saved.standing.state:
        tree.tree_data.environment.hidden_environment[STATE_KEY] = dict(saved.standing.state)
    tree.conversation_title = saved.standing.title or None
    forget_older(tree)
    _stand_at(tree, len(saved.turns) - 1)


def payloads_of(saved: SavedConversation) -> list[Payload]:
    """Return all that was shown of a conversation that was kept."""
    return [dict(item) for turn in saved.turns for item in turn.payloads]


def with_older(saved: SavedConversation | None, shown: Iterable[Payload]) -> list[Payload]:
    """Return all of a conversation: what was kept, and what is shown and not kept, or not yet."""
    if saved is None:
        return list(shown)
    kept = {turn.query_id for turn in saved.turns}
    return [*payloads_of(saved), *(item for item in shown if item["query_id"] not in kept)]


def with_thumbs(payloads: Iterable[Payload], thumbs: Mapping[str, int]) -> list[Payload]:
    """Write what was said of replies beside their questions, where the page looks for it."""
    return [
        {**item, "payload": {**item["payload"], "feedback": thumbs[item["query_id"]]}}
        if _is_question(item) and item["query_id"] in thumbs
        else item
        for item in payloads
    ]


def _is_question(item: Payload) -> bool:
    return bool(item["type"] == "user_prompt")


def _stand_at(tree: GuardedTree, index: int) -> None:
    """Count the questions so far: at the first, Elysia sends a title."""
    tree.tree_index = index
    tree.returner.set_tree_index(index)
