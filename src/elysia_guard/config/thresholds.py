"""``config/thresholds.yaml``: the limits of the gates, per collection, and how it is read."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, TypeVar

from pydantic import Field, FiniteFloat

from elysia_guard.config.base import CosineDistance, SettingsSection, Share
from elysia_guard.config.files import read_yaml, shipped_thresholds, validate
from elysia_guard.domain.calibration import (
    Calibration,
    MatterCalibration,
    WordsAlone,
)
from elysia_guard.domain.errors import ConfigError
from elysia_guard.domain.own_kinds import OwnKinds
from elysia_guard.domain.pointing import PointingCalibration
from elysia_guard.domain.search_weights import SearchWeights
from elysia_guard.domain.thresholds import Limits, Thresholds

VOCABULARY = "vocabulary"
SHIPPED = MappingProxyType(
    {
        "ADR_Ollama": "decision",
        "Principle_Ollama": "principle",
        "Policy_Ollama": "policy",
        "Document_Ollama": "document",
        "Vocabulary_Ollama": VOCABULARY,
    }
)
"""What the collections are called that ship, and which kind each holds."""

Item = TypeVar("Item")

SHAPES = (
    "skos_match",
    "entity_match",
    "field_match",
    "comparison_match",
    "list_match",
)
"""How often each was right is borrowed from what ships."""

FieldWeight = Annotated[float, Field(ge=0.0, le=10.0)]


class WordsAloneSection(SettingsSection):
    """Coefficients of a logistic confidence model, written by the evaluation; 0 is no matter."""

    intercept: FiniteFloat
    coverage: FiniteFloat
    lexical: FiniteFloat
    matter: FiniteFloat = 0.0
    document: FiniteFloat = 0.0
    sentence: FiniteFloat = 0.0
    held: FiniteFloat = 0.0
    figures: FiniteFloat = 0.0
    names: FiniteFloat = 0.0


class CalibrationSection(WordsAloneSection):
    """The same with that of the likeness of meaning."""

    similarity: FiniteFloat


class LimitsSection(SettingsSection):
    """The limits of one collection, and what the rankings of a search count for its passages.

    ``alpha`` is what meaning counts beside words, ``title_weight`` and ``section_weight`` what a
    word counts in the title and under a heading, where one in the body counts 1.
    """

    alpha: Share | None = None
    title_weight: FieldWeight | None = None
    section_weight: FieldWeight | None = None
    distance_threshold: CosineDistance | None = None
    min_query_coverage: Share | None = None
    calibration: CalibrationSection | None = None
    words_alone: WordsAloneSection | None = None
    forms_alone: WordsAloneSection | None = None


class DefaultLimitsSection(SettingsSection):
    """The limits where a collection sets none."""

    alpha: Share | None = None
    title_weight: FieldWeight = 1.0
    section_weight: FieldWeight = 1.0
    distance_threshold: CosineDistance
    min_query_coverage: Share
    calibration: CalibrationSection
    words_alone: WordsAloneSection | None = None
    forms_alone: WordsAloneSection | None = None


class ConfidenceSection(SettingsSection):
    """How often each shape of answer was right, and the limits of refusing and asserting."""

    min_confidence: Share = 0.60
    mentioned: Share = 0.15
    entity_min_coverage: Share = 0.60
    entity_match: Share = 0.95
    field_match: Share = 0.95
    comparison_match: Share = 0.95
    list_match: Share = 0.95
    asserted_from: Share = 0.97
    entity_matter: Share = 0.60
    search_ceiling: Share = 0.75
    skos_match: Share = 0.98
    reading_asked: Share = 0.65


class MatterCalibrationSection(SettingsSection):
    """The confidence in what a named document says of a matter, written by the evaluation."""

    intercept: FiniteFloat
    said: FiniteFloat


class PointingCalibrationSection(SettingsSection):
    """How often what one language model points at was right, by what it says of the units."""

    model: Annotated[str, Field(min_length=1)]
    answers: Share
    partly: Share = 0.0
    contradicts: Share = 0.0


class FittedOnSection(SettingsSection):
    """What a confidence model was fitted on."""

    golden_set_hash: str
    cases: int


class FittedSection(SettingsSection):
    """Where the calibration came from, and that of words alone, which needs no model."""

    model: str
    golden_set_hash: str
    cases: int
    words_alone: FittedOnSection | None = None
    shapes: dict[str, str] | None = None
    """How many answers of each shape were right, of which golden set, and the day."""


class ThresholdsFile(SettingsSection):
    """``config/thresholds.yaml``."""

    collections: dict[str, LimitsSection] = Field(default_factory=dict)
    default: DefaultLimitsSection
    confidence: ConfidenceSection = ConfidenceSection()
    matter: MatterCalibrationSection | None = None
    pointing: PointingCalibrationSection | None = None
    fitted: FittedSection | None = None

    def thresholds(self) -> Thresholds:
        """Return the limits as the gates use them, each knowing the key it came from."""
        return Thresholds(
            default=self._limits("default", LimitsSection()),
            collections={
                name: self._limits(f"collections.{name}", section)
                for name, section in self.collections.items()
            },
            matter=MatterCalibration(**self.matter.model_dump()) if self.matter else None,
            pointing=PointingCalibration(**self.pointing.model_dump()) if self.pointing else None,
            **self.confidence.model_dump(),
        )

    def search_weights(self, alpha: float) -> tuple[SearchWeights, dict[str, SearchWeights]]:
        """Return what the rankings of a search count by default, and for the passages of sections.

        ``alpha`` holds where the file sets none.
        """
        default = SearchWeights(
            alpha=alpha if self.default.alpha is None else self.default.alpha,
            title=self.default.title_weight,
            section=self.default.section_weight,
        )
        return default, {
            name: SearchWeights(
                alpha=_or(section.alpha, default.alpha),
                title=_or(section.title_weight, default.title),
                section=_or(section.section_weight, default.section),
            )
            for name, section in self.collections.items()
        }

    def _limits(self, source: str, section: LimitsSection) -> Limits:
        distance, coverage = section.distance_threshold, section.min_query_coverage
        calibration = section.calibration or self.default.calibration
        words = section.words_alone or self.default.words_alone
        forms = section.forms_alone or self.default.forms_alone
        return Limits(
            distance_threshold=self.default.distance_threshold if distance is None else distance,
            min_query_coverage=self.default.min_query_coverage if coverage is None else coverage,
            calibration=Calibration(**calibration.model_dump()),
            source=source,
            words_alone=WordsAlone(**words.model_dump()) if words else None,
            forms_alone=WordsAlone(**forms.model_dump()) if forms else None,
        )


def _or(value: float | None, inherited: float) -> float:
    return inherited if value is None else value


def read_thresholds(path: Path) -> ThresholdsFile:
    """Read ``thresholds.yaml``, with what it says of its calibration.

    A file may hold limits alone, as IR0003 writes it: the calibrations are then those that ship.
    Those of words alone, which depend on no embedder, are borrowed by themselves too, and so is how
    often each shape of answer was right.

    Raises:
        ConfigError: it is missing, or a key or value of it cannot be used.
    """
    raw = read_yaml(path)
    default = raw.get("default")
    for key in ("calibration", "words_alone", "forms_alone"):
        if isinstance(default, dict) and key not in default:
            _borrow(key, raw, read_yaml(shipped_thresholds()))
    confidence = raw.setdefault("confidence", {})
    if isinstance(confidence, dict):
        measured = read_yaml(shipped_thresholds())["confidence"]
        raw["confidence"] = {key: measured[key] for key in SHAPES} | confidence
    return validate(ThresholdsFile, raw, path)


def _borrow(key: str, raw: dict[str, Any], shipped: Mapping[str, Any]) -> None:
    """Give limits without a calibration the one that ships, collection by collection."""
    if key not in shipped["default"]:
        return
    raw["default"][key] = shipped["default"][key]
    if key == "calibration" and "fitted" in shipped:
        raw.setdefault("fitted", shipped["fitted"])
    sections = raw.get("collections")
    for name, section in (sections if isinstance(sections, dict) else {}).items():
        own = shipped["collections"].get(name, {}).get(key)
        if own and isinstance(section, dict):
            section.setdefault(key, own)


def load_thresholds(path: Path) -> Thresholds:
    """Read ``thresholds.yaml`` as the gates use it.

    Raises:
        ConfigError: it is missing, or a key or value of it cannot be used.
    """
    return read_thresholds(path).thresholds()


def with_own(raw: dict[str, Any], kinds: OwnKinds) -> dict[str, Any]:
    """Return settings in which each kind of a house's own has a collection, named there or here."""
    named = raw.get("collections")
    if not isinstance(named, dict):
        return raw
    own = {item.kind.value: item.collection for item in kinds.further}
    return {**raw, "collections": named | {key: own[key] for key in own if key not in named}}


def by_collection(
    sections: Mapping[str, Item],
    names: Mapping[str, str],
    path: Path,
    *,
    like: Mapping[str, str] | None = None,
) -> dict[str, Item]:
    """Return the sections under the names that the collections have in ``guard.yaml``.

    A section is named by a collection, by a kind (``decision``), or by what ships: limits belong
    to a kind of document, whatever its collection is called. The nearest name wins, in this order.

    Args:
        sections: as ``thresholds.yaml`` names them.
        names: the collection of each kind, and of ``vocabulary``.
        path: of the file, for the message.
        like: collections that have, without a section of their own, that of another.

    Raises:
        ConfigError: a section names none of them.
    """
    found: dict[str, Item] = {}
    for section in sorted(sections, key=lambda name: _nearness(name, names)):
        name = _collection(section, names)
        if name is None:
            kinds = "; ".join(f"{kind}: {name}" for kind, name in names.items())
            raise ConfigError(
                f"{path}: collections.{section} is none of the collections in guard.yaml; name it "
                f"by its kind or as it is called there ({kinds})"
            )
        found.setdefault(name, sections[section])
    return {name: found[other] for name, other in (like or {}).items() if other in found} | found


def _collection(section: str, names: Mapping[str, str]) -> str | None:
    if section in names.values():
        return section
    return names.get(section) or names.get(SHIPPED.get(section, ""))


def _nearness(section: str, names: Mapping[str, str]) -> int:
    return 0 if section in names.values() else 1 if section in names else 2
