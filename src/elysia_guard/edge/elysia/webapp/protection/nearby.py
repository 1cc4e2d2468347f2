"""What depends on where a request comes from."""

from __future__ import annotations

from starlette.requests import Request

from elysia_guard.edge.elysia.webapp.protection.policy import Policy, is_loopback
from elysia_guard.edge.elysia.webapp.protection.principal import (
    KEY,
    Principal,
    forwarded,
    peer_of,
)


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
