"""What ``elysia-guard log`` and ``explain`` print of decisions, for a person and as JSON."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict

import click

from elysia_guard.adapters.decision_log import LoggedDecision
from elysia_guard.adapters.decision_log.entry import Ruling
from elysia_guard.adapters.decision_log.log import as_record
from elysia_guard.adapters.decision_log.rates import (
    ENOUGH,
    FALSE_REFUSAL_LIMIT,
    WRONG_ANSWER_LIMIT,
    Advice,
    Rate,
    Rates,
    Share,
)
from elysia_guard.domain.quality import confidence_level
from elysia_guard.domain.refusal import GateReading, Outcome, RefusalReason
from elysia_guard.edge.cli.replies import (
    STYLES,
    Ending,
    measure,
    show_readings,
    show_sources,
    show_step,
)
from elysia_guard.edge.cli.screen import Screen, one_line, print_json
from elysia_guard.edge.steps import AT_MOST

WIDTH = 60

ADVICE = {
    Advice.LOWER: "lower the limits: too many questions that have an answer are refused",
    Advice.RAISE: "raise the limits: too many answers are wrong",
    Advice.KEEP: "keep the limits: both rates are within what is allowed",
    Advice.REFIT: "both rates are too high, and no limit mends both: the measures must get better "
    "(python -m scripts.lab fit_calibration)",
    Advice.JUDGE_MORE: "judge more: the intervals still hold both sides of what is allowed, or "
    f"fewer than {ENOUGH} refusals or answers are judged",
}
ENDINGS = {
    Outcome.ANSWER: Ending.ANSWERED,
    Outcome.CLARIFY: Ending.ASKED_BACK,
    Outcome.REFUSE: Ending.REFUSED,
    Outcome.CONVERSE: Ending.SMALL_TALK,
}


def show_list(entries: Sequence[LoggedDecision], *, total: int, as_json: bool) -> None:
    """Print entries, a line each."""
    if as_json:
        told = {"total": total, "decisions": list(map(as_record, entries))}
        print_json(told)
        return
    if entries:
        styles = ("dim", "", "bold", "cyan", "")
        Screen().table([_row(entry) for entry in entries], styles=styles)
    if total > len(entries):
        click.echo(f"{len(entries)} of {total}; --limit shows more", err=True)
    elif not total:
        click.echo("no decisions", err=True)


def show_rates(found: Rates, *, today: str, as_json: bool) -> None:
    """Print the figures, and what follows from them."""
    if as_json:
        told = asdict(found) | {"advice": found.advice.value, "today": today}
        print_json(told)
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
    _show_feedback(screen, found)
    screen.title(f"ADR-004: {ADVICE[found.advice]}")
    if any(item != today for item in found.config_hashes):
        click.echo(
            f"{len(found.config_hashes)} configurations made these decisions, today's is {today}; "
            "--current counts only its own",
            err=True,
        )


def _show_feedback(screen: Screen, found: Rates) -> None:
    refused, wrong = _interval(found.answerable_refused), _share_of(found.wrong_answers)
    rows = [
        ("refusals that should have been answers", _share_of(found.false_refusals)),
        (
            "so, of all questions with an answer, refused",
            f"{refused}; at most {FALSE_REFUSAL_LIMIT:.0%}",
        ),
        ("answers that are wrong", f"{wrong}; at most {WRONG_ANSWER_LIMIT:.0%}"),
    ]
    screen.title("From the feedback")
    screen.table(rows, styles=("", ""), indent=2)
    if found.blamed:
        screen.title("What refused them")
        blamed = [(name, str(count)) for name, count in found.blamed.items()]
        screen.table(blamed, styles=("", "bold"), indent=2)


def _row(entry: LoggedDecision) -> tuple[str, ...]:
    ended = str(entry.ruling.reason or _ending(entry))
    asked, line = f"{entry.asked_at:%Y-%m-%d %H:%M}", one_line(_question(entry))
    cut = line if len(line) <= WIDTH else f"{line[: WIDTH - 1]}…"
    return asked, entry.request_id, ended, str(entry.judged or "-"), cut


def _share_of(rate: Rate) -> str:
    return f"{rate.count} of {rate.of} judged  {_share(rate)}"


def _share(rate: Rate) -> str:
    return "none yet" if rate.share is None else f"{rate.share:.1%} {_between(rate)}"


def _interval(share: Share) -> str:
    about = "unknown" if share.share is None else f"about {share.share:.1%}"
    return f"{about} {_between(share)}"


def _between(share: Share) -> str:
    return f"({share.low:.1%} to {share.high:.1%})"


def _question(entry: LoggedDecision) -> str:
    """Return the question, or how long it was where texts are kept out."""
    return entry.question or f"(a question of {entry.question_length} characters, not kept)"


def _ending(entry: LoggedDecision) -> Ending:
    """Say how a question ended; what was answered without high confidence was hedged."""
    ended = ENDINGS[entry.ruling.outcome]
    hedged = ended is Ending.ANSWERED and confidence_level(entry.confidence_score) != "high"
    return Ending.HEDGED if hedged else ended


def show_entry(entry: LoggedDecision, *, today: str, as_json: bool) -> None:
    """Print a decision: its way, every gate and limit, and what would have changed it."""
    if as_json:
        explanation = {
            "different": _differences(entry.ruling),
            "configuration_is_todays": entry.settings.config_hash == today,
        }
        print_json({**as_record(entry), "explanation": explanation})
        return
    screen = Screen()
    asked = f"{entry.asked_at:%Y-%m-%d %H:%M:%S} UTC"
    screen.line(f"{entry.request_id} · {asked} · {entry.route} · {entry.lang}", "dim")
    screen.line(_question(entry), "bold")
    screen.line()
    screen.line(_headline(entry), STYLES[_ending(entry)])
    if entry.intent_reason:
        screen.line(f"read as {entry.intent}: {entry.intent_reason}")
    screen.title(f"The way of the question ({entry.total_ms:.1f} ms)")
    for step in entry.stages:
        show_step(screen, step)
        if step.stage == "gates":
            show_readings(screen, entry.ruling.readings)
    if lines := _differences(entry.ruling):
        near = _let_through(entry.ruling)
        title = "How near it was" if near else "What would have had to be different"
        screen.title(title if len(lines) == 1 else f"{title}, all of it")
        for line in lines:
            screen.line(f"  {line}")
    if entry.sources:
        screen.title("Sources")
        show_sources(screen, entry.sources, indent=2)
    screen.title("Decided with")
    screen.table(_settings(entry, today), styles=("", "dim"), indent=2)
    if entry.feedback:
        screen.title("Feedback")
        said = [
            (f"{item.given_at:%Y-%m-%d %H:%M}", str(item.judgement), item.note)
            for item in entry.feedback
        ]
        screen.table(said, styles=("dim", "bold", ""), indent=2)


def _headline(entry: LoggedDecision) -> str:
    """Put the outcome in a line: 'refused · low_coverage · confidence 0.05'."""
    ruling = entry.ruling
    parts = [str(_ending(entry))]
    if ruling.reason:
        parts.append(str(ruling.reason))
    if ruling.outcome in {Outcome.ANSWER, Outcome.REFUSE}:
        parts.append(f"confidence {entry.confidence_score:.2f}")
    return " · ".join([*parts, *(f"fallback {flag}" for flag in entry.fallbacks)])


def _let_through(ruling: Ruling) -> bool:
    """Whether the gates let an answer through, whatever its verification then found."""
    unverified = ruling.reason is RefusalReason.UNVERIFIED_ANSWER
    return ruling.outcome is Outcome.ANSWER or unverified


def _differences(ruling: Ruling) -> list[str]:
    """Say what would have had to be different for another verdict; nearest first."""
    if ruling.outcome is Outcome.CONVERSE:
        return []
    if ruling.reason is RefusalReason.UNVERIFIED_ANSWER:
        return ["every gate let it through, but a quote does not stand in its source"]
    margins = [(item, margin) for item in ruling.readings if (margin := _margin(item)) is not None]
    nearest = sorted(margins, key=lambda found: (found[0].passed, abs(found[1])))
    if _let_through(ruling):
        return [_to_spare(item, margin) for item, margin in nearest[:1]]
    measured = [item for item, _ in margins]
    rules = [
        f"{item.gate}: {measure(item.value)}, needed {measure(item.threshold)} ({item.source})"
        for item in ruling.readings
        if not item.passed and item not in measured
    ]
    numbers = [_short(item, margin) for item, margin in nearest if not item.passed]
    return [*rules, *numbers] or ["it could not be asked: no gate had anything to judge"]


def _margin(reading: GateReading) -> float | None:
    """How far a measure was inside its limit, below 0 outside; None where it is no number."""
    value, limit = reading.value, reading.threshold
    if not isinstance(value, float) or not isinstance(limit, float | int):
        return None
    margin = limit - value if reading.gate in AT_MOST else value - limit
    # Searched by words alone, a distance is not held against its limit.
    return None if reading.passed and margin < 0 else round(margin, 4)


def _to_spare(reading: GateReading, margin: float) -> str:
    return (
        f"the nearest limit is that of {reading.gate}: {measure(reading.value)}, "
        f"{margin:.3f} inside {measure(reading.threshold)} ({reading.source})"
    )


def _short(reading: GateReading, margin: float) -> str:
    thousandths = float(reading.value or 0.0) * 1000
    if reading.gate in AT_MOST:
        side, passing = "over", f"at least {math.ceil(thousandths) / 1000:.3f}"
    else:
        side, passing = "under", f"at most {math.floor(thousandths) / 1000:.3f}"
    return (
        f"{reading.gate}: {measure(reading.value)} is {abs(margin):.3f} {side} the limit "
        f"{measure(reading.threshold)}; {reading.source} of {passing} lets it through"
    )


def _settings(entry: LoggedDecision, today: str) -> list[tuple[str, str]]:
    settings = entry.settings
    same = settings.config_hash == today
    now = "today's" if same else f"today's is {today}: another limit or setting may decide"
    rows = [
        ("configuration", f"{settings.config_hash}, {now}"),
        ("index", settings.index),
        ("model", settings.model),
        ("program", f"elysia-guard {settings.program}"),
    ]
    if entry.written_by:
        rows.append(("chosen by", f"{entry.written_by}, mode {entry.mode}"))
    if entry.conversation_id:
        rows.append(("conversation", entry.conversation_id))
    return rows
