"""What a conversation has settled, as JSON: the form in which it is kept between two questions."""

from __future__ import annotations

from typing import Any

from pydantic import TypeAdapter, ValidationError

from elysia_guard.domain.conversation import Conversation
from elysia_guard.domain.own_kinds import OwnKinds, under
from elysia_guard.language.own_kinds import own_kinds

_CONVERSATION = TypeAdapter(Conversation)


def as_json(conversation: Conversation) -> dict[str, Any]:
    """Return what a conversation has settled, ready for JSON."""
    found: dict[str, Any] = _CONVERSATION.dump_python(conversation, mode="json")
    return found


def from_json(kept: object, kinds: OwnKinds | None = None) -> Conversation:
    """Return the conversation that was kept; a new one where it cannot be understood.

    ``kinds`` are those of documents of the house that it was in, by default of the process.
    """
    try:
        with under(kinds or own_kinds()):
            return _CONVERSATION.validate_python(kept or {})
    except ValidationError:
        return Conversation()
