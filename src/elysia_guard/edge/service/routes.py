"""``POST /guard/ask`` and what a program needs beside it: its schema, and whether it can ask.

The routes describe themselves as OpenAPI 3.1 with the published schema.
"""

from __future__ import annotations

import asyncio
import json
import logging
import uuid
from collections.abc import Callable
from functools import cache
from http import HTTPStatus
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.openapi.utils import get_openapi
from fastapi.responses import JSONResponse, Response
from pydantic import BaseModel, ConfigDict, Field

from elysia_guard import __version__
from elysia_guard.adapters.decision_log import (
    DecisionLogError,
    DecisionWriter,
    Feedback,
    JudgementError,
    ReplyJudgement,
    utc_now,
)
from elysia_guard.direct import Guard
from elysia_guard.domain.errors import GuardError, QuestionError, ScopeError
from elysia_guard.edge.response_schema import response_schema
from elysia_guard.edge.service.service import AskedQuestion, GuardService

LISTED = ("kind", "identifier", "title", "status", "date", "location", "lang")
"""What is told of a document in a list."""
MOST_LISTED = 500
SCHEMAS = "#/components/schemas/"
_ERROR = {
    "type": "object",
    "required": ["error"],
    "properties": {
        "error": {"type": "string", "description": "What is wrong, for a person."},
        "code": {"type": "string", "description": "The same for a program, where there is one."},
        "detail": {"type": "array", "items": {"type": "object"}},
    },
}
_READY = {
    "type": "object",
    "required": ["status", "version"],
    "properties": {
        "status": {"enum": ["ready", "unavailable"], "type": "string"},
        "version": {"type": "string"},
        "documents": {"type": "integer"},
        "passages": {"type": "integer"},
        "conversations": {
            "enum": ["kept", "away", "in_memory"],
            "type": "string",
            "description": (
                "While their store is away, or takes nothing (a full disk), conversations are not "
                "kept: each question is answered, and those of a program by itself."
            ),
        },
    },
}
_ALIVE = {
    "type": "object",
    "required": ["status"],
    "properties": {"status": {"const": "alive", "type": "string"}},
}
_DOCUMENTS = {
    "type": "object",
    "required": ["documents", "total"],
    "properties": {
        "documents": {
            "type": "array",
            "items": {
                "type": "object",
                "required": sorted(LISTED),
                "properties": {name: {"type": "string"} for name in LISTED},
            },
        },
        "total": {"type": "integer", "description": "How many there are, on all pages."},
    },
}
_UNKNOWN = ("The secret is missing, or wrong. The owner of a chat on loopback needs none.", "Error")
_OPEN = frozenset({"alive"})
"""The routes that ask nobody who they are."""
_SECRET = {
    "type": "http",
    "scheme": "bearer",
    "description": "The value of ELYSIA_GUARD_SECRET, or of ELYSIA_GUARD_ADMIN_SECRET.",
}
_ANSWERS: dict[str, dict[int, tuple[str, str]]] = {
    "ask": {
        200: ("The reply: asserted, hedged, asked back or refused.", "RAGResponse"),
        422: ("The question cannot be asked.", "Error"),
        503: ("A part of the server cannot be had.", "Error"),
    },
    "ready": {
        200: ("Questions can be answered.", "Readiness"),
        503: ("The index cannot be had.", "Readiness"),
    },
    "documents": {
        200: ("A page of the documents that may be asked about.", "Documents"),
        422: ("There is no such kind, or no such page.", "Error"),
        503: ("The index cannot be had.", "Error"),
    },
    "feedback": {
        200: ("It is kept: `error` is empty.", "Error"),
        404: ("There is no such reply of yours, or no decision log is kept.", "Error"),
        409: ("The judgement does not fit the reply.", "Error"),
        422: ("What was sent does not fit.", "Error"),
    },
    "alive": {200: ("The server runs.", "Alive")},
    "openapi": {200: ("This description.", "Description")},
}


def described(name: str) -> dict[str, Any]:
    """Return what a route tells FastAPI of itself: its name, and all that it may answer."""
    guarded = name not in _OPEN
    answers = _ANSWERS[name] | ({401: _UNKNOWN} if guarded else {})
    return {
        "openapi_extra": {"security": [{"secret": []}] if guarded else []},
        "operation_id": name,
        "response_model": None,
        "responses": {
            status: {
                "description": told,
                "content": {
                    "application/json": {"schema": {"$ref": f"{SCHEMAS}{schema}"}},
                },
            }
            for status, (told, schema) in answers.items()
        },
    }


def document(routes: APIRouter) -> dict[str, Any]:
    """Return the description of the routes, which needs nothing beside it."""
    found = get_openapi(
        title="elysia-guard",
        version=__version__,
        description="Answers that say only what their sources say, or say why there is none.",
        routes=routes.routes,
    )
    parts = found.setdefault("components", {})
    parts["securitySchemes"] = {"secret": _SECRET}
    schemas = parts.setdefault("schemas", {})
    for unused in ("HTTPValidationError", "ValidationError"):
        schemas.pop(unused, None)
    own = {"Error": _ERROR, "Readiness": _READY, "Alive": _ALIVE, "Documents": _DOCUMENTS}
    schemas |= {**_of_response(), **own, "Description": {"type": "object"}}
    return found


@cache
def _of_response() -> dict[str, Any]:
    """The published schema of a response, its parts beside it instead of inside."""
    text = json.dumps(response_schema()).replace("#/$defs/", SCHEMAS)
    whole: dict[str, Any] = json.loads(text)
    parts: dict[str, Any] = whole.pop("$defs")
    whole.pop("$schema")
    return {**parts, "RAGResponse": whole}


logger = logging.getLogger(__name__)

UNANSWERED = (
    "The question could not be answered: a part of the server cannot be had; its log says which."
)
ALIVE = "/healthz"
"""Answers whoever asks, and says nothing else."""

NO_LOG = "No decision log is kept."
NO_ENTRY = "There is no such request in the decision log."
FLUSH_S = 2.0
"""How long to wait until the reply that is judged is written."""


class FeedbackGiven(BaseModel):
    """A judgement of one reply; ``request_id`` is the page's query id."""

    model_config = ConfigDict(extra="forbid")

    request_id: Annotated[str, Field(min_length=1, max_length=255)]
    judgement: ReplyJudgement
    note: Annotated[str, Field(max_length=2_000)] = ""


Named = Callable[[Request, str | None], str]
"""Whose question a request asks, of the user that it names."""
Remembered = Callable[[Request, str], None]
"""Called with the id of each question, so that its asker may judge the reply."""


def router(
    service: Callable[[Request], GuardService], *, named: Named, remembered: Remembered
) -> APIRouter:
    """Return the routes.

    Args:
        service: who answers a request.
        named: whose question it is.
        remembered: is told the id of each question.
    """
    routes = APIRouter(tags=["guard"])

    @routes.post("/guard/ask", **described("ask"))
    async def ask(asked: AskedQuestion, request: Request) -> Response:
        """Answer a question, hedge, ask back, or refuse with the reason; see `outcome`."""
        request_id = f"req-{uuid.uuid4().hex[:12]}"
        remembered(request, request_id)
        user_id, answerer = named(request, asked.user_id), service(request)
        try:
            reply = await answerer.ask(asked, user_id=user_id, request_id=request_id)
        except QuestionError as err:
            return _wrong(str(err), code=err.code)
        except ScopeError as err:
            return _wrong(str(err), code="no_such_collection")
        except GuardError as err:
            logger.warning("a question could not be answered: %s", err)
            return JSONResponse({"error": UNANSWERED}, HTTPStatus.SERVICE_UNAVAILABLE)
        return JSONResponse(reply.to_dict())

    @routes.post("/guard/feedback", **described("feedback"))
    async def feedback(said: FeedbackGiven, request: Request) -> JSONResponse:
        """Keep what a person says of a reply, in the decision log."""
        return await _judged(service(request).guard.wiring.decisions, said)

    @routes.get("/guard/ready", **described("ready"))
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

    @routes.get("/guard/documents", **described("documents"))
    async def documents(
        request: Request,
        kind: Annotated[str | None, Query(description="One kind, or its collection.")] = None,
        limit: Annotated[int, Query(ge=1, le=MOST_LISTED)] = 100,
        offset: Annotated[int, Query(ge=0)] = 0,
    ) -> JSONResponse:
        """List the documents that may be asked about, in the order of the index."""
        return await _listed(service(request).guard, kind, slice(offset, offset + limit))

    routes.get(ALIVE, **described("alive"))(_alive)

    @routes.get("/guard/openapi.json", **described("openapi"))
    async def openapi() -> dict[str, Any]:
        """Describe these routes as OpenAPI 3.1 does."""
        return document(routes)

    return routes


async def _alive() -> dict[str, str]:
    """Tell that the server runs, and nothing else; nobody need say who they are."""
    return {"status": "alive"}


def _wrong(why: str, *, code: str) -> JSONResponse:
    return JSONResponse({"error": why, "code": code}, HTTPStatus.UNPROCESSABLE_ENTITY)


async def _listed(guard: Guard, kind: str | None, page: slice) -> JSONResponse:
    """List a page of the documents; the location of each is that of a response's sources."""
    try:
        found = await guard.adocuments(kind=kind)
    except ScopeError as err:
        return _wrong(str(err), code="no_such_collection")
    except GuardError as err:
        logger.warning("the documents could not be listed: %s", err)
        return JSONResponse({"error": UNANSWERED}, HTTPStatus.SERVICE_UNAVAILABLE)
    told = ({**row, "location": row["path"]} for row in found[page])
    rows = [{name: row[name] for name in LISTED} for row in told]
    return JSONResponse({"documents": rows, "total": len(found)})


async def _judged(writer: DecisionWriter | None, said: FeedbackGiven) -> JSONResponse:
    """Keep a judgement; the answer says what was wrong with it."""
    if writer is None:
        return JSONResponse({"error": NO_LOG}, HTTPStatus.NOT_FOUND)
    try:
        await asyncio.to_thread(_judge, writer, said)
    except JudgementError as err:
        return JSONResponse({"error": str(err)}, HTTPStatus.CONFLICT)
    except DecisionLogError:
        # Its message names a file or a server: that is for operators.
        return JSONResponse({"error": NO_ENTRY}, HTTPStatus.NOT_FOUND)
    return JSONResponse({"error": ""})


def _judge(writer: DecisionWriter, said: FeedbackGiven) -> None:
    writer.flush(FLUSH_S)
    given = Feedback(judgement=said.judgement, given_at=utc_now(), note=said.note)
    writer.log.judge(said.request_id, given)
