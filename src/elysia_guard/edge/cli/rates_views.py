"""What ``elysia-guard log rates`` prints, for a person and as JSON."""

from __future__ import annotations

from dataclasses import asdict

import click

from elysia_guard.adapters.decision_log.rates import (
    ENOUGH,
    FALSE_REFUSAL_LIMIT,
    WRONG_ANSWER_LIMIT,
    Advice,
    Projected,
    Rate,
    Rates,
)
from elysia_guard.edge.cli.screen import Screen, json_text

ADVICE = {
    Advice.LOWER: "lower the limits: too many questions that have an answer are refused",
    Advice.RAISE: "raise the limits: too many answers are wrong",
    Advice.KEEP: "keep the limits: both rates are within what is allowed",
    Advice.REFIT: "both rates are too high, and no limit mends both: the measures must get better "
    "(scripts/fit_calibration.py)",
    Advice.JUDGE_MORE: "judge more: the intervals still hold both sides of what is allowed, or "
    f"fewer than {ENOUGH} refusals or answers are judged",
}


def show(found: Rates, *, today: str, as_json: bool) -> None:
    """Print the figures, and what follows from them."""
    if as_json:
        told = asdict(found)
        for name in ("refused", "false_refusals", "wrong_answers"):
            told[name]["share"] = getattr(found, name).share
        told |= {"advice": found.advice.value, "today": today}
        click.echo(json_text(told, indent=2))
        return
    screen = Screen()
    screen.line(f"{found.questions} questions, small talk not counted", "bold")
    rows = [
        ("answered", str(found.answered), ""),
        ("asked back", str(found.asked_back), ""),
        ("refused", str(found.refused.count), _share(found.refused)),
        *((f"  {reason}", str(count), "") for reason, count in found.by_reason.items()),
    ]
    screen.table(rows, styles=("", "bold", "dim"), indent=2)
    _feedback(screen, found)
    screen.line()
    screen.line(f"ADR-004: {ADVICE[found.advice]}", "bold")
    _settings(found, today)


def _feedback(screen: Screen, found: Rates) -> None:
    screen.line()
    screen.line("From the feedback", "bold")
    rows = [
        ("refusals that should have been answers", _share_of(found.false_refusals)),
        (
            "so, of all questions with an answer, refused",
            f"{_interval(found.answerable_refused)}; at most {FALSE_REFUSAL_LIMIT:.0%}",
        ),
        (
            "answers that are wrong",
            f"{_share_of(found.wrong_answers)}; at most {WRONG_ANSWER_LIMIT:.0%}",
        ),
    ]
    screen.table(rows, styles=("", ""), indent=2)
    if found.blamed:
        screen.line()
        screen.line("What refused them", "bold")
        blamed = [(name, str(count)) for name, count in found.blamed.items()]
        screen.table(blamed, styles=("", "bold"), indent=2)


def _settings(found: Rates, today: str) -> None:
    others = [item for item in found.config_hashes if item != today]
    if others:
        click.echo(
            f"{len(found.config_hashes)} configurations made these decisions, today's is {today}; "
            "--current counts only its own",
            err=True,
        )


def _share_of(rate: Rate) -> str:
    return f"{rate.count} of {rate.of} judged  {_share(rate)}"


def _share(rate: Rate) -> str:
    if rate.share is None:
        return "none yet"
    return f"{rate.share:.1%} ({rate.low:.1%} to {rate.high:.1%})"


def _interval(rate: Projected) -> str:
    share = "unknown" if rate.share is None else f"about {rate.share:.1%}"
    return f"{share} ({rate.low:.1%} to {rate.high:.1%})"
