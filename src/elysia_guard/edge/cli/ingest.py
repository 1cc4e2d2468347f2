"""``elysia-guard ingest``: bring the index up to date with folders of documents."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

import click

from elysia_guard.domain.errors import GuardError
from elysia_guard.edge.cli.options import (
    Setup,
    tell_of_vocabulary,
    with_json,
    with_setup,
)
from elysia_guard.edge.cli.progress import Progress
from elysia_guard.edge.cli.screen import Screen, one_line, print_json
from elysia_guard.running import run_anywhere

if TYPE_CHECKING:
    from elysia_guard.adapters.documents.folders import Changes
    from elysia_guard.adapters.ingest import IngestReport
    from elysia_guard.evaluation.sizes import Sizes
    from elysia_guard.wiring import Wiring

SHOWN = 8
MOST_ALIKE = 3
"""Files of which the same is said, each on a line of its own."""
_DIFFERS = re.compile(r"'[^']*'|\([^)]*\)|\S*\d\S*")
RETRY_AFTER = 10
"""Looks after which an ingest that failed is tried again."""


@click.command("ingest", short_help="Bring the index up to date with its documents.")
@click.argument(
    "paths", nargs=-1, type=click.Path(exists=True, path_type=Path), metavar="[PATH]..."
)
@click.option("--dry-run", is_flag=True, help="Say what would be done; write nothing.")
@click.option("--watch", is_flag=True, help="Go on, and ingest again when a file changes.")
@click.option("--report", "sizes", is_flag=True, help="Say how large documents and passages are.")
@with_json("Print the report as JSON.")
@with_setup
def ingest_command(
    setup: Setup,
    *,
    paths: tuple[Path, ...],
    dry_run: bool,
    watch: bool,
    sizes: bool,
    as_json: bool,
) -> None:
    """Make the index hold exactly the documents under the PATHs: Markdown, PDF, DOCX, HTML, text.

    Without a PATH, the folders that the configuration names (index.sources). Only what changed is
    embedded; a document that is no longer there leaves the index. The old index serves until the
    new one is complete, so an ingest that is cut off breaks nothing. With --watch it goes on
    until Ctrl-C; with --json it then prints a report a line.

    What of an index does not stand as it was written (in a Weaviate anybody may delete) is written
    again.

    With --report it then says how large the documents and passages of the index are, and which
    passages are too long, too short or said twice.

    \b
    Examples:
      elysia-guard ingest
      elysia-guard ingest --dry-run
      elysia-guard ingest --watch
      elysia-guard ingest --report
      elysia-guard ingest ~/handbook/decisions ~/handbook/policies --index handbook.sqlite
    """  # noqa: D301  click reads the \b
    if dry_run and sizes:
        raise click.UsageError("--report tells of what the index holds; leave out --dry-run")
    wiring = setup.wiring()
    run = _Run(
        wiring=wiring,
        paths=list(paths) or list(wiring.config.index.sources),
        dry_run=dry_run,
        as_json=as_json,
        lines=watch,
        sizes=sizes,
    )
    if not watch:
        run.once()
        return
    try:
        _watch(run, Event().wait)
    except KeyboardInterrupt:
        _tell("stopped; the index is as the last ingest left it")


@dataclass(frozen=True, kw_only=True)
class _Run:
    """An ingest that can be repeated; ``lines``: each report is a line, where it is JSON."""

    wiring: Wiring
    paths: list[Path]
    dry_run: bool
    as_json: bool
    lines: bool
    sizes: bool

    def once(self) -> IngestReport:
        """Ingest, and print the report."""
        from elysia_guard.adapters.documents.chunks import LIMIT
        from elysia_guard.evaluation.sizes import sizes

        title = "Reading the documents" if self.dry_run else "Filling the index"
        with Progress(title, piped=False) as bar:
            filled = self.wiring.fill_index(
                self.paths,
                progress=lambda step: bar.show(step.done, step.total, step.path),
                dry_run=self.dry_run,
            )
            report = run_anywhere(filled)
        tell_of_vocabulary(self.wiring)
        place, found = self.wiring.index_place, None
        if self.sizes:
            # Of what the index holds now, which is not what it held when it was opened.
            measured = sizes(self.wiring.index, self.wiring.config.collections, limit=LIMIT)
            found = run_anywhere(measured)
        if self.as_json:
            told = {"index": place, **report.to_dict()}
            if found is not None:
                told["sizes"] = [asdict(each) for each in found]
            print_json(told, indent=None if self.lines else 2)
        else:
            _show(report, place, found)
        return report


def _watch(run: _Run, sleep: Callable[[float], object]) -> None:
    """Ingest now and after every change, until somebody interrupts."""
    from elysia_guard.adapters.documents.folders import look, watch

    # Looked at before the first ingest, so that what changes meanwhile is seen after it.
    since = look(run.paths)
    run.once()
    _tell(f"watching {', '.join(map(str, run.paths))}; Ctrl-C ends it")
    waited: int | None = None
    missing: set[str] = set()
    for changes in watch(run.paths, sleep, since=since):
        _tell_changes(changes)
        missing = (missing | set(changes.gone)) - set(changes.back)
        if missing:
            continue
        waited = 0 if changes else None if waited is None else waited + 1
        if waited is not None and waited % RETRY_AFTER == 0:
            try:
                run.once()
                waited = None
            except (GuardError, OSError) as err:
                # What cannot be done now may be possible later.
                _tell(f"not ingested: {err}")
                waited = 0


def _tell_changes(changes: Changes) -> None:
    for path in changes.gone:
        _tell(f"{path} is gone; the index stays as it is until it is back")
    for path in changes.back:
        _tell(f"{path} is back")
    for name in ("added", "changed", "removed"):
        for path in getattr(changes, name):
            _tell(f"{name} {path}")


def _tell(text: str) -> None:
    click.echo(one_line(text), err=True)


def _show(report: IngestReport, place: str, found: Sequence[Sizes] | None) -> None:
    screen = Screen()
    would = "would hold" if report.dry_run else "holds"
    screen.line(
        f"{place} {would} {report.documents} documents in {report.passages} passages "
        f"({report.seconds:.1f} s)",
        "bold",
    )
    if report.rebuilt:
        screen.line(f"Every document is written anew: {report.rebuilt}.", "yellow")
    for finding in report.damage:
        screen.line(f"Found: {finding}.", "yellow")
    rows = [
        ("added", *_some(report.added)),
        ("updated", *_some(report.updated)),
        ("repaired", *_some(report.repaired)),
        ("unchanged", str(len(report.unchanged)), ""),
        ("removed", *_some(report.removed)),
        ("skipped", str(len(report.skipped)), ""),
        ("warnings", str(len(report.warnings)), ""),
        ("embedded", str(report.embedded), "passages"),
    ]
    if report.dropped:
        rows.append(("dropped", *_some(report.dropped)))
    if report.leftover:
        rows.append(("cleared away", str(report.leftover), "objects of no document"))
    screen.table(rows, styles=("", "bold", "dim"), indent=2)
    skipped = [(item.path, item.reason) for item in report.skipped]
    _list(screen, "Skipped", _alike(skipped))
    warnings = (text.partition(": ") for text in report.warnings)
    _list(screen, "Warnings", _alike([(path, told) for path, _, told in warnings]))
    if found is not None:
        from elysia_guard.adapters.documents.chunks import LIMIT
        from elysia_guard.evaluation.sizes import rows as rows_of

        _list(screen, "Sizes", rows_of(found, limit=LIMIT))


def _alike(rows: Sequence[tuple[str, str]]) -> list[tuple[str, ...]]:
    """Tell what is said of many files once, with their number; names and figures in it may differ.

    With ``--json`` each is told.
    """
    found: dict[str, list[tuple[str, str]]] = {}
    for path, told in rows:
        found.setdefault(_DIFFERS.sub("", told), []).append((path, told))
    return [
        row
        for group in found.values()
        for row in (
            group
            if len(group) <= MOST_ALIKE
            else [(f"{group[0][0]} and {len(group) - 1} more", group[0][1])]
        )
    ]


def _list(screen: Screen, title: str, rows: Sequence[tuple[str, ...]]) -> None:
    if rows:
        screen.title(title)
        styles = ("", *["dim"] * (len(rows[0]) - 1))
        screen.table(rows, styles=styles, indent=2)


def _some(ids: Sequence[str]) -> tuple[str, str]:
    """Count ids, and name the first."""
    rest = f" and {len(ids) - SHOWN} more" if len(ids) > SHOWN else ""
    return str(len(ids)), ", ".join(ids[:SHOWN]) + rest
