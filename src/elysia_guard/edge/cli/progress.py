"""Progress on standard error: a bar with count and time left on a terminal, else a line at most."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Self

import click

from elysia_guard.edge.cli.screen import is_terminal, one_line

if TYPE_CHECKING:
    from rich.progress import Progress as Bar


class Progress:
    """How far a piece of work is; ``piped`` says whether a line tells of it without a terminal.

    >>> with Progress("Building the index", total=3) as bar:  # doctest: +SKIP
    ...     bar.show(1, 3, "decisions/0001.md")
    """

    def __init__(self, title: str, *, total: int | None = None, piped: bool = True) -> None:
        self._title = title
        self._piped = piped
        self._done = 0
        self._total = total
        self._bar: Bar | None = None

    def __enter__(self) -> Self:
        if not is_terminal(sys.stderr):
            if self._piped:
                click.echo(f"{self._title} ...", err=True)
            return self
        self._bar = _bar()
        self._task = self._bar.add_task(self._title, total=self._total, count="", detail="")
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar:
            self._bar.stop()

    def show(self, done: int, total: int, detail: str = "") -> None:
        """Show that ``done`` of ``total`` are done, and what comes to pass now."""
        if self._bar:
            if done < self._done:
                self._bar.reset(self._task)  # other work, which goes at a pace of its own
            self._done = done
            self._bar.update(
                self._task,
                completed=done,
                total=total,
                count=f"{done}/{total}",
                detail=one_line(detail),
            )


def _bar() -> Bar:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
    from rich.table import Column

    return Progress(
        TextColumn("{task.description}", markup=False, table_column=Column(no_wrap=True)),
        BarColumn(bar_width=24),
        TextColumn("{task.fields[count]}", table_column=Column(no_wrap=True)),
        TimeRemainingColumn(compact=True),
        TextColumn(
            "{task.fields[detail]}",
            markup=False,
            style="dim",
            table_column=Column(no_wrap=True, ratio=1),
        ),
        console=Console(stderr=True),
        transient=True,
    )
