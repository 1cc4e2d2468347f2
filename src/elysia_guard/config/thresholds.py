"""``config/thresholds.yaml``: the limits of the gates, per collection."""

from __future__ import annotations

from pydantic import Field

from elysia_guard.config.base import CosineDistance, Section, Share
from elysia_guard.domain.thresholds import Calibration, Limits, Thresholds


class CalibrationSection(Section):
    """Coefficients of the logistic confidence model, written by the evaluation."""

    intercept: float
    similarity: float
    coverage: float
    lexical: float


class LimitsSection(Section):
    """The limits of one collection."""

    distance_threshold: CosineDistance | None = None
    min_query_coverage: Share | None = None
    calibration: CalibrationSection | None = None


class DefaultLimitsSection(Section):
    """The limits where a collection sets none."""

    distance_threshold: CosineDistance
    min_query_coverage: Share
    calibration: CalibrationSection


class ConfidenceSection(Section):
    """Fixed confidences and the limit below which the guard refuses."""

    min_confidence: Share = 0.60
    entity_min_coverage: Share = 0.60
    entity_match: Share = 0.95
    skos_match: Share = 0.98
    meaning_asked: Share = 0.70


class FittedSection(Section):
    """Where the calibration came from."""

    model: str
    golden_set_hash: str
    cases: int


class ThresholdsFile(Section):
    """``config/thresholds.yaml``."""

    collections: dict[str, LimitsSection] = Field(default_factory=dict)
    default: DefaultLimitsSection
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
