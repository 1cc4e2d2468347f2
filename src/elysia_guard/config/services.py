"""The sections of ``guard.yaml`` for Skosmos, models of language, what is kept, and the server."""

from __future__ import annotations

import re
from collections.abc import Mapping
from ipaddress import ip_network
from typing import Annotated, Literal, Self

from pydantic import Field, field_validator, model_validator

from elysia_guard.config.base import (
    BreakerSection,
    KeptPath,
    KeptUrl,
    KeyVariable,
    SettingsSection,
)

ServerUrl = Annotated[str, Field(pattern=r"^(https?://\S+)?$")]
Seconds = Annotated[float, Field(gt=0, le=86_400)]
_HOST = re.compile(r"(\*\.)?[A-Za-z0-9._-]+(:\d+)?|\[[0-9a-fA-F:]+\](:\d+)?")


class SkosmosSection(SettingsSection):
    """A Skosmos server.

    ``known_term`` is one that is there: without it an outage of its store looks like a miss.
    ``whole`` fetches concepts with all they have, in a second request. With ``redis`` several
    processes share what was found.
    """

    url: Annotated[str, Field(pattern=r"^https?://")]
    vocabularies: dict[str, str] = Field(default_factory=dict)
    timeout_ms: Annotated[int, Field(ge=1, le=10_000)] = 300
    max_concurrency: Annotated[int, Field(ge=1, le=100)] = 8
    known_term: str = ""
    whole: bool = True
    cache_ttl_seconds: Annotated[float, Field(gt=0)] = 600.0
    cache_miss_ttl_seconds: Annotated[float, Field(gt=0)] = 60.0
    cache_max_size: Annotated[int, Field(ge=1)] = 5_000
    redis: Annotated[str, Field(pattern=r"^rediss?://")] | None = None
    circuit_breaker: BreakerSection = BreakerSection()


class CircuitBreakersSection(SettingsSection):
    """When a source is left alone, for the sources that have no section of their own for it."""

    embeddings: BreakerSection = BreakerSection()
    llm: BreakerSection = BreakerSection()


class LanguageModelSection(SettingsSection):
    """The language model that plans what is searched, and points at the units that answer.

    ``use``: ``auto`` uses the server of OpenAI's chat completions at ``url``, with its ``model``
    there, or else the models of Elysia's settings on a tree that has them; ``none`` asks no model
    for an answer. ``api_key_env`` names the variable that holds the key. ``mode`` is how answers
    are made where a question does not say. ``answer_seconds`` is for all calls of an answer in mode
    ``auto``, ``thinking_seconds`` in mode ``thinking``; a reader waits for it. ``max_chars`` bounds
    the units that are told.

    ``deadline_seconds`` is for each call of a wrapped tool. ``max_concurrency`` is how many calls
    may be under way at once.
    """

    use: Literal["auto", "none"] = "auto"
    url: ServerUrl = ""
    model: str = ""
    api_key_env: KeyVariable = ""
    mode: Literal["instant", "auto", "thinking"] = "auto"
    answer_seconds: Annotated[float, Field(gt=0, le=60)] = 10.0
    thinking_seconds: Annotated[float, Field(gt=0, le=120)] = 25.0
    max_chars: Annotated[int, Field(ge=500, le=100_000)] = 12_000
    deadline_seconds: Annotated[float, Field(gt=0, le=600)] = 20.0
    max_concurrency: Annotated[int, Field(ge=1, le=1_000)] = 8

    @model_validator(mode="after")
    def _complete(self) -> Self:
        if bool(self.url) != bool(self.model):
            raise ValueError("a server needs url and model")
        return self


class AnswerCacheSection(SettingsSection):
    """Answers that are kept, to be given again while nothing that they rest on has changed.

    ``modes`` are those in which an answer must have been made to be kept: by default those that ask
    a model. Each is kept in memory for the seconds of its mode; there is room for ``max_size``.
    """

    enabled: bool = True
    modes: tuple[Literal["instant", "auto", "thinking"], ...] = ("auto", "thinking")
    instant_seconds: Seconds = 120.0
    auto_seconds: Seconds = 300.0
    thinking_seconds: Seconds = 900.0
    max_size: Annotated[int, Field(ge=1)] = 1_000

    @property
    def lifetimes(self) -> Mapping[str, float]:
        """How long an answer is kept, in seconds, by mode; none where none is kept."""
        seconds = {
            "instant": self.instant_seconds,
            "auto": self.auto_seconds,
            "thinking": self.thinking_seconds,
        }
        return {mode: seconds[mode] for mode in self.modes} if self.enabled else {}


class ObservabilitySection(SettingsSection):
    """Spans for OpenTelemetry, and who may read the metrics of the web app."""

    otel: bool = False
    metrics_for: Literal["this_machine", "everyone"] = "this_machine"


class ConversationsSection(SettingsSection):
    """Whether, where and how long the chat keeps conversations and what was said of replies.

    ``path`` is an SQLite file, by default beside the index; ``url`` names a database in its place,
    which several machines may share (PostgreSQL). A conversation goes ``keep_days`` after its last
    question; null keeps it until somebody deletes it. ``shared`` is for several servers over one
    file or database: any of them may then answer the next question.
    """

    enabled: bool = True
    path: KeptPath | None = None
    url: KeptUrl = ""
    shared: bool = False
    keep_days: Annotated[int, Field(ge=1, le=36_500)] | None = 30

    @model_validator(mode="after")
    def _one_place(self) -> Self:
        if self.path and self.url:
            raise ValueError("'path' and 'url' name two places; keep one of them")
        return self


class DecisionLogSection(SettingsSection):
    """Where decisions are written down; without the section they are not.

    ``url`` is any database that SQLAlchemy knows, by default an SQLite file beside the index.
    After ``retention_days`` they are deleted; null keeps them until somebody does.
    """

    url: KeptUrl = ""
    retention_days: Annotated[int, Field(ge=1, le=36_500)] | None = 30


class ServerSection(SettingsSection):
    """The web chat as a server.

    ``public`` says that others can reach it although it listens on loopback: behind a proxy of this
    machine. ``allowed_hosts`` are the names that browsers reach it by, '*.example.org' included.
    ``allowed_addresses`` are the only ones that a setting may name; null lets the owner of a chat
    on loopback name any, and nobody else any new one. ``user_header`` holds a person's name, and is
    believed from ``proxies`` alone, which are addresses or networks. The head of a request, its
    address included, may have ``max_head_bytes``; it is to arrive within ``arrival_seconds``, then
    its body, and what is answered is to be taken.
    """

    public: bool = False
    allowed_hosts: list[str] = Field(default_factory=list)
    allowed_addresses: list[str] | None = None
    proxies: list[str] = Field(default_factory=list)
    user_header: Annotated[str, Field(pattern=r"^([A-Za-z][A-Za-z0-9-]*)?$")] = ""
    max_users: Annotated[int, Field(ge=1)] = 1_000
    max_conversations: Annotated[int, Field(ge=1)] = 200
    max_body_bytes: Annotated[int, Field(ge=1_024, le=100_000_000)] = 262_144
    max_head_bytes: Annotated[int, Field(ge=4_096, le=1_000_000)] = 65_536
    arrival_seconds: Annotated[float, Field(gt=0)] = 20.0
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
