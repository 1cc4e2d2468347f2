"""Measure the three outcomes over documents of your own, on questions of your own.

    python scripts/eval_corpus.py --documents FOLDER --questions questions.jsonl
    python scripts/eval_corpus.py --documents FOLDER --questions questions.jsonl --misses
    python scripts/eval_corpus.py --documents FOLDER --questions questions.jsonl --without-embedder

A question is a JSON object on a line of its own:

    {"query": "How long are readings kept?", "documents": ["policies/retention.md"],
     "answer": ["Readings are kept for two years."], "category": "plain"}
    {"query": "Who may delete readings?", "near_miss": true}

Without arguments it asks the questions over the demo documents (data/evaluation/own_demo.jsonl).

exit codes:
  0  done
  1  with --without-embedder: a third or more of what was shown is lost, or a reply does not say
     that it was found by words alone
  2  wrong use
  3  could not run
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
from collections.abc import Sequence
from contextlib import closing, nullcontext
from pathlib import Path

from corpora import ROOT, VOCABULARY

from elysia_guard import __version__
from elysia_guard import config as configuration
from elysia_guard.domain.errors import GuardError
from elysia_guard.edge.cli.progress import Progress
from elysia_guard.evaluation import degraded, own_questions, own_report, own_run, words_alone
from elysia_guard.evaluation.own_questions import OwnQuestion
from elysia_guard.evaluation.own_report import Report
from elysia_guard.evaluation.own_run import Asked
from elysia_guard.pipeline import Pipeline
from elysia_guard.running import into_pipe
from elysia_guard.wiring import Wiring

DONE, FAILED, COULD_NOT_RUN = 0, 1, 3
WARM_UP = OwnQuestion(query="How do we warm up?", id="warm-up")


def main() -> int:
    """Ask, print and write the figures."""
    options = _options()
    try:
        results = asyncio.run(_measured(options))
        if options.json:
            text = json.dumps({"version": __version__, **results}, indent=2, ensure_ascii=False)
            options.json.write_text(f"{text}\n", encoding="utf-8")
    except (GuardError, OSError) as err:
        print(f"error: {err}", file=sys.stderr)
        return COULD_NOT_RUN
    compared = results.get("without_embedder")
    return FAILED if compared and not compared["passed"] else DONE


async def _measured(options: argparse.Namespace) -> dict[str, Report]:
    questions = own_questions.load(options.questions)
    if not options.documents.is_dir():
        raise OSError(f"{options.documents} is no folder")
    kept = nullcontext(options.indexes) if options.indexes else tempfile.TemporaryDirectory()
    with kept as folder:
        index = Path(folder) / f"own-{options.documents.name}.sqlite"
        with closing(_wiring(index, options.vocabulary)) as wiring:
            await _fill(wiring, options.documents)
            found = {"figures": await _asked(wiring.pipeline, questions, options, "")}
            if options.without_embedder:
                away = words_alone.without_embedder(wiring.pipeline)
                without = await _asked(away, questions, options, "without the embedder")
                before, after = (each["all"] for each in (found["figures"], without))
                compared = degraded.beside(
                    before["shown_share"] or 0.0, after["shown_share"] or 0.0, after["silent"]
                )
                print(degraded.told(compared))
                found |= {"figures_without": without, "without_embedder": compared}
    return found


def _wiring(index: Path, vocabulary: Path) -> Wiring:
    config = configuration.load().naming("index", kind="sqlite", path=index, sources=[])
    named = config.naming(
        "terminology",
        kind="skos_file",
        files=[vocabulary],
        name=vocabulary.stem,
        skosmos=None,
    )
    # An embedder that is switched off is no news.
    return Wiring(named.model_copy(update={"log_level": "ERROR"}))


async def _fill(wiring: Wiring, documents: Path) -> None:
    with Progress(f"Building the index of {documents}") as bar:
        await wiring.fill_index(
            [documents], progress=lambda at: bar.show(at.done, at.total, at.path)
        )


async def _asked(
    pipeline: Pipeline, questions: Sequence[OwnQuestion], options: argparse.Namespace, how: str
) -> Report:
    # The first question loads the models; that is not its latency.
    await own_run.ask_all(pipeline, [WARM_UP])
    title = f"Asking {len(questions)} questions {how}".rstrip()
    with Progress(title, total=len(questions)) as bar:
        asked, not_asked = await own_run.ask_all(pipeline, questions, progress=bar.show)
    figures = own_report.report(asked, not_asked=len(not_asked))
    print(_headed(own_report.render(figures), how))
    if options.misses:
        _show(asked)
    return figures


def _headed(text: str, how: str) -> str:
    return f"{how}\n{text}" if how else text


def _show(asked: Sequence[Asked]) -> None:
    for line in own_report.misses(asked):
        print(line)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    demo, asked = ROOT / "data" / "knowledge", ROOT / "data" / "evaluation" / "own_demo.jsonl"
    add("--documents", type=Path, default=demo, metavar="FOLDER", help="what is asked about")
    add("--questions", type=Path, default=asked, metavar="FILE", help="JSON lines, as above")
    add("--vocabulary", type=Path, default=VOCABULARY, metavar="FILE", help="the terms, in SKOS")
    add(
        "--without-embedder",
        action="store_true",
        help="ask once more as while the embedding model is away, and compare what is shown",
    )
    add("--misses", action="store_true", help="list what was not shown, or wrongly asserted")
    add("--json", type=Path, metavar="FILE", help="where to write the figures as JSON")
    add("--indexes", type=Path, metavar="DIR", help="keep the index here for the next time")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(into_pipe(main, unread=0))
