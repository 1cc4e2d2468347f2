"""``elysia-guard doctor``: what is configured, what can be reached, what is missing."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from elysia_guard.edge.cli.options import (
    CouldNotRunError,
    Setup,
    with_json,
    with_profile,
    with_setup,
)
from elysia_guard.edge.cli.progress import Progress
from elysia_guard.edge.cli.screen import Screen, print_json

if TYPE_CHECKING:
    from elysia_guard.edge.cli.doctor_surroundings import Check

FROM_DEMO = (
    ", from the demo that ships. From documents of your own: "
    "elysia-guard init --documents FOLDER, then elysia-guard ingest"
)
_MARKS = {"ok": ("✓", "green"), "missing": ("○", "yellow"), "error": ("✗", "bold red")}


@click.command("doctor", short_help="Say what is configured, and what is missing.")
@with_json("Print every finding as JSON.")
@with_setup
@with_profile
def doctor_command(setup: Setup, *, as_json: bool) -> None:
    """Say what is configured, what can be reached and what is missing.

    Every part is tried as a question would use it. The limits of the gates are shown with the key
    that sets them. Of keys and passwords only the names are read, never the values.

    \b
    Examples:
      elysia-guard doctor
      elysia-guard doctor --config my/guard.yaml
      elysia-guard doctor --json | jq .ready

    Exit code 0 when the guard can answer, 3 when it cannot.
    """  # noqa: D301  click reads the \b
    from elysia_guard.edge.cli.doctor_checks import check_all
    from elysia_guard.edge.cli.doctor_surroundings import PartState

    with Progress("Looking at every part"):
        checks = list(check_all(setup))
    lacking = [check.part for check in checks if check.needed and check.state is not PartState.OK]
    if as_json:
        found = [{key: v for key, v in asdict(item).items() if key != "rows"} for item in checks]
        print_json({"ready": not lacking, "checks": found})
    else:
        _show(Screen(), checks, lacking)
    if lacking:
        raise CouldNotRunError(f"the guard cannot answer: {', '.join(lacking)}")


def _show(screen: Screen, checks: list[Check], lacking: list[str]) -> None:
    for check in checks:
        mark, style = _MARKS[check.state]
        row = (mark, check.part.ljust(13), f"{check.state:7}", check.text)
        screen.table([row], styles=(style, "bold", style, ""))
        if check.rows:
            screen.table(check.rows, styles=("", "", "", "dim"), indent=5)
    if not lacking:
        demo = any(check.data.get("demo") for check in checks)
        screen.line()
        screen.line(f"The guard can answer{FROM_DEMO if demo else '.'}", "bold green")
