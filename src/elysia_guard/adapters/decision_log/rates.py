"""How often the guard refuses, how often wrongly, and what ADR-004 makes of it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from elysia_guard.adapters.decision_log.entry import Entry, Judgement
from elysia_guard.adapters.decision_log.log import DecisionLog
from elysia_guard.adapters.decision_log.selection import Selection
from elysia_guard.domain.refusal import Outcome

FALSE_REFUSAL_LIMIT = 0.10
WRONG_ANSWER_LIMIT = 0.01
"""ADR-004: lower the thresholds above the first, raise them above the second."""

ENOUGH = 20
"""Judgements below which no advice is given: who complains is not a sample of all who ask."""

Z_95 = 1.959964

_Judged = Counter[tuple[Outcome, Judgement | None]]


class Advice(StrEnum):
    """What ADR-004's rule says of the thresholds."""

    LOWER = "lower"
    RAISE = "raise"
    KEEP = "keep"
    REFIT = "refit"
    """Both rates are too high: no limit can mend that, only a better measure."""
    JUDGE_MORE = "judge_more"
    """Too few are judged to tell."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Rate:
    """A share of a number, and the 95 % interval (Wilson) that the true one lies in."""

    count: int
    of: int
    low: float
    high: float

    @classmethod
    def observed(cls, count: int, of: int) -> Rate:
        """Return the rate of ``count`` out of ``of``; of nothing, anything may be true."""
        if not of:
            return cls(count=0, of=0, low=0.0, high=1.0)
        share, spread = count / of, Z_95**2 / of
        middle = share + spread / 2
        half = Z_95 * math.sqrt(share * (1 - share) / of + spread / (4 * of))
        low = 0.0 if count == 0 else (middle - half) / (1 + spread)
        high = 1.0 if count == of else (middle + half) / (1 + spread)
        return cls(count=count, of=of, low=low, high=high)

    @property
    def share(self) -> float | None:
        """The share, 0 to 1; None of nothing."""
        return self.count / self.of if self.of else None


@dataclass(frozen=True, kw_only=True, slots=True)
class Projected:
    """A share that was not counted but follows from others, with the interval it inherits."""

    share: float | None
    low: float
    high: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Rates:
    """The figures of a stretch of the log. Small talk is in none of them.

    ``false_refusals`` are judged 'should-have-been-answered', of the refusals that were judged;
    ``wrong_answers`` 'wrong', of the answers that were. ``answerable_refused`` is ADR-004's rate:
    of all questions with an answer, the share refused, if unjudged refusals are like judged ones
    and every answer is to a question that has one.
    """

    questions: int
    answered: int
    asked_back: int
    refused: Rate
    by_reason: Mapping[str, int]
    false_refusals: Rate
    answerable_refused: Projected
    wrong_answers: Rate
    blamed: Mapping[str, int]
    """Of the false refusals: how many each limit or rule caused, by its name."""
    config_hashes: tuple[str, ...]
    """Of the configurations they were decided with; the limits may differ between them."""

    @property
    def advice(self) -> Advice:
        """Apply ADR-004's rule, where the judgements are enough to."""
        refused = wrong = None
        if not self.refused.count or self.false_refusals.of >= ENOUGH:
            refused = _side(self.answerable_refused, FALSE_REFUSAL_LIMIT)
        if self.wrong_answers.of >= ENOUGH:
            wrong = _side(self.wrong_answers, WRONG_ANSWER_LIMIT)
        if refused and wrong:
            return Advice.REFIT
        if wrong:
            return Advice.RAISE
        if refused:
            return Advice.LOWER
        return Advice.JUDGE_MORE if None in (refused, wrong) else Advice.KEEP


def _side(rate: Rate | Projected, limit: float) -> bool | None:
    """Whether a rate is above its limit; None where the interval holds both."""
    if rate.low > limit:
        return True
    return False if rate.high <= limit else None


def rates(log: DecisionLog, selection: Selection) -> Rates:
    """Count a stretch of the log.

    Raises:
        DecisionLogError: the log cannot be read.
    """
    outcomes: Counter[str | None] = Counter()
    reasons: Counter[str] = Counter()
    hashes: dict[str | None, None] = {}
    found = log.tally(selection, "outcome", "reason", "config_hash")
    for (outcome, reason, config_hash), count in found.items():
        if outcome != Outcome.CONVERSE:
            outcomes[outcome] += count
            hashes[config_hash] = None
        if reason and outcome == Outcome.REFUSE:
            reasons[reason] += count
    judged: _Judged = Counter()
    blamed: Counter[str] = Counter()
    for entry in log.entries(replace(selection, any_judgement=True)):
        judged[entry.ruling.outcome, entry.judged] += 1
        if entry.judged is Judgement.SHOULD_HAVE_BEEN_ANSWERED:
            blamed[_cause(entry)] += 1
    refused, answered = outcomes[Outcome.REFUSE], outcomes[Outcome.ANSWER]
    false = _of(judged, Outcome.REFUSE, Judgement.SHOULD_HAVE_BEEN_ANSWERED)
    return Rates(
        questions=outcomes.total(),
        answered=answered,
        asked_back=outcomes[Outcome.CLARIFY],
        refused=Rate.observed(refused, outcomes.total()),
        by_reason=dict(reasons.most_common()),
        false_refusals=false,
        answerable_refused=_projected(false, refused=refused, answered=answered),
        wrong_answers=_of(judged, Outcome.ANSWER, Judgement.WRONG),
        blamed=dict(blamed.most_common()),
        config_hashes=tuple(filter(None, hashes)),
    )


def _of(
    judged: Counter[tuple[Outcome, Judgement | None]], outcome: Outcome, wanted: Judgement
) -> Rate:
    total = sum(judged[outcome, judgement] for judgement in Judgement)
    return Rate.observed(judged[outcome, wanted], total)


def _projected(false: Rate, *, refused: int, answered: int) -> Projected:
    def among_answerable(share: float) -> float:
        wrongly = refused * share
        return wrongly / (wrongly + answered) if wrongly + answered else 0.0

    if not refused:
        return Projected(share=0.0 if answered else None, low=0.0, high=0.0 if answered else 1.0)
    return Projected(
        share=None if false.share is None else among_answerable(false.share),
        low=among_answerable(false.low),
        high=among_answerable(false.high),
    )


def _cause(entry: Entry) -> str:
    """Name what a refusal hung on: the key of the limit, or the rule."""
    failed = next((item for item in entry.ruling.readings if not item.passed), None)
    return failed.source if failed else str(entry.ruling.reason)
