"""``elysia-guard log``: the decisions that were written down, and what they add up to."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import click

from elysia_guard.edge.cli.log_options import (
    choosing,
    json_option,
    moment,
    open_log,
    since_option,
)
from elysia_guard.edge.cli.options import CouldNotRunError, Setup, hand_down, with_setup

if TYPE_CHECKING:
    from elysia_guard.adapters.decision_log import DecisionLog, Selection

SCREENFUL = 20


@click.group(
    "log", short_help="List, export, count and delete decisions.", invoke_without_command=True
)
@with_setup
def command(setup: Setup) -> None:
    """Look into the decision log: who was refused what, how often wrongly, and what other limits
    would have decided.

    It is kept where guard.yaml has a section 'decision_log'; without one nothing is stored. The
    options below may stand before or behind the name of the command.

    \b
    Examples:
      elysia-guard log list --refused --since 7d
      elysia-guard log rates --since 30d
      elysia-guard log shadow
      elysia-guard log export --format csv --output decisions.csv
      elysia-guard log delete --conversation 5b0c... --yes
    """  # noqa: D205, D301  click reads the \b
    hand_down(setup)


@command.command("list", short_help="List decisions, the last first.")
@choosing
@click.option(
    "--limit", type=click.IntRange(1), default=SCREENFUL, show_default=True, help="How many."
)
@json_option
@with_setup
def list_command(setup: Setup, *, choice: Selection, limit: int, as_json: bool) -> None:
    """List decisions: when, which request, how it ended, what was asked, what was said of it."""
    from elysia_guard.edge.cli import log_views

    log = open_log(setup)
    log_views.show_list(log.latest(choice, limit=limit), total=log.count(choice), as_json=as_json)


@command.command("export", short_help="Write decisions to a file.")
@choosing
@click.option(
    "--format",
    "form",
    type=click.Choice(["jsonl", "csv"]),
    default="jsonl",
    show_default=True,
    help="jsonl: everything, an object a line. csv: a row a decision.",
)
@click.option(
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Where to.  [default: standard output]",
)
@with_setup
def export_command(setup: Setup, *, choice: Selection, form: str, output: Path | None) -> None:
    """Write decisions in the order they were made, whole, with their feedback."""
    from elysia_guard.adapters.decision_log import export

    log = open_log(setup)
    total = log.count(choice)
    lines = (export.table if form == "csv" else export.json_lines)(log.entries(choice))
    if output is None:
        for line in lines:
            click.echo(line.encode(), nl=False)
        return
    # It holds what people asked: for its owner alone.
    output.touch(mode=0o600)
    with output.open("w", encoding="utf-8", newline="") as file:
        file.writelines(lines)
    click.echo(f"{output}: {total} decisions", err=True)


@command.command("delete", short_help="Delete decisions for good.")
@click.option("--request", "request_id", metavar="ID", help="The decision of this request.")
@click.option("--conversation", metavar="ID", help="All of this conversation.")
@click.option("--before", type=moment, metavar="WHEN", help="All until then.")
@click.option("--yes", is_flag=True, help="Delete; without it, only say what would be.")
@json_option
@with_setup
def delete_command(
    setup: Setup,
    *,
    request_id: str | None,
    conversation: str | None,
    before: datetime | None,
    yes: bool,
    as_json: bool,
) -> None:
    """Delete decisions, with questions, quotes and feedback; an SQLite file keeps no trace of them.

    Where several options are given, what is deleted fits them all.
    """
    from elysia_guard.adapters.decision_log import Selection

    choice = Selection(request_id=request_id, conversation_id=conversation, before=before)
    if choice == Selection():
        raise click.UsageError("Say what to delete: --request, --conversation or --before.")
    _delete(open_log(setup), choice, yes=yes, as_json=as_json)


@command.command("purge", short_help="Delete what has been kept long enough.")
@click.option(
    "--keep-days",
    type=click.IntRange(1, 36_500),
    help="How long to keep decisions.  [default: decision_log.retention_days]",
)
@click.option("--yes", is_flag=True, help="Delete; without it, only say what would be.")
@json_option
@with_setup
def purge_command(setup: Setup, *, keep_days: int | None, yes: bool, as_json: bool) -> None:
    """Delete decisions older than the retention; whoever writes the log does so once a day."""
    from elysia_guard.adapters.decision_log import Selection
    from elysia_guard.adapters.decision_log.writer import utc_now

    log = open_log(setup)
    section = setup.wiring().config.decision_log
    days = keep_days or (section.retention_days if section else None)
    if days is None:
        raise click.UsageError("decision_log.retention_days is not set; give --keep-days.")
    choice = Selection(before=utc_now() - timedelta(days=days))
    _delete(log, choice, yes=yes, as_json=as_json)


def _delete(log: DecisionLog, choice: Selection, *, yes: bool, as_json: bool) -> None:
    from elysia_guard.edge.cli.screen import json_text

    count = log.delete(choice) if yes else log.count(choice)
    if as_json:
        click.echo(json_text({"decisions": count, "deleted": yes}))
        return
    entries = f"{count} decision" if count == 1 else f"{count} decisions"
    click.echo(f"deleted {entries}" if yes else f"would delete {entries}; --yes does it")


@command.command("rates", short_help="How often it refuses, and how often wrongly.")
@since_option
@click.option("--current", is_flag=True, help="Only decisions of today's configuration.")
@json_option
@with_setup
def rates_command(setup: Setup, *, since: datetime | None, current: bool, as_json: bool) -> None:
    """Count refusals, and with the feedback false refusals and wrong answers, with 95 % intervals.

    ADR-004's rule is applied as advice: lower the limits when more than 10 % of the questions that
    have an answer are refused, raise them when more than 1 % of the answers are wrong.
    """
    from elysia_guard.adapters.decision_log import Selection
    from elysia_guard.adapters.decision_log.rates import rates
    from elysia_guard.edge.cli import rates_views
    from elysia_guard.wiring import decisions

    config = setup.wiring().config
    today = decisions.config_hash(config)
    choice = Selection(since=since, config_hash=today if current else None)
    found = rates(decisions.log_of(config), choice)
    rates_views.show(found, today=today, as_json=as_json)


@command.command("shadow", short_help="Where candidate limits decide otherwise.")
@since_option
@click.option("--candidate", metavar="HASH", help="Of these limits.  [default: the last ones]")
@click.option(
    "--limit", type=click.IntRange(1), default=SCREENFUL, show_default=True, help="How many."
)
@json_option
@with_setup
def shadow_command(
    setup: Setup, *, since: datetime | None, candidate: str | None, limit: int, as_json: bool
) -> None:
    """Show on which questions the limits of 'shadow_thresholds' would have decided otherwise.

    They judge the same evidence beside the live ones; no reply has ever depended on them.
    """
    from dataclasses import replace

    from elysia_guard.adapters.decision_log import Selection
    from elysia_guard.adapters.decision_log.shadow import compare, last_candidate
    from elysia_guard.edge.cli import log_views

    log, stretch = open_log(setup), Selection(since=since)
    found = candidate or last_candidate(log, stretch)
    if not found:
        raise CouldNotRunError(
            f"{log.place}: no candidate limits have judged; name some with shadow_thresholds"
        )
    judged = replace(stretch, shadow_hash=found, beside=True)
    differing = log.latest(replace(judged, differing=True), limit=limit)
    log_views.show_shadow(found, compare(log, judged), differing, as_json=as_json)
