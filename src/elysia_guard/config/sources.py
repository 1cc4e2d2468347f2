"""The sections of ``guard.yaml`` for what is asked: vocabulary, index, and models of vectors."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from elysia_guard.config.base import (
    BreakerSection,
    KeptPath,
    KeyVariable,
    ReadPath,
    SettingsSection,
    Share,
)
from elysia_guard.config.services import SkosmosSection


class TerminologySection(SettingsSection):
    """Where terms are looked up.

    ``files`` are SKOS files or folders: the vocabulary itself, or (with ``kind: skosmos``) a copy
    of the labels beside the server, for suggestions and synonyms; without either there is none.
    Together they may have ``max_bytes``: each million takes some 50 MB of memory.
    """

    kind: Literal["skos_file", "skosmos"] = "skos_file"
    name: str = "SKOS"
    files: list[ReadPath] = Field(default_factory=list)
    max_bytes: Annotated[int, Field(ge=1, le=10_000_000_000)] = 50_000_000
    skosmos: SkosmosSection | None = None

    @model_validator(mode="after")
    def _complete(self) -> Self:
        if self.kind == "skosmos" and self.skosmos is None:
            raise ValueError("kind 'skosmos' needs a section 'skosmos' with its 'url'")
        return self


class WeaviateSection(SettingsSection):
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


class IndexSection(SettingsSection):
    """The passage index, and the folders that ``elysia-guard ingest`` fills it from.

    A file of PDF, DOCX or HTML that is not read within ``file_deadline_seconds`` is left out. With
    kind ``none`` no documents are asked: the vocabulary is all there is.
    """

    kind: Literal["sqlite", "weaviate", "none"] = "sqlite"
    path: KeptPath
    sources: list[ReadPath] = Field(default_factory=list)
    file_deadline_seconds: Annotated[float, Field(gt=0)] = 120.0
    weaviate: WeaviateSection | None = None

    @model_validator(mode="after")
    def _complete(self) -> Self:
        if self.kind == "weaviate" and self.weaviate is None:
            raise ValueError("kind 'weaviate' needs a section 'weaviate' with its 'url'")
        return self


class EmbeddingServerSection(SettingsSection):
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


class OnnxEmbedderSection(SettingsSection):
    """A folder with an ONNX model and its tokenizer.

    The prefixes stand before questions and passages, as the model wants them; longer texts are cut
    to ``max_tokens``.
    """

    path: ReadPath
    question_prefix: str = ""
    passage_prefix: str = ""
    max_tokens: Annotated[int, Field(ge=16, le=8_192)] = 512


class EmbedderSection(SettingsSection):
    """The model that turns texts into vectors."""

    kind: Literal["bundled", "ollama", "openai", "onnx"] = "bundled"
    server: EmbeddingServerSection | None = None
    onnx: OnnxEmbedderSection | None = None

    @model_validator(mode="after")
    def _complete(self) -> Self:
        if self.kind == "onnx" and self.onnx is None:
            raise ValueError("kind 'onnx' needs a section 'onnx' with its path")
        if self.kind in {"ollama", "openai"} and self.server is None:
            raise ValueError(
                f"kind '{self.kind}' needs a section 'server' with url, model and dimension"
            )
        return self
