"""TD-080's success criteria by the model that writes, and by language: one table.

Invented sentences that are shown, questions that are refused though a source answers, and the time
that is added to an answer made of quotes alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from elysia_guard.evaluation.adversaries.tally import Counted
from elysia_guard.evaluation.metrics import percentile
from elysia_guard.evaluation.scoring import Score

ALL = "all"
"""Every language together."""
INVENTION, REFUSAL, ADDED_MS = 0.05, 0.10, 100.0
"""What TD-080 wants to stay below: the share of questions that are shown something invented, that
of answerable questions that are refused, and the milliseconds added, 95th percentile."""

_HEAD = (
    "model", "language", "questions", "written on", "in its words", "invented", "shown",
    "right kept", "wrong refusals", "of them nothing shown", "near misses answered", "added p50",
    "added p95", "without the model's time, p95",
)  # fmt: skip


@dataclass(frozen=True, kw_only=True, slots=True)
class Asked:
    """One question, answered with a model that may write.

    ``counted`` is what came of what it wrote, None where it was not asked. ``without_ms`` is what
    the same question took without a model, ``model_ms`` what the model itself took, and
    ``score.latency_ms`` all of it.
    """

    score: Score
    counted: Counted | None = None
    without_ms: float = 0.0
    model_ms: float = 0.0

    @property
    def added_ms(self) -> float:
        """What the answer took beyond one of quotes."""
        return self.score.latency_ms - self.without_ms


@dataclass(frozen=True, kw_only=True, slots=True)
class Figures:
    """The criteria over some questions; times are over those that the model was asked about.

    ``wrong_refusals`` are all refusals of what has an answer; ``silent_refusals`` are those of them
    that do not even mention what answers (`Score.shown`).
    """

    asked: int
    reached: int
    written: int
    made: int
    shown: int
    questions_shown: int
    right: int
    kept: int
    answerable: int
    wrong_refusals: int
    silent_refusals: int
    near_misses: int
    near_answered: int
    added_p50_ms: float
    added_p95_ms: float
    guard_p95_ms: float

    @property
    def invention_rate(self) -> float:
        """The share of the questions that are shown something invented."""
        return self.questions_shown / self.asked if self.asked else 0.0

    @property
    def refusal_rate(self) -> float:
        """The share of the answerable questions that are refused, whatever the refusal mentions."""
        return self.wrong_refusals / self.answerable if self.answerable else 0.0

    @property
    def silent_rate(self) -> float:
        """The share of the answerable questions that are refused and not shown what answers."""
        return self.silent_refusals / self.answerable if self.answerable else 0.0


def figures(rows: Sequence[Asked]) -> Figures:
    """Count what came of some questions."""
    told = [row.counted for row in rows if row.counted]
    near = [row.score for row in rows if row.score.near_miss]
    reached = [row for row in rows if row.counted]
    added = sorted(row.added_ms for row in reached) or [0.0]
    guards = sorted(row.added_ms - row.model_ms for row in reached) or [0.0]
    return Figures(
        asked=len(rows),
        reached=len(told),
        written=sum(each.written for each in told),
        made=sum(sum(each.made.values()) for each in told),
        shown=sum(len(each.leaks) for each in told),
        questions_shown=sum(bool(each.leaks) for each in told),
        right=sum(each.right for each in told),
        kept=sum(each.kept for each in told),
        answerable=len(rows) - len(near),
        wrong_refusals=sum(row.score.wrong_refusal for row in rows),
        silent_refusals=sum(row.score.wrong_refusal and not row.score.shown for row in rows),
        near_misses=len(near),
        near_answered=sum(score.answered for score in near),
        added_p50_ms=percentile(added, 0.50),
        added_p95_ms=percentile(added, 0.95),
        guard_p95_ms=percentile(guards, 0.95),
    )


def markdown(asked: Sequence[tuple[str, Sequence[Asked]]]) -> str:
    """Write the table, a row for each model and language, and how the criteria are kept.

    Args:
        asked: by the name of a model what came of each question; the first is that of no model.
    """
    lines = [f"| {' | '.join(_HEAD)} |", f"| --- | --- |{' ---: |' * (len(_HEAD) - 2)}"]
    for model, rows in asked:
        lines += [_row(model, lang, figures(some)) for lang, some in _by_lang(rows)]
    return "\n".join([*lines, "", *_criteria(asked)])


def _by_lang(rows: Sequence[Asked]) -> Iterator[tuple[str, Sequence[Asked]]]:
    yield ALL, rows
    for lang in dict.fromkeys(row.score.case.lang for row in rows):
        yield lang, [row for row in rows if row.score.case.lang == lang]


def _row(model: str, lang: str, told: Figures) -> str:
    times = (told.added_p50_ms, told.added_p95_ms, told.guard_p95_ms)
    cells = (
        model,
        f"**{lang}**" if lang == ALL else lang,
        f"{told.asked:,}",
        f"{told.reached:,}",
        f"{told.written:,}",
        f"{told.made:,}",
        f"{told.shown:,}",
        f"{told.kept:,} of {told.right:,}",
        f"{told.wrong_refusals} of {told.answerable} ({told.refusal_rate:.1%})",
        f"{told.silent_refusals} ({told.silent_rate:.1%})",
        f"{told.near_answered} of {told.near_misses}",
        *(f"{ms:.0f} ms" if told.reached else "" for ms in times),
    )
    return f"| {' | '.join(cells)} |"


def _criteria(asked: Sequence[tuple[str, Sequence[Asked]]]) -> Iterator[str]:
    """Say of each criterion what the worst model comes to, of those that were asked all."""
    every = max((len(rows) for _, rows in asked), default=0)
    found = [(model, figures(rows)) for model, rows in asked if len(rows) == every]
    yield "| TD-080 wants | below | worst of all models | which |"
    yield "| --- | ---: | ---: | --- |"
    shown = [(model, told.invention_rate) for model, told in found]
    yield _worst("questions shown something invented", f"{INVENTION:.0%}", shown, "{:.1%}")
    refused = [(model, told.refusal_rate) for model, told in found]
    yield _worst("wrong refusals", f"{REFUSAL:.0%}", refused, "{:.1%}")
    silent = [(model, told.silent_rate) for model, told in found]
    told_of = "the same without those that mention what answers"
    yield _worst(told_of, f"{REFUSAL:.0%}", silent, "{:.1%}")
    added = [(model, told.guard_p95_ms) for model, told in found]
    yield _worst(
        "added, 95th percentile, without the model's own time",
        f"{ADDED_MS:.0f} ms",
        added,
        "{:.0f} ms",
    )


def _worst(says: str, limit: str, values: Sequence[tuple[str, float]], form: str) -> str:
    name, most = max(values, key=lambda item: item[1])
    same = all(value == most for _, value in values)
    return f"| {says} | {limit} | {form.format(most)} | {'all alike' if same else name} |"
