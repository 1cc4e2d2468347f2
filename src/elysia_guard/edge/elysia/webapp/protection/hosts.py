"""By which names the web app may be called, and from which pages.

A name that is not ours is how a page of another site reaches a server on loopback: it lets its own
name lead there (DNS rebinding). Starlette's `TrustedHostMiddleware` answers a websocket with a
page, and does not know the address that a connection came in at.
"""

from __future__ import annotations

from urllib.parse import SplitResult, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from elysia_guard.edge.access_policy import Policy, is_loopback
from elysia_guard.edge.elysia.webapp.protection.bounds import refuse
from elysia_guard.edge.elysia.webapp.protection.principal import peer_of

PAGE_POLICY = (
    # The page's own scripts are partly inline.
    "default-src 'self' 'unsafe-inline' 'unsafe-eval' data: blob:; "
    "connect-src 'self' ws: wss: data: blob:; "
    "frame-ancestors 'none'; base-uri 'self'; form-action 'self'"
)
"""Nothing from elsewhere: no scripts, and no pictures that a document's text asks for."""

OTHER_NAME = (
    "This is not a name of this server. server.allowed_hosts in guard.yaml lists its names."
)
OTHER_SITE = "Pages of other sites may not use this server."

_DEFAULT_PORTS = {"http": 80, "https": 443, "ws": 80, "wss": 443}
_WITH_HEADERS = {
    "Content-Security-Policy": PAGE_POLICY,
    # Not 'no-referrer': with it a browser says 'Origin: null' for our own login form.
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
}


class OwnNameOnly:
    """Turns away what is meant for another server, or comes from a page of another site."""

    def __init__(self, app: ASGIApp) -> None:
        """Wrap an application."""
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on what comes from the page itself, or from no page at all."""
        if scope["type"] not in {"http", "websocket"}:
            await self._app(scope, receive, send)
            return
        connection, policy = HTTPConnection(scope), scope["app"].state.policy

        async def send_with_policy(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _WITH_HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        if not own_name(connection, policy):
            await refuse(scope, send_with_policy, 400, OTHER_NAME)
        elif not own_page(connection, policy):
            await refuse(scope, send_with_policy, 403, OTHER_SITE)
        else:
            await self._app(scope, receive, send_with_policy)


def own_name(connection: HTTPConnection, policy: Policy) -> bool:
    """Tell whether the request is addressed to a name of this server."""
    named = connection.headers.getlist("host")
    if len(named) != 1 or (host := _split(f"//{named[0]}")) is None or not host.hostname:
        return False
    if is_loopback(host.hostname) or host.hostname == policy.host.strip("[]").lower():
        return True
    # Not a name but the very address that the connection came in at, which rebinds to nothing.
    server = connection.scope.get("server")
    return bool(server and host.hostname == server[0]) or _listed(host, policy, scheme="")


def own_page(connection: HTTPConnection, policy: Policy) -> bool:
    """Tell whether a request comes from our own page, from a program, or from following a link."""
    headers = connection.headers
    if "origin" not in headers:
        same = headers.get("sec-fetch-site", "none") in {"same-origin", "none"}
        return same or headers.get("sec-fetch-mode") == "navigate"
    origin = _split(headers["origin"])
    if origin is None or origin.scheme not in _DEFAULT_PORTS or not origin.hostname:
        return False
    seen = {headers.get("host", ""), *_passed_on(connection, headers, policy)}
    as_asked = any(_same_place(origin, host) for host in seen)
    return as_asked or _listed(origin, policy, scheme=origin.scheme)


def _passed_on(connection: HTTPConnection, headers: Headers, policy: Policy) -> list[str]:
    """The name that a trusted proxy was called by."""
    if not policy.trusts(peer_of(connection)):
        return []
    return headers.getlist("x-forwarded-host")


def _same_place(origin: SplitResult, host: str) -> bool:
    other = _split(f"//{host}")
    default = _DEFAULT_PORTS[origin.scheme]
    return (
        other is not None
        and other.hostname == origin.hostname
        and (other.port or default) == (origin.port or default)
    )


def _listed(place: SplitResult, policy: Policy, *, scheme: str) -> bool:
    """Tell whether a name is configured; the port of a page must be said, or be the usual one."""
    usual = _DEFAULT_PORTS.get(scheme)
    for entry in policy.server.allowed_hosts:
        name, port = entry.lower(), None
        if (split := _split(f"//{name.removeprefix('*.')}")) is not None:
            port = split.port
        if not _names(name, place.hostname or "", split):
            continue
        if port is None:
            if usual is None or (place.port or usual) == usual:
                return True
        elif port == (place.port or usual):
            return True
    return False


def _names(entry: str, hostname: str, split: SplitResult | None) -> bool:
    if split is None or split.hostname is None:
        return False
    if entry.startswith("*."):
        return hostname.endswith(f".{split.hostname}")
    return hostname == split.hostname


def _split(text: str) -> SplitResult | None:
    """Return the parts of an address; None if it has none, or says more than where."""
    try:
        parts = urlsplit(text)
        _ = parts.port
    except ValueError:
        return None
    more = parts.username is not None or parts.path.strip("/") or parts.query or parts.fragment
    return None if more or any(sign.isspace() for sign in text) else parts
