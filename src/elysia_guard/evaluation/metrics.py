"""The figures of an evaluation. Each says in its docstring what it counts; rates are 0 to 1."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from elysia_guard.domain.refusal import RefusalReason
from elysia_guard.evaluation.scoring import Score


@dataclass(frozen=True, kw_only=True, slots=True)
class Quality:
    """How good the answers are.

    ``precision``: over the answers, the mean share of cited documents that were expected; an answer
    where abstaining was right has none. ``recall``: over the questions that documents answer, the
    mean of what was found: 1 when any expected document is cited, for lists the share of them.
    """

    precision: float
    recall: float
    count: int

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        total = self.precision + self.recall
        return 2 * self.precision * self.recall / total if total else 0.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Abstention:
    """Shares of all scored questions: abstentions in total, and by reason."""

    total_rate: float
    by_reason: Mapping[str, float]


@dataclass(frozen=True, kw_only=True, slots=True)
class Latency:
    """Percentiles by nearest rank: the time that so many per cent of questions stayed within."""

    p50_ms: float
    p95_ms: float
    p99_ms: float
    max_ms: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Group:
    """How many questions of a kind there are, and how many were right."""

    count: int
    correct: int
    wrong_answers: int
    wrong_refusals: int

    @property
    def accuracy(self) -> float:
        """The share that was right."""
        return self.correct / self.count


@dataclass(frozen=True, kw_only=True, slots=True)
class Sentences:
    """How many right answers to questions with a quote there are, and how many hold it."""

    count: int
    held: int

    @property
    def share(self) -> float:
        """The share that holds it; 0 where there is no such answer."""
        return self.held / self.count if self.count else 0.0


def quality(scores: Sequence[Score]) -> Quality:
    """Measure the answers; without an answer or a question that has one, a figure is 0."""
    precisions = [share_right(item) for item in scores if item.answered]
    recalls = [found(item) for item in scores if not item.case.expected.abstain]
    return Quality(precision=_mean(precisions), recall=_mean(recalls), count=len(scores))


def by_collection(scores: Sequence[Score], collections: Mapping[str, str]) -> dict[str, Quality]:
    """Measure per collection; a question counts in each collection that it is about.

    Args:
        scores: the scored questions.
        collections: the collection of each document type.
    """
    groups: dict[str, list[Score]] = {name: [] for name in dict.fromkeys(collections.values())}
    for item in scores:
        for name in {collections[kind] for kind in item.case.expected.doc_types}:
            groups[name].append(item)
    return {name: quality(group) for name, group in groups.items() if group}


def abstention(scores: Sequence[Score]) -> Abstention:
    """Measure how often the guard abstained, with every reason, also those that did not occur."""
    total = len(scores) or 1
    given = [item.response.refusal_reason for item in scores]
    return Abstention(
        total_rate=sum(reason is not None for reason in given) / total,
        by_reason={str(reason): given.count(reason) / total for reason in RefusalReason},
    )


def latency(scores: Sequence[Score]) -> Latency:
    """Measure how long the questions took; 0 when there are none."""
    times = sorted(item.latency_ms for item in scores) or [0.0]
    return Latency(
        p50_ms=percentile(times, 0.50),
        p95_ms=percentile(times, 0.95),
        p99_ms=percentile(times, 0.99),
        max_ms=times[-1],
    )


def percentile(ordered: Sequence[float], share: float) -> float:
    """Return the smallest value that a share, 0 to 1, of the ordered values does not exceed."""
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]


def groups(scores: Iterable[Score], key: Callable[[Score], str]) -> dict[str, Group]:
    """Count right and wrong per category, language, or whatever the key says."""
    sorted_in: dict[str, list[Score]] = {}
    for item in scores:
        sorted_in.setdefault(key(item), []).append(item)
    return {
        name: Group(
            count=len(items),
            correct=sum(item.correct for item in items),
            wrong_answers=sum(item.wrong_answer for item in items),
            wrong_refusals=sum(item.wrong_refusal for item in items),
        )
        for name, items in sorted(sorted_in.items())
    }


def sentences(scores: Iterable[Score]) -> Sentences:
    """Count the right answers that hold the sentence that answers."""
    told = [item.quoted for item in scores if item.quoted is not None]
    return Sentences(count=len(told), held=sum(told))


def sentences_by_category(scores: Iterable[Score]) -> dict[str, Sentences]:
    """Count them for each category that has a quote, also where no answer is right."""
    sorted_in: dict[str, list[Score]] = {}
    for item in scores:
        if item.case.expected.quote:
            sorted_in.setdefault(item.case.category, []).append(item)
    return {name: sentences(items) for name, items in sorted(sorted_in.items())}


def route_accuracy(scores: Sequence[Score]) -> float:
    """Return the share of questions that went where they belong."""
    return _mean([float(item.route_right) for item in scores])


def share_right(item: Score) -> float:
    """Return the share of cited documents that were expected; 0 without any."""
    return len(item.right) / len(item.cited) if item.cited else 0.0


def found(item: Score) -> float:
    """Return 1 when any expected document is cited; of a list, the share of them."""
    if item.case.complete:
        return len(item.right) / len(item.case.expected.doc_ids)
    return float(bool(item.right))


def _mean(values: Sequence[float]) -> float:
    return fmean(values) if values else 0.0
