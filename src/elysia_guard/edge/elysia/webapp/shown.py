"""A question that a program asked, as the page shows it when its conversation is opened there."""

from __future__ import annotations

import uuid
from typing import Any

from elysia_guard.domain.response import RAGResponse
from elysia_guard.domain.saved import ConversationKey
from elysia_guard.edge.elysia.host import Update
from elysia_guard.edge.elysia.rendering import render
from elysia_guard.edge.linking import Links

Payload = dict[str, Any]


async def shown(key: ConversationKey, question: str, reply: RAGResponse) -> list[Payload]:
    """Return the payloads of one turn: the question, what was answered, and that it is done."""
    links = Links(user_id=key.user_id, conversation_id=key.conversation_id)
    place = (key.user_id, key.conversation_id, reply.request_id)
    payloads: list[Payload] = [
        {
            "type": "user_prompt",
            "id": str(uuid.uuid4()),
            "user_id": key.user_id,
            "conversation_id": key.conversation_id,
            "query_id": reply.request_id,
            "payload": {"prompt": question},
        }
    ]
    for part in (*render(reply, links), Update("completed", {})):
        payload = await part.to_frontend(*place)
        if payload:
            payloads.append(payload)
    return payloads
