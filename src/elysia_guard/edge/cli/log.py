"""``elysia-guard log``, ``explain`` and ``feedback``: the decisions that were written down."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

import click

from elysia_guard.domain.refusal import Outcome, RefusalReason
from elysia_guard.edge.cli.options import Setup, hand_down, moment, with_json, with_setup

if TYPE_CHECKING:
    from elysia_guard.adapters.decision_log import DecisionLog, Selection

SCREENFUL = 20
JUDGEMENTS = ("should-have-been-answered", "wrong", "right")

since_option = click.option(
    "--since", type=moment, metavar="WHEN", help="From then on: a day, or how long ago (7d, 36h)."
)
before_option = click.option("--before", type=moment, metavar="WHEN", help="Up to then.")
yes_option = click.option("--yes", is_flag=True, help="Delete; without it, only say what would be.")


@click.group("log", short_help="List, count and delete decisions.", invoke_without_command=True)
@with_setup
def log_command(setup: Setup) -> None:
    """Look into the decision log: who was refused what, and how often wrongly.

    It is kept where guard.yaml has a section 'decision_log'; without one nothing is stored. The
    options below may stand before or behind the name of the command.

    \b
    Examples:
      elysia-guard log list --refused --since 7d
      elysia-guard log rates --since 30d
      elysia-guard log delete --conversation 5b0c... --yes
    """  # noqa: D301  click reads the \b
    hand_down(setup)


@log_command.command("list", short_help="List decisions, the last first.")
@since_option
@before_option
@click.option("--refused", is_flag=True, help="Refusals only.")
@click.option(
    "--reason", type=click.Choice([item.value for item in RefusalReason]), metavar="REASON"
)
@click.option("--judged", type=click.Choice(JUDGEMENTS), help="Only what was judged so.")
@click.option("--conversation", metavar="ID", help="Only of this conversation.")
@click.option(
    "--limit", type=click.IntRange(1), default=SCREENFUL, show_default=True, help="How many."
)
@with_json()
@with_setup
def list_command(
    setup: Setup,
    *,
    refused: bool,
    judged: str | None,
    conversation: str | None,
    limit: int,
    as_json: bool,
    **narrowed: Any,
) -> None:
    """List decisions: when, which request, how it ended, what was asked, what was said of it."""
    from elysia_guard.adapters.decision_log import ReplyJudgement, Selection
    from elysia_guard.edge.cli import log_views

    log = _log_of(setup)
    choice = Selection(
        outcome=Outcome.REFUSE if refused else None,
        judged=ReplyJudgement(judged) if judged else None,
        conversation_id=conversation,
        **narrowed,
    )
    log_views.show_list(log.latest(choice, limit=limit), total=log.count(choice), as_json=as_json)


@log_command.command("delete", short_help="Delete decisions for good.")
@click.option("--request", "request_id", metavar="ID", help="The decision of this request.")
@click.option("--conversation", metavar="ID", help="All of this conversation.")
@click.option("--before", type=moment, metavar="WHEN", help="All until then.")
@yes_option
@with_json()
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
    _delete(_log_of(setup), choice, yes=yes, as_json=as_json)


@log_command.command("purge", short_help="Delete what has been kept long enough.")
@click.option(
    "--keep-days",
    type=click.IntRange(1, 36_500),
    help="How long to keep decisions.  [default: decision_log.retention_days]",
)
@yes_option
@with_json()
@with_setup
def purge_command(setup: Setup, *, keep_days: int | None, yes: bool, as_json: bool) -> None:
    """Delete decisions older than the retention; whoever writes the log does so once a day."""
    from elysia_guard.adapters.decision_log import Selection, utc_now

    log = _log_of(setup)
    section = setup.wiring().config.decision_log
    days = keep_days or (section.retention_days if section else None)
    if days is None:
        raise click.UsageError("decision_log.retention_days is not set; give --keep-days.")
    choice = Selection(before=utc_now() - timedelta(days=days))
    _delete(log, choice, yes=yes, as_json=as_json)


def _delete(log: DecisionLog, choice: Selection, *, yes: bool, as_json: bool) -> None:
    from elysia_guard.edge.cli.screen import print_json

    count = log.delete(choice) if yes else log.count(choice)
    if as_json:
        print_json({"decisions": count, "deleted": yes}, indent=None)
        return
    entries = f"{count} decision" if count == 1 else f"{count} decisions"
    click.echo(f"deleted {entries}" if yes else f"would delete {entries}; --yes does it")


@log_command.command("rates", short_help="How often it refuses, and how often wrongly.")
@since_option
@click.option("--current", is_flag=True, help="Only decisions of today's configuration.")
@with_json()
@with_setup
def rates_command(setup: Setup, *, since: datetime | None, current: bool, as_json: bool) -> None:
    """Count refusals, and with the feedback false refusals and wrong answers, with 95 % intervals.

    ADR-004's rule is applied as advice: lower the limits when more than 10 % of the questions that
    have an answer are refused, raise them when more than 1 % of the answers are wrong.
    """
    from elysia_guard.adapters.decision_log import Selection
    from elysia_guard.adapters.decision_log.rates import rates
    from elysia_guard.edge.cli import log_views
    from elysia_guard.wiring import records

    config = setup.wiring().config
    today = records.config_hash(config)
    choice = Selection(since=since, config_hash=today if current else None)
    found = rates(records.log_of(config), choice)
    log_views.show_rates(found, today=today, as_json=as_json)


@click.command("feedback", short_help="Say whether an answer or a refusal was right.")
@click.argument("request_id")
@click.argument("judgement", type=click.Choice(JUDGEMENTS), required=False)
@click.option("--note", default="", metavar="TEXT", help="What was wrong with it.")
@click.option("--take-back", is_flag=True, help="Forget what was said of this request.")
@with_setup
def feedback_command(
    setup: Setup, *, request_id: str, judgement: str | None, note: str, take_back: bool
) -> None:
    """Say of the request REQUEST_ID that it should have been answered, that its answer is wrong,
    or that it was right.

    The judgement stands beside the decision in the decision log; 'log rates' counts them, and says
    what they mean for the limits. The last one counts.

    \b
    Examples:
      elysia-guard feedback req-3f2a9c41d07b should-have-been-answered --note "POL-0003 says it"
      elysia-guard feedback req-3f2a9c41d07b right
      elysia-guard feedback req-3f2a9c41d07b --take-back
    """  # noqa: D205, D301  click reads the \b
    if bool(judgement) == take_back:
        raise click.UsageError(f"Give a JUDGEMENT ({', '.join(JUDGEMENTS)}), or --take-back.")
    from elysia_guard.adapters.decision_log import Feedback, JudgementError, ReplyJudgement, utc_now

    log = _log_of(setup)
    if judgement is None:
        log.unjudge(request_id)
        click.echo(f"{request_id}: taken back", err=True)
        return
    given = Feedback(judgement=ReplyJudgement(judgement), given_at=utc_now(), note=note)
    try:
        log.judge(request_id, given)
    except JudgementError as err:
        raise click.UsageError(str(err)) from err
    click.echo(f"{request_id}: {judgement}", err=True)


@click.command("explain", short_help="Show why a question was answered or refused.")
@click.argument("request_id", required=False)
@click.option("--last", is_flag=True, help="The last question that was asked.")
@with_json()
@with_setup
def explain_command(setup: Setup, *, request_id: str | None, last: bool, as_json: bool) -> None:
    """Show the way of the question with REQUEST_ID: every stage, gate and limit, and what would
    have had to be different.

    It comes from the decision log, which is kept where guard.yaml has a section 'decision_log'.
    'ask --json' and 'ask --trace' print the id of a request, 'log list' those that were asked.

    \b
    Examples:
      elysia-guard explain req-3f2a9c41d07b
      elysia-guard explain --last
      elysia-guard explain --last --json | jq .explanation
    """  # noqa: D205, D301  click reads the \b
    if bool(request_id) == last:
        raise click.UsageError("Give a REQUEST_ID, or --last.")
    from elysia_guard.adapters.decision_log import DecisionLogError, Selection
    from elysia_guard.edge.cli import log_views
    from elysia_guard.wiring import records

    config = setup.wiring().config
    log = records.log_of(config)
    found = log.latest(Selection(request_id=request_id), limit=1)
    if not found:
        wanted = f"entry for request '{request_id}'" if request_id else "entry yet"
        raise DecisionLogError(f"{log.place} has no {wanted}; elysia-guard log list shows some")
    log_views.show_entry(found[0], today=records.config_hash(config), as_json=as_json)


def _log_of(setup: Setup) -> DecisionLog:
    """Return the configured log.

    Raises:
        ConfigError: none is kept.
    """
    from elysia_guard.wiring import records

    return records.log_of(setup.wiring().config)
