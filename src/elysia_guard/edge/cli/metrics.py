"""``elysia-guard metrics``: what a running guard has counted."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from elysia_guard.edge.cli.options import Setup, with_setup

if TYPE_CHECKING:
    from elysia_guard.observability.dump import Format


@click.command("metrics", short_help="Show what a running guard has counted.")
@click.option(
    "--url",
    metavar="URL",
    help="The address of a server.  [default: http://127.0.0.1:8000]",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["table", "json", "prometheus"]),
    help="By default a table on a terminal, and Prometheus' text elsewhere.",
)
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
@with_setup
def command(_setup: Setup, *, url: str | None, form: Format | None, as_json: bool) -> None:
    """Show requests, refusals, look-ups, searches and breakers of a running guard.

    Where PROMETHEUS_MULTIPROC_DIR names the folder that several workers share, and no --url is
    given, their sums are read from there.

    \b
    Examples:
      elysia-guard metrics
      elysia-guard metrics --url http://127.0.0.1:8080 --json | jq '.metrics[].name'
    """  # noqa: D301  click reads the \b
    from elysia_guard.observability.dump import dump

    click.echo(dump(url, "json" if as_json else form))
