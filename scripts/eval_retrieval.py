"""Measure what retrieval finds, and what the direct route makes of it, on questions of our own.

    python scripts/eval_retrieval.py                       our own data, and the ESA corpus if here
    python scripts/eval_retrieval.py --corpus own --split tuning --failures

Of held-out questions only totals are ever told. Exit codes: 0 done, 1 recall below the minimum,
2 wrong use, 3 could not run.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path

from corpora import QUESTIONS, ROOT, Direct

from elysia_guard import __version__
from elysia_guard.domain.errors import GuardError
from elysia_guard.edge.cli.progress import Progress
from elysia_guard.evaluation import retrieval_report as reports
from elysia_guard.evaluation import retrieval_run, retrieval_set
from elysia_guard.evaluation.golden import Split
from elysia_guard.running import into_pipe
from elysia_guard.wiring import Wiring

SHARED = ROOT.parent / "shared"
BOTH = "both"

DONE, FAILED, COULD_NOT_RUN = 0, 1, 3


@dataclass(frozen=True, kw_only=True)
class Corpus:
    """Documents, the questions on them, and the vocabulary that is asked beside them."""

    name: str
    documents: Path
    questions: Path
    vocabulary: Path | None


def main() -> int:
    """Measure each corpus, print and write its figures."""
    options = _options()
    results: dict[str, reports.Report] = {}
    try:
        for corpus in _present(options):
            results[corpus.name] = asyncio.run(_measure(corpus, options))
        if options.json:
            text = json.dumps({"version": __version__, "corpora": results}, indent=2)
            options.json.write_text(text + "\n", encoding="utf-8")
    except (GuardError, OSError) as err:
        print(f"error: {err}", file=sys.stderr)
        return COULD_NOT_RUN
    return _judged(results, options.min_recall)


def _present(options: argparse.Namespace) -> list[Corpus]:
    own = Corpus(
        name="own",
        documents=ROOT / "data" / "knowledge",
        questions=QUESTIONS / "retrieval.jsonl",
        vocabulary=None,
    )
    beside = options.esa_vocabulary
    esa = Corpus(
        name="esa",
        documents=options.esa,
        questions=QUESTIONS / "retrieval_esa.jsonl",
        vocabulary=beside if beside.exists() else None,
    )
    chosen = [corpus for corpus in (own, esa) if options.corpus in (corpus.name, "all")]
    for corpus in chosen:
        if not corpus.documents.is_dir():
            print(f"{corpus.name} is skipped: no folder {corpus.documents}", file=sys.stderr)
    return [corpus for corpus in chosen if corpus.documents.is_dir()]


async def _measure(corpus: Corpus, options: argparse.Namespace) -> reports.Report:
    questions = retrieval_set.load(corpus.questions)
    splits = list(Split) if options.split == "all" else [Split(options.split)]
    cases = [case for case in questions.cases if case.split in splits]
    kept = nullcontext(options.indexes) if options.indexes else tempfile.TemporaryDirectory()
    with kept as folder:
        index = Path(folder) / f"retrieval-{corpus.name}.sqlite"
        wiring = Wiring.load(index=index, vocabulary=corpus.vocabulary)
        try:
            await _fill(wiring, corpus, quiet=options.quiet)
            outcomes, not_run = await _asked(wiring, corpus, cases, quiet=options.quiet)
            info = await wiring.index.info()
        finally:
            wiring.close()
    figures = {
        name: reports.report(
            [item for item in outcomes if item.case.split in half],
            [item for item in not_run if item.case.split in half],
            k=options.k,
        )
        for name, half in _halves(splits).items()
    }
    if not options.quiet:
        print(reports.render(corpus.name, figures))
        if options.failures:
            _show(outcomes, options.k)
    setting = {
        "questions_hash": questions.blob_hash,
        "model_id": info.model_id,
        "documents": info.documents,
        "passages": info.passages,
    }
    return {**setting, "halves": figures}


def _halves(splits: Sequence[Split]) -> dict[str, Sequence[Split]]:
    together = {BOTH: splits} if len(splits) > 1 else {}
    return {**{str(split): [split] for split in splits}, **together}


async def _fill(wiring: Wiring, corpus: Corpus, *, quiet: bool) -> None:
    if quiet:
        await wiring.fill_index([corpus.documents])
        return
    with Progress(f"Building the index of {corpus.name}") as bar:
        await wiring.fill_index(
            [corpus.documents], progress=lambda at: bar.show(at.done, at.total, at.path)
        )


async def _asked(
    wiring: Wiring, corpus: Corpus, cases: Sequence[retrieval_set.RetrievalCase], *, quiet: bool
) -> tuple[list[retrieval_run.Outcome], list[retrieval_run.NotRun]]:
    asker = Direct(wiring)
    # The first question loads the models; that is not its latency.
    await asker.ask("How do we warm up?", request_id="eval-warm-up")
    if quiet:
        return await retrieval_run.run(cases, wiring.pipeline, asker)
    with Progress(f"Asking {corpus.name} {len(cases)} questions", total=len(cases)) as bar:
        return await retrieval_run.run(cases, wiring.pipeline, asker, progress=bar.show)


def _show(outcomes: Sequence[retrieval_run.Outcome], k: int) -> None:
    tuning = [item for item in outcomes if item.case.split is Split.TUNING]
    for item in reports.failed(tuning, k=k):
        print(reports.render_failure(item, k=k))


def _judged(results: dict[str, reports.Report], minimum: float) -> int:
    if not results:
        print("error: there is no corpus to measure", file=sys.stderr)
        return COULD_NOT_RUN
    status = DONE
    for corpus, result in results.items():
        for half, found in result["halves"].items():
            recall = found["all"]["recall"] or 0.0
            if found["could_not_run"]:
                print(
                    f"error: {corpus}, {half}: {found['could_not_run']} could not run",
                    file=sys.stderr,
                )
                status = COULD_NOT_RUN
            elif recall < minimum:
                print(
                    f"error: {corpus}, {half}: recall@{found['k']} is {recall:.4f}; "
                    f"at least {minimum} is asked for",
                    file=sys.stderr,
                )
                status = status or FAILED
    return status


def _at_least_one(text: str) -> int:
    if (value := int(text)) < 1:
        raise argparse.ArgumentTypeError(f"{text} is less than 1")
    return value


def _share(text: str) -> float:
    if not 0.0 <= (value := float(text)) <= 1.0:
        raise argparse.ArgumentTypeError(f"{text} is not between 0 and 1")
    return value


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    add: Callable[..., object] = parser.add_argument
    add("--corpus", choices=("own", "esa", "all"), default="all")
    add("--split", choices=("tuning", "held_out", "all"), default="all")
    add("--k", type=_at_least_one, default=5, metavar="N", help="how many documents count as found")
    add("--min-recall", type=_share, default=0.0, metavar="SHARE", help="less is a failure")
    add("--failures", action="store_true", help="list what went wrong in the tuning half")
    add("--json", type=Path, metavar="FILE", help="where to write the figures as JSON")
    add("--esa", type=Path, default=SHARED / "corpus" / "esa", metavar="PATH")
    add("--esa-vocabulary", type=Path, default=SHARED / "vocabulary", metavar="PATH")
    add("--indexes", type=Path, metavar="DIR", help="keep the indexes here for the next time")
    add("--quiet", action="store_true", help="print nothing but errors")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(into_pipe(main, unread=0))
