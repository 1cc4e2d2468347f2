"""``elysia-guard ingest``: bring the index up to date with folders of documents."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from elysia_guard.edge.cli.options import Setup, with_setup
from elysia_guard.edge.cli.progress import Progress
from elysia_guard.running import run_anywhere

if TYPE_CHECKING:
    from elysia_guard.adapters.ingest import IngestReport
    from elysia_guard.edge.cli.screen import Screen
    from elysia_guard.wiring import Wiring

SHOWN = 8


@click.command("ingest", short_help="Bring the index up to date with its documents.")
@click.argument(
    "paths", nargs=-1, type=click.Path(exists=True, path_type=Path), metavar="[PATH]..."
)
@click.option("--dry-run", is_flag=True, help="Say what would be done; write nothing.")
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
@with_setup
def command(setup: Setup, *, paths: tuple[Path, ...], dry_run: bool, as_json: bool) -> None:
    """Make the index hold exactly the documents under the PATHs: Markdown and text files.

    Without a PATH, the folders that the configuration names (index.sources). Only what changed is
    embedded; a document that is no longer there leaves the index. The old index serves until the
    new one is complete, so an ingest that is cut off breaks nothing.

    \b
    Examples:
      elysia-guard ingest
      elysia-guard ingest --dry-run
      elysia-guard ingest ~/handbook/decisions ~/handbook/policies --index handbook.sqlite
    """  # noqa: D301  click reads the \b
    wiring = setup.wiring()
    report = _fill(wiring, list(paths), dry_run=dry_run)
    from elysia_guard.edge.cli.screen import Screen, json_text

    if as_json:
        where = str(wiring.config.index.path)
        click.echo(json_text({"index": where, **report.to_dict()}, indent=2))
    else:
        _show(Screen(), report, wiring.config.index.path)


def _fill(wiring: Wiring, paths: list[Path], *, dry_run: bool) -> IngestReport:
    title = "Reading the documents" if dry_run else "Filling the index"
    with Progress(title) as bar:
        return run_anywhere(
            wiring.fill_index(
                paths,
                progress=lambda step: bar.show(step.done, step.total, step.path),
                dry_run=dry_run,
            )
        )


def _show(screen: Screen, report: IngestReport, path: Path) -> None:
    would = "would hold" if report.dry_run else "holds"
    screen.line(
        f"{path} {would} {report.documents} documents in {report.passages} passages "
        f"({report.seconds:.1f} s)",
        "bold",
    )
    if report.rebuilt:
        screen.line(f"Every document is embedded anew: {report.rebuilt}.", "yellow")
    rows = [
        ("added", *_some(report.added)),
        ("updated", *_some(report.updated)),
        ("unchanged", str(len(report.unchanged)), ""),
        ("removed", *_some(report.removed)),
        ("skipped", str(len(report.skipped)), ""),
        ("warnings", str(len(report.warnings)), ""),
    ]
    screen.table(rows, styles=("", "bold", "dim"), indent=2)
    reasons = [(item.path, item.reason) for item in report.skipped]
    _list(screen, "Skipped", reasons)
    _list(screen, "Warnings", [tuple(text.partition(": ")[::2]) for text in report.warnings])


def _list(screen: Screen, title: str, rows: Sequence[tuple[str, ...]]) -> None:
    if rows:
        screen.line()
        screen.line(title, "bold")
        screen.table(rows, styles=("", "dim"), indent=2)


def _some(ids: Sequence[str]) -> tuple[str, str]:
    """Count ids, and name the first."""
    rest = f" and {len(ids) - SHOWN} more" if len(ids) > SHOWN else ""
    return str(len(ids)), ", ".join(ids[:SHOWN]) + rest
