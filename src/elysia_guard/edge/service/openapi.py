"""What the routes for programs look like to a client: OpenAPI 3.1 with the published schema."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from fastapi import APIRouter
from fastapi.openapi.utils import get_openapi

from elysia_guard import __version__
from elysia_guard.edge.response_schema import response_schema
from elysia_guard.edge.service.events import ERROR, EVENTS, REPLY, SHOWN

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
            "description": "While their store is away, each question is answered by itself.",
        },
    },
}
_SHOWN = {
    "type": "object",
    "required": ["text", "sources"],
    "properties": {
        "text": {
            "type": "string",
            "description": "A paragraph that the reply begins with, behind those told before it.",
        },
        "sources": {
            "type": "array",
            "items": {"$ref": f"{SCHEMAS}Source"},
            "description": "The sources that no paragraph before it cites.",
        },
    },
}
_EVENTS = {
    "type": "string",
    "description": (
        "Server-sent events. `shown`: what the reply begins with (Shown), as it is proved. "
        "`reply`, the last: the whole (RAGResponse). `error`, in its place: what went wrong "
        "(Error)."
    ),
    "x-events": {
        SHOWN: {"$ref": f"{SCHEMAS}Shown"},
        REPLY: {"$ref": f"{SCHEMAS}RAGResponse"},
        ERROR: {"$ref": f"{SCHEMAS}Error"},
    },
}
_STREAMED: dict[str, int] = {"ask": 200}
"""The routes that answer in events too, and the status of those."""
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
}


def described(name: str) -> dict[str, Any]:
    """Return what a route tells FastAPI of itself: its name, and all that it may answer."""
    return {
        "operation_id": name,
        "response_model": None,
        "responses": {
            status: {
                "description": told,
                "content": {
                    "application/json": {"schema": {"$ref": f"{SCHEMAS}{schema}"}},
                    **({EVENTS: {"schema": _EVENTS}} if _STREAMED.get(name) == status else {}),
                },
            }
            for status, (told, schema) in _ANSWERS[name].items()
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
    schemas = found.setdefault("components", {}).setdefault("schemas", {})
    for unused in ("HTTPValidationError", "ValidationError"):
        schemas.pop(unused, None)
    schemas |= {**_of_response(), "Error": _ERROR, "Readiness": _READY, "Shown": _SHOWN}
    return found


@cache
def _of_response() -> dict[str, Any]:
    """The published schema of a response, its parts beside it instead of inside."""
    text = json.dumps(response_schema()).replace("#/$defs/", SCHEMAS)
    whole: dict[str, Any] = json.loads(text)
    parts: dict[str, Any] = whole.pop("$defs")
    whole.pop("$schema")
    return {**parts, "RAGResponse": whole}
