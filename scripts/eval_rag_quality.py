"""Measure the guard on the golden set (IR0003, gap B).

    python scripts/eval_rag_quality.py --config config/thresholds.yaml --output results.json

Exit codes: 0 done, 1 a hard limit is exceeded, 2 wrong use, 3 could not run.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import platform
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from elysia_guard import Guard, RAGResponse, __version__
from elysia_guard import config as configuration
from elysia_guard.domain.document import DocumentKind, doc_type
from elysia_guard.domain.errors import GuardError
from elysia_guard.edge.cli.progress import Progress
from elysia_guard.evaluation import golden, report, scoring
from elysia_guard.evaluation.runner import Asker, run
from elysia_guard.wiring import Wiring

ROOT = Path(__file__).resolve().parents[1]
GOLDEN = ROOT / "data" / "evaluation" / "golden_queries.jsonl"
THRESHOLDS = ROOT / "config" / "thresholds.yaml"

DONE, LIMIT_EXCEEDED, COULD_NOT_RUN = 0, 1, 3


class Direct:
    """The direct route, asked like the tree."""

    def __init__(self, wiring: Wiring) -> None:
        self._guard = Guard(wiring=wiring)

    async def ask(self, query: str, /, *, request_id: str | None) -> RAGResponse:
        """Answer one question without Elysia."""
        return await self._guard.aask(query, request_id=request_id)


def main() -> int:
    """Run the evaluation, write and print its results."""
    options = _options()
    try:
        results = asyncio.run(evaluate(options))
        if options.output:
            options.output.write_text(_json(results), encoding="utf-8")
    except (GuardError, OSError) as err:
        print(f"error: {err}", file=sys.stderr)
        return COULD_NOT_RUN
    if options.json:
        print(_json(results), end="")
    elif not options.quiet:
        print(report.render(results))
    wrong = results["metrics"]["answers"]["wrong_answers"]
    if options.max_wrong_answers is not None and wrong > options.max_wrong_answers:
        print(
            f"error: {wrong} wrong answer(s); at most {options.max_wrong_answers} are allowed",
            file=sys.stderr,
        )
        return LIMIT_EXCEEDED
    return DONE


async def evaluate(options: argparse.Namespace) -> report.Report:
    """Ask the questions and put the report together."""
    questions = golden.load(options.golden)
    cases = questions.select(None if options.split == "all" else golden.Split(options.split))
    wiring = _wiring(options.config)
    asker = _asker(options.route, wiring)
    # The first question loads the models; that is not its latency.
    await asker.ask("How do we warm up?", request_id="eval-warm-up")
    if options.quiet:
        runs = await run(cases, asker, concurrency=options.concurrency)
    else:
        with Progress(f"Asking {len(cases)} questions", total=len(cases)) as bar:
            runs = await run(cases, asker, concurrency=options.concurrency, progress=bar.show)
    scores, not_run = scoring.score_all(runs)
    info = await wiring.index.info()
    setting = report.Setting(
        timestamp=datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z"),
        config_hash=hashlib.sha256(options.config.read_bytes()).hexdigest(),
        split=options.split,
        route=options.route,
        version=__version__,
        python=platform.python_version(),
        model_id=info.model_id,
        documents=info.documents,
        passages=info.passages,
        concurrency=options.concurrency,
        collections=_collections(wiring.config),
    )
    return report.build(scores, not_run, questions, setting)


def _wiring(thresholds: Path) -> Wiring:
    config = configuration.load()
    wiring = Wiring(config.model_copy(update={"thresholds": thresholds, "test_triggers": True}))
    wiring.ensure_index()
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


def _json(results: report.Report) -> str:
    return json.dumps(results, indent=2, ensure_ascii=False) + "\n"


def _at_least(minimum: int) -> Callable[[str], int]:
    def number(text: str) -> int:
        if (value := int(text)) < minimum:
            raise argparse.ArgumentTypeError(f"{text} is less than {minimum}")
        return value

    return number


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--config", type=Path, default=THRESHOLDS, help="the thresholds to measure")
    parser.add_argument("--output", type=Path, help="where to write the results as JSON")
    parser.add_argument("--golden", type=Path, default=GOLDEN, help="the golden set, JSON lines")
    parser.add_argument("--split", choices=("tuning", "held_out", "all"), default="all")
    parser.add_argument("--route", choices=("tree", "direct"), default="tree")
    parser.add_argument("--concurrency", type=_at_least(1), default=1, metavar="N")
    parser.add_argument(
        "--max-wrong-answers", type=_at_least(0), metavar="N", help="more is a failure"
    )
    quiet = parser.add_mutually_exclusive_group()
    quiet.add_argument("--json", action="store_true", help="print the results as JSON")
    quiet.add_argument("--quiet", action="store_true", help="print nothing but errors")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
