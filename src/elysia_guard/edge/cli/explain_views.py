"""What ``elysia-guard explain`` says: the page for a person, and the same as JSON."""

from __future__ import annotations

from collections.abc import Sequence

from elysia_guard.adapters.decision_log.entry import Difference, Entry, Ruling
from elysia_guard.adapters.decision_log.export import as_record
from elysia_guard.adapters.decision_log.reasons import AT_MOST, Gap, gaps
from elysia_guard.domain.quality import confidence_level
from elysia_guard.domain.refusal import GateReading, Outcome, RefusalReason
from elysia_guard.edge.cli.replies import STYLES, Ending, show_sources
from elysia_guard.edge.cli.screen import Screen

ENDINGS = {
    Outcome.ANSWER: Ending.ANSWERED,
    Outcome.CLARIFY: Ending.ASKED_BACK,
    Outcome.REFUSE: Ending.REFUSED,
    Outcome.CONVERSE: Ending.SMALL_TALK,
}
DIFFERENCES = {
    Difference.NONE: "decide the same",
    Difference.WOULD_ANSWER: "would answer",
    Difference.WOULD_NOT_ANSWER: "would not answer",
    Difference.OTHER_REASON: "would give another reason",
    Difference.OTHER_PASSAGES: "would answer from other passages",
}


def record(entry: Entry, today: str) -> dict[str, object]:
    """Return the entry, and what explains it, ready for JSON."""
    return {
        **as_record(entry),
        "explanation": {
            "different": differences(entry.ruling),
            "configuration_is_todays": entry.settings.config_hash == today,
        },
    }


def show(screen: Screen, entry: Entry, today: str) -> None:
    """Print the page."""
    asked = f"{entry.asked_at:%Y-%m-%d %H:%M:%S} UTC"
    screen.line(f"{entry.request_id} · {asked} · {entry.route} · {entry.lang}", "dim")
    screen.line(question_of(entry), "bold")
    screen.line()
    screen.line(headline(entry), STYLES[ending_of(entry)])
    if entry.intent_reason:
        screen.line(f"read as {entry.intent}: {entry.intent_reason}")
    _way(screen, entry)
    _different(screen, entry.ruling)
    if entry.sources:
        _title(screen, "Sources")
        show_sources(screen, entry.sources, indent=2)
    _beside(screen, entry)
    _settings(screen, entry, today)
    _feedback(screen, entry)


def question_of(entry: Entry) -> str:
    """Return the question, or how long it was where texts are kept out."""
    return entry.question or f"(a question of {entry.question_length} characters, not kept)"


def ending_of(entry: Entry) -> Ending:
    """Say how a question ended; what was answered without high confidence was hedged."""
    ended = ENDINGS[entry.ruling.outcome]
    hedged = ended is Ending.ANSWERED and confidence_level(entry.confidence_score) != "high"
    return Ending.HEDGED if hedged else ended


def headline(entry: Entry) -> str:
    """Put the outcome in a line: 'refused · low_coverage · confidence 0.05'."""
    ruling = entry.ruling
    parts = [str(ending_of(entry))]
    if ruling.reason:
        parts.append(str(ruling.reason))
    if ruling.outcome in {Outcome.ANSWER, Outcome.REFUSE}:
        parts.append(f"confidence {entry.confidence_score:.2f}")
    return " · ".join([*parts, *(f"fallback {flag}" for flag in entry.fallbacks)])


def differences(ruling: Ruling) -> list[str]:
    """Say what would have had to be different for another verdict; nearest first."""
    if ruling.outcome is Outcome.CONVERSE:
        return []
    if ruling.reason is RefusalReason.UNVERIFIED_ANSWER:
        return ["every gate let it through, but a quote does not stand in its source"]
    found = gaps(ruling)
    if ruling.opened:
        return [_to_spare(gap) for gap in found[:1]]
    numbers = [_short(gap) for gap in found if not gap.reading.passed]
    measured = {gap.reading for gap in found}
    rules = [
        f"{reading.gate}: {_shown(reading.value)}, needed {_shown(reading.threshold)} "
        f"({reading.source})"
        for reading in ruling.readings
        if not reading.passed and reading not in measured
    ]
    return [*rules, *numbers] or ["it could not be asked: no gate had anything to judge"]


def _to_spare(gap: Gap) -> str:
    reading = gap.reading
    return (
        f"the nearest limit is that of {reading.gate}: {_shown(reading.value)}, "
        f"{gap.margin:.3f} inside {_shown(reading.threshold)} ({reading.source})"
    )


def _short(gap: Gap) -> str:
    reading = gap.reading
    side = "over" if reading.gate in AT_MOST else "under"
    return (
        f"{reading.gate}: {_shown(reading.value)} is {abs(gap.margin):.3f} {side} the limit "
        f"{_shown(reading.threshold)}; {reading.source} of {gap.limit_that_passes} lets it through"
    )


def _way(screen: Screen, entry: Entry) -> None:
    _title(screen, f"The way of the question ({entry.total_ms:.1f} ms)")
    for step in entry.stages:
        row = (step.stage.ljust(12), f"{step.elapsed_ms:8.1f} ms", step.note)
        screen.table([row], styles=("cyan", "dim", ""), indent=2)
        if step.stage == "gates":
            show_readings(screen, entry.ruling.readings, indent=4)


def show_readings(screen: Screen, readings: Sequence[GateReading], *, indent: int) -> None:
    """Print what each gate measured, against which limit, and what sets it."""
    if not readings:
        return
    rows = [("", "gate", "measured", "limit", "set by"), *map(_reading, readings)]
    screen.table(rows, styles=("bold", "", "bold", "", "dim"), indent=indent)


def _reading(reading: GateReading) -> tuple[str, str, str, str, str]:
    where = f"{reading.source}: {reading.reason}" if reading.reason else reading.source
    mark = "✓" if reading.passed else "✗"
    return mark, reading.gate, _shown(reading.value), _shown(reading.threshold), where


def _shown(value: float | str | None) -> str:
    if value is None:
        return "none"
    return f"{value:.3f}" if isinstance(value, float) else str(value)


def _different(screen: Screen, ruling: Ruling) -> None:
    lines = differences(ruling)
    if not lines:
        return
    title = "How near it was" if ruling.opened else "What would have had to be different"
    _title(screen, title if len(lines) == 1 else f"{title}, all of it")
    for line in lines:
        screen.line(f"  {line}")


def _beside(screen: Screen, entry: Entry) -> None:
    if entry.shadow is None or entry.difference is None:
        return
    said = DIFFERENCES[entry.difference]
    why = f" ({entry.shadow.reason})" if entry.shadow.reason else ""
    _title(screen, f"Candidate limits {entry.settings.shadow_hash}")
    screen.line(f"  {said}{why}")
    if entry.difference is not Difference.NONE:
        show_readings(screen, entry.shadow.readings, indent=4)


def _settings(screen: Screen, entry: Entry, today: str) -> None:
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
        rows.append(("writer", f"{entry.written_by}, mode {entry.mode}"))
    if entry.conversation_id:
        rows.append(("conversation", entry.conversation_id))
    _title(screen, "Decided with")
    screen.table(rows, styles=("", "dim"), indent=2)


def _feedback(screen: Screen, entry: Entry) -> None:
    if not entry.feedback:
        return
    _title(screen, "Feedback")
    rows = [
        (f"{item.given_at:%Y-%m-%d %H:%M}", str(item.judgement), item.note)
        for item in entry.feedback
    ]
    screen.table(rows, styles=("dim", "bold", ""), indent=2)


def _title(screen: Screen, text: str) -> None:
    screen.line()
    screen.line(text, "bold")
