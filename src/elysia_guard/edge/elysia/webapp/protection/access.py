"""Nobody in whom we do not know."""

from __future__ import annotations

from starlette.requests import HTTPConnection, Request
from starlette.types import ASGIApp, Receive, Scope, Send

from elysia_guard.edge.elysia.webapp.protection import login
from elysia_guard.edge.elysia.webapp.protection.answers import refuse
from elysia_guard.edge.elysia.webapp.protection.policy import ADMIN_SECRET, SECRET, Policy
from elysia_guard.edge.elysia.webapp.protection.principal import KEY, forwarded, who

NO_SECRET = f"Send the secret: 'Authorization: Bearer ...' with the value of {SECRET}."
NO_NAME = "The proxy in front of this server has not said who you are."
PASSED_ON = (
    "This request came through a proxy, and the server was started for its owner alone. Set "
    f"{SECRET}, or server.user_header and server.proxies; docs/security.md shows both."
)
NOT_OWNER = "This server answers its owner alone, on its own machine."
METRICS = ("/metrics", "/metrics.json")


class KnownOnly:
    """Asks who somebody is, and lets them log in."""

    def __init__(self, app: ASGIApp) -> None:
        """Wrap an application."""
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on what comes from somebody known, and say so in the scope."""
        if scope["type"] not in {"http", "websocket"}:
            await self._app(scope, receive, send)
            return
        policy: Policy = scope["app"].state.policy
        if scope["type"] == "http" and await _at_the_door(Request(scope, receive), policy, send):
            return
        connection = HTTPConnection(scope)
        scope[KEY] = who(connection, policy)
        if scope[KEY] or scope["path"] in METRICS:
            # The metrics have a setting of their own, and ask it.
            await self._app(scope, receive, send)
            return
        if policy.has_login and _is_page(connection):
            await login.page(Request(scope, receive))(scope, receive, send)
            return
        status, why = _why(connection, policy)
        headers = {"www-authenticate": "Bearer"} if status == 401 else None  # noqa: PLR2004
        await refuse(scope, send, status, why, headers)


async def _at_the_door(request: Request, policy: Policy, send: Send) -> bool:
    """Answer what belongs to the login; tell whether something did."""
    if not policy.has_login:
        return False
    path, method = request.url.path, request.method
    if path == login.PATH and method in {"GET", "HEAD"}:
        answer = login.page(request)
    elif path == login.PATH and method == "POST":
        answer = await login.enter(request, policy)
    elif path == login.LEAVE and method == "POST":
        answer = login.leave()
    elif method == "GET" and "token" in request.query_params:
        answer = login.enter_by_link(request, policy)
    else:
        return False
    await answer(request.scope, request.receive, send)
    return True


def _is_page(connection: HTTPConnection) -> bool:
    plain = connection.scope["type"] == "http" and connection.scope["method"] in {"GET", "HEAD"}
    return plain and "text/html" in connection.headers.get("accept", "")


def _why(connection: HTTPConnection, policy: Policy) -> tuple[int, str]:
    if policy.has_login:
        return 401, NO_SECRET
    if policy.server.user_header:
        return 401, NO_NAME
    if "authorization" in connection.headers:
        return 401, f"No secret is set here: {SECRET} and {ADMIN_SECRET} are empty."
    return 403, PASSED_ON if forwarded(connection) else NOT_OWNER
