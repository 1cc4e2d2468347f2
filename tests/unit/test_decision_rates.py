"""Refusals and how often they are wrong, from what people said, and ADR-004's rule on it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from tests.unit.decision_world import (
    ANSWERED,
    ASKED_BACK,
    NOON,
    OFF_SUBJECT,
    REFUSED,
    SETTINGS,
    SMALL_TALK,
    entry,
    log_in,
)

from elysia_guard.adapters.decision_log import DecisionLog, Feedback, ReplyJudgement, Selection
from elysia_guard.adapters.decision_log.rates import Advice, Rate, rates

SHOULD, WRONG, RIGHT = (
    ReplyJudgement.SHOULD_HAVE_BEEN_ANSWERED,
    ReplyJudgement.WRONG,
    ReplyJudgement.RIGHT,
)


@pytest.fixture
def log(tmp_path: Path) -> DecisionLog:
    return log_in(tmp_path)


def fill(log: DecisionLog, question: str, *judgements: ReplyJudgement | None) -> None:
    """Decide a question as often as there are judgements of it, None being none."""
    one, first = entry(question), log.count() if log.exists else 0
    if judgements:
        log.add([replace(one, request_id=f"req-{first + n}") for n in range(len(judgements))])
    for n, item in enumerate(judgements, start=first):
        if item:
            log.judge(f"req-{n}", Feedback(judgement=item, given_at=NOON))


class TestRate:
    @pytest.mark.parametrize(
        ("count", "of", "low", "high"),
        [
            # Newcombe (1998), table I, method 3; and the ends, where nothing lies beyond.
            (81, 263, 0.2553, 0.3662),
            (15, 148, 0.0624, 0.1605),
            (0, 20, 0.0, 0.1611),
            (1, 29, 0.0061, 0.1718),
            (29, 29, 0.8830, 1.0),
        ],
    )
    def test_the_interval_is_wilsons(self, count: int, of: int, low: float, high: float) -> None:
        """As it is published."""
        rate = Rate.observed(count, of)
        assert (round(rate.low, 4), round(rate.high, 4)) == (low, high)
        assert rate.share == count / of


class TestRates:
    def test_refusals_are_counted_by_reason(self, log: DecisionLog) -> None:
        """Small talk is no question; a question back is no refusal."""
        for question, times in ((ANSWERED, 6), (REFUSED, 2), (OFF_SUBJECT, 1), (ASKED_BACK, 1)):
            fill(log, question, *[None] * times)
        fill(log, SMALL_TALK, None, None)
        found = rates(log, Selection())
        assert (found.questions, found.answered, found.asked_back) == (10, 6, 1)
        assert (found.refused.count, found.refused.of) == (3, 10)
        assert found.by_reason["terminology_not_found"] == 2
        assert sum(found.by_reason.values()) == 3

    def test_feedback_tells_false_refusals_and_wrong_answers(self, log: DecisionLog) -> None:
        """Each of those that were judged."""
        fill(log, OFF_SUBJECT, SHOULD, SHOULD, RIGHT, None)
        fill(log, ANSWERED, WRONG, RIGHT, RIGHT, RIGHT, None, None)
        found = rates(log, Selection())
        assert (found.false_refusals.count, found.false_refusals.of) == (2, 3)
        assert (found.wrong_answers.count, found.wrong_answers.of) == (1, 4)
        # Two thirds of 4 refusals, beside 6 answers.
        assert found.answerable_refused.share == pytest.approx((8 / 3) / (8 / 3 + 6))
        assert sum(found.blamed.values()) == 2
        assert all("." in name for name in found.blamed)

    def test_each_configuration_is_named(self, log: DecisionLog) -> None:
        """Rates over several limits are of none of them."""
        fill(log, ANSWERED, None)
        log.add([replace(entry(), settings=replace(SETTINGS, config_hash="other"))])
        assert set(rates(log, Selection()).config_hashes) == {"c0ffee", "other"}
        assert rates(log, Selection(config_hash="other")).questions == 1

    @pytest.mark.parametrize(
        ("refused", "answered", "advice"),
        [
            ([SHOULD] * 30, [RIGHT] * 40, Advice.LOWER),
            ([RIGHT] * 30, [*[WRONG] * 10, *[RIGHT] * 30], Advice.RAISE),
            ([SHOULD] * 30, [*[WRONG] * 10, *[RIGHT] * 30], Advice.REFIT),
            ([], [RIGHT] * 400, Advice.KEEP),
            ([RIGHT] * 30, [RIGHT] * 400, Advice.KEEP),
            ([RIGHT] * 30, [RIGHT] * 40, Advice.JUDGE_MORE),
            ([SHOULD], [RIGHT], Advice.JUDGE_MORE),
            ([], [WRONG], Advice.JUDGE_MORE),
        ],
    )
    def test_the_rule_of_adr_004(
        self,
        log: DecisionLog,
        refused: list[ReplyJudgement],
        answered: list[ReplyJudgement],
        advice: Advice,
    ) -> None:
        """Lower above 10 % false refusals, raise above 1 % wrong answers, once that is sure."""
        fill(log, OFF_SUBJECT, *refused)
        fill(log, ANSWERED, *answered)
        assert rates(log, Selection()).advice is advice
