"""The limits that the gates hold evidence against."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from elysia_guard.domain.profiles import DEFAULT, Profile
from elysia_guard.domain.signals import NONE, Signals

MOST = 60.0
"""Beyond this, a logistic function is 0 or 1 to the last digit."""


@dataclass(frozen=True, kw_only=True, slots=True)
class _Weights:
    """The intercept, and the coefficients of the measures that every model looks at."""

    intercept: float
    coverage: float
    lexical: float
    matter: float = 0.0
    document: float = 0.0
    sentence: float = 0.0
    held: float = 0.0
    figures: float = 0.0
    names: float = 0.0

    def log_odds(
        self, *, coverage: float, lexical: float, weight: float, signals: Signals
    ) -> float:
        """Return what these measures come to; ``lexical`` is the raw BM25 score."""
        return (
            self.intercept
            + self.coverage * coverage
            + self.lexical * saturate(lexical)
            + self.matter * covered_matter(coverage, weight)
            + self.document * signals.document
            + self.sentence * signals.sentence
            + self.held * signals.held
            + self.figures * signals.figures
            + self.names * signals.names
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class Calibration(_Weights):
    """A logistic model of 'what is quoted answers', fitted on questions with their answers.

    Inputs are similarity (1 - cosine distance), query coverage (0 to 1), the saturated BM25 score
    s / (s + 10), how much rare matter is covered, and the signals of the document; output is a
    probability.
    """

    similarity: float

    def probability(
        self,
        *,
        similarity: float,
        coverage: float,
        lexical: float,
        weight: float = 0.0,
        signals: Signals = NONE,
    ) -> float:
        """Return the probability, 0 to 1, that a passage with these measures answers.

        ``weight`` is that of all words asked for, each 0 to 1 by its rarity.
        """
        shared = self.log_odds(coverage=coverage, lexical=lexical, weight=weight, signals=signals)
        return _chance(shared + self.similarity * similarity)


@dataclass(frozen=True, kw_only=True, slots=True)
class WordsAlone(_Weights):
    """The same where no vector can be had: what a passage's words say of whether it answers.

    Inputs are those of ``Calibration`` without the similarity. It is fitted so that what IR0003's
    reduction leaves of the output is the probability; of named documents, the output itself is.
    """

    def probability(
        self, *, coverage: float, lexical: float, weight: float, signals: Signals = NONE
    ) -> float:
        """Return the confidence, 0 to 1, in a passage before any reduction.

        ``weight`` is that of all words asked for, each 0 to 1 by its rarity.
        """
        return _chance(
            self.log_odds(coverage=coverage, lexical=lexical, weight=weight, signals=signals)
        )


def rank(*, similarity: float, coverage: float, lexical: float) -> float:
    """Return what the passages of a search are ordered by, the higher the better.

    The likeness and the words of the passage alone, with the raw BM25 score: which document to
    quote is told best by these, and whether it answers by all measures (ADR 0031).
    """
    return 4.39 * similarity + 3.313 * coverage + 1.806 * saturate(lexical)


@dataclass(frozen=True, kw_only=True, slots=True)
class JudgeCalibration:
    """What the word of one judge is worth beside the confidence that the gates have anyway.

    A logistic model of 'the passage answers', over the log odds of both, each kept from
    ``SUREST`` to 1 - ``SUREST``. From ``asserted_from`` on at least 97 of 100 were right, of the
    questions left out, and ``ceiling`` is the share; None where there is no such chance.
    """

    model: str
    intercept: float
    confidence: float
    judged: float
    asserted_from: float | None = None
    ceiling: float = 0.0

    def probability(self, *, confidence: float, chance: float) -> float:
        """Return the probability, 0 to 1, that a passage answers.

        ``confidence`` is the gates' own, ``chance`` the judge's, each 0 to 1.
        """
        return _chance(
            self.intercept + self.confidence * log_odds(confidence) + self.judged * log_odds(chance)
        )

    def asserts(self, probability: float) -> bool:
        """Tell whether so sure a word was right often enough to be asserted."""
        return self.asserted_from is not None and probability >= self.asserted_from


@dataclass(frozen=True, kw_only=True, slots=True)
class MatterCalibration:
    """What a named document's best sentence tells of whether it answers what is asked of it.

    A logistic model over ``Signals.said``, fitted on questions that name a document.
    """

    intercept: float
    said: float

    def probability(self, said: float) -> float:
        """Return the probability, 0 to 1, that the document answers; ``said`` is 0 to 1."""
        return _chance(self.intercept + self.said * said)


@dataclass(frozen=True, kw_only=True, slots=True)
class VerifierCalibration:
    """From which chance on one second opinion shows a sentence that code leaves open.

    ``supported_from`` is None where at no chance it was right often enough: it is not asked. Of
    ``sentences`` that a fit did not see, ``kept`` is the share of the supported that were shown,
    and ``shown`` that of the others, code and opinion together.
    """

    model: str
    sentences: int
    supported_from: float | None = None
    kept: float = 0.0
    shown: float = 0.0


SUREST = 0.01
"""No judge is taken to be surer: one says 1 as lightly as another 0.9."""


def log_odds(chance: float) -> float:
    """Return the log odds of a chance, kept from 0.01 to 0.99.

    >>> log_odds(0.5), log_odds(1.0) == log_odds(0.99)
    (0.0, True)
    """
    bounded = min(max(chance, SUREST), 1.0 - SUREST)
    return math.log(bounded / (1.0 - bounded))


def _chance(log_odds: float) -> float:
    return 1.0 / (1.0 + math.exp(-max(-MOST, min(log_odds, MOST))))


def covered_matter(coverage: float, weight: float) -> float:
    """Map the weight of the covered words to 0..1: two rare words say more than one."""
    covered = coverage * weight
    return covered / (covered + 2.0)


def saturate(bm25: float) -> float:
    """Map a raw BM25 score, 0 upwards, to 0..1, so that long questions do not win by length."""
    return bm25 / (bm25 + 10.0)


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
    which a refusal tells where the matter is mentioned. ``entity_min_coverage``
    is the share of what is asked of a named document that it must speak of. ``entity_match`` and
    ``skos_match`` are the fixed confidences of an exact identity and of a governed term.
    ``list_match`` is that of a list. ``entity_matter`` is the least confidence in what a named
    document says of a matter, and the only one where ``matter`` does not tell it.
    ``search_ceiling`` is the most that a search can have: its share of right ones where it is
    surest; 1 is no ceiling. ``search_said`` is what it has all the same where one sentence says as
    much as ``said_from`` of every word that is asked for: its share of right ones there; 0 is no
    such rule.
    ``reading_asked`` is the chance from which the small model of wordings is believed, where no
    form decides what a question asks. ``judge`` and ``verifier`` are what the word of one judge and
    of one second opinion is worth, where they were calibrated. ``profile`` says which of the limits
    a gate looks at, and how it measures.
    """

    default: Limits
    collections: Mapping[str, Limits] = field(default_factory=dict)
    min_confidence: float = 0.60
    mentioned: float = 0.15
    entity_min_coverage: float = 0.60
    entity_match: float = 0.95
    list_match: float = 0.95
    entity_matter: float = 0.60
    search_ceiling: float = 1.0
    search_said: float = 0.0
    said_from: float = 0.80
    skos_match: float = 0.98
    reading_asked: float = 0.65
    matter: MatterCalibration | None = None
    judge: JudgeCalibration | None = None
    verifier: VerifierCalibration | None = None
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

    @property
    def in_parts(self) -> Thresholds:
        """The limits for a question of several parts: what one sentence says asserts none of them.

        A part is read out of the whole, and its words may be half of what is asked.
        """
        return replace(self, search_said=0.0)

    def supported_from(self, verifier: str, otherwise: float) -> float | None:
        """Return the chance from which a second opinion, named by its id, shows a sentence.

        ``otherwise`` holds of one that was not calibrated; of one that is not to be asked it is
        None.
        """
        if self.verifier is None or self.verifier.model != verifier:
            return otherwise
        return self.verifier.supported_from

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
