"""Whether a confidence is the chance of being right: in bins, by outcome and by kind of question.

Right is what it is for the precision of what is asserted (`Score.right_answer`), so that the two
can be read beside each other.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from elysia_guard.domain.response import ReplyOutcome
from elysia_guard.evaluation.asked import Kind, by_kind
from elysia_guard.evaluation.scoring import SEARCHED, Score

BINS = 10
BANDS = (ReplyOutcome.ASSERTED, ReplyOutcome.HEDGED)
"""The outcomes that answer, and so have a confidence to be held to."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Bin:
    """Answers of nearly the same confidence: its mean, and how many of them were right."""

    lower: float
    upper: float
    count: int
    confidence: float
    accuracy: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Reliability:
    """Whether the confidence of answers is the share that is right.

    ``ece`` is the expected calibration error: the mean distance between the two, over ten bins.
    """

    ece: float
    count: int
    bins: tuple[Bin, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Band:
    """The answers of one outcome: how many, their mean confidence, and the share that is right."""

    count: int
    confidence: float
    accuracy: float


def reliability(scores: Iterable[Score], *, searched: bool = False) -> Reliability:
    """Hold the confidence of answers against how many are right.

    Args:
        scores: the scored questions; only answers with a source count.
        searched: leave out answers with a fixed confidence: terms, named documents and lists.
    """
    answers = [item for item in scores if item.answered and item.cited]
    if searched:
        answers = [item for item in answers if _searched(item)]
    sorted_in: dict[int, list[Score]] = {}
    for item in answers:
        place = min(int(_confidence(item) * BINS), BINS - 1)
        sorted_in.setdefault(place, []).append(item)
    bins = tuple(_bin(place, items) for place, items in sorted(sorted_in.items()))
    gaps = sum(item.count * abs(item.confidence - item.accuracy) for item in bins)
    return Reliability(ece=gaps / len(answers) if answers else 0.0, count=len(answers), bins=bins)


def by_asked(scores: Iterable[Score], matters: Iterable[str] = ()) -> dict[Kind, Reliability]:
    """Measure each kind of question apart: one that is sure too often hides behind the others.

    Args:
        scores: the scored questions.
        matters: the ids of those that ask a named document for a matter.
    """
    return {kind: reliability(items) for kind, items in by_kind(scores, matters).items()}


def bands(scores: Sequence[Score]) -> Mapping[ReplyOutcome, Band]:
    """Measure what is asserted and what is hedged, each as a whole, where there is any."""
    found = {
        outcome: [item for item in scores if item.response.outcome is outcome] for outcome in BANDS
    }
    return {outcome: _band(items) for outcome, items in found.items() if items}


def _bin(place: int, items: Sequence[Score]) -> Bin:
    whole = _band(items)
    return Bin(
        lower=place / BINS,
        upper=(place + 1) / BINS,
        count=whole.count,
        confidence=whole.confidence,
        accuracy=whole.accuracy,
    )


def _band(items: Sequence[Score]) -> Band:
    return Band(
        count=len(items),
        confidence=fmean(_confidence(item) for item in items),
        accuracy=fmean(item.right_answer for item in items),
    )


def _searched(item: Score) -> bool:
    terms = all(source.doc_type == "Vocabulary" for source in item.response.sources)
    return item.response.intent in SEARCHED and not terms


def _confidence(item: Score) -> float:
    return item.response.retrieval_quality.confidence_score
