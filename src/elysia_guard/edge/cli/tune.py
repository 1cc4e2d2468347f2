"""``elysia-guard tune``: what other limits would do to the tuning questions, and which to take."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import click

from elysia_guard.edge.cli.options import FILE, Setup, with_json, with_setup
from elysia_guard.edge.cli.progress import Progress
from elysia_guard.edge.cli.screen import one_line, print_json, visible
from elysia_guard.running import run_anywhere

if TYPE_CHECKING:
    from elysia_guard.evaluation.tuning import Proposal
    from elysia_guard.evaluation.tuning_judge import PointJudge
    from elysia_guard.evaluation.tuning_record import AskedSearch, Questions
    from elysia_guard.evaluation.tuning_report import Report
    from elysia_guard.wiring import Wiring


SETS = ("golden", "retrieval")


def _sets(_ctx: click.Context, _option: click.Parameter, value: str) -> tuple[str, ...]:
    names = tuple(dict.fromkeys(name.strip() for name in value.split(",")))
    if unknown := [name for name in names if name not in SETS]:
        raise click.BadParameter(
            f"'{unknown[0]}' is no set of questions; there are: {', '.join(SETS)}"
        )
    return names


@click.command("tune", short_help="Propose limits from the tuning questions.")
@click.option(
    "--rule",
    type=click.Choice(["cross-validated", "adr-004"]),
    default="cross-validated",
    help="How to choose: the best values that hold on questions left out (the default), or one"
    " step as ADR-004 says.",
)
@click.option(
    "--max-wrong",
    type=click.FloatRange(0.0, 1.0),
    default=0.01,
    show_default=True,
    metavar="SHARE",
    help="The share of the answers that may be wrong.",
)
@click.option(
    "--folds",
    type=click.IntRange(2, 20),
    default=5,
    show_default=True,
    metavar="N",
    help="Into how many parts the questions are put.",
)
@click.option(
    "--questions",
    "sets",
    callback=_sets,
    default="golden",
    show_default=True,
    metavar="SETS",
    help="Which questions: golden, retrieval, or golden,retrieval.",
)
@click.option("--golden", type=FILE, metavar="FILE", help="Another golden set.")
@click.option("--retrieval", type=FILE, metavar="FILE", help="Other retrieval questions.")
@click.option(
    "--judge",
    "of_model",
    is_flag=True,
    help="Measure the language model of llm.url instead: how often what it points at is right.",
)
@with_json("Print everything as JSON.")
@click.option("--write", is_flag=True, help="Write the proposal into thresholds.yaml.")
@with_setup
def tune_command(  # noqa: PLR0913  one parameter an option
    setup: Setup,
    *,
    rule: str,
    max_wrong: float,
    folds: int,
    sets: tuple[str, ...],
    golden: Path | None,
    retrieval: Path | None,
    of_model: bool,
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

    With --judge the language model is asked the same questions, at up to two calls each: the share
    of what it points at that was right becomes pointing in thresholds.yaml, and from 0.97 on
    what it says so is asserted. Take questions of your own (--golden, --retrieval).

    Nothing is written without --write, and then only if the file is as it was read.

    \b
    Examples:
      elysia-guard tune
      elysia-guard tune --questions golden,retrieval
      elysia-guard tune --rule adr-004
      elysia-guard tune --max-wrong 0.02 --write
      elysia-guard tune --judge --retrieval mine.jsonl --questions retrieval
    """  # noqa: D301  click reads the \b
    from elysia_guard.config import ThresholdsFile
    from elysia_guard.evaluation import thresholds_file, tuning_report
    from elysia_guard.evaluation.tuning_judge import PointJudge

    own = {"golden": golden, "retrieval": retrieval}
    questions = [_read_questions(name, own[name]) for name in sets]
    if of_model:
        _measure_model(setup, questions, as_json=as_json, write=write)
        return
    with closing(_quiet_wiring(setup)) as wiring:
        path = wiring.config.thresholds
        old = thresholds_file.read(path)
        judge = PointJudge(wiring.pipeline, _asked(wiring, questions))
        proposal = _proposed(judge, wiring, rule=rule, max_wrong=max_wrong, folds=folds)
        sections = thresholds_file.sections(old, proposal.start, proposal.point)
        if proposal.refitted:
            sections["fitted",] = {
                "model": wiring.embedder.model_id,
                "golden_set_hash": questions[0].blob_hash,
                "cases": len({item.case_id for item in judge.samples}),
            }
    new = thresholds_file.changed(old, sections, path, check=ThresholdsFile.model_validate)
    asked = {item.name: len(item.asked) for item in questions}
    report = tuning_report.build(judge, proposal, asked=asked, max_wrong=max_wrong)
    written = write and report["changed"]
    diff = thresholds_file.diff(old, new, path.name)
    report |= {"file": str(path), "diff": diff, "written": written}
    if written:
        thresholds_file.write(path, old=old, new=new)
    if as_json:
        print_json(report)
    else:
        click.echo(visible(tuning_report.render(report)))
        if diff:
            click.echo(f"\n{visible(diff)}", nl=False)
    _tell(report, write=write)


def _measure_model(setup: Setup, questions: list[Questions], *, as_json: bool, write: bool) -> None:
    """Measure what the language model points at, and show it as a change of the limits."""
    from elysia_guard.config import ThresholdsFile
    from elysia_guard.evaluation import thresholds_file, tuning_pointing

    every = [question for item in questions for question in item.asked]
    with closing(_quiet_wiring(setup)) as wiring:
        if wiring.guidance is None:
            raise click.UsageError(
                "there is no language model to measure: set llm.url and llm.model (docs/models.md)"
            )
        path, model = wiring.config.thresholds, wiring.guidance.guide.model_id
        old = thresholds_file.read(path)
        with Progress("Asking the language model", total=len(every)) as bar:
            work = tuning_pointing.measured(wiring.pipeline, every, progress=bar.show)
            found = run_anywhere(work)
    section = {"model": model, **{verdict.value: item.value for verdict, item in found.items()}}
    new = thresholds_file.changed(
        old, {("pointing",): section}, path, check=ThresholdsFile.model_validate
    )
    diff = thresholds_file.diff(old, new, path.name)
    changed = bool(diff) and any(item.value for item in found.values())
    written = write and changed
    if written:
        thresholds_file.write(path, old=old, new=new)
    shares = {verdict.value: [item.right, item.of] for verdict, item in found.items()}
    report = {"model": model, "right": shares, "changed": changed, "written": written}
    if as_json:
        print_json({**report, "file": str(path), "diff": diff})
    else:
        for verdict, (right, of) in shares.items():
            few = "" if of >= tuning_pointing.LEAST else f"; fewer than {tuning_pointing.LEAST}"
            click.echo(f"{verdict:12} {right} of {of} right{few}")
        click.echo(f"\n{visible(diff)}" if changed else "no verdict was given often enough")
    _tell({"file": str(path), "written": written, "changed": changed}, write=write)


def _quiet_wiring(setup: Setup) -> Wiring:
    """Wire the guard as evaluations do: timeouts simulated, and no decision kept.

    The limits of ``thresholds.yaml`` are the default profile's, whichever is in force.
    """
    from elysia_guard.domain.profiles import ProfileName
    from elysia_guard.wiring import Wiring

    config = setup.ready().config
    quiet = {"test_triggers": True, "log_level": "ERROR"}
    alone = {"decision_log": None, "profile": ProfileName.DEFAULT}
    return Wiring(config.model_copy(update=quiet | alone))


def _read_questions(name: str, path: Path | None) -> Questions:
    """Read the tuning half of a set of questions, by default the one that ships."""
    from elysia_guard.config import home
    from elysia_guard.evaluation import tuning_record

    folder = home() / "data" / "evaluation"
    if name == "golden":
        return tuning_record.from_golden(path or folder / "golden_queries.jsonl")
    return tuning_record.from_retrieval(path or folder / "retrieval.jsonl")


def _asked(wiring: Wiring, questions: list[Questions]) -> tuple[AskedSearch, ...]:
    from elysia_guard.evaluation.tuning_record import record

    every = [question for item in questions for question in item.asked]
    with Progress("Asking the tuning questions", total=len(every)) as bar:
        return run_anywhere(record(wiring.pipeline, every, progress=bar.show))


def _proposed(
    judge: PointJudge, wiring: Wiring, *, rule: str, max_wrong: float, folds: int
) -> Proposal:
    from elysia_guard.evaluation.tuning import Goal, adr_004, cross_validated

    if rule == "adr-004":
        return adr_004(judge, max_wrong=max_wrong)
    goal = Goal(start=judge.start, max_wrong=max_wrong)
    with Progress("Trying other values"):
        return cross_validated(judge, goal, wiring.pipeline.thresholds, folds=folds)


def _tell(report: Report | Mapping[str, object], *, write: bool) -> None:
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
