"""Who may use the web chat, as the configuration and the environment say at the start."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from ipaddress import ip_address, ip_network
from typing import Self

from elysia_guard.config import ServerSection
from elysia_guard.domain.errors import ConfigError

SECRET = "ELYSIA_GUARD_SECRET"  # noqa: S105  the name of a variable
ADMIN_SECRET = "ELYSIA_GUARD_ADMIN_SECRET"  # noqa: S105
SHORTEST = 12
"""Characters; a shorter secret can be guessed over the network."""


@dataclass(frozen=True, kw_only=True)
class Policy:
    """What protects the web chat; ``secret`` lets in, ``admin_secret`` may change settings too."""

    host: str = "127.0.0.1"
    server: ServerSection = field(default_factory=ServerSection)
    secret: str = field(default="", repr=False)
    admin_secret: str = field(default="", repr=False)

    @classmethod
    def of(cls, server: ServerSection, host: str, environ: Mapping[str, str] | None = None) -> Self:
        """Read the secrets, and refuse what would stand open to other machines.

        Raises:
            ConfigError: the chat can be reached by others and nothing asks who they are, or a
                secret is unusable.
        """
        env = os.environ if environ is None else environ
        policy = cls(
            host=host,
            server=server,
            secret=_usable(SECRET, env),
            admin_secret=_usable(ADMIN_SECRET, env),
        )
        if policy.secret and policy.secret == policy.admin_secret:
            raise ConfigError(f"{ADMIN_SECRET} is the same as {SECRET}; give it another value")
        if policy.beyond_loopback and not (policy.secret or server.user_header):
            raise ConfigError(_open_to_others(host))
        return policy

    @property
    def beyond_loopback(self) -> bool:
        """Whether others than the owner of the process can reach the chat."""
        return self.server.public or not is_loopback(self.host)

    @property
    def has_login(self) -> bool:
        """Whether there is a secret to log in with."""
        return bool(self.secret or self.admin_secret)

    @property
    def is_owners(self) -> bool:
        """Whether whoever reaches the chat directly, on loopback, is its owner."""
        return not (self.beyond_loopback or self.has_login or self.server.proxies)

    def trusts(self, peer: str) -> bool:
        """Tell whether an address is that of a proxy whose headers are believed."""
        try:
            address = ip_address(peer)
        except ValueError:
            return False
        return any(address in ip_network(item) for item in self.server.proxies)


def is_loopback(name: str) -> bool:
    """Tell whether a host name or an address is one of this machine's own, and no other's."""
    plain = name.strip("[]").rstrip(".").lower()
    if plain == "localhost" or plain.endswith(".localhost"):
        return True
    try:
        return ip_address(plain).is_loopback
    except ValueError:
        return False


def _usable(variable: str, env: Mapping[str, str]) -> str:
    secret = env.get(variable, "").strip()
    if secret and not (secret.isascii() and secret.isprintable() and " " not in secret):
        raise ConfigError(
            f"{variable}: use letters, digits and signs, no spaces: a header holds it"
        )
    if 0 < len(secret) < SHORTEST:
        raise ConfigError(
            f"{variable} has {len(secret)} characters; give at least {SHORTEST}, "
            "for example what 'openssl rand -hex 24' prints"
        )
    return secret


def _open_to_others(host: str) -> str:
    return (
        f"at {host} other people can reach the chat, and nothing asks who they are: set {SECRET} "
        "to a secret (for example what 'openssl rand -hex 24' prints), or server.user_header and "
        "server.proxies in guard.yaml for a proxy that logs people in; docs/security.md shows both"
    )
