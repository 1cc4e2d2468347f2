"""How often the guard refuses, how often wrongly, and what ADR-004 makes of it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from elysia_guard.adapters.decision_log.entry import LoggedDecision, ReplyJudgement
from elysia_guard.adapters.decision_log.log import DecisionLog, Selection
from elysia_guard.domain.refusal import Outcome

FALSE_REFUSAL_LIMIT = 0.10
WRONG_ANSWER_LIMIT = 0.01
"""ADR-004: lower the thresholds above the first, raise them above the second."""

ENOUGH = 20
"""Judgements below which no advice is given: who complains is not a sample of all who ask."""

Z_95 = 1.959964


class Advice(StrEnum):
    """What ADR-004's rule says of the thresholds.

    ``REFIT``: both rates are too high, and no limit can mend that. ``JUDGE_MORE``: too few are
    judged to tell.
    """

    LOWER = "lower"
    RAISE = "raise"
    KEEP = "keep"
    REFIT = "refit"
    JUDGE_MORE = "judge_more"


@dataclass(frozen=True, kw_only=True, slots=True)
class Share:
    """A share from 0 to 1, None of nothing, and the 95 % interval that the true one lies in."""

    share: float | None
    low: float
    high: float

    def above(self, limit: float) -> bool | None:
        """Whether it is above a limit; None where the interval holds both."""
        return None if self.low <= limit < self.high else self.low > limit


@dataclass(frozen=True, kw_only=True, slots=True)
class Rate(Share):
    """A share that was counted, with the interval of Wilson."""

    count: int
    of: int

    @classmethod
    def observed(cls, count: int, of: int) -> Rate:
        """Return the rate of ``count`` out of ``of``; of nothing, anything may be true."""
        if not of:
            return cls(count=0, of=0, share=None, low=0.0, high=1.0)
        share, spread = count / of, Z_95**2 / of
        middle = share + spread / 2
        half = Z_95 * math.sqrt(share * (1 - share) / of + spread / (4 * of))
        low = 0.0 if count == 0 else (middle - half) / (1 + spread)
        high = 1.0 if count == of else (middle + half) / (1 + spread)
        return cls(count=count, of=of, share=share, low=low, high=high)


@dataclass(frozen=True, kw_only=True, slots=True)
class Rates:
    """The figures of a stretch of the log. Small talk is in none of them.

    ``false_refusals`` are judged 'should-have-been-answered', of the refusals that were judged;
    ``wrong_answers`` 'wrong', of the answers that were. ``answerable_refused`` is ADR-004's rate:
    of all questions with an answer, the share refused, if unjudged refusals are like judged ones
    and every answer is to a question that has one. ``blamed`` counts the false refusals that each
    limit or rule caused; the ``config_hashes`` are of the configurations that decided.
    """

    questions: int
    answered: int
    asked_back: int
    refused: Rate
    by_reason: Mapping[str, int]
    false_refusals: Rate
    answerable_refused: Share
    wrong_answers: Rate
    blamed: Mapping[str, int]
    config_hashes: tuple[str, ...]

    @property
    def advice(self) -> Advice:
        """Apply ADR-004's rule, where the judgements are enough to."""
        refused = wrong = None
        if not self.refused.count or self.false_refusals.of >= ENOUGH:
            refused = self.answerable_refused.above(FALSE_REFUSAL_LIMIT)
        if self.wrong_answers.of >= ENOUGH:
            wrong = self.wrong_answers.above(WRONG_ANSWER_LIMIT)
        if refused or wrong:
            return Advice.REFIT if refused and wrong else Advice.RAISE if wrong else Advice.LOWER
        return Advice.JUDGE_MORE if None in (refused, wrong) else Advice.KEEP


def rates(log: DecisionLog, selection: Selection) -> Rates:
    """Count a stretch of the log.

    Raises:
        DecisionLogError: the log cannot be read.
    """
    outcomes: Counter[str | None] = Counter()
    reasons: Counter[str] = Counter()
    hashes: dict[str, None] = {}
    found = log.tally(selection, "outcome", "reason", "config_hash")
    for (outcome, reason, config_hash), count in found.items():
        if outcome == Outcome.CONVERSE:
            continue
        outcomes[outcome] += count
        if config_hash:
            hashes[config_hash] = None
        if reason and outcome == Outcome.REFUSE:
            reasons[reason] += count
    judged = log.latest(replace(selection, any_judgement=True), limit=None)
    false = [item for item in judged if item.judged is ReplyJudgement.SHOULD_HAVE_BEEN_ANSWERED]
    refused, answered = outcomes[Outcome.REFUSE], outcomes[Outcome.ANSWER]
    false_refusals = _judged(judged, Outcome.REFUSE, ReplyJudgement.SHOULD_HAVE_BEEN_ANSWERED)
    return Rates(
        questions=outcomes.total(),
        answered=answered,
        asked_back=outcomes[Outcome.CLARIFY],
        refused=Rate.observed(refused, outcomes.total()),
        by_reason=dict(reasons.most_common()),
        false_refusals=false_refusals,
        answerable_refused=_answerable(false_refusals, refused=refused, answered=answered),
        wrong_answers=_judged(judged, Outcome.ANSWER, ReplyJudgement.WRONG),
        blamed=dict(Counter(map(_cause, reversed(false))).most_common()),
        config_hashes=tuple(hashes),
    )


def _judged(entries: list[LoggedDecision], outcome: Outcome, wanted: ReplyJudgement) -> Rate:
    said = [item.judged for item in entries if item.ruling.outcome is outcome]
    return Rate.observed(said.count(wanted), len(said))


def _answerable(false: Rate, *, refused: int, answered: int) -> Share:
    def among_answerable(share: float) -> float:
        wrongly = refused * share
        return wrongly / (wrongly + answered) if wrongly + answered else 0.0

    if not refused:
        return Share(share=0.0 if answered else None, low=0.0, high=0.0 if answered else 1.0)
    return Share(
        share=None if false.share is None else among_answerable(false.share),
        low=among_answerable(false.low),
        high=among_answerable(false.high),
    )


def _cause(entry: LoggedDecision) -> str:
    """Name what a refusal hung on: the key of the limit, or the rule."""
    failed = next((item for item in entry.ruling.readings if not item.passed), None)
    return failed.source if failed else str(entry.ruling.reason)
