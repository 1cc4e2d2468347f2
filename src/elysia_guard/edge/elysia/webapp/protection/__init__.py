"""What stands between the web app and whoever reaches its port; docs/security.md tells it.

From the outside in: keys stay inside (`redacting`), the names and pages that may call (`hosts`),
who somebody is (`access`), and what they may ask for, of which size, as which user (`requests`).
"""

from __future__ import annotations

import logging
from http import HTTPStatus

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from fastapi.middleware.cors import CORSMiddleware
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse

from elysia_guard.edge.elysia.webapp.protection.access import KnownOnly
from elysia_guard.edge.elysia.webapp.protection.hosts import OwnNameOnly
from elysia_guard.edge.elysia.webapp.protection.requests import OwnAndBounded
from elysia_guard.edge.elysia.webapp.protection.vault import KeysStay

LAYERS = (KeysStay, OwnNameOnly, KnownOnly, OwnAndBounded)

__all__ = ["LAYERS", "protect"]

log = logging.getLogger(__name__)


def protect(app: FastAPI) -> None:
    """Put the layers around an application; they read ``app.state`` at each request."""
    for_others: object = CORSMiddleware
    app.user_middleware[:] = [item for item in app.user_middleware if item.cls is not for_others]
    for layer in reversed(LAYERS):
        app.add_middleware(layer)
    # Elysia's own writes what was sent, which may be a key, into the log and the answer.
    app.exception_handlers[RequestValidationError] = _invalid
    # And takes what is not there for an error of ours, without saying what was asked for.
    app.exception_handlers[HTTPException] = _not_so


async def _not_so(request: Request, error: HTTPException) -> JSONResponse:
    status = error.status_code
    level = logging.ERROR if status >= HTTPStatus.INTERNAL_SERVER_ERROR else logging.INFO
    log.log(level, "%s %s answered %d", request.method, request.url.path, status)
    return JSONResponse({"detail": error.detail}, status, headers=error.headers)


async def _invalid(_request: Request, error: RequestValidationError) -> JSONResponse:
    wrong = [{"where": list(item["loc"]), "what": item["msg"]} for item in error.errors()]
    return JSONResponse({"error": "What was sent does not fit.", "detail": wrong}, status_code=422)
