"""What ``elysia-guard log list`` and ``log shadow`` print, for a person and as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import click

from elysia_guard.adapters.decision_log.entry import Entry, Judgement
from elysia_guard.adapters.decision_log.export import as_record
from elysia_guard.adapters.decision_log.shadow import Comparison
from elysia_guard.edge.cli.explain_views import DIFFERENCES, ENDINGS, ending_of, question_of
from elysia_guard.edge.cli.screen import Screen, json_text
from elysia_guard.edge.cli.terminal import one_line

WIDTH = 60


def show_list(entries: Sequence[Entry], *, total: int, as_json: bool) -> None:
    """Print entries, a line each."""
    if as_json:
        click.echo(
            json_text({"total": total, "decisions": list(map(as_record, entries))}, indent=2)
        )
        return
    screen = Screen()
    if entries:
        screen.table([_row(entry) for entry in entries], styles=("dim", "", "bold", "cyan", ""))
    if total > len(entries):
        click.echo(f"{len(entries)} of {total}; --limit shows more", err=True)
    elif not total:
        click.echo("no decisions", err=True)


def show_shadow(
    candidate: str, found: Comparison, differing: Sequence[Entry], *, as_json: bool
) -> None:
    """Print how often candidate limits decide otherwise, and on which questions."""
    if as_json:
        told = {
            "candidate": candidate,
            "counts": found.counts,
            "judged": found.judged,
            "differing": list(map(as_record, differing)),
        }
        click.echo(json_text(told, indent=2))
        return
    screen = Screen()
    screen.line(f"Candidate limits {candidate} judged {found.total} decisions beside", "bold")
    rows = [
        (DIFFERENCES[kind], str(count), _judged(found.judged.get(kind, {})))
        for kind, count in found.counts.items()
        if count
    ]
    if rows:
        screen.table(rows, styles=("", "bold", "dim"), indent=2)
    if differing:
        screen.line()
        screen.table([_change(entry) for entry in differing], styles=("", "bold", "cyan", ""))


def _row(entry: Entry) -> tuple[str, ...]:
    ended = str(entry.ruling.reason or ending_of(entry))
    asked = f"{entry.asked_at:%Y-%m-%d %H:%M}"
    return asked, entry.request_id, ended, str(entry.judged or "-"), _cut(question_of(entry))


def _change(entry: Entry) -> tuple[str, ...]:
    live, shadow = entry.ruling, entry.shadow
    now = str(live.reason or ENDINGS[live.outcome])
    then = str(shadow.reason or ENDINGS[shadow.outcome]) if shadow else ""
    return entry.request_id, f"{now} → {then}", str(entry.judged or "-"), _cut(question_of(entry))


def _judged(group: Mapping[Judgement, int]) -> str:
    return ", ".join(f"{count} judged {kind}" for kind, count in group.items())


def _cut(text: str) -> str:
    line = one_line(text)
    return line if len(line) <= WIDTH else f"{line[: WIDTH - 1]}…"
