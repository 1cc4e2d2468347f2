"""The section ``server`` of ``guard.yaml``: who may reach the web chat, and what they may send."""

from __future__ import annotations

import re
from ipaddress import ip_network
from typing import Annotated, Self

from pydantic import Field, field_validator, model_validator

from elysia_guard.config.base import Section

_HOST = re.compile(r"(\*\.)?[A-Za-z0-9._-]+(:\d+)?|\[[0-9a-fA-F:]+\](:\d+)?")


class ServerSection(Section):
    """The web chat as a server.

    ``public`` says that others can reach it although it listens on loopback: behind a proxy of this
    machine. ``allowed_hosts`` are the names that browsers reach it by, '*.example.org' included.
    ``allowed_addresses`` are the only ones that a setting may name; null lets the owner of a chat
    on loopback name any, and nobody else any new one. ``user_header`` holds a person's name, and is
    believed from ``proxies`` alone, which are addresses or networks.
    """

    public: bool = False
    allowed_hosts: list[str] = Field(default_factory=list)
    allowed_addresses: list[str] | None = None
    proxies: list[str] = Field(default_factory=list)
    user_header: Annotated[str, Field(pattern=r"^([A-Za-z][A-Za-z0-9-]*)?$")] = ""
    max_users: Annotated[int, Field(ge=1)] = 1_000
    max_conversations: Annotated[int, Field(ge=1)] = 200
    max_body_bytes: Annotated[int, Field(ge=1_024, le=100_000_000)] = 262_144
    messages_per_minute: Annotated[int, Field(ge=1)] = 1_200

    @field_validator("allowed_hosts")
    @classmethod
    def _names(cls, hosts: list[str]) -> list[str]:
        for host in hosts:
            if not _HOST.fullmatch(host):
                raise ValueError(f"'{host}' is not a host name, such as chat.example.org")
        return hosts

    @field_validator("proxies")
    @classmethod
    def _networks(cls, proxies: list[str]) -> list[str]:
        return [str(ip_network(item, strict=False)) for item in proxies]

    @model_validator(mode="after")
    def _complete(self) -> Self:
        if self.user_header and not self.proxies:
            raise ValueError(
                "'user_header' needs 'proxies', the addresses that it is believed from"
            )
        return self
