"""``elysia-guard explain``: why a question was answered, asked back or refused."""

from __future__ import annotations

import click

from elysia_guard.edge.cli.log_options import json_option
from elysia_guard.edge.cli.options import Setup, with_setup


@click.command("explain", short_help="Show why a question was answered or refused.")
@click.argument("request_id", required=False)
@click.option("--last", is_flag=True, help="The last question that was asked.")
@json_option
@with_setup
def command(setup: Setup, *, request_id: str | None, last: bool, as_json: bool) -> None:
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
    from elysia_guard.edge.cli import explain_views
    from elysia_guard.edge.cli.screen import Screen, json_text
    from elysia_guard.wiring import decisions

    config = setup.wiring().config
    log = decisions.log_of(config)
    found = log.latest(Selection(request_id=request_id), limit=1)
    if not found:
        wanted = f"entry for request '{request_id}'" if request_id else "entry yet"
        raise DecisionLogError(f"{log.place} has no {wanted}; elysia-guard log list shows some")
    today = decisions.config_hash(config)
    if as_json:
        click.echo(json_text(explain_views.record(found[0], today), indent=2))
    else:
        explain_views.show(Screen(), found[0], today)
