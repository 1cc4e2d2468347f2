"""``elysia-guard eval``: the golden set asked of the guard, and what its answers are worth."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from elysia_guard.domain.profiles import ProfileName
from elysia_guard.edge.cli.options import FILE, NEW_FILE, Setup, with_json, with_setup

if TYPE_CHECKING:
    from elysia_guard.evaluation.report import Report

Given = TypeVar("Given")
ALONE = ("profile", "beside", "baseline", "save_baseline", "max_wrong_answers")
"""What goes with one profile, and not with several beside each other."""
QUESTIONS = Path("data", "evaluation")
"""Where the golden set and its baseline are, below what ships."""
LIMIT_EXCEEDED, COULD_NOT_RUN = 1, 3


def shipped(path: Path) -> Path:
    """Return the baseline that a path names: a bare name that is not here is one that ships.

    So ``--baseline baseline.json``, as IR0003 writes it, works in a checkout as it is.
    """
    from elysia_guard.config import home

    kept = home() / QUESTIONS / path
    return kept if path.name == str(path) and not path.exists() and kept.exists() else path


def _named(_ctx: click.Context, _option: click.Parameter, value: str | None) -> Any:
    if value in (None, "all"):
        return tuple(ProfileName) if value else ()
    names = [name.strip() for name in str(value).split(",")]
    if unknown := [name for name in names if name not in list(ProfileName)]:
        there = ", ".join(ProfileName)
        raise click.BadParameter(f"there is no profile '{unknown[0]}'; there are: {there}, or all")
    return tuple(dict.fromkeys(map(ProfileName, names)))


_OPTIONS = (
    click.option("--golden", type=FILE, metavar="FILE", help="A golden set of your own."),
    click.option(
        "--split",
        type=click.Choice(["tuning", "held_out", "all"]),
        default="all",
        show_default=True,
        help="Which half of the golden set.",
    ),
    click.option(
        "--route",
        type=click.Choice(["tree", "direct"]),
        default="tree",
        show_default=True,
        help="Through Elysia, or without.",
    ),
    click.option(
        "--store",
        type=click.Choice(["sqlite", "weaviate"]),
        help="The passage index.  [default: as configured]",
    ),
    click.option(
        "--profile",
        type=click.Choice(list(map(str, ProfileName))),
        help="The policy.  [default: as configured]",
    ),
    click.option(
        "--profile-limits",
        type=click.Choice(["document", "measured"]),
        help="A profile's limits: its document's, or those of the thresholds."
        "  [default: as configured]",
    ),
    click.option(
        "--profiles",
        callback=_named,
        metavar="A,B|all",
        help="Policies to run beside each other: one table, in --output and --markdown too.",
    ),
    click.option(
        "--without-embedder",
        is_flag=True,
        help="As while the embedding model is away: every search by words alone.",
    ),
    click.option(
        "--without-models",
        is_flag=True,
        help="As while the bundled model cannot be read either: no words are known to mean alike.",
    ),
    click.option(
        "--beside",
        type=FILE,
        metavar="FILE",
        help="With --without-embedder: the --output of a run with it, to compare what is shown.",
    ),
    click.option(
        "--baseline",
        type=NEW_FILE,
        metavar="FILE",
        help="Earlier results to compare with; a bare name that is not here is one that ships.",
    ),
    click.option("--output", type=NEW_FILE, metavar="FILE", help="Write the results as JSON."),
    click.option(
        "--save-baseline", type=NEW_FILE, metavar="FILE", help="Write what later runs compare with."
    ),
    click.option(
        "--markdown", type=NEW_FILE, metavar="FILE", help="Write the report for a pull request."
    ),
    click.option(
        "--parallel",
        "concurrency",
        type=click.IntRange(1),
        default=1,
        show_default=True,
        metavar="N",
        help="Ask N questions at a time: the same answers, sooner where a store is across a"
        " network; latencies grow.",
    ),
    click.option(
        "--max-wrong-answers", type=click.IntRange(0), metavar="N", help="More is a failure."
    ),
    with_json("Print the results as JSON."),
    click.option(
        "--quiet", is_flag=True, help="Print nothing but errors, and what --beside finds."
    ),
)


def with_evaluation(function: Callable[..., Given]) -> Callable[..., Given]:
    """Give a command what an evaluation is told: everything but the configuration."""
    return functools.reduce(lambda made, option: option(made), reversed(_OPTIONS), function)


@click.command("eval", short_help="Measure the answers on the golden set.")
@click.option(
    "--thresholds",
    type=FILE,
    metavar="FILE",
    help="The limits to measure. [default: as configured]",
)
@with_evaluation
@with_setup
def eval_command(setup: Setup, **options: Any) -> None:
    """Ask every question of the golden set, and say how many answers are right.

    What is asserted, hedged, refused, and wrong either way; precision and recall by collection;
    and how long it takes, beside a plain search of the same questions in the same run.

    With --baseline it shows what changed; scripts/check_regression.py says whether that is a
    regression. Of held-out questions only ids and kinds of failures are told.

    \b
    Examples:
      elysia-guard eval
      elysia-guard eval --split tuning --route direct --markdown report.md
      elysia-guard eval --output results.json --baseline baseline.json
      elysia-guard eval --profiles all --split tuning --markdown profiles.md

    \b
    Exit codes:
      0  done; whether it is a regression is for scripts/check_regression.py to say
      1  more wrong answers than --max-wrong-answers; or, with --beside, a third or more of what
         was shown is lost, or a reply does not say that it was found by words alone
      2  wrong use
      3  could not run, or cannot be compared with the baseline (results are written all the same)
    """  # noqa: D301  click reads the \b
    click.get_current_context().exit(run(setup, **options))


def run(setup: Setup, *, thresholds: Path | None, own: Any = None, **options: Any) -> int:
    """Evaluate as the options say, and return the exit code; ``own`` is that of ``Plan``.

    Raises:
        UsageError: options that do not go together.
        GuardError, OSError: it could not run.
    """
    _check(options)
    if options["store"]:
        os.environ["ELYSIA_GUARD_INDEX__KIND"] = options["store"]
    plan = replace(_plan(setup, thresholds, options), own=own)
    return _several(plan, options) if options["profiles"] else _one(plan, options)


def _check(options: dict[str, Any]) -> None:
    away = [name for name in ("without_embedder", "without_models") if options[name]]
    if len(away) > 1 or (options["as_json"] and options["quiet"]):
        first, second = away if len(away) > 1 else ("json", "quiet")
        raise click.UsageError(f"--{_dashed(first)} goes without --{_dashed(second)}")
    if options["beside"] and not away:
        raise click.UsageError("--beside goes with --without-embedder or --without-models")
    given = [name for name in ALONE if options[name] is not None]
    if options["profiles"] and given:
        raise click.UsageError(f"--profiles goes without --{_dashed(given[0])}")


def _dashed(name: str) -> str:
    return name.replace("_", "-")


def _plan(setup: Setup, thresholds: Path | None, options: dict[str, Any]) -> Any:
    from elysia_guard.config import home
    from elysia_guard.edge.evaluating import AWAY, Plan

    named = {
        "thresholds": thresholds,
        "profile": ProfileName(options["profile"]) if options["profile"] else None,
        "profile_limits": options["profile_limits"],
    }
    settings = setup.wiring().config
    away = [name for name in AWAY if options[name.replace(" ", "_")]]
    return Plan(
        settings=settings.model_copy(update={key: it for key, it in named.items() if it}),
        golden=options["golden"] or home() / QUESTIONS / "golden_queries.jsonl",
        split=options["split"],
        route=options["route"],
        without=away[0] if away else None,
        concurrency=options["concurrency"],
        shown=not options["quiet"],
    )


def _several(plan: Any, options: dict[str, Any]) -> int:
    """Run every profile that was named, one after the other, and print them as one table."""
    from elysia_guard.edge.evaluating import beside_each_other
    from elysia_guard.evaluation import side_by_side

    found = beside_each_other(plan, options["profiles"])
    _save(options["output"], _json(found))
    _save(options["markdown"], side_by_side.render_markdown(found))
    _print(found, options, side_by_side.render)
    return 0


def _one(plan: Any, options: dict[str, Any]) -> int:
    import asyncio

    from elysia_guard.edge.evaluating import evaluate
    from elysia_guard.evaluation import degraded, markdown, regression, report, table

    held = options["baseline"]
    baseline = regression.read(shipped(held)) if held else None
    results = asyncio.run(evaluate(plan))
    if baseline:
        results["baseline"] = _compared(results, baseline)
    if options["beside"]:
        results["beside"] = degraded.runs_beside(results, regression.read(options["beside"]))
    _save(options["output"], _json(results))
    if options["save_baseline"]:
        _save(options["save_baseline"], _json(report.baseline(results)))
    _save(options["markdown"], markdown.render(results))
    _print(results, options, table.render)
    if options["beside"]:
        click.echo(degraded.told(results["beside"]), err=options["as_json"])
    return _exit_code(results, options["max_wrong_answers"])


def _compared(results: Report, baseline: Report) -> Report:
    from elysia_guard.evaluation import regression

    try:
        return regression.compare(results, baseline, regression.Allowance())
    except regression.IncomparableError as err:
        return {"refused": str(err)}


def _exit_code(results: Report, allowed: int | None) -> int:
    wrong = results["metrics"]["answers"]["wrong_answers"]
    if allowed is not None and wrong > allowed:
        click.echo(f"error: {wrong} wrong answer(s); at most {allowed} are allowed", err=True)
        return LIMIT_EXCEEDED
    if not results.get("beside", {"passed": True})["passed"]:
        return LIMIT_EXCEEDED
    if refused := results.get("baseline", {}).get("refused"):
        click.echo(f"error: {refused}", err=True)
        return COULD_NOT_RUN
    return 0


def _print(found: Report, options: dict[str, Any], render: Callable[[Report], str]) -> None:
    if options["as_json"]:
        click.echo(_json(found), nl=False)
    elif not options["quiet"]:
        click.echo(render(found))


def _save(path: Path | None, text: str) -> None:
    if path:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def _json(results: Report) -> str:
    import json

    return json.dumps(results, indent=2, ensure_ascii=False) + "\n"
