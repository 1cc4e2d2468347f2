"""``POST /guard/ask`` and what a program needs beside it: its schema, and whether it can ask."""

from __future__ import annotations

import logging
import uuid
from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, Response

from elysia_guard import __version__
from elysia_guard.domain.errors import GuardError, QuestionError, ScopeError
from elysia_guard.edge.service.events import UNANSWERED, streamed, wants_events
from elysia_guard.edge.service.openapi import described, document
from elysia_guard.edge.service.question import AskedQuestion
from elysia_guard.edge.service.service import Service

logger = logging.getLogger(__name__)

Named = Callable[[Request, str | None], str]
"""Whose question a request asks, of the user that it names."""
Remembered = Callable[[Request, str], None]
"""Called with the id of each question, so that its asker may judge the reply."""


def router(
    service: Callable[[Request], Service], *, named: Named, remembered: Remembered
) -> APIRouter:
    """Return the routes.

    Args:
        service: who answers a request.
        named: whose question it is.
        remembered: is told the id of each question.
    """
    routes = APIRouter(prefix="/guard", tags=["guard"])

    @routes.post("/ask", **described("ask"))
    async def ask(asked: AskedQuestion, request: Request) -> Response:
        """Answer a question, hedge, ask back, or refuse with the reason; see `outcome`.

        With `Accept: text/event-stream` events `shown` tell what the reply begins with, as it is
        proved, and the last event, `reply`, is the whole; `error` in its place, where it breaks
        off.
        """
        request_id = f"req-{uuid.uuid4().hex[:12]}"
        remembered(request, request_id)
        user_id, answerer = named(request, asked.user_id), service(request)
        try:
            if wants_events(request.headers.get("accept", "")):
                told = answerer.stream(asked, user_id=user_id, request_id=request_id)
                return await streamed(told)
            reply = await answerer.ask(asked, user_id=user_id, request_id=request_id)
        except QuestionError as err:
            return _wrong(str(err), code=err.code)
        except ScopeError as err:
            return _wrong(str(err), code="no_such_collection")
        except GuardError as err:
            logger.warning("a question could not be answered: %s", err)
            return JSONResponse({"error": UNANSWERED}, HTTPStatus.SERVICE_UNAVAILABLE)
        return JSONResponse(reply.to_dict())

    @routes.get("/ready", **described("ready"))
    async def ready(request: Request) -> JSONResponse:
        """Tell whether questions can be answered from here, and over what.

        While the store of conversations is `away`, questions are still answered, each by itself.
        """
        answerer = service(request)
        try:
            info = await answerer.guard.pipeline.index.info()
        except GuardError as err:
            logger.warning("not ready: %s", err)
            body = {"status": "unavailable", "version": __version__}
            return JSONResponse(body, HTTPStatus.SERVICE_UNAVAILABLE)
        found = {"documents": info.documents, "passages": info.passages}
        talks = {"conversations": await answerer.conversations()}
        return JSONResponse({"status": "ready", "version": __version__, **found, **talks})

    @routes.get("/openapi.json", include_in_schema=False)
    async def openapi() -> dict[str, Any]:
        """Describe these routes as OpenAPI 3.1 does."""
        return document(routes)

    return routes


def _wrong(why: str, *, code: str) -> JSONResponse:
    return JSONResponse({"error": why, "code": code}, HTTPStatus.UNPROCESSABLE_ENTITY)
