"""``elysia-guard tune``: what other limits would do to the tuning questions, and which to take."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import click

from elysia_guard.edge.cli.options import NEW_FILE, Setup, with_setup
from elysia_guard.edge.cli.progress import Progress
from elysia_guard.edge.cli.terminal import one_line, visible
from elysia_guard.edge.cli.tune_options import Wish, wishing
from elysia_guard.running import run_anywhere

if TYPE_CHECKING:
    from elysia_guard.evaluation.samples import Sample
    from elysia_guard.evaluation.tuning import Proposal
    from elysia_guard.evaluation.tuning_judge import Judge
    from elysia_guard.evaluation.tuning_questions import Questions
    from elysia_guard.evaluation.tuning_record import Asked
    from elysia_guard.evaluation.tuning_report import Report
    from elysia_guard.wiring import Wiring


@click.command("tune", short_help="Propose limits from the tuning questions.")
@wishing
@click.option(
    "--html", type=NEW_FILE, metavar="FILE", help="Write the trade-off as a page of plots."
)
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
@click.option("--write", is_flag=True, help="Write the proposal into thresholds.yaml.")
@with_setup
def command(
    setup: Setup,
    *,
    wish: Wish,
    html: Path | None,
    as_json: bool,
    write: bool,
) -> None:
    """Show wrong answers against wrong refusals at other limits, and propose values with a diff.

    The tuning half of the questions is asked once; then min_confidence, and each collection's
    distance_threshold, min_query_coverage and confidence model, are judged again at every value.
    The held-out half is never looked at, so that it can still say what the values are worth.

    Among values that keep wrong answers within --max-wrong, those with the fewest wrong refusals
    are chosen; where none do, those with the fewest wrong answers. They are proposed only if the
    same choice, made without a part of the questions, does better on that part than the values in
    force. With --rule adr-004, limits move one step: down where more than 10 % of the answerable
    questions are refused, up where more than --max-wrong of the answers are wrong.

    With --alpha the order of what a search finds is tuned instead: for each collection, what
    meaning counts beside words (alpha: 0 is words alone, 1 meaning alone, 0.5 as much as words),
    and what a word counts in the title and under a heading, where one in the body counts 1. The
    table says of each value how often a document that answers is first (recall@1) and among five
    (recall@5), and the mean of 1 / its place (MRR). The choice is made without a part of the
    questions and judged on it; where its gain is within noise, it says 'flat: nothing to gain' and
    proposes nothing.

    Nothing is written without --write, and then only if the file is as it was read.

    \b
    Examples:
      elysia-guard tune
      elysia-guard tune --alpha --questions golden,retrieval
      elysia-guard tune --questions golden,retrieval --html tuning.html
      elysia-guard tune --rule adr-004
      elysia-guard tune --max-wrong 0.02 --write
    """  # noqa: D301  click reads the \b
    if wish.alpha:
        from elysia_guard.edge.cli import tune_alpha

        tune_alpha.run(setup, wish, as_json=as_json, write=write)
        return
    report, apply = _tune(setup, wish)
    if html:
        _write_page(html, report)
    if write and report["changed"]:
        apply()
        report["written"] = True
    _show(report, as_json=as_json)
    _tell(report, write=write)


def _tune(setup: Setup, wish: Wish) -> tuple[Report, Callable[[], None]]:
    """Return what was found, and what writes it."""
    from elysia_guard.config import ThresholdsFile
    from elysia_guard.evaluation import thresholds_file, tuning_report
    from elysia_guard.evaluation.tuning_judge import Judge

    questions = [read_questions(name, path) for name, path in wish.files.items()]
    with closing(quiet_wiring(setup)) as wiring:
        path = wiring.config.thresholds
        old = thresholds_file.read(path)
        judge = Judge(wiring.pipeline, _asked(wiring, questions))
        proposal = _proposed(judge, wiring, wish)
        sections = thresholds_file.sections(old, proposal.start, proposal.point)
        if proposal.refitted:
            sections["fitted",] = _fitted(wiring, questions, judge.samples)
    new = thresholds_file.changed(old, sections, path, check=ThresholdsFile.model_validate)
    asked = {item.name: len(item.asked) for item in questions}
    report = tuning_report.build(judge, proposal, asked=asked, max_wrong=wish.max_wrong)
    report |= {
        "file": str(path),
        "diff": thresholds_file.diff(old, new, path.name),
        "written": False,
    }
    return report, lambda: thresholds_file.write(path, old=old, new=new)


def quiet_wiring(setup: Setup) -> Wiring:
    """Wire the guard as evaluations do: timeouts simulated, and no decision kept.

    The limits of ``thresholds.yaml`` are the default profile's, whichever is in force.
    """
    from elysia_guard.domain.profiles import ProfileName
    from elysia_guard.wiring import Wiring

    config = setup.ready().config
    quiet = {"test_triggers": True, "log_level": "ERROR"}
    alone = {
        "decision_log": None,
        "shadow_thresholds": None,
        "profile": ProfileName.DEFAULT,
    }
    return Wiring(config.model_copy(update=quiet | alone))


def read_questions(name: str, path: Path | None) -> Questions:
    """Read the tuning half of a set of questions, by default the one that ships."""
    from elysia_guard.config import home
    from elysia_guard.evaluation import tuning_questions

    folder = home() / "data" / "evaluation"
    if name == "golden":
        return tuning_questions.from_golden(path or folder / "golden_queries.jsonl")
    return tuning_questions.from_retrieval(path or folder / "retrieval.jsonl")


def _asked(wiring: Wiring, questions: list[Questions]) -> tuple[Asked, ...]:
    from elysia_guard.evaluation.tuning_record import record

    every = [question for item in questions for question in item.asked]
    with Progress("Asking the tuning questions", total=len(every)) as bar:
        return run_anywhere(record(wiring.pipeline, every, progress=bar.show))


def _proposed(judge: Judge, wiring: Wiring, wish: Wish) -> Proposal:
    from elysia_guard.evaluation.tuning import Goal, cross_validated
    from elysia_guard.evaluation.tuning_rule import adr_004

    if wish.rule == "adr-004":
        return adr_004(judge, max_wrong=wish.max_wrong)
    goal = Goal(start=judge.start, max_wrong=wish.max_wrong)
    with Progress("Trying other values"):
        return cross_validated(judge, goal, wiring.pipeline.thresholds, folds=wish.folds)


def _fitted(wiring: Wiring, questions: list[Questions], samples: list[Sample]) -> dict[str, object]:
    """Return what the file says of the fit."""
    return {
        "model": wiring.embedder.model_id,
        "golden_set_hash": questions[0].blob_hash,
        "cases": len({item.case_id for item in samples}),
    }


def _write_page(path: Path, report: Report) -> None:
    from elysia_guard.evaluation import tuning_page

    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(tuning_page.render(report), encoding="utf-8")
    click.echo(one_line(f"wrote {path}"), err=True)


def _show(report: Report, *, as_json: bool) -> None:
    if as_json:
        from elysia_guard.edge.cli.screen import json_text

        click.echo(json_text(report, indent=2))
        return
    from elysia_guard.evaluation import tuning_table

    click.echo(visible(tuning_table.render(report)))
    if report["diff"]:
        click.echo(f"\n{visible(report['diff'])}", nl=False)


def _tell(report: Report, *, write: bool) -> None:
    """Say what became of the file."""
    file = report["file"]
    if report["written"]:
        told = f"wrote {file}; measure it on the held-out half with scripts/eval_rag_quality.py"
    elif write:
        told = f"{file} stays as it is"
    elif report["changed"]:
        told = f"nothing is written; --write writes this into {file}"
    else:
        return
    click.echo(one_line(told), err=True)
