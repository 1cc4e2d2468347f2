"""``elysia-guard tune --alpha``: other weights of a search's rankings, by collection."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from typing import TYPE_CHECKING

import click

from elysia_guard.edge.cli.options import Setup
from elysia_guard.edge.cli.progress import Progress
from elysia_guard.edge.cli.terminal import one_line, visible
from elysia_guard.edge.cli.tune_options import Wish
from elysia_guard.running import run_anywhere

if TYPE_CHECKING:
    from elysia_guard.config import Config
    from elysia_guard.domain.document import DocumentKind
    from elysia_guard.evaluation.alpha_record import Searched
    from elysia_guard.evaluation.alpha_report import Report
    from elysia_guard.evaluation.alpha_sweep import Sweep, Swept
    from elysia_guard.evaluation.tuning_questions import Questions
    from elysia_guard.wiring import Wiring


def run(setup: Setup, wish: Wish, *, as_json: bool, write: bool) -> None:
    """Sweep the weights, show what was found, and write what is proposed where told to.

    Raises:
        ConfigError: the thresholds cannot be read, or cannot be written to.
        GuardError: a set of questions cannot be used, or a source was down.
    """
    report, apply = _swept(setup, wish)
    if write and report["changed"]:
        apply()
        report["written"] = True
    _show(report, as_json=as_json)
    _tell(report, write=write)


def _swept(setup: Setup, wish: Wish) -> tuple[Report, Callable[[], None]]:
    """Return what was found, and what writes it."""
    from elysia_guard.config import ThresholdsFile
    from elysia_guard.edge.cli.tune import quiet_wiring, read_questions
    from elysia_guard.evaluation import alpha_report, thresholds_file
    from elysia_guard.evaluation.alpha_sweep import Drawn, Sweep
    from elysia_guard.wiring.passages import weights_of

    drawn = Drawn(folds=wish.folds, seed=wish.seed)
    questions = [read_questions(name, path) for name, path in wish.files.items()]
    with closing(quiet_wiring(setup)) as wiring:
        path, config = wiring.config.thresholds, wiring.config
        old = thresholds_file.read(path)
        sweep = Sweep(_searched(wiring, questions), weights_of(config), drawn)
    before = sweep.figures()
    named = _sections(config)
    swept = [_collection(sweep, kind, section) for section, kind in named.items()]
    report = alpha_report.build(
        swept,
        drawn,
        asked={item.name: len(item.asked) for item in questions},
        before=before,
        after=sweep.figures(),
        unnamed=[name for kind, name in config.collections.items() if kind not in named.values()],
    )
    sections: thresholds_file.Sections = {
        ("collections", item["section"]): item["values"]
        for item in report["sections"]
        if item["values"]
    }
    new = thresholds_file.changed(old, sections, path, check=ThresholdsFile.model_validate)
    diff = thresholds_file.diff(old, new, path.name)
    report |= {"file": str(path), "diff": diff, "written": False}
    return report, lambda: thresholds_file.write(path, old=old, new=new)


def _sections(config: Config) -> dict[str, DocumentKind]:
    """Which kind of document each section of the thresholds is about; the nearest name wins."""
    from elysia_guard import config as configuration

    file = configuration.read_thresholds(config.thresholds)
    own = {name: name for name in file.collections}
    found = configuration.by_collection(own, config.collection_names, config.thresholds)
    return {found[name]: kind for kind, name in config.collections.items() if name in found}


def _searched(wiring: Wiring, questions: list[Questions]) -> tuple[Searched, ...]:
    from elysia_guard.evaluation.alpha_record import record

    every = [question for item in questions for question in item.asked]
    with Progress("Asking the tuning questions", total=len(every)) as bar:
        return run_anywhere(record(wiring.pipeline, wiring.index, every, progress=bar.show))


def _collection(sweep: Sweep, kind: DocumentKind, section: str) -> Swept:
    """Sweep one collection; what is proposed for it is in force for the next."""
    with Progress(f"Weighing {section}"):
        found = sweep.collection(section, kind)
    sweep.take(kind, found.proposed)
    return found


def _show(report: Report, *, as_json: bool) -> None:
    if as_json:
        from elysia_guard.edge.cli.screen import json_text

        click.echo(json_text(report, indent=2))
        return
    from elysia_guard.evaluation import alpha_report

    click.echo(visible(alpha_report.render(report)))
    if report["diff"]:
        click.echo(f"\n{visible(report['diff'])}", nl=False)


def _tell(report: Report, *, write: bool) -> None:
    """Say what became of the file."""
    file = report["file"]
    if report["written"]:
        told = f"wrote {file}; fit the confidence model anew, and measure on the held-out half"
    elif write:
        told = f"{file} stays as it is"
    elif report["changed"]:
        told = f"nothing is written; --write writes this into {file}"
    else:
        return
    click.echo(one_line(told), err=True)
