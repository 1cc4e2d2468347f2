"""Who is asking, and the user that Elysia knows them by."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import uuid
from dataclasses import dataclass
from datetime import UTC, datetime

from starlette.requests import HTTPConnection, Request

from elysia_guard.edge.access_policy import Policy, is_loopback

COOKIE = "elysia_guard_session"
LASTS_S = 30 * 24 * 3600
_FIELDS = 4


@dataclass(frozen=True, kw_only=True)
class Session:
    """A browser that knew a secret; ``id`` is random, and names its user."""

    id: str
    admin: bool


def new_id() -> str:
    """Return an id that nobody can guess."""
    return secrets.token_hex(16)


def same(given: str, secret: str) -> bool:
    """Compare in a time that tells nothing; no secret is never the same."""
    both = [hashlib.sha256(item.encode()).digest() for item in (given, secret)]
    return bool(secret) and hmac.compare_digest(*both)


def sign(session: Session, policy: Policy, *, now: float | None = None) -> str:
    """Return the cookie's value; another secret makes all of them void."""
    kind = "admin" if session.admin else "user"
    said = f"{kind}.{session.id}.{int(_now() if now is None else now)}"
    return f"{said}.{_signature(said, _secret(kind, policy))}"


def read(cookie: str, policy: Policy, *, now: float | None = None) -> Session | None:
    """Return the session of a cookie that we signed and that has not run out."""
    said, _, signature = cookie.rpartition(".")
    parts = said.split(".")
    if len(parts) != _FIELDS - 1 or not parts[2].isdecimal() or len(cookie) > 255:  # noqa: PLR2004
        return None
    kind, own, issued = parts
    secret = _secret(kind, policy)
    if not secret or not same(signature, _signature(said, secret)):
        return None
    age = (_now() if now is None else now) - int(issued)
    return Session(id=own, admin=kind == "admin") if age <= LASTS_S else None


def _secret(kind: str, policy: Policy) -> str:
    return {"admin": policy.admin_secret, "user": policy.secret}.get(kind, "")


def _signature(said: str, secret: str) -> str:
    key = hashlib.sha256(b"elysia-guard session\0" + secret.encode()).digest()
    return hmac.new(key, said.encode(), hashlib.sha256).hexdigest()


def _now() -> float:
    return datetime.now(UTC).timestamp()


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


def same_machine(request: Request) -> bool:
    """Tell whether a request comes from this machine, and no proxy has passed it on."""
    return is_loopback(peer_of(request)) and not forwarded(request)


def may_read_metrics(request: Request) -> bool:
    """Tell whether somebody has the secret, or is on this machine where no proxy is.

    A person whom a proxy names is one of many: they see no numbers about the others.
    """
    principal: Principal | None = request.scope.get(KEY)
    if principal and (principal.admin or principal.kind != "person"):
        return True
    return same_machine(request) and not _behind_a_proxy(request)


def has_own_conversations(request: Request) -> bool:
    """Tell whether the user of a request is one person's.

    The owner's page names users after the make of the browser, which two machines may share.
    """
    principal: Principal | None = request.scope.get(KEY)
    return same_machine(request) or bool(principal and principal.kind != "owner")


def _behind_a_proxy(request: Request) -> bool:
    policy: Policy = request.app.state.policy
    return bool(policy.server.public or policy.server.proxies)
