"""Who may talk to the web app: its own page.

Elysia lets every website read its answers, and with them the keys in a user's settings; its page
loads a script from a third party.
"""

from __future__ import annotations

from ipaddress import ip_address
from urllib.parse import urlsplit

from fastapi import FastAPI, Request
from fastapi.middleware.cors import CORSMiddleware
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

POLICY = (
    # The page's own scripts are partly inline.
    "default-src 'self' 'unsafe-inline' 'unsafe-eval' data: blob:; "
    "connect-src 'self' ws: wss: data: blob:; "
    "frame-ancestors 'none'"
)
"""Nothing from elsewhere: no scripts, and no pictures that a document's text asks for."""

POLICY_VIOLATION = 1008


def own_page_only(app: FastAPI) -> None:
    """Take the permission for other sites away, and keep the page to itself."""
    for_others: object = CORSMiddleware
    app.user_middleware[:] = [item for item in app.user_middleware if item.cls is not for_others]
    app.add_middleware(OwnPageOnly)


class OwnPageOnly:
    """Refuses websockets of other sites, and tells the browser to load nothing from them."""

    def __init__(self, app: ASGIApp) -> None:
        """Wrap an application."""
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on what comes from the page itself, or from no page at all."""
        if scope["type"] == "websocket" and _foreign(Headers(scope=scope)):
            await send({"type": "websocket.close", "code": POLICY_VIOLATION})
            return

        async def send_with_policy(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).setdefault("Content-Security-Policy", POLICY)
            await send(message)

        await self._app(scope, receive, send_with_policy)


def same_machine(request: Request) -> bool:
    """Tell whether a request comes from this machine."""
    try:
        return ip_address(request.client.host if request.client else "").is_loopback
    except ValueError:
        return False


def _foreign(headers: Headers) -> bool:
    origin = headers.get("origin")
    return bool(origin) and urlsplit(origin).netloc != headers.get("host")
