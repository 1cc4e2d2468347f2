"""``config/thresholds.yaml``: the limits of the gates, per collection."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, FiniteFloat

from elysia_guard.config.base import CosineDistance, Section, Share
from elysia_guard.domain.calibration import (
    Calibration,
    JudgeCalibration,
    MatterCalibration,
    VerifierCalibration,
    WordsAlone,
)
from elysia_guard.domain.search_weights import SearchWeights
from elysia_guard.domain.thresholds import Limits, Thresholds

FieldWeight = Annotated[float, Field(ge=0.0, le=10.0)]


class WordsAloneSection(Section):
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


class LimitsSection(Section):
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


class DefaultLimitsSection(Section):
    """The limits where a collection sets none."""

    alpha: Share | None = None
    title_weight: FieldWeight = 1.0
    section_weight: FieldWeight = 1.0
    distance_threshold: CosineDistance
    min_query_coverage: Share
    calibration: CalibrationSection
    words_alone: WordsAloneSection | None = None
    forms_alone: WordsAloneSection | None = None


class ConfidenceSection(Section):
    """Fixed confidences and the limit below which the guard refuses."""

    min_confidence: Share = 0.60
    mentioned: Share = 0.15
    entity_min_coverage: Share = 0.60
    entity_match: Share = 0.95
    list_match: Share = 0.95
    entity_matter: Share = 0.60
    search_ceiling: Share = 0.75
    search_said: Share = 0.0
    said_from: Share = 0.80
    skos_match: Share = 0.98
    reading_asked: Share = 0.65


class MatterCalibrationSection(Section):
    """The confidence in what a named document says of a matter, written by the evaluation."""

    intercept: FiniteFloat
    said: FiniteFloat


class JudgeCalibrationSection(Section):
    """What the word of one judge is worth beside the gates' confidence, written by the evaluation.

    From ``asserted_from`` on a search is asserted, with the confidence ``ceiling``; null is never.
    """

    model: Annotated[str, Field(min_length=1)]
    intercept: FiniteFloat
    confidence: FiniteFloat
    judged: FiniteFloat
    asserted_from: Share | None = None
    ceiling: Share = 0.0


class VerifierCalibrationSection(Section):
    """From which chance on one second opinion shows a sentence, written by the evaluation.

    Null is never. ``kept`` and ``shown`` are the shares of the supported and of the other
    ``sentences`` that were shown then, each left out of its fit.
    """

    model: Annotated[str, Field(min_length=1)]
    sentences: Annotated[int, Field(ge=1)]
    supported_from: Share | None = None
    kept: Share = 0.0
    shown: Share = 0.0


class FittedOnSection(Section):
    """What a confidence model was fitted on."""

    golden_set_hash: str
    cases: int


class FittedSection(Section):
    """Where the calibration came from, and that of words alone, which needs no model."""

    model: str
    golden_set_hash: str
    cases: int
    words_alone: FittedOnSection | None = None


class ThresholdsFile(Section):
    """``config/thresholds.yaml``."""

    collections: dict[str, LimitsSection] = Field(default_factory=dict)
    default: DefaultLimitsSection
    confidence: ConfidenceSection = ConfidenceSection()
    matter: MatterCalibrationSection | None = None
    judge: JudgeCalibrationSection | None = None
    verifier: VerifierCalibrationSection | None = None
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
            judge=JudgeCalibration(**self.judge.model_dump()) if self.judge else None,
            verifier=VerifierCalibration(**self.verifier.model_dump()) if self.verifier else None,
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
