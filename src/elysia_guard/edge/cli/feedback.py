"""``elysia-guard feedback``: say of an answer or a refusal whether it was right."""

from __future__ import annotations

import click

from elysia_guard.edge.cli.log_options import JUDGEMENTS, open_log
from elysia_guard.edge.cli.options import Setup, with_setup


@click.command("feedback", short_help="Say whether an answer or a refusal was right.")
@click.argument("request_id")
@click.argument("judgement", type=click.Choice(JUDGEMENTS), required=False)
@click.option("--note", default="", metavar="TEXT", help="What was wrong with it.")
@click.option("--take-back", is_flag=True, help="Forget what was said of this request.")
@with_setup
def command(
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
    from elysia_guard.adapters.decision_log import Feedback, Judgement
    from elysia_guard.adapters.decision_log.errors import JudgementError
    from elysia_guard.adapters.decision_log.writer import utc_now

    log = open_log(setup)
    if judgement is None:
        log.unjudge(request_id)
        click.echo(f"{request_id}: taken back", err=True)
        return
    given = Feedback(judgement=Judgement(judgement), given_at=utc_now(), note=note)
    try:
        log.judge(request_id, given)
    except JudgementError as err:
        raise click.UsageError(str(err)) from err
    click.echo(f"{request_id}: {judgement}", err=True)
