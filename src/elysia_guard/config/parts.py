"""The sections of ``guard.yaml``, one for each part."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from elysia_guard.config.base import BreakerSection, KeyVariable, Section, Share

_SQLITE_FILE = re.compile(r"(sqlite(?:\+\w+)?:///)(?![/:]|file:|$)(.+)")


class SkosmosSection(Section):
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


class TerminologySection(Section):
    """Where terms are looked up.

    ``files`` are SKOS files or folders: the vocabulary itself, or (with ``kind: skosmos``) a copy
    of the labels beside the server, for suggestions and synonyms; without either there is none.
    Together they may have ``max_bytes``: each million takes some 50 MB of memory.
    """

    kind: Literal["skos_file", "skosmos"] = "skos_file"
    name: str = "SKOS"
    files: list[Path] = Field(default_factory=list)
    max_bytes: Annotated[int, Field(ge=1, le=10_000_000_000)] = 50_000_000
    skosmos: SkosmosSection | None = None

    @model_validator(mode="after")
    def _complete(self) -> Self:
        if self.kind == "skosmos" and self.skosmos is None:
            raise ValueError("kind 'skosmos' needs a section 'skosmos' with its 'url'")
        return self


class WeaviateSection(Section):
    """A Weaviate that holds the passages, in the collections that ``collections`` names.

    ``deadline_seconds`` bounds every call, in every fault. ``alpha`` is what the order of meaning
    weighs beside that of words, where ``thresholds.yaml`` does not say it. ``prefix`` begins the
    names of the three collections kept beside: an index has its own. ``api_key_env`` names the
    variable that holds the key.
    """

    url: Annotated[str, Field(pattern=r"^https?://[^/@?#]+/?$")]
    grpc_port: Annotated[int, Field(ge=1, le=65_535)] = 50_051
    grpc_host: str = ""
    deadline_seconds: Annotated[float, Field(gt=0, le=60)] = 2.0
    alpha: Share = 0.5
    prefix: Annotated[str, Field(pattern=r"^ELYSIA_[A-Za-z0-9_]+$")] = "ELYSIA_GUARD"
    api_key_env: KeyVariable = ""
    circuit_breaker: BreakerSection = BreakerSection()


class IndexSection(Section):
    """The passage index, and the folders that ``elysia-guard ingest`` fills it from."""

    kind: Literal["sqlite", "weaviate"] = "sqlite"
    path: Path
    sources: list[Path] = Field(default_factory=list)
    weaviate: WeaviateSection | None = None

    @model_validator(mode="after")
    def _complete(self) -> Self:
        if self.kind == "weaviate" and self.weaviate is None:
            raise ValueError("kind 'weaviate' needs a section 'weaviate' with its 'url'")
        return self


class EmbeddingServerSection(Section):
    """A model server: Ollama, or any that speaks OpenAI's ``/v1/embeddings``.

    ``api_key_env`` names the variable that holds the key; prefixes and ``max_chars`` are the
    model's own where none are set. Questions have ``timeout_ms``, and are asked once; an ingest has
    ``batch_timeout_seconds`` for each batch, and asks again ``retries`` times.
    """

    url: Annotated[str, Field(pattern=r"^https?://")]
    model: Annotated[str, Field(min_length=1)]
    dimension: Annotated[int, Field(ge=1, le=16_384)]
    api_key_env: KeyVariable = ""
    question_prefix: str | None = None
    passage_prefix: str | None = None
    max_chars: Annotated[int, Field(ge=0)] | None = None
    timeout_ms: Annotated[int, Field(ge=1, le=60_000)] = 2_000
    batch_size: Annotated[int, Field(ge=1, le=2_048)] = 32
    batch_timeout_seconds: Annotated[float, Field(gt=0)] = 60.0
    retries: Annotated[int, Field(ge=0, le=10)] = 5


class EmbedderSection(Section):
    """The model that turns texts into vectors."""

    kind: Literal["bundled", "ollama", "openai"] = "bundled"
    server: EmbeddingServerSection | None = None

    @model_validator(mode="after")
    def _complete(self) -> Self:
        if self.kind != "bundled" and self.server is None:
            raise ValueError(
                f"kind '{self.kind}' needs a section 'server' with url, model and dimension"
            )
        return self


class SecondEmbedderSection(Section):
    """A second model, whose ranking is fused with those of words and of the first.

    A question waits ``timeout_ms`` for it at most, and is then answered without.
    """

    kind: Literal["e5"] = "e5"
    timeout_ms: Annotated[int, Field(ge=1, le=60_000)] = 500


class CircuitBreakersSection(Section):
    """When a source is left alone, for the sources that have no section of their own for it."""

    embeddings: BreakerSection = BreakerSection()
    llm: BreakerSection = BreakerSection()
    judge: BreakerSection = BreakerSection()


class LanguageModelSection(Section):
    """How long a language model may take, where Elysia's settings name one.

    ``choice_deadline_seconds`` is for what is asked about a question that no rule decides: which
    meaning it may ask for, or whether a wrapped tool takes it. A reader waits for it, though the
    search would have answered at once. ``deadline_seconds`` is for each call of such a tool.
    ``max_concurrency`` is how many calls may be under way at once. ``url`` and ``model`` name a
    server of OpenAI's chat completions for where there is no Elysia, ``api_key_env`` the variable
    that holds its key: who writes answers asks it, unless it has a server of its own.
    """

    url: Annotated[str, Field(pattern=r"^(https?://\S+)?$")] = ""
    model: str = ""
    api_key_env: KeyVariable = ""
    choice_deadline_seconds: Annotated[float, Field(gt=0, le=60)] = 3.0
    deadline_seconds: Annotated[float, Field(gt=0, le=600)] = 20.0
    max_concurrency: Annotated[int, Field(ge=1, le=1_000)] = 8

    @model_validator(mode="after")
    def _complete(self) -> Self:
        if bool(self.url) != bool(self.model):
            raise ValueError("a server needs url and model")
        return self


class ObservabilitySection(Section):
    """Spans for OpenTelemetry, and who may read the metrics of the web app."""

    otel: bool = False
    metrics_for: Literal["this_machine", "everyone"] = "this_machine"


class ConversationsSection(Section):
    """Whether, where and how long the chat keeps conversations and what was said of replies.

    ``path`` is an SQLite file, by default beside the index; ``url`` names a database in its place,
    which several machines may share (PostgreSQL). A conversation goes ``keep_days`` after its last
    question; null keeps it until somebody deletes it. ``shared`` is for several servers over one
    file or database: any of them may then answer the next question.
    """

    enabled: bool = True
    path: Path | None = None
    url: Annotated[str, Field(repr=False)] = ""
    shared: bool = False
    keep_days: Annotated[int, Field(ge=1, le=36_500)] | None = 30

    @model_validator(mode="after")
    def _one_place(self) -> Self:
        if self.path and self.url:
            raise ValueError("'path' and 'url' name two places; keep one of them")
        return self

    def under(self, base: Path) -> Self:
        """Return the section with a relative SQLite file taken from a folder."""
        path = base / self.path if self.path else None
        return self.model_copy(update={"path": path, "url": _under(self.url, base)})


class DecisionLogSection(Section):
    """Where decisions are written down; without the section they are not.

    ``url`` is any database that SQLAlchemy knows, by default an SQLite file beside the index.
    After ``retention_days`` they are deleted; null keeps them until somebody does.
    """

    url: Annotated[str, Field(repr=False)] = ""
    retention_days: Annotated[int, Field(ge=1, le=36_500)] | None = 30

    def under(self, base: Path) -> Self:
        """Return the section with a relative SQLite file taken from a folder."""
        return self.model_copy(update={"url": _under(self.url, base)})


def _under(url: str, base: Path) -> str:
    """Take a relative SQLite file from a folder."""
    found = _SQLITE_FILE.fullmatch(url)
    return f"{found[1]}{base / found[2]}" if found else url
