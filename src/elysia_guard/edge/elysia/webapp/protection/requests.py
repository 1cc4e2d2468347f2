"""Each request: a route that its sender may use, of a bearable size, for the sender's own user."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any
from urllib.parse import quote

from fastapi import FastAPI
from starlette.requests import Request
from starlette.routing import Mount, compile_path
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from elysia_guard.domain.saved import ConversationKey
from elysia_guard.edge.access_policy import Policy
from elysia_guard.edge.elysia.webapp.protection import bounds, permissions
from elysia_guard.edge.elysia.webapp.protection.bounds import Refusal, refuse
from elysia_guard.edge.elysia.webapp.protection.messages import Askers, Messages
from elysia_guard.edge.elysia.webapp.protection.principal import KEY, Principal
from elysia_guard.edge.elysia.webapp.protection.settings import check_request


@dataclass(frozen=True, kw_only=True, eq=False)
class KnownRoute:
    """A route: its path with names in braces, its methods (none for a websocket)."""

    path: str
    methods: frozenset[str]
    pattern: re.Pattern[str]

    @property
    def websocket(self) -> bool:
        """Whether it is one."""
        return not self.methods


@dataclass(frozen=True, kw_only=True)
class FoundRoute:
    """A route, and what stands in the place of its names: value, begin and end in the path."""

    path: str
    named: dict[str, tuple[str, int, int]]


def table(app: FastAPI) -> tuple[KnownRoute, ...]:
    """Return all routes of an application, in the order in which they are tried."""
    return tuple(_flat(app.router.routes))


def find(routes: tuple[KnownRoute, ...], method: str, path: str) -> FoundRoute | None:
    """Return the route of a request; the method of a websocket is empty."""
    for route in routes:
        if not (method in route.methods or (route.websocket and not method)):
            continue
        if place := route.pattern.match(path):
            named = {name: (place[name], *place.span(name)) for name in place.groupdict()}
            return FoundRoute(path=route.path, named=named)
    return None


def _flat(routes: Any) -> Iterator[KnownRoute]:
    for route in routes:
        if isinstance(route, Mount):
            pattern = re.compile(f"{re.escape(route.path)}(?=/|$)")
            methods = frozenset({"GET", "HEAD"})
            yield KnownRoute(path=route.path, methods=methods, pattern=pattern)
        elif hasattr(route, "effective_candidates"):  # a router that FastAPI keeps as a branch
            yield from _flat(route.effective_candidates())
        else:
            yield _known(route)


def _known(route: Any) -> KnownRoute:
    plain = getattr(route, "starlette_route", None) or route
    path = plain.path
    methods = frozenset(getattr(plain, "methods", None) or ())
    return KnownRoute(path=path, methods=methods, pattern=compile_path(path)[0])


REMEMBER = "guard.remember"
"""Where the scope of a request keeps what takes note of whose question an id belongs to."""
NO_SUCH_REPLY = "There is no reply of yours by this id."


class OwnAndBounded:
    """Refuses what its sender may not do, and what is too much; names the sender's own user."""

    def __init__(self, app: ASGIApp) -> None:
        """Wrap an application."""
        self._app = app
        self._asked = Askers()
        self._routes: tuple[KnownRoute, ...] = ()
        self._of: int | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on a request as its sender may have meant it."""
        if scope["type"] not in {"http", "websocket"}:
            await self._app(scope, receive, send)
            return
        try:
            own, receive, send = await self._own(scope, receive, send)
        except Refusal as no:
            await refuse(scope, send, no.status, no.why)
            return
        await self._app(own, receive, send)

    async def _own(self, scope: Scope, receive: Receive, send: Send) -> tuple[Scope, Receive, Send]:
        principal: Principal | None = scope[KEY]
        bounds.check_address(scope["path"], scope.get("query_string", b""))
        method = scope.get("method", "")
        found = find(self._table(scope["app"]), method, scope["path"])
        if principal is None or found is None:
            # The metrics for strangers, or what is nowhere: no body is read.
            return scope, receive if scope["type"] == "websocket" else _nothing, send
        allowed = permissions.may(principal, method, found.path)
        # The page opens all websockets, and again when one is refused; its messages count.
        if not allowed and method:
            raise Refusal(status=403, why=permissions.ADMINS_ONLY)
        for name, (value, *_) in found.named.items():
            bounds.check_entry(name, value)
            if name == "collection_name" and not permissions.may_view(
                principal, method, found.path, value
            ):
                raise Refusal(status=403, why=permissions.OTHERS_DATA)
        scope = _for_own_user(scope, found, principal)
        scope[REMEMBER] = partial(self._asked.remember, principal)
        policy: Policy = scope["app"].state.policy
        if scope["type"] == "websocket":
            messages = Messages(principal, policy, self._asked, receive, send)
            messages.allowed = allowed
            return scope, messages.receive, messages.send
        most, within_s = policy.server.max_body_bytes, policy.server.arrival_seconds
        body = await bounds.body_of(Request(scope, receive), most, within_s)
        if body:
            said = _json(scope, body)
            await self._check_reply(principal, said, scope["app"])
            user_id = principal.user_id(_named(said, found))
            check_request(said, user_id, policy, scope["app"].state.in_use)
            body = json.dumps(_with_own_user(said, principal)).encode()
        return _of_length(scope, len(body)), _replay(body, receive), send

    def _table(self, app: FastAPI) -> tuple[KnownRoute, ...]:
        """All routes; read anew when some have been added."""
        if self._of != (count := len(app.router.routes)):
            self._routes, self._of = table(app), count
        return self._routes

    async def _check_reply(self, principal: Principal, said: Any, app: FastAPI) -> None:
        """Let nobody judge what somebody else was told."""
        for name in ("query_id", "request_id"):
            if not isinstance(said, dict) or name not in said:
                continue
            if self._asked.may_judge(principal, said[name]):
                continue
            if not await _is_kept(principal, said, str(said[name]), app):
                raise Refusal(status=404, why=NO_SUCH_REPLY)


async def _is_kept(principal: Principal, said: Any, query_id: str, app: FastAPI) -> bool:
    """Tell whether a reply stands in a conversation of theirs, whichever process gave it."""
    user_id, talk = said.get("user_id"), said.get("conversation_id")
    if not (isinstance(user_id, str) and isinstance(talk, str)):
        return False
    key = ConversationKey(user_id=principal.user_id(user_id), conversation_id=talk)
    return bool(await app.state.has_reply(key, query_id))


def _named(said: Any, found: FoundRoute) -> str:
    """The user that a request names: in its address, or in its body."""
    if "user_id" in found.named:
        return found.named["user_id"][0]
    return str(said.get("user_id", "")) if isinstance(said, dict) else ""


def _json(scope: Scope, body: bytes) -> Any:
    kind = dict(scope["headers"]).get(b"content-type", b"").split(b";")[0].strip().lower()
    if kind != b"application/json":
        raise Refusal(status=415, why="Send JSON, as 'application/json'.")
    return bounds.read_json(body)


def _for_own_user(scope: Scope, found: FoundRoute, principal: Principal) -> Scope:
    if "user_id" not in found.named:
        return {**scope}
    named, begin, end = found.named["user_id"]
    path = scope["path"][:begin] + principal.user_id(named) + scope["path"][end:]
    return {**scope, "path": path, "raw_path": quote(path).encode()}


def _with_own_user(said: Any, principal: Principal) -> Any:
    if isinstance(said, dict) and isinstance(named := said.get("user_id"), str):
        return {**said, "user_id": principal.user_id(named)}
    return said


def _of_length(scope: Scope, length: int) -> Scope:
    kept = [
        item
        for item in scope["headers"]
        if item[0] not in {b"content-length", b"transfer-encoding"}
    ]
    return {**scope, "headers": [*kept, (b"content-length", str(length).encode())]}


def _replay(body: bytes, receive: Receive) -> Receive:
    pending = [body]

    async def again() -> Message:
        if pending:
            return {"type": "http.request", "body": pending.pop(), "more_body": False}
        return await receive()

    return again


async def _nothing() -> Message:
    return {"type": "http.request", "body": b"", "more_body": False}
