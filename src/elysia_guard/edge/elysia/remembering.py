"""What a tree remembers of its conversation, in the state that Elysia saves and loads with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from elysia_guard.domain.conversation import Conversation
from elysia_guard.domain.response import RAGResponse
from elysia_guard.edge import kept_talk
from elysia_guard.edge.elysia.takeover import STATE_KEY

if TYPE_CHECKING:
    from elysia_guard.edge.elysia.tree import GuardedTree


def note(tree: GuardedTree, reply: RAGResponse) -> None:
    """Keep a JSON-safe note of a reply, and of what the conversation has settled, in its state."""
    tree.tree_data.environment.hidden_environment[STATE_KEY] = {
        "request_id": reply.request_id,
        "route": reply.route,
        "intent": str(reply.intent),
        "refusal_reason": str(reply.refusal_reason) if reply.refusal_reason else None,
        "fallback_flags": list(reply.retrieval_quality.fallback_reasons),
        "conversation": kept_talk.as_json(tree.inquiry.conversation),
    }


def settled(tree: GuardedTree) -> Conversation:
    """What a conversation has settled so far, also after it was saved and loaded again."""
    state = tree.tree_data.environment.hidden_environment.get(STATE_KEY) or {}
    return kept_talk.from_json(state.get("conversation"), tree.pipeline.kinds)
