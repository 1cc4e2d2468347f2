"""Who is asking, and the user that Elysia knows them by."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from starlette.requests import HTTPConnection

from elysia_guard.edge.elysia.webapp.protection.policy import Policy, is_loopback
from elysia_guard.edge.elysia.webapp.protection.sessions import COOKIE, Session, read, same

LONGEST_NAME = 255
FORWARDED = ("forwarded", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip")
KEY = "guard.principal"
"""Where the scope of a request says who asks."""


@dataclass(frozen=True, kw_only=True)
class Principal:
    """Somebody who may use the chat.

    ``user`` names their user; the owner of the process and a program with the secret may have
    several, and name them themselves.
    """

    kind: str
    admin: bool = False
    user: str = ""

    @property
    def name(self) -> str:
        """What tells this one from all others."""
        return f"{self.kind}-{self.user}"

    def user_id(self, named: str) -> str:
        """Return the user of a request that names one: never somebody else's."""
        if self.kind == "owner":
            return named
        own = self.user or named
        # A person's name may hold anything; what begins with the kind meets no other kind.
        return f"{self.kind}-{uuid.uuid5(uuid.NAMESPACE_OID, own)}"


OWNER = Principal(kind="owner", admin=True)


def who(connection: HTTPConnection, policy: Policy) -> Principal | None:
    """Return who asks; None if nothing that was sent says so."""
    scheme, _, token = connection.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        return _program(token.strip(), policy)
    session = read(connection.cookies.get(COOKIE, ""), policy)
    if policy.server.user_header and policy.trusts(peer_of(connection)):
        return _person(connection, policy, admin=bool(session and session.admin))
    if session:
        return _browser(session)
    if policy.is_owners and is_loopback(peer_of(connection)) and not forwarded(connection):
        return OWNER
    return None


def peer_of(connection: HTTPConnection) -> str:
    """The address that the connection comes from."""
    return connection.client.host if connection.client else ""


def forwarded(connection: HTTPConnection) -> bool:
    """Tell whether a request looks as if a proxy had passed it on; nginx speaks HTTP/1.0."""
    if connection.scope.get("http_version") == "1.0":
        return True
    return any(name in connection.headers for name in FORWARDED)


def _program(token: str, policy: Policy) -> Principal | None:
    admin = same(token, policy.admin_secret)
    # Both are compared, so that the time says nothing.
    known = same(token, policy.secret) or admin
    return Principal(kind="program", admin=admin) if known else None


def _person(connection: HTTPConnection, policy: Policy, *, admin: bool) -> Principal | None:
    # Two of them: one is somebody's own, which the proxy did not take away.
    named = connection.headers.getlist(policy.server.user_header)
    if len(named) != 1 or not 0 < len(name := named[0].strip()) <= LONGEST_NAME:
        return None
    return Principal(kind="person", user=name, admin=admin)


def _browser(session: Session) -> Principal:
    return Principal(kind="browser", user=session.id, admin=session.admin)
