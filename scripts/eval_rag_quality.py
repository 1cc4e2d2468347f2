"""Measure the guard on the golden set (IR0003, gap B).

    python scripts/eval_rag_quality.py --config config/thresholds.yaml --output results.json
    python scripts/eval_rag_quality.py --baseline data/evaluation/baseline.json --html report.html
    python scripts/eval_rag_quality.py --profiles all --split tuning --markdown profiles.md
    python scripts/eval_rag_quality.py --without-embedder --split tuning

exit codes:
  0  done; whether it is a regression is for scripts/check_regression.py to say
  1  there are more wrong answers than --max-wrong-answers allows; or, with --beside, a third or
     more of what was shown is lost, or a reply does not say that it was found by words alone
  2  wrong use
  3  could not run, or cannot be compared with the baseline (the results are written all the same)
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import os
import platform
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing, nullcontext
from datetime import UTC, datetime
from pathlib import Path
from typing import get_args

from corpora import GOLDEN, ROOT, Direct

from elysia_guard import __version__
from elysia_guard import config as configuration
from elysia_guard.adapters.skos_rdf import files_of
from elysia_guard.domain.document import DocumentKind, Filters, doc_type
from elysia_guard.domain.errors import GuardError
from elysia_guard.domain.profiles import ProfileName
from elysia_guard.edge.cli.progress import Progress
from elysia_guard.evaluation import (
    degraded,
    golden,
    markdown,
    page,
    probing,
    regression,
    report,
    scoring,
    side_by_side,
    words_alone,
)
from elysia_guard.evaluation import table as terminal
from elysia_guard.evaluation.asked import matters
from elysia_guard.evaluation.golden import Case, Split
from elysia_guard.evaluation.misses import misses
from elysia_guard.evaluation.outcome_sweeps import outcome_sweeps
from elysia_guard.evaluation.runner import WARM_UP, Asker, Run, run
from elysia_guard.evaluation.scoring import Score
from elysia_guard.evaluation.sweeps import sweeps
from elysia_guard.running import into_pipe
from elysia_guard.wiring import Wiring

THRESHOLDS = ROOT / "config" / "thresholds.yaml"
STORES = get_args(configuration.IndexSection.model_fields["kind"].annotation)

AWAY = {
    "without embedder": words_alone.without_embedder,
    "without models": words_alone.without_models,
}

DONE, LIMIT_EXCEEDED, COULD_NOT_RUN = 0, 1, 3


def main() -> int:
    """Run the evaluation, write and print its results."""
    options = _options()
    if options.profiles:
        return _side_by_side(options)
    try:
        baseline = regression.read(options.baseline) if options.baseline else None
        results = asyncio.run(evaluate(options))
        if baseline:
            results["baseline"] = _compared(results, baseline)
        if options.beside:
            results["beside"] = degraded.runs_beside(results, regression.read(options.beside))
        _write(results, options)
    except (GuardError, OSError) as err:
        print(f"error: {err}", file=sys.stderr)
        return COULD_NOT_RUN
    if options.json:
        print(_json(results), end="")
    elif not options.quiet:
        print(terminal.render(results))
    if options.beside:
        print(degraded.told(results["beside"]), file=sys.stderr if options.json else sys.stdout)
    return _exit_code(results, options)


def _side_by_side(options: argparse.Namespace) -> int:
    """Run every profile that was named, one after the other, and print them as one table."""
    try:
        found = side_by_side.build(
            {
                name: asyncio.run(evaluate(argparse.Namespace(**vars(options) | {"profile": name})))
                for name in options.profiles
            }
        )
        _save(options.output, _json(found))
        _save(options.markdown, side_by_side.render_markdown(found))
    except (GuardError, OSError) as err:
        print(f"error: {err}", file=sys.stderr)
        return COULD_NOT_RUN
    if options.json:
        print(_json(found), end="")
    elif not options.quiet:
        print(side_by_side.render(found))
    return DONE


def _compared(results: report.Report, baseline: report.Report) -> report.Report:
    try:
        return regression.compare(results, baseline, regression.Allowance())
    except regression.IncomparableError as err:
        return {"refused": str(err)}


def _exit_code(results: report.Report, options: argparse.Namespace) -> int:
    wrong, allowed = results["metrics"]["answers"]["wrong_answers"], options.max_wrong_answers
    if allowed is not None and wrong > allowed:
        print(f"error: {wrong} wrong answer(s); at most {allowed} are allowed", file=sys.stderr)
        return LIMIT_EXCEEDED
    if not results.get("beside", {"passed": True})["passed"]:
        return LIMIT_EXCEEDED
    if refused := results.get("baseline", {}).get("refused"):
        print(f"error: {refused}", file=sys.stderr)
        return COULD_NOT_RUN
    return DONE


async def evaluate(options: argparse.Namespace) -> report.Report:
    """Ask the questions and put the report together."""
    questions = golden.load(options.golden)
    cases = questions.select(None if options.split == "all" else Split(options.split))
    with closing(_wiring(options)) as wiring:
        scores, not_run = scoring.score_all(await _asked(cases, wiring, options))
        setting = await _setting(wiring, options)
        probed = None if options.profiles else await _probed(wiring, cases, scores, options)
    return report.build(scores, not_run, questions, setting, probed=probed)


async def _asked(cases: Sequence[Case], wiring: Wiring, options: argparse.Namespace) -> list[Run]:
    under = f" under {options.profile}" if options.profiles else ""
    title = f"Asking {len(cases)} questions{under}"
    shown = nullcontext() if options.quiet else Progress(title, total=len(cases))
    with shown as bar:
        progress = bar.show if bar else None
        asker = _asker(options.route, wiring)
        await asker.ask(WARM_UP, request_id="eval-warm-up")
        return await run(cases, asker, concurrency=options.concurrency, progress=progress)


async def _probed(
    wiring: Wiring, cases: Sequence[Case], scores: Sequence[Score], options: argparse.Namespace
) -> report.Probed:
    found = await probing.searches(wiring.pipeline, cases)
    tuning = [item for item in scores if item.case.split is Split.TUNING]
    # Limits are measured for the default profile; a document's stand as it states them.
    swept = tuning and wiring.config.profile is ProfileName.DEFAULT
    return report.Probed(
        effects=probing.effects(found, wiring.pipeline.collections),
        sweeps=sweeps(wiring.pipeline, found, tuning) if swept else (),
        outcomes=outcome_sweeps(wiring.pipeline, found, tuning) if swept else (),
        misses=await misses(wiring.pipeline, scores),
        matters=await matters(wiring.pipeline, scores),
        silent=degraded.count(item.response for item in scores) if options.without else None,
    )


async def _setting(wiring: Wiring, options: argparse.Namespace) -> report.Setting:
    info = await wiring.index.info()
    documents = await wiring.index.documents(Filters(approval=None))
    return report.Setting(
        timestamp=datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z"),
        config_hash=_digest([options.config.read_bytes()]),
        split=options.split,
        route=options.route,
        version=__version__,
        python=platform.python_version(),
        model_id=f"none ({options.without})" if options.without else info.model_id,
        documents=info.documents,
        passages=info.passages,
        index_hash=_digest(sorted(f"{item.id} {item.sha256}\n".encode() for item in documents)),
        vocabulary_hash=_digest(
            path.read_bytes() for path in files_of(wiring.config.terminology.files)
        ),
        store=wiring.config.index.kind,
        concurrency=options.concurrency,
        collections=_collections(wiring.config),
        limits=report.limits(wiring.pipeline.thresholds),
        profile=wiring.config.policy.label,
    )


def _digest(contents: Iterable[bytes]) -> str:
    found = hashlib.sha256()
    for content in contents:
        found.update(content)
    return found.hexdigest()


def _wiring(options: argparse.Namespace) -> Wiring:
    given = {
        "INDEX__KIND": options.store,
        "PROFILE": options.profile,
        "PROFILE_LIMITS": options.profile_limits,
    }
    chosen = {f"{configuration.PREFIX}{name}": str(value) for name, value in given.items() if value}
    config = configuration.load(environ=os.environ | chosen)
    wiring = Wiring(
        config.model_copy(
            update={
                "thresholds": options.config,
                "test_triggers": True,
                # The timeouts that questions simulate are no news.
                "log_level": "ERROR",
            }
        )
    )
    wiring.ensure_index()
    if options.profiles and config.writer.kind == "none":
        # Beside the others: by its gates alone, as the others are, with quotes.
        wiring.pipeline = wiring.unwritten
    if options.without:
        wiring.pipeline = AWAY[options.without](wiring.pipeline)
    return wiring


def _asker(route: str, wiring: Wiring) -> Asker:
    if route == "direct":
        return Direct(wiring)
    from elysia_guard.edge.elysia import TreeAsker

    return TreeAsker(wiring)


def _collections(config: configuration.Config) -> dict[str, str]:
    """The collection of each document type; approval records stand beside their decisions."""
    names = {doc_type(kind, approval=False): name for kind, name in config.collections.items()}
    names["DAR"] = config.collections[DocumentKind.DECISION]
    names["Vocabulary"] = config.vocabulary_collection
    return names


def _write(results: report.Report, options: argparse.Namespace) -> None:
    for path, render in (
        (options.output, _json),
        (options.save_baseline, lambda found: _json(report.baseline(found))),
        (options.markdown, markdown.render),
        (options.html, page.render),
    ):
        if path:
            _save(path, render(results))


def _save(path: Path | None, text: str) -> None:
    if path:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def _json(results: report.Report) -> str:
    return json.dumps(results, indent=2, ensure_ascii=False) + "\n"


def _at_least(minimum: int) -> Callable[[str], int]:
    def number(text: str) -> int:
        if (value := int(text)) < minimum:
            raise argparse.ArgumentTypeError(f"{text} is less than {minimum}")
        return value

    return number


def _profiles(text: str) -> tuple[ProfileName, ...]:
    if text == "all":
        return tuple(ProfileName)
    names = [name.strip() for name in text.split(",")]
    if unknown := [name for name in names if name not in list(ProfileName)]:
        raise argparse.ArgumentTypeError(
            f"there is no profile '{unknown[0]}'; there are: {', '.join(ProfileName)}, or all"
        )
    return tuple(dict.fromkeys(map(ProfileName, names)))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--config", type=Path, default=THRESHOLDS, help="the thresholds to measure")
    add("--golden", type=Path, default=GOLDEN, help="the golden set, JSON lines")
    add("--split", choices=("tuning", "held_out", "all"), default="all")
    add("--route", choices=("tree", "direct"), default="tree", help="through Elysia, or without")
    add("--store", choices=STORES, help="the passage index (default: as configured)")
    add(
        "--profile", choices=list(map(str, ProfileName)), help="the policy (default: as configured)"
    )
    add(
        "--profile-limits",
        choices=("document", "measured"),
        help="a profile's limits: its document's, or those of --config (default: as configured)",
    )
    add(
        "--profiles",
        type=_profiles,
        metavar="A,B|all",
        help="policies to run beside each other: one table, in --output and --markdown too",
    )
    away = parser.add_mutually_exclusive_group()
    for name, as_while in (
        ("embedder", "the embedding model is away: every search by words alone"),
        ("models", "the bundled model cannot be read either: no words are known to mean alike"),
    ):
        away.add_argument(
            f"--without-{name}",
            dest="without",
            action="store_const",
            const=f"without {name}",
            help=f"as while {as_while}",
        )
    add(
        "--beside",
        type=Path,
        metavar="FILE",
        help="with --without-embedder: the --output of a run with it, to compare what is shown",
    )
    add("--baseline", type=Path, help="earlier results to compare with")
    add("--output", type=Path, help="where to write the results as JSON")
    add("--save-baseline", type=Path, metavar="FILE", help="write what later runs compare with")
    add("--markdown", type=Path, help="where to write the report for a pull request")
    add("--html", type=Path, help="where to write the report as one page with plots")
    add(
        "--parallel",
        "--concurrency",
        dest="concurrency",
        type=_at_least(1),
        default=1,
        metavar="N",
        help="ask N questions at a time: the same answers, sooner where a store is across a"
        " network; latencies grow (default 1)",
    )
    add("--max-wrong-answers", type=_at_least(0), metavar="N", help="more is a failure")
    quiet = parser.add_mutually_exclusive_group()
    quiet.add_argument("--json", action="store_true", help="print the results as JSON")
    quiet.add_argument(
        "--quiet", action="store_true", help="print nothing but errors, and what --beside finds"
    )
    options = parser.parse_args()
    if options.beside and not options.without:
        parser.error("--beside goes with --without-embedder or --without-models")
    alone = ("profile", "beside", "baseline", "save_baseline", "html", "max_wrong_answers")
    if options.profiles and (
        other := [name for name in alone if getattr(options, name) is not None]
    ):
        parser.error(f"--profiles goes without --{other[0].replace('_', '-')}")
    return options


if __name__ == "__main__":
    sys.exit(into_pipe(main, unread=0))
