"""The limits that the gates hold evidence against."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from elysia_guard.domain.calibration import (
    Calibration,
    MatterCalibration,
    WordsAlone,
)
from elysia_guard.domain.pointing import Pointed, PointingCalibration
from elysia_guard.domain.profiles import DEFAULT, Profile
from elysia_guard.domain.quality import HIGH_CONFIDENCE, MOST_HEDGED


@dataclass(frozen=True, kw_only=True, slots=True)
class Limits:
    """The limits of one collection, and the configuration key they were read from.

    Without ``words_alone``, what is found without a vector counts as if it lay at the limit.
    ``forms_alone`` holds where no words are known to mean alike either.
    """

    distance_threshold: float
    min_query_coverage: float
    calibration: Calibration
    source: str
    words_alone: WordsAlone | None = None
    forms_alone: WordsAlone | None = None

    def without_vectors(self, *, likeness: bool) -> WordsAlone | None:
        """Return the model for words alone, with or without words known to mean alike."""
        return self.words_alone if likeness else self.forms_alone or self.words_alone


@dataclass(frozen=True, kw_only=True, slots=True)
class Thresholds:
    """All limits: per collection, with a default for the others.

    ``min_confidence`` is the probability below which the guard refuses, ``mentioned`` that from
    which a refusal tells where the matter is mentioned. ``entity_min_coverage`` is the share of
    what is asked of a named document that it must speak of. ``skos_match``, ``entity_match``,
    ``field_match``, ``comparison_match`` and ``list_match`` are how often terms,
    named documents, their fields, documents or terms beside each other, and lists were right on
    held-out questions; below ``asserted_from`` they are hedged. ``entity_matter`` is the least
    confidence in what a named document says of a matter, and the only one where ``matter`` does
    not tell it.
    ``search_ceiling`` is the most that a search can have: its share of right ones where it is
    surest; 1 is no ceiling. ``reading_asked`` is the chance from which the small model of wordings
    is believed, where no form decides what a question asks. ``pointing`` is what the word of one
    language model is worth, where it was measured. ``profile`` says which of
    the limits a gate looks at, and how it measures.
    """

    default: Limits
    collections: Mapping[str, Limits] = field(default_factory=dict)
    min_confidence: float = 0.60
    mentioned: float = 0.15
    entity_min_coverage: float = 0.60
    entity_match: float = 0.95
    field_match: float = 0.95
    comparison_match: float = 0.95
    list_match: float = 0.95
    asserted_from: float = HIGH_CONFIDENCE
    entity_matter: float = 0.60
    search_ceiling: float = 1.0
    skos_match: float = 0.98
    reading_asked: float = 0.65
    matter: MatterCalibration | None = None
    pointing: PointingCalibration | None = None
    profile: Profile = DEFAULT

    def for_collection(self, collection: str) -> Limits:
        """Return the limits of a collection, or the default ones."""
        return self.collections.get(collection, self.default)

    def matter_confidence(self, said: float) -> float:
        """Return the confidence in what a named document says of a matter; see ``Signals.said``.

        The gates have let it through, so it is at least ``entity_matter``; what a document says of
        a matter is as little asserted as what a search finds.
        """
        if self.matter is None:
            return self.entity_matter
        told = min(self.matter.probability(said), self.search_ceiling)
        return max(told, self.entity_matter)

    def pointed(self, said: Pointed) -> float:
        """Return how often what a model points at was right: hedged where nobody measured it."""
        known = self.pointing if self.pointing and self.pointing.model == said.by else None
        right = known.right(said.verdict) if known else 0.0
        return right if right >= self.asserted_from else min(right or MOST_HEDGED, MOST_HEDGED)

    def under(self, profile: Profile) -> Thresholds:
        """Return the limits as a profile has them: its document's, where that states any."""
        stated = profile.limits
        return replace(
            self,
            default=_stated(self.default, profile),
            collections={name: _stated(item, profile) for name, item in self.collections.items()},
            min_confidence=stated.get("min_confidence", self.min_confidence),
            entity_min_coverage=stated.get("entity_min_coverage", self.entity_min_coverage),
            profile=profile,
        )

    def source(self, key: str) -> str:
        """Name the configuration key, or the profile, that sets a limit of all collections."""
        stated = key in self.profile.limits
        return f"profiles.{self.profile.name}.{key}" if stated else f"confidence.{key}"


def _stated(limits: Limits, profile: Profile) -> Limits:
    stated = profile.limits
    if not {"distance_threshold", "min_query_coverage"} & stated.keys():
        return limits
    return replace(
        limits,
        distance_threshold=stated.get("distance_threshold", limits.distance_threshold),
        min_query_coverage=stated.get("min_query_coverage", limits.min_query_coverage),
        source=f"profiles.{profile.name}",
    )
