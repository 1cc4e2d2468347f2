"""The cookie of a browser that has logged in: signed, so that nothing needs to be kept here."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from dataclasses import dataclass
from datetime import UTC, datetime

from elysia_guard.edge.elysia.webapp.protection.policy import Policy

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
