"""The figures of two evaluations beside each other, and how much worse each may be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from elysia_guard.evaluation.report_questions import SENTENCES_HELD, Report

ABSTENTION_RATE = "abstention_rate"
"""The share of questions that are refused."""
ASSERTED_PRECISION = "asserted_precision"
SHOWN = "right_passage_shown"
NEAR_ASSERTED = "near_misses_asserted"
NEAR_HEDGED = "near_misses_hedged"
CERTAINTY = {
    ASSERTED_PRECISION: "asserted_precision",
    SHOWN: "shown_share",
    NEAR_ASSERTED: "near_misses_asserted_share",
    NEAR_HEDGED: "near_misses_hedged_share",
}
"""The shares that the three outcomes are held to, and their keys in ``metrics.certainty``."""
NOISE = 1e-6


@dataclass(frozen=True, kw_only=True, slots=True)
class Allowance:
    """How much worse is still accepted, by IR0003's success metrics.

    Points of precision, recall and abstention rate (0 to 1), milliseconds of p95 latency, and
    questions. ``recall`` holds for the share of answers with the sentence that answers too.
    ``asserted`` are points of the precision of what is asserted, which beside that may not be less
    than ``asserted_floor``, whatever it was before; ``shown`` of the share of answerable questions
    that are shown the right passage; ``near_asserted`` and ``near_hedged`` of the shares of near
    misses that are asserted and hedged. The same questions are asked of the same documents, so
    these four are narrow: nothing but a change moves them.
    """

    precision: float = 0.05
    recall: float = 0.05
    abstention: float = 0.05
    p95_ms: float = 100.0
    could_not_run: int = 0
    asserted: float = 0.01
    asserted_floor: float = 0.97
    shown: float = 0.01
    near_asserted: float = 0.005
    near_hedged: float = 0.02


@dataclass(frozen=True, kw_only=True, slots=True)
class Change:
    """One figure before and after; ``allowed`` is how much worse it may be, None: only shown."""

    where: str
    metric: str
    before: float
    after: float
    allowed: float | None = None
    lower_is_better: bool = False

    @property
    def failed(self) -> bool:
        """Whether it got worse by more than is allowed."""
        worse = self.after - self.before if self.lower_is_better else self.before - self.after
        return self.allowed is not None and worse > self.allowed + NOISE


def changes(now: Report, before: Report, allowed: Allowance) -> Iterator[Change]:
    """Return every figure that both metrics tell, in the order in which it is shown."""
    rows = {"overall": "overall", **{name: name for name in before["by_collection"]}}
    for where in rows:
        new, old = _quality(now, where), _quality(before, where)
        for metric, limit in (
            ("precision", allowed.precision),
            ("recall", allowed.recall),
            ("f1", None),
        ):
            if metric in new and metric in old:
                yield Change(
                    where=where,
                    metric=metric,
                    before=old[metric],
                    after=new[metric],
                    allowed=limit,
                )
    yield from _certainty(now, before, allowed)
    yield from _sentences(now, before, allowed)
    for group, metric, called, limit in (
        ("abstention", "total_rate", ABSTENTION_RATE, allowed.abstention),
        ("answers", "wrong_answers", "wrong_answers", None),
        ("answers", "wrong_refusals", "wrong_refusals", None),
        ("latency", "p50_ms", "p50_ms", None),
        ("latency", "p95_ms", "p95_ms", allowed.p95_ms),
    ):
        new, old = now.get(group, {}), before.get(group, {})
        if metric in new and metric in old:
            yield Change(
                where="overall",
                metric=called,
                before=old[metric],
                after=new[metric],
                allowed=limit,
                lower_is_better=True,
            )


def _sentences(now: Report, before: Report, allowed: Allowance) -> Iterator[Change]:
    """The share of answers that hold the sentence that answers, where both tell of any."""
    new, old = now.get("sentences"), before.get("sentences")
    if new and old and old["count"]:
        yield Change(
            where="overall",
            metric=SENTENCES_HELD,
            before=old["share"],
            after=new["share"],
            allowed=allowed.recall,
        )


def _quality(metrics: Report, where: str) -> Mapping[str, float]:
    found: Mapping[str, float] = (
        metrics["overall"] if where == "overall" else metrics["by_collection"].get(where, {})
    )
    return found


def _certainty(now: Report, before: Report, allowed: Allowance) -> Iterator[Change]:
    """The three outcomes, where both tell of them; one that asserts nothing has no precision."""
    new, old = now.get("certainty"), before.get("certainty")
    if not (new and old):
        return
    limits = {
        ASSERTED_PRECISION: allowed.asserted,
        SHOWN: allowed.shown,
        NEAR_ASSERTED: allowed.near_asserted,
        NEAR_HEDGED: allowed.near_hedged,
    }
    for metric, key in CERTAINTY.items():
        if metric == ASSERTED_PRECISION and not (new["asserted"] and old["asserted"]):
            continue
        if key in new and key in old:
            yield Change(
                where="overall",
                metric=metric,
                before=old[key],
                after=new[key],
                allowed=limits[metric],
                lower_is_better=metric in (NEAR_ASSERTED, NEAR_HEDGED),
            )


def untold(now: Report, before: Report) -> list[str]:
    """Name the shares of the three outcomes that a baseline does not tell, and the report does."""
    new, old = now.get("certainty") or {}, before.get("certainty") or {}
    return [metric for metric, key in CERTAINTY.items() if key in new and key not in old]


def below_floor(now: Report, allowed: Allowance) -> str:
    """Say that too little of what is asserted is right; empty where it is enough, or none is."""
    found = now.get("certainty") or {}
    share: float = found.get("asserted_precision", 1.0)
    if not found.get("asserted") or share >= allowed.asserted_floor - NOISE:
        return ""
    return (
        f"asserted precision is {share:.3f} ({found['asserted_right']} of {found['asserted']});"
        f" at least {allowed.asserted_floor:.2f} is promised"
    )
