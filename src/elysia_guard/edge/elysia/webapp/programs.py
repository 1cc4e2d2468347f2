"""The routes for programs in the web app: the same users, conversations and protection."""

from __future__ import annotations

import uuid
from typing import Any

from fastapi import Request

from elysia_guard.direct import Guard
from elysia_guard.domain.response import RAGResponse
from elysia_guard.domain.saved import ConversationKey
from elysia_guard.edge.elysia.host import Update
from elysia_guard.edge.elysia.rendering import render
from elysia_guard.edge.elysia.webapp.protection.principal import KEY, Principal
from elysia_guard.edge.elysia.webapp.protection.requests import REMEMBER
from elysia_guard.edge.linking import Links
from elysia_guard.edge.service import routes
from elysia_guard.edge.service.service import GuardService, Talks
from elysia_guard.wiring import Wiring

Payload = dict[str, Any]


async def shown(key: ConversationKey, question: str, reply: RAGResponse) -> list[Payload]:
    """Return what the page shows of a question that a program asked, with its answer."""
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


def service_of(wiring: Wiring) -> GuardService:
    """Return who answers programs, over the parts and the conversations of the chat."""
    return GuardService(Guard(wiring=wiring), Talks(wiring.conversations, show=shown))


def _service(request: Request) -> GuardService:
    found: GuardService = request.app.state.programs
    return found


def _user(request: Request, named: str | None) -> str:
    """Whose conversation it is: what a request names is made its sender's own on the way here."""
    principal: Principal = request.scope[KEY]
    return principal.user_id("") if named is None else named


def _remember(request: Request, request_id: str) -> None:
    request.scope[REMEMBER](request_id)
    request.state.request_id = request_id


router = routes.router(_service, named=_user, remembered=_remember)
