"""The routes for programs in the web app: the same users, conversations and protection."""

from __future__ import annotations

from fastapi import Request

from elysia_guard.edge.elysia.webapp.protection.principal import KEY, Principal
from elysia_guard.edge.elysia.webapp.protection.requests import REMEMBER
from elysia_guard.edge.elysia.webapp.shown import shown
from elysia_guard.edge.service import routes
from elysia_guard.edge.service.service import Service
from elysia_guard.edge.service.talks import Talks
from elysia_guard.guard import Guard
from elysia_guard.wiring import Wiring


def service_of(wiring: Wiring) -> Service:
    """Return who answers programs, over the parts and the conversations of the chat."""
    return Service(Guard(wiring=wiring), Talks(wiring.conversations, show=shown))


def _service(request: Request) -> Service:
    found: Service = request.app.state.programs
    return found


def _user(request: Request, named: str | None) -> str:
    """Whose conversation it is: what a request names is made its sender's own on the way here."""
    principal: Principal = request.scope[KEY]
    return principal.user_id("") if named is None else named


def _remember(request: Request, request_id: str) -> None:
    request.scope[REMEMBER](request_id)


router = routes.router(_service, named=_user, remembered=_remember)
