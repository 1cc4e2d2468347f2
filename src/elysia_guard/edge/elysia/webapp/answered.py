"""Each HTTP request as an event, once it is answered: its route, its status, how long it took."""

from __future__ import annotations

import time
from http import HTTPStatus

from fastapi import FastAPI
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from elysia_guard.domain.events import RequestAnswered
from elysia_guard.edge.elysia.webapp.protection.requests import KnownRoute, find, table

NOWHERE = "unknown"
"""What no route is for: its path is somebody's text."""


class TellsAnswered:
    """Tells what each HTTP request was answered, those that are turned away too."""

    def __init__(self, app: ASGIApp) -> None:
        """Wrap an application; its state says who is told."""
        self._app = app
        self._routes: tuple[KnownRoute, ...] = ()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and tell how it ended; one that nobody answers is a fault."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began, status = time.perf_counter(), HTTPStatus.INTERNAL_SERVER_ERROR.value
        about = scope.setdefault("state", {})

        async def sent(message: Message) -> None:
            nonlocal status
            status = message.get("status", status)
            await send(message)

        try:
            await self._app(scope, receive, sent)
        finally:
            host: FastAPI = scope["app"]
            elapsed_ms = (time.perf_counter() - began) * 1000
            host.state.observe(
                RequestAnswered(
                    request_id=about.get("request_id", ""),
                    method=scope["method"],
                    path=self._route(host, scope),
                    status=status,
                    elapsed_ms=elapsed_ms,
                )
            )

    def _route(self, host: FastAPI, scope: Scope) -> str:
        """Return the path of the route, with names in place of what a request names."""
        self._routes = self._routes or table(host)
        found = find(self._routes, scope["method"], scope["path"])
        return found.path if found else NOWHERE
