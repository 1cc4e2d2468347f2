"""``elysia-guard chat``, ``mcp`` and ``metrics``: serve people and agents, and what is counted."""

from __future__ import annotations

import socket
import sys
from contextlib import redirect_stdout
from typing import TYPE_CHECKING

import click

from elysia_guard.edge.cli.options import CouldNotRunError, Setup, with_profile, with_setup
from elysia_guard.edge.cli.progress import Progress
from elysia_guard.edge.workers import MOST_WORKERS, serve_by
from elysia_guard.running import run_anywhere

if TYPE_CHECKING:
    from elysia_guard.observability.dump import Format
    from elysia_guard.wiring import Wiring

FIRST_PORT = 8000
_TRIED = 100
_EVERYWHERE = {"0.0.0.0": "127.0.0.1", "[::]": "[::1]"}  # noqa: S104  only compared with


@click.command("chat", short_help="Serve the web chat.")
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen at.")
@click.option(
    "--port",
    type=click.IntRange(1, 65535),
    help=f"The port to listen at.  [default: {FIRST_PORT}, or the next free one]",
)
@click.option(
    "--workers",
    type=click.IntRange(1, MOST_WORKERS),
    default=1,
    show_default=True,
    help="Processes that answer; any of them goes on with any conversation.",
)
@with_setup
@with_profile
def chat_command(setup: Setup, *, host: str, port: int | None, workers: int) -> None:
    """Serve the Elysia web chat with the guarded tree, on this machine only.

    Builds the index first when there is none. Ctrl-C stops it. At an address that other machines
    reach it starts only with a secret in ELYSIA_GUARD_SECRET, which people log in with, or behind a
    proxy that says who they are (server.user_header). Conversations are kept on this machine, or
    in the database of conversations.url, for as long as conversations.keep_days of guard.yaml
    says; see 'conversations --help'.

    \b
    Examples:
      elysia-guard chat
      elysia-guard chat --port 8080
      elysia-guard chat --workers 2
    """  # noqa: D301  click reads the \b
    from elysia_guard.edge.access_policy import Policy
    from elysia_guard.edge.model_told import model_told

    chosen = _port(host, port)
    wiring = setup.wiring()
    Policy.of(wiring.config.server, host)  # refused at once, and not once all is read
    setup.ready(wiring)
    click.echo(_kept(wiring), err=True)
    click.echo(model_told(wiring), err=True)
    output = sys.stdout
    from elysia_guard.edge.cli.asking import quiet_host

    with Progress("Starting Elysia"), quiet_host():
        from elysia_guard.edge.elysia.webapp import serve

    def ready(address: str) -> None:
        click.echo(f"The chat is at {_reached(address)} (Ctrl-C stops it)", file=output)
        output.flush()

    # What Elysia prints must not stand where a script reads the address.
    with redirect_stdout(sys.stderr):
        if workers == 1:
            serve(wiring, host=host, port=chosen, ready=ready)
        else:
            _ = wiring.pipeline  # what is missing is said here, and not by each of them
            serve_by(workers, wiring.config, host=host, port=chosen, ready=ready)
    click.echo("The chat is stopped.", err=True)


def _kept(wiring: Wiring) -> str:
    """Say what is kept of conversations: whoever asks should be able to know."""
    keeper, days = wiring.conversations, wiring.config.conversations.keep_days
    if keeper is None:
        return "Conversations are not kept; they end with the server, or after idle minutes."
    until = (
        "until they are deleted" if days is None else f"for {days} days after their last question"
    )
    return f"Conversations are kept in {keeper.place}, {until}."


def _reached(address: str) -> str:
    """Where a browser on this machine finds a server that listens everywhere."""
    for everywhere, here in _EVERYWHERE.items():
        address = address.replace(f"//{everywhere}:", f"//{here}:")
    return address


def _port(host: str, wanted: int | None) -> int:
    """Return the port that was asked for, or the first free one."""
    tried = [wanted] if wanted else range(FIRST_PORT, FIRST_PORT + _TRIED)
    problem = OSError("no port tried")
    for port in tried:
        try:
            family, *_, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
            with socket.socket(family, socket.SOCK_STREAM) as probe:
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                probe.bind(place)
        except socket.gaierror as err:
            raise CouldNotRunError(f"--host {host} is no address of this machine") from err
        except OSError as err:
            problem = err
        else:
            return port
    way = "leave --port away for the next free one" if wanted else "name one with --port"
    shown = wanted or f"{FIRST_PORT} to {FIRST_PORT + _TRIED - 1}"
    raise CouldNotRunError(f"port {shown} of {host}: {problem.strerror}; {way}")


@click.command("mcp", short_help="Serve agents over the Model Context Protocol.")
@with_setup
@with_profile
def mcp_command(setup: Setup) -> None:
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
    from elysia_guard.direct import Guard
    from elysia_guard.edge.service import agents
    from elysia_guard.edge.service.service import GuardService, Talks

    run_anywhere(agents.serve(GuardService(Guard(wiring=setup.ready()), Talks())))


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
def metrics_command(_setup: Setup, *, url: str | None, form: Format | None, as_json: bool) -> None:
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
