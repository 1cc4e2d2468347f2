"""What a conversation has settled, as JSON: the form in which it is kept between two questions."""

from __future__ import annotations

from typing import Any

from pydantic import TypeAdapter, ValidationError

from elysia_guard.domain.conversation import Conversation

_CONVERSATION = TypeAdapter(Conversation)


def as_json(conversation: Conversation) -> dict[str, Any]:
    """Return what a conversation has settled, ready for JSON."""
    found: dict[str, Any] = _CONVERSATION.dump_python(conversation, mode="json")
    return found


def from_json(kept: object) -> Conversation:
    """Return the conversation that was kept; a new one where it cannot be understood."""
    try:
        return _CONVERSATION.validate_python(kept or {})
    except ValidationError:
        return Conversation()
