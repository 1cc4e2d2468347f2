"""What measures tell of whether a passage answers, fitted on questions with their answers."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Signals:
    """Measures of all that was found of one document, each 0 to 1: the more, the likelier.

    ``document`` is the share of the question's content words, by weight, that its passages, title
    and headings cover together, ``sentence`` that which its best sentence covers by itself.
    ``held`` is 1 where the sentences that would be quoted hold a thing of every kind that is asked
    for. ``figures`` and ``names`` are the shares of the question's numbers and identifiers that
    stand in it, 1 where there are none. ``said`` is what one sentence, under its title and its
    headings, covers of that content word of which it covers least: 1 where it holds all of them. A
    sentence without the kind of thing asked for says nothing, and what is asked for by a word of
    its own ('which reviewer') is not seen in any.
    """

    document: float = 0.0
    sentence: float = 0.0
    held: float = 0.0
    figures: float = 0.0
    names: float = 0.0
    said: float = 0.0

    @property
    def values(self) -> tuple[float, ...]:
        """The measures of a search, in the order of their coefficients; ``said`` has none there."""
        return self.document, self.sentence, self.held, self.figures, self.names


NONE = Signals()


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
    quote is told best by these, and whether it answers by all measures.
    """
    return 4.39 * similarity + 3.313 * coverage + 1.806 * saturate(lexical)


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


def _chance(log_odds: float) -> float:
    return 1.0 / (1.0 + math.exp(-max(-MOST, min(log_odds, MOST))))


def covered_matter(coverage: float, weight: float) -> float:
    """Map the weight of the covered words to 0..1: two rare words say more than one."""
    covered = coverage * weight
    return covered / (covered + 2.0)


def saturate(bm25: float) -> float:
    """Map a raw BM25 score, 0 upwards, to 0..1, so that long questions do not win by length."""
    return bm25 / (bm25 + 10.0)
