"""Settings: ``config/guard.yaml``, ``config/thresholds.yaml`` and ``ELYSIA_GUARD_*`` variables.

Unknown keys and values out of range are errors that name file, key and value. Everything is read
once, at the start: Elysia swaps the process environment while its tools run.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, Self, TypeVar

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from elysia_guard.domain.document import DocumentKind
from elysia_guard.domain.errors import ConfigError
from elysia_guard.domain.thresholds import Calibration, Limits, Thresholds

PREFIX = "ELYSIA_GUARD_"
SECRETS = ("_API_KEY", "_TOKEN", "_API_BASE")
"""Elysia takes variables of these endings out of the environment; none of them is a setting."""

Model = TypeVar("Model", bound=BaseModel)

Share = Annotated[float, Field(ge=0.0, le=1.0)]
CosineDistance = Annotated[float, Field(ge=0.0, le=2.0)]


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class CalibrationSection(_Section):
    """Coefficients of the logistic confidence model, written by the evaluation."""

    intercept: float
    similarity: float
    coverage: float
    lexical: float


class LimitsSection(_Section):
    """The limits of one collection."""

    distance_threshold: CosineDistance | None = None
    min_query_coverage: Share | None = None
    calibration: CalibrationSection | None = None


class DefaultLimitsSection(_Section):
    """The limits where a collection sets none."""

    distance_threshold: CosineDistance
    min_query_coverage: Share
    calibration: CalibrationSection


class ConfidenceSection(_Section):
    """Fixed confidences and the limit below which the guard refuses."""

    min_confidence: Share = 0.60
    entity_min_coverage: Share = 0.60
    entity_match: Share = 0.95
    skos_match: Share = 0.98


class CrossLanguageSection(_Section):
    """Coefficients for passages in another language than the question's: similarity alone."""

    intercept: float
    similarity: float


class FittedSection(_Section):
    """Where the calibration came from."""

    model: str
    golden_set_hash: str
    cases: int


class ThresholdsFile(_Section):
    """``config/thresholds.yaml``."""

    collections: dict[str, LimitsSection] = Field(default_factory=dict)
    default: DefaultLimitsSection
    cross_language: CrossLanguageSection
    confidence: ConfidenceSection = ConfidenceSection()
    fitted: FittedSection | None = None

    def thresholds(self) -> Thresholds:
        """Return the limits as the gates use them, each knowing the key it came from."""
        return Thresholds(
            default=self._limits("default", LimitsSection()),
            collections={
                name: self._limits(f"collections.{name}", section)
                for name, section in self.collections.items()
            },
            cross_language=Calibration(
                **self.cross_language.model_dump(), coverage=0.0, lexical=0.0
            ),
            **self.confidence.model_dump(),
        )

    def _limits(self, source: str, section: LimitsSection) -> Limits:
        distance, coverage = section.distance_threshold, section.min_query_coverage
        calibration = section.calibration or self.default.calibration
        return Limits(
            distance_threshold=self.default.distance_threshold if distance is None else distance,
            min_query_coverage=self.default.min_query_coverage if coverage is None else coverage,
            calibration=Calibration(**calibration.model_dump()),
            source=source,
        )


class BreakerSection(_Section):
    """When a source is left alone: after how many failures, for how long (IR0003)."""

    failure_threshold: Annotated[int, Field(ge=1)] = 5
    success_threshold: Annotated[int, Field(ge=1)] = 2
    timeout_seconds: Annotated[float, Field(gt=0)] = 30.0


class SkosmosSection(_Section):
    """A Skosmos server.

    ``known_term`` is one that is there: without it an outage of its store looks like a miss.
    """

    url: Annotated[str, Field(pattern=r"^https?://")]
    vocabularies: dict[str, str] = Field(default_factory=dict)
    timeout_ms: Annotated[int, Field(ge=1, le=10_000)] = 300
    max_concurrency: Annotated[int, Field(ge=1, le=100)] = 8
    known_term: str = ""
    cache_ttl_seconds: Annotated[float, Field(gt=0)] = 600.0
    cache_miss_ttl_seconds: Annotated[float, Field(gt=0)] = 60.0
    cache_max_size: Annotated[int, Field(ge=1)] = 5_000
    circuit_breaker: BreakerSection = BreakerSection()


class TerminologySection(_Section):
    """Where terms are looked up.

    ``files`` are SKOS files or folders: the vocabulary itself, or (with ``kind: skosmos``) a copy
    of the labels beside the server, for suggestions and synonyms.
    """

    kind: Literal["skos_file", "skosmos"] = "skos_file"
    name: str = "SKOS"
    files: list[Path] = Field(default_factory=list)
    skosmos: SkosmosSection | None = None

    @model_validator(mode="after")
    def _complete(self) -> Self:
        if self.kind == "skos_file" and not self.files:
            raise ValueError("kind 'skos_file' needs 'files'")
        if self.kind == "skosmos" and self.skosmos is None:
            raise ValueError("kind 'skosmos' needs a section 'skosmos' with its 'url'")
        return self


class IndexSection(_Section):
    """The passage index, and the folders that ``elysia-guard ingest`` fills it from."""

    kind: Literal["sqlite"] = "sqlite"
    path: Path
    sources: list[Path] = Field(default_factory=list)


class EmbedderSection(_Section):
    """The model that turns texts into vectors."""

    kind: Literal["bundled"] = "bundled"


class Config(_Section):
    """``config/guard.yaml``: everything that is not a threshold."""

    terminology: TerminologySection
    index: IndexSection
    embedder: EmbedderSection = EmbedderSection()
    thresholds: Path
    collections: dict[DocumentKind, str]
    vocabulary_collection: str = "Vocabulary_Ollama"
    default_lang: Literal["en", "nl", "de"] = "en"
    max_question_chars: Annotated[int, Field(ge=1, le=100_000)] = 2_000
    log_queries: Literal["full", "length"] = "full"
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "WARNING"
    test_triggers: bool = False


def home() -> Path:
    """The folder that holds ``config`` and ``data``: the checkout, or what the wheel brought."""
    checkout = Path(__file__).resolve().parents[2]
    if (checkout / "config" / "guard.yaml").is_file():
        return checkout
    return Path(__file__).resolve().parent / "_data"


def load(path: Path | None = None, *, environ: Mapping[str, str] | None = None) -> Config:
    """Read the configuration; relative paths in it are relative to its folder's parent.

    Args:
        path: a ``guard.yaml``; by default ``ELYSIA_GUARD_CONFIG`` or the one that ships.
        environ: the environment to read ``ELYSIA_GUARD_*`` from; by default the process's.

    Raises:
        ConfigError: a file is missing or not YAML, a key unknown, a value out of range.
    """
    env = os.environ if environ is None else environ
    file = path or Path(env.get(f"{PREFIX}CONFIG") or home() / "config" / "guard.yaml")
    raw = _read_yaml(file)
    _apply_environment(raw, env)
    config = _validate(Config, raw, file)
    base = file.resolve().parent.parent
    return config.model_copy(
        update={
            "thresholds": _resolve(config.thresholds, base),
            "terminology": config.terminology.model_copy(
                update={"files": [_resolve(item, base) for item in config.terminology.files]}
            ),
            "index": config.index.model_copy(
                update={
                    "path": _resolve(config.index.path, base),
                    "sources": [_resolve(item, base) for item in config.index.sources],
                }
            ),
        }
    )


def read_thresholds(path: Path) -> ThresholdsFile:
    """Read ``thresholds.yaml``, with what it says of its calibration.

    Raises:
        ConfigError: as for ``load``.
    """
    return _validate(ThresholdsFile, _read_yaml(path), path)


def load_thresholds(path: Path) -> Thresholds:
    """Read ``thresholds.yaml`` as the gates use it.

    Raises:
        ConfigError: as for ``load``.
    """
    return read_thresholds(path).thresholds()


def _resolve(path: Path, base: Path) -> Path:
    return path if path.is_absolute() else base / path


def _read_yaml(path: Path) -> dict[str, Any]:
    try:
        raw = yaml.safe_load(path.read_text(encoding="utf-8"))
    except FileNotFoundError as err:
        raise ConfigError(f"{path}: there is no such file; name one with --config") from err
    except (OSError, UnicodeDecodeError) as err:
        raise ConfigError(f"{path}: cannot be read: {err}") from err
    except yaml.YAMLError as err:
        raise ConfigError(f"{path}: is not valid YAML: {err}") from err
    if not isinstance(raw, dict):
        raise ConfigError(f"{path}: holds no settings; it must be a mapping of keys to values")
    return raw


def _apply_environment(raw: dict[str, Any], env: Mapping[str, str]) -> None:
    """Let ``ELYSIA_GUARD_INDEX__PATH`` override ``index.path``, and so on."""
    for name, value in sorted(env.items()):
        if not name.startswith(PREFIX) or name == f"{PREFIX}CONFIG" or name.endswith(SECRETS):
            continue
        *parents, key = name.removeprefix(PREFIX).lower().split("__")
        section = raw
        for parent in parents:
            section = section.setdefault(parent, {})
            if not isinstance(section, dict):
                raise ConfigError(f"{name}: '{parent}' is not a section of the configuration")
        try:
            section[key] = yaml.safe_load(value) if value else None
        except yaml.YAMLError as err:
            raise ConfigError(f"{name}: its value is not valid YAML: {err}") from err


def _validate(model: type[Model], raw: dict[str, Any], path: Path) -> Model:
    try:
        return model.model_validate(raw)
    except ValidationError as err:
        problems = "; ".join(
            f"{'.'.join(str(part) for part in item['loc'])} is {item['input']!r}: {item['msg']}"
            for item in err.errors()
        )
        raise ConfigError(f"{path}: {problems}") from err
