"""Settings: ``config/guard.yaml``, ``config/thresholds.yaml`` and ``ELYSIA_GUARD_*`` variables.

Unknown keys and values out of range are errors that name file, key and value. Everything is read
once, at the start: Elysia swaps the process environment while its tools run.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import Field, PrivateAttr, model_validator

from elysia_guard.config.base import BreakerSection, Folders, ReadPath, SettingsSection
from elysia_guard.config.files import (
    PREFIX,
    apply_environment,
    check_languages,
    chosen,
    home,
    kept_below,
    kinds_file,
    read_yaml,
    shipped_thresholds,
    validate,
)
from elysia_guard.config.services import (
    AnswerCacheSection,
    CircuitBreakersSection,
    ConversationsSection,
    DecisionLogSection,
    LanguageModelSection,
    ObservabilitySection,
    ServerSection,
    SkosmosSection,
)
from elysia_guard.config.sources import (
    EmbedderSection,
    IndexSection,
    TerminologySection,
    WeaviateSection,
)
from elysia_guard.config.thresholds import (
    VOCABULARY,
    ThresholdsFile,
    by_collection,
    load_thresholds,
    read_thresholds,
    with_own,
)
from elysia_guard.domain.document import DocumentKind
from elysia_guard.domain.own_kinds import STANDING, OwnKinds, in_force, in_house
from elysia_guard.domain.profiles import PROFILES, Profile, ProfileName

__all__ = [
    "PREFIX",
    "AnswerCacheSection",
    "BreakerSection",
    "Config",
    "ConversationsSection",
    "DecisionLogSection",
    "EmbedderSection",
    "LanguageModelSection",
    "ObservabilitySection",
    "ServerSection",
    "SkosmosSection",
    "TerminologySection",
    "ThresholdsFile",
    "WeaviateSection",
    "by_collection",
    "chosen",
    "home",
    "kinds_file",
    "load",
    "load_thresholds",
    "read_key",
    "read_thresholds",
]

MOST_QUESTION_CHARS = 4_000
"""The forms of questions take time that grows faster than their length; this far it is little."""
COLLECTION = re.compile(r"(?!ELYSIA_)[A-Z][A-Za-z0-9_]*\Z")


class Config(SettingsSection):
    """``config/guard.yaml``: everything that is not a threshold."""

    terminology: TerminologySection = TerminologySection()
    index: IndexSection
    embedder: EmbedderSection = EmbedderSection()
    llm: LanguageModelSection = LanguageModelSection()
    answer_cache: AnswerCacheSection = AnswerCacheSection()
    circuit_breaker: CircuitBreakersSection = CircuitBreakersSection()
    observability: ObservabilitySection = ObservabilitySection()
    server: ServerSection = ServerSection()
    profile: ProfileName = ProfileName.DEFAULT
    profile_limits: Literal["document", "measured"] = "document"
    thresholds: ReadPath = Field(default_factory=shipped_thresholds)
    decision_log: DecisionLogSection | None = None
    conversations: ConversationsSection = ConversationsSection()
    collections: dict[DocumentKind, str]
    vocabulary_collection: str = "Vocabulary_Ollama"
    default_lang: Annotated[str, Field(pattern=r"^[a-z]{2,3}$")] = "en"
    contact: Annotated[str, Field(max_length=200, pattern=r"^[^\r\n]*$")] = ""
    max_question_chars: Annotated[int, Field(ge=1, le=MOST_QUESTION_CHARS)] = 2_000
    log_queries: Literal["full", "length"] = "full"
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "WARNING"
    test_triggers: bool = False
    _shipped: frozenset[str] = PrivateAttr(default=frozenset())
    _kinds: OwnKinds | None = PrivateAttr(default_factory=in_force)

    def names(self, section: Literal["terminology", "index"]) -> bool:
        """Tell whether somebody named this section: it is not the one that ships."""
        return section not in self._shipped

    def naming(self, section: Literal["terminology", "index"], **values: object) -> Self:
        """Return the configuration with some values of a section named in place of its own."""
        changed = getattr(self, section).model_copy(update=values)
        named = self.model_copy(update={section: changed})
        named._shipped = self._shipped - {section}  # noqa: SLF001
        return named

    @property
    def kinds(self) -> OwnKinds:
        """The kinds of documents of the house whose settings these are."""
        return self._kinds or STANDING

    @property
    def has_kinds(self) -> bool:
        """Whether it is known which kinds these are."""
        return self._kinds is not None

    def under(self, kinds: OwnKinds) -> Self:
        """Return the configuration of a house with these kinds of documents."""
        held = {kinds.named(kind): name for kind, name in self.collections.items()}
        own = {item.kind: item.collection for item in kinds.further if item.kind not in held}
        named = self.model_copy(update={"collections": held | own})
        named._kinds = kinds  # noqa: SLF001
        return named

    @property
    def policy(self) -> Profile:
        """The profile in force, with the limits of its document or those of ``thresholds``."""
        chosen = PROFILES[self.profile]
        return chosen.measured if self.profile_limits == "measured" else chosen

    @property
    def collection_names(self) -> dict[str, str]:
        """The collection of each kind of document, and of ``vocabulary``."""
        kinds = {kind.value: name for kind, name in self.collections.items()}
        return kinds | {VOCABULARY: self.vocabulary_collection}

    @property
    def collections_like(self) -> dict[str, str]:
        """For the collection of each kind of a house's own that of the kind that it is like."""
        own = ((item.kind, item.kind.like) for item in self.kinds.further)
        return {self.collections[kind]: self.collections[like] for kind, like in own}

    @property
    def points_with_elysia(self) -> bool:
        """Whether the language model of Elysia's settings points: no server is named for it."""
        return self.llm.use == "auto" and not self.llm.url

    @model_validator(mode="after")
    def _collections_fit(self) -> Self:
        """Where Weaviate holds them: one for each kind, under a name that Weaviate accepts."""
        if self.index.kind != "weaviate":
            return self
        names = list(self.collections.values())
        for kind in in_house().every:
            if not COLLECTION.match(name := self.collections.get(kind, "")):
                raise ValueError(
                    f"collections.{kind} is '{name}'; Weaviate needs a name of letters, digits "
                    "and underscores that begins with a capital, and not with ELYSIA_"
                )
            if names.count(name) > 1 or name == self.vocabulary_collection:
                raise ValueError(f"collections.{kind}: '{name}' is the name of two collections")
        return self


def load(path: Path | None = None, *, environ: Mapping[str, str] | None = None) -> Config:
    """Read the configuration; relative paths in it are relative to its folder's parent.

    Args:
        path: a ``guard.yaml``; by default the one that ``ELYSIA_GUARD_CONFIG`` names, the one
            below the current folder (``config/guard.yaml``), or the one that ships.
        environ: the environment to read ``ELYSIA_GUARD_*`` from; by default the process's.

    Raises:
        ConfigError: a file is missing or not YAML, a key unknown, a value out of range, or
            languages beside it are not read.
    """
    env = os.environ if environ is None else environ
    file = path or chosen(env)
    check_languages(file, env)
    raw = read_yaml(file)
    apply_environment(raw, env)
    base = file.resolve().parent.parent
    folders = Folders(read=base, kept=kept_below(base))
    config = validate(Config, with_own(raw, in_house()), file, folders)
    config._shipped = _shipped(file, env)  # noqa: SLF001
    return config


def _shipped(file: Path, env: Mapping[str, str]) -> frozenset[str]:
    """Name the sections that are as they ship: of the file that ships, what no variable changes."""
    if file.resolve() != (home() / "config" / "guard.yaml").resolve():
        return frozenset()
    return frozenset(
        section
        for section in ("terminology", "index")
        if not any(name.startswith(f"{PREFIX}{section.upper()}__") for name in env)
    )


def read_key(variable: str) -> str:
    """Return the key that a variable holds, without the line's end that often comes with it.

    Empty if it holds none, or what no header could carry. To be called at the start: Elysia swaps
    the environment while its tools run.
    """
    key = os.environ.get(variable, "").strip() if variable else ""
    return key if key.isascii() and key.isprintable() else ""
