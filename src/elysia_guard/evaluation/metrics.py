"""The figures of an evaluation. Each says in its docstring what it counts; rates are 0 to 1."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from statistics import fmean
from typing import Any, TypeVar

from elysia_guard.domain.question import IntentKind
from elysia_guard.domain.refusal import RefusalReason
from elysia_guard.domain.response import ReplyOutcome
from elysia_guard.evaluation.scoring import SEARCHED, Score

Figures = dict[str, Any]
Matrix = dict[str, dict[str, int]]
"""How often each expectation (outer) came out as what (inner); what never occurs is left out."""
Item = TypeVar("Item")

ANSWER = "answer"
ANY_REASON = "any_reason"
REST = "around_the_stages"
"""The time of a question that no stage accounts for: on the tree, Elysia's own."""
BINS = 10


def quality(scores: Sequence[Score]) -> Figures:
    """Return ``precision``, ``recall`` and ``f1``; without a question that counts, one is 0.

    ``precision``: over the answers, the mean share of cited documents that were expected; an answer
    where abstaining was right has none. ``recall``: over the questions that documents answer, the
    mean of what was found: 1 when any expected document is cited, for lists the share of them.
    """
    precision = _mean(share_right(item) for item in scores if item.answered)
    recall = _mean(found(item) for item in scores if not item.near_miss)
    total = precision + recall
    f1 = 2 * precision * recall / total if total else 0.0
    return {"precision": precision, "recall": recall, "f1": f1}


def by_collection(scores: Iterable[Score], collections: Mapping[str, str]) -> dict[str, Figures]:
    """Measure per collection; a question counts in each collection that it is about.

    Args:
        scores: the scored questions.
        collections: the collection of each document type.
    """
    sorted_in: dict[str, list[Score]] = {name: [] for name in collections.values()}
    for item in scores:
        for name in {collections[kind] for kind in item.case.expected.doc_types}:
            sorted_in[name].append(item)
    return {
        name: {**quality(group), "count": len(group)} for name, group in sorted_in.items() if group
    }


def abstention(scores: Sequence[Score]) -> Figures:
    """Return shares of all questions: abstentions in total, and for every reason there is."""
    total = len(scores) or 1
    given = [item.response.refusal_reason for item in scores]
    return {
        "total_rate": sum(reason is not None for reason in given) / total,
        "by_reason": {str(reason): given.count(reason) / total for reason in RefusalReason},
    }


def latency(times_ms: Iterable[float | None]) -> Figures:
    """Put times into percentiles, those that were not measured left out; 0 when there are none."""
    times = sorted(time for time in times_ms if time is not None) or [0.0]
    return {
        "p50_ms": percentile(times, 0.50),
        "p95_ms": percentile(times, 0.95),
        "p99_ms": percentile(times, 0.99),
        "max_ms": times[-1],
    }


def percentile(ordered: Sequence[float], share: float) -> float:
    """Return the smallest value that a share, 0 to 1, of the ordered values does not exceed."""
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]


def latency_by_stage(scores: Sequence[Score]) -> dict[str, Figures]:
    """Measure each stage over the questions that went through it, in the order of the way.

    A stage met twice adds up.
    """
    times: dict[str, list[float]] = {}
    places: dict[str, list[int]] = {}
    for item in scores:
        spent: dict[str, float] = {}
        for place, step in enumerate(item.response.trace):
            spent[step.stage] = spent.get(step.stage, 0.0) + step.elapsed_ms
            places.setdefault(step.stage, []).append(place)
        for stage, elapsed_ms in spent.items():
            times.setdefault(stage, []).append(elapsed_ms)
    measured = {stage: times[stage] for stage in sorted(times, key=lambda at: fmean(places[at]))}
    if scores:
        measured[REST] = [
            max(item.latency_ms - sum(step.elapsed_ms for step in item.response.trace), 0.0)
            for item in scores
        ]
    return {stage: {**latency(each), "count": len(each)} for stage, each in measured.items()}


def groups(scores: Iterable[Score], key: Callable[[Score], str]) -> dict[str, Figures]:
    """Count right and wrong per category, language, or whatever the key says."""
    return {
        name: {
            "count": len(items),
            "correct": sum(item.correct for item in items),
            "wrong_answers": sum(item.wrong_answer for item in items),
            "wrong_refusals": sum(item.wrong_refusal for item in items),
            "accuracy": sum(item.correct for item in items) / len(items),
        }
        for name, items in sorted(_sorted_in(scores, key).items())
    }


def sentences(scores: Sequence[Score]) -> Figures:
    """Count the right answers to questions with a quote, and how many of them hold it.

    ``by_category`` tells every category that has a quote, also where no answer is right.
    """
    quoting = [item for item in scores if item.case.expected.quote]
    count, held = _held(scores)
    categories = sorted(_sorted_in(quoting, lambda item: item.case.category).items())
    return {
        "count": count,
        "held": held,
        "share": _share(held, count),
        "by_category": {
            name: dict(zip(("count", "held"), _held(items), strict=True))
            for name, items in categories
        },
    }


def _held(scores: Iterable[Score]) -> tuple[int, int]:
    told = [item.quoted for item in scores if item.quoted is not None]
    return len(told), sum(told)


def certainty(scores: Sequence[Score]) -> Figures:
    """Count what was asserted, hedged and shown, and how much of it was right.

    ``answerable`` questions have a source that answers, ``near_misses`` have none. A passage is
    ``shown`` where the reply, asserted, hedged or refused with a mention, holds the sentence that
    answers; where no sentence is named, where it shows an expected source.
    """
    asserted, hedged = (
        [item for item in scores if item.response.outcome is outcome] for outcome in BANDS
    )
    answerable = sum(not item.near_miss for item in scores)
    near_misses = len(scores) - answerable
    asserted_right = sum(item.right_answer for item in asserted)
    shown = sum(item.shown for item in scores if not item.near_miss)
    near_asserted, near_hedged = (
        sum(item.near_miss for item in items) for items in (asserted, hedged)
    )
    return {
        "answerable": answerable,
        "near_misses": near_misses,
        "asserted": len(asserted),
        "asserted_right": asserted_right,
        "hedged": len(hedged),
        "hedged_right": sum(item.right_answer for item in hedged),
        "shown": shown,
        "near_misses_asserted": near_asserted,
        "near_misses_hedged": near_hedged,
        "asserted_precision": _share(asserted_right, len(asserted)),
        "asserted_share": _share(asserted_right, answerable),
        "shown_share": _share(shown, answerable),
        "near_misses_asserted_share": _share(near_asserted, near_misses),
        "near_misses_hedged_share": _share(near_hedged, near_misses),
    }


class AnswerKind(StrEnum):
    """What is asked for; each kind has its own way to a confidence."""

    DEFINITION = "definition"
    """What a term means, or how it relates to others."""
    NAMED = "named_document"
    """A named document as a whole, or a field of it."""
    MATTER = "matter_of_a_named_document"
    """What a named document says of a matter."""
    LIST = "list"
    SEARCH = "search"


BANDS = (ReplyOutcome.ASSERTED, ReplyOutcome.HEDGED)
"""The outcomes that answer, and so have a confidence to be held to."""
_OF_INTENT = {
    IntentKind.TERMINOLOGY: AnswerKind.DEFINITION,
    IntentKind.ENTITY: AnswerKind.NAMED,
    IntentKind.LIST: AnswerKind.LIST,
}


def kind_of(item: Score, matters: Iterable[str] = ()) -> AnswerKind:
    """Say what kind of thing a question asks for, as its reply was made.

    Args:
        item: the question and its reply; a search that found a term alone is a definition.
        matters: the ids of the questions that ask a named document for a matter.
    """
    if item.case.id in matters:
        return AnswerKind.MATTER
    if item.only_terms:
        return AnswerKind.DEFINITION
    return _OF_INTENT.get(IntentKind(item.response.intent), AnswerKind.SEARCH)


def calibration(scores: Sequence[Score], matters: Iterable[str] = ()) -> Figures:
    """Tell whether the confidence of answers is the share that is right.

    Right is what it is for the precision of what is asserted (`Score.right_answer`). Measured are
    all answers, those that were searched for, each kind of question (one that is sure too often
    hides behind the others), and what is asserted and hedged as a whole.

    Args:
        scores: the scored questions.
        matters: the ids of those that ask a named document for a matter.
    """
    known = frozenset(matters)
    by_kind = _sorted_in(scores, lambda item: kind_of(item, known))
    by_outcome = _sorted_in(scores, lambda item: item.response.outcome)
    searched = (item for item in scores if item.response.intent in SEARCHED and not item.only_terms)
    return {
        "all": reliability(scores),
        "searched": reliability(searched),
        "by_kind": {kind: reliability(by_kind[kind]) for kind in AnswerKind if kind in by_kind},
        "by_outcome": {each: _band(by_outcome[each]) for each in BANDS if each in by_outcome},
    }


def reliability(scores: Iterable[Score]) -> Figures:
    """Put answers with a source into bins of nearly the same confidence.

    ``ece`` is the expected calibration error: the mean distance between the confidence of answers
    and the share of them that was right, over ten bins.
    """
    answers = [item for item in scores if item.answered and item.cited]
    places = _sorted_in(answers, lambda item: min(int(item.confidence * BINS), BINS - 1))
    bins = [
        {"lower": place / BINS, "upper": (place + 1) / BINS, **_band(items)}
        for place, items in sorted(places.items())
    ]
    gaps = sum(item["count"] * abs(item["confidence"] - item["accuracy"]) for item in bins)
    return {"ece": gaps / len(answers) if answers else 0.0, "count": len(answers), "bins": bins}


def _band(items: Sequence[Score]) -> Figures:
    return {
        "count": len(items),
        "confidence": fmean(item.confidence for item in items),
        "accuracy": fmean(item.right_answer for item in items),
    }


def route_accuracy(scores: Iterable[Score]) -> float:
    """Return the share of questions that went where they belong."""
    return _mean(float(item.route_right) for item in scores)


def routes(scores: Iterable[Score]) -> Matrix:
    """Count where questions went, by where they belong.

    A response that agrees with the expected route counts there; else with the first that fits.
    """
    return _counted(
        (
            item.case.expected.route,
            item.case.expected.route if item.route_right else min(item.routes),
        )
        for item in scores
    )


def outcomes(scores: Iterable[Score]) -> Matrix:
    """Count what came of questions, by what should: ``answer``, or the reason to abstain."""
    return _counted(
        (
            (item.case.expected.reason or ANY_REASON) if item.near_miss else ANSWER,
            item.response.refusal_reason or ANSWER,
        )
        for item in scores
    )


def share_right(item: Score) -> float:
    """Return the share of cited documents that were expected; 0 without any."""
    return _share(len(item.right), len(item.cited))


def found(item: Score) -> float:
    """Return 1 when any expected document is cited; of a list, the share of them."""
    if item.case.complete:
        return len(item.right) / len(item.case.expected.doc_ids)
    return float(bool(item.right))


def _counted(pairs: Iterable[tuple[str, str]]) -> Matrix:
    matrix: Matrix = {}
    for (expected, actual), count in sorted(Counter(pairs).items()):
        matrix.setdefault(str(expected), {})[str(actual)] = count
    return matrix


def _sorted_in(scores: Iterable[Score], key: Callable[[Score], Item]) -> dict[Item, list[Score]]:
    sorted_in: dict[Item, list[Score]] = {}
    for item in scores:
        sorted_in.setdefault(key(item), []).append(item)
    return sorted_in


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


def _mean(values: Iterable[float]) -> float:
    found = list(values)
    return fmean(found) if found else 0.0
