"""Policy profiles: what each design document has the gates measure, and the limits it states.

A profile chooses among gates that exist. What holds whatever the profile is no part of it: a
document that does not exist is refused, a definition is the vocabulary's, a quote is verified.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from types import MappingProxyType

from elysia_guard.domain.errors import ConfigError


class ProfileName(StrEnum):
    """What a profile is called in settings and on the command line."""

    DEFAULT = "default"
    AINSTEIN = "ainstein"
    RELEVANCE_GUARD = "relevance-guard"
    MULTI_GATE = "multi-gate"
    VERIFIED_SYNTHESIS = "verified-synthesis"

    @classmethod
    def named(cls, name: str) -> ProfileName:
        """Return the profile of a name.

        Raises:
            ConfigError: there is none.
        """
        if name not in list(cls):
            raise ConfigError(f"there is no profile '{name}'; choose one of {', '.join(cls)}")
        return cls(name)


class Nearness(StrEnum):
    """Which distance the distance gate holds against its limit."""

    SENTENCE = "each passage by its nearest sentence"
    NEAREST = "the nearest passage for all"
    MEAN = "for all the mean of the first"


class CoverageSpan(StrEnum):
    """In what the question's words are looked for."""

    EACH = "each passage"
    ALL = "all passages together"


@dataclass(frozen=True, kw_only=True, slots=True)
class DistanceRule:
    """How near passages must be; without ``limit`` that of ``thresholds.yaml`` counts.

    ``first`` is how many passages a mean is taken of. With ``words_alone`` a search that has no
    vector, because the embedder is down, passes; else it is refused.
    """

    nearness: Nearness
    limit: float | None = None
    first: int = 0
    words_alone: bool = False

    @property
    def described(self) -> str:
        """The rule in words."""
        among = f" {self.first}" if self.first else ""
        alone = "found by words alone passes" if self.words_alone else "words alone are refused"
        return f"≤ {_shown(self.limit)}, {self.nearness}{among}; {alone}"


@dataclass(frozen=True, kw_only=True, slots=True)
class CoverageRule:
    """What share of the question's words must be there; ``limit`` as in ``DistanceRule``.

    ``weighted``: a rare word counts for more than a common one. Without ``refuses`` the reader is
    warned of the words that are missing.
    """

    span: CoverageSpan
    limit: float | None = None
    weighted: bool = False
    refuses: bool = True

    @property
    def described(self) -> str:
        """The rule in words."""
        counted = "rare words count for more" if self.weighted else "every word counts the same"
        below = "" if self.refuses else "; below, the reader is warned of the missing words"
        return f"≥ {_shown(self.limit)}, in {self.span}, {counted}{below}"


@dataclass(frozen=True, kw_only=True, slots=True)
class ConfidenceRule:
    """The calibrated confidence that a passage needs; ``limit`` as in ``DistanceRule``."""

    limit: float | None = None

    @property
    def described(self) -> str:
        """The rule in words."""
        return f"≥ {_shown(self.limit)}, calibrated, of each passage"


_NONE = "no such gate"


def _shown(limit: float | None) -> str:
    return "thresholds.yaml" if limit is None else f"{limit:.2f}"


@dataclass(frozen=True, kw_only=True, slots=True)
class Profile:
    """The policy of one document: its gates (None: it has no such gate) and their limits.

    ``answer_type``: what would be quoted has to tell the kind of thing that is asked for.
    ``passages`` is how many of the found passages count; None: all. ``points``: a language model
    that points at units may answer what its gates refuse; ``needs_model``: there has to be one.
    ``without`` says what the profile leaves out, ``beyond`` where the guard does more, or other,
    than the document.
    """

    name: ProfileName
    document: str
    rule: str
    distance: DistanceRule | None = None
    coverage: CoverageRule | None = None
    confidence: ConfidenceRule | None = None
    answer_type: bool = False
    passages: int | None = None
    points: bool = False
    needs_model: bool = False
    without: tuple[str, ...] = ()
    beyond: tuple[str, ...] = ()

    @property
    def gates(self) -> dict[str, DistanceRule | CoverageRule | ConfidenceRule]:
        """The rules that it has, by the keys in ``thresholds.yaml`` of what they look at."""
        rules = {
            "distance_threshold": self.distance,
            "min_query_coverage": self.coverage,
            "entity_min_coverage": self.coverage,
            "min_confidence": self.confidence,
        }
        return {key: rule for key, rule in rules.items() if rule is not None}

    @property
    def limits(self) -> dict[str, float]:
        """The limits that it states itself, by the same keys."""
        return {key: rule.limit for key, rule in self.gates.items() if rule.limit is not None}

    @property
    def measured(self) -> Profile:
        """The same rules with the limits of ``thresholds.yaml``, measured for the model in use."""
        return replace(
            self,
            distance=self.distance and replace(self.distance, limit=None),
            coverage=self.coverage and replace(self.coverage, limit=None),
            confidence=self.confidence and replace(self.confidence, limit=None),
        )

    @property
    def label(self) -> str:
        """Its name, and whether its limits are those of its document."""
        own = PROFILES[self.name]
        return self.name if self == own else f"{self.name} with measured limits"

    @property
    def described(self) -> dict[str, str]:
        """Each gate before an answer, and its rule in words."""
        rules = {
            "distance": self.distance,
            "term coverage": self.coverage,
            "confidence": self.confidence,
        }
        counted = "all that were found" if self.passages is None else f"the first {self.passages}"
        return {
            "passages": counted,
            **{gate: rule.described if rule else _NONE for gate, rule in rules.items()},
            "answer type": "what is quoted tells the kind asked for" if self.answer_type else _NONE,
        }


DEFAULT = Profile(
    name=ProfileName.DEFAULT,
    document="IR0003 Phase 5",
    rule=(
        "All five combined: a passage must be near, cover the question and be likely to answer it;"
        " the limits are measured for the model in use."
    ),
    distance=DistanceRule(nearness=Nearness.SENTENCE, words_alone=True),
    coverage=CoverageRule(span=CoverageSpan.EACH, weighted=True),
    confidence=ConfidenceRule(),
    answer_type=True,
    points=True,
)

_AINSTEIN = Profile(
    name=ProfileName.AINSTEIN,
    document="IR0001 Confidence-Based Abstention",
    rule="Abstain before writing: nothing found, nothing near, or too few of the question's words.",
    distance=DistanceRule(nearness=Nearness.NEAREST, limit=0.5),
    coverage=CoverageRule(span=CoverageSpan.ALL, limit=0.2),
    passages=5,
    without=(
        "a confidence gate: the document names levels (0.60, 0.85), and has no measure for them",
        "a measure of each passage: one that is near and one that holds the words let all through",
        "an eye for languages: a word that stands there in another language counts as missing",
        "limits per collection",
        "an answer from words alone, when there is no vector",
    ),
    beyond=(
        "a search without true distances is refused; the document's code would let it through",
        "terms are looked up in the vocabulary, which the document leaves to later",
    ),
)

_RELEVANCE_GUARD = Profile(
    name=ProfileName.RELEVANCE_GUARD,
    document="TD-080 Context Relevance Guard",
    rule="Answer only where the first three passages are, on average, like the question.",
    distance=DistanceRule(nearness=Nearness.MEAN, limit=0.6, first=3),
    without=(
        "a term coverage gate",
        "a confidence gate",
        "a measure of each passage: a good one among poor ones is refused, or the reverse",
        "a second model that judges the passages (option 3)",
        "an answer from words alone, when there is no vector",
    ),
    beyond=(
        "the distance is the passage's own, not that of its first 500 characters",
        "documents that do not exist and terms that nobody defined are refused by name",
        "nothing is answered from a model's own knowledge, whatever a prompt says",
    ),
)

_MULTI_GATE = Profile(
    name=ProfileName.MULTI_GATE,
    document="ADR-004 Grounding and Refusal Logic",
    rule=(
        "Refuse where the nearest passage is not very near, or the answer is not likely; warn of"
        " words that are missing."
    ),
    distance=DistanceRule(nearness=Nearness.NEAREST, limit=0.3),
    coverage=CoverageRule(span=CoverageSpan.ALL, limit=1.0, refuses=False),
    confidence=ConfidenceRule(limit=0.6),
    without=(
        "a refusal for missing words: the reader is warned",
        "limits per collection",
        "an answer from words alone, when there is no vector",
    ),
    beyond=(
        "the confidence is the calibrated one of the passage, not what a model says of itself",
        "quotes are verified, which the document defers (gate 4)",
        "a refusal says why and what to try; the document has one text for all",
    ),
)

_VERIFIED_SYNTHESIS = Profile(
    name=ProfileName.VERIFIED_SYNTHESIS,
    document="ADR-0031 Anti-Hallucination System",
    rule="A model answers from whatever was found, and nothing is shown that no source holds.",
    points=True,
    needs_model=True,
    without=("any gate before a model: an answer is truly told, and may miss the question",),
    beyond=(
        "no word of a model is shown; the sources' own sentences stand in their place",
        "a number that is no unit is left out; the document warns and goes on",
        "rules choose the quotes where a model is late, away or points at nothing",
        "a quote that does not hold makes it a refusal; the document warns and goes on",
    ),
)

PROFILES: Mapping[ProfileName, Profile] = MappingProxyType(
    {
        item.name: item
        for item in (DEFAULT, _AINSTEIN, _RELEVANCE_GUARD, _MULTI_GATE, _VERIFIED_SYNTHESIS)
    }
)
