"""``elysia-guard mcp``: serve agents over the Model Context Protocol."""

from __future__ import annotations

import click

from elysia_guard.edge.cli.options import Setup, with_profile, with_setup
from elysia_guard.running import run_anywhere


@click.command("mcp", short_help="Serve agents over the Model Context Protocol.")
@with_setup
@with_profile
def command(setup: Setup) -> None:
    """Serve one agent over the Model Context Protocol, on standard input and output.

    An agent starts this itself and gets one tool, "ask": each reply says whether it is asserted,
    hedged, asked back or refused, with its sources. Logs go to standard error. Needs the extra
    "mcp" (the official SDK).

    \b
    Examples:
      elysia-guard mcp
    In the settings of an agent:
      {"mcpServers": {"elysia-guard": {"command": "elysia-guard", "args": ["mcp"]}}}
    """  # noqa: D301  click reads the \b
    from elysia_guard.edge.service import agents
    from elysia_guard.edge.service.service import Service
    from elysia_guard.edge.service.talks import Talks
    from elysia_guard.guard import Guard

    run_anywhere(agents.serve(Service(Guard(wiring=setup.ready()), Talks())))
