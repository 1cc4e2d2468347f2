"""What ``elysia-guard vocab load`` says it loaded; for a person and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from elysia_guard.adapters.skos_findings import Report
from elysia_guard.domain.concept import Concept
from elysia_guard.edge.cli import vocab_report, vocab_setting
from elysia_guard.edge.cli.screen import Screen, json_text


@dataclass(frozen=True, kw_only=True, slots=True)
class Loaded:
    """What was made of SKOS files, and for which configuration.

    ``is_set``: the configuration now names the file. ``beside``: it asks a Skosmos, and the file
    holds the labels beside it. ``written``: neither tried out nor refused.
    """

    path: Path
    report: Report
    concepts: Sequence[Concept]
    config: Path | None
    is_set: bool
    beside: bool
    written: bool

    @property
    def left_out(self) -> int:
        """How many concepts have no label."""
        return len(self.report.concepts) - len(self.concepts)


def show(loaded: Loaded, *, lang: str, examples: int, as_json: bool) -> None:
    """Print what is wrong, what was loaded, and how to use it."""
    if as_json:
        told = {
            "output": str(loaded.path),
            "written": loaded.written,
            "loaded": len(loaded.concepts),
            "left_out": loaded.left_out,
            **vocab_report.to_dict(loaded.report),
        }
        click.echo(json_text(told, indent=2))
        return
    vocab_report.show(loaded.report, lang=lang, examples=examples, as_json=False)
    screen = Screen()
    screen.line()
    number = len(loaded.concepts)
    verb = "holds" if loaded.written else "would hold"
    concepts = f"{number:,} concept{'' if number == 1 else 's'}"
    screen.line(f"{loaded.path} {verb} {concepts}", "bold")
    if loaded.left_out:
        screen.line(f"{loaded.left_out} without any label are left out", "yellow")
    if loaded.written:
        _show_use(screen, loaded)


def _show_use(screen: Screen, loaded: Loaded) -> None:
    if loaded.is_set:
        screen.line(f"{loaded.config} names it now")
    else:
        screen.line("To answer from it, in guard.yaml (--set with --config writes it):")
        for line in vocab_setting.lines(loaded.path, loaded.config):
            screen.line(f"  {line}")
        screen.line(f'Or: elysia-guard ask "What is ...?" --vocabulary {loaded.path}')
    if loaded.beside:
        screen.line("The configuration asks a Skosmos: these are the labels beside it", "yellow")
